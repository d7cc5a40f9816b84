"""The door: verdicts by classes of versions, from Crd and from plain data, and where each error came from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface, SchemaRules
from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.admission.server import AdmissionServer, admit
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import Switch
from protoc_gen_crd.schema.go_type_decoder import Path
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule
from tests.unit.admission.crd_factory import at, crd, manifest, only, spec

ALL = range(25, 38)


def test_a_sound_crd_has_one_verdict_for_all_versions() -> None:
    verdict = only(AdmissionServer(ALL).admit(crd()))
    assert verdict.minors == tuple(ALL)
    assert verdict.accepted
    assert (verdict.causes, verdict.warnings, verdict.unknown_fields) == ((), (), ())


def test_the_newest_version_is_the_default() -> None:
    assert only(admit(crd())).minors == (37,)


def test_versions_that_say_the_same_share_a_verdict() -> None:
    definition = crd(spec(a={"type": "string", "format": "k8s-short-name"}))
    verdicts = AdmissionServer(ALL).admit(definition)
    assert [verdict.minors for verdict in verdicts] == [tuple(range(25, 34)), (34,), (35, 36, 37)]
    assert [notice.message for verdict in verdicts for notice in verdict.warnings] == [
        'unrecognized format "k8s-short-name"'
    ]


def test_texts_are_those_of_the_version() -> None:
    keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    definition = crd(spec(a={"type": "array", "items": {"type": "object"}, **keys}))
    verdicts = AdmissionServer([32, 33, 34]).admit(definition)
    assert [(verdict.minors, verdict.message.partition(": ")[2]) for verdict in verdicts] == [
        ((32, 33), 'Invalid value: []string{"k"}: entries must all be names of item properties'),
        ((34,), 'Invalid value: ["k"]: entries must all be names of item properties'),
    ]


def test_unknown_versions_are_no_servers() -> None:
    with pytest.raises(ValueError, match=r"not 1\.38"):
        AdmissionServer([38])


def test_what_is_stored() -> None:
    stored = only(admit(crd())).stored
    assert stored is not None
    assert stored["metadata"] == {"name": "things.example.com", "generation": 1}
    assert stored["spec"]["names"]["listKind"] == "ThingList"
    assert stored["status"]["storedVersions"] == ["v1"]


def test_a_rejected_crd_is_not_stored() -> None:
    verdict = only(admit(crd(scope="Other")))
    assert not verdict.accepted
    assert verdict.stored is None


# Places


def places(definition: Crd, old: Crd | None = None) -> dict[str, Location | None]:
    verdict = only(admit(definition, old))
    return {error.path: error.place.resolve() if error.place else None for error in verdict.causes}


def test_errors_of_nodes_have_locations() -> None:
    node = Schema({"type": "string", "uniqueItems": True}, at(7), {"uniqueItems": at(8)})
    root = Schema({"type": "object", "properties": {"a": node, "b": Schema({}, at(9))}}, at(3))
    assert places(crd(root)) == {
        "spec.validation.openAPIV3Schema.properties[a].uniqueItems": at(8),
        "spec.validation.openAPIV3Schema.properties[b].type": at(9),
    }


def test_errors_of_rules_have_locations() -> None:
    node = Schema({"type": "object", VALIDATIONS: (ValidationRule(" ", origin=at(5)),)}, at(4))
    root = Schema({"type": "object", "properties": {"spec": node}}, at(3))
    assert list(places(crd(root)).values()) == [at(5)]


def test_errors_of_crd_fields_have_locations() -> None:
    definition = crd(group="example", scope="", marks={"group": at(5), "scope": at(6), "names": at(7)})
    assert places(definition) == {"spec.group": at(5), "spec.scope": at(6)}
    assert places(crd(names=Names("T T", "things"), marks={"names": at(7)}))["spec.names.kind"] == at(7)


def test_errors_of_version_fields_have_locations() -> None:
    version = CrdVersion("v1", spec(), storage=True, deprecation_warning="x", marks={"deprecationWarning": at(4)})
    assert places(crd(None, version)) == {"spec.versions[0].deprecationWarning": at(4)}


def test_errors_of_metadata_have_locations() -> None:
    definition = crd(labels={"a b": "c"}, annotations={"a b": "c"}, marks={"metadata.labels": at(5)})
    assert places(definition) == {"metadata.labels": at(5), "metadata.annotations": at(1)}


def test_errors_of_immutable_fields_have_locations() -> None:
    changed = crd(scope="Cluster", marks={"scope": at(6)})
    assert places(changed, crd()) == {"spec.scope": at(6)}


# Plain data


def test_plain_data_is_decoded_first() -> None:
    verdict = only(AdmissionServer().admit_data(manifest(scope=1)))
    assert not verdict.accepted
    assert verdict.object is None
    assert verdict.message.endswith(
        "cannot unmarshal number into Go struct field CustomResourceDefinitionSpec.spec.scope of type v1.ResourceScope"
    )


def test_decoding_errors_have_locations() -> None:
    verdicts = AdmissionServer(ALL).admit_data(
        manifest(scope=1), places=lambda path: Location("/".join(map(str, path)))
    )
    (cause,) = only(verdicts).causes
    assert cause.place is not None
    assert cause.place.resolve().file == "spec/scope"


def test_unknown_fields_are_for_strict_clients() -> None:
    verdict = only(AdmissionServer().admit_data(manifest(color="red")))
    assert verdict.accepted
    assert [notice.message for notice in verdict.unknown_fields] == ['unknown field "spec.color"']


def test_newer_members_are_unknown_to_older_servers() -> None:
    plain = manifest({"type": "object", VALIDATIONS: [{"rule": "true", "reason": "Bad"}]})
    old, new = AdmissionServer([27, 28]).admit_data(plain)
    path = "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].reason"
    assert [notice.message for notice in old.unknown_fields] == [f'unknown field "{path}"']
    assert old.causes == ()
    assert (new.unknown_fields, len(new.causes)) == ((), 1)


def test_places_of_plain_data() -> None:
    def places(path: Path) -> Location | None:
        return Location(".".join(map(str, path)), 1) if path != ("spec", "versions", 0, "name") else None

    plain = manifest(group="Example", color="red")
    plain["spec"]["versions"][0]["name"] = "V1"
    verdict = only(AdmissionServer().admit_data(plain, places=places))
    by_name = {error.path: error.place.resolve().file for error in verdict.causes if error.place}
    assert by_name["spec.group"] == "spec.group"
    assert by_name["spec.versions[0].name"] == "spec.versions.0"
    (notice,) = verdict.unknown_fields
    assert notice.place is not None
    assert notice.place.resolve().file == "spec.color"


def test_the_old_manifest_must_be_a_crd() -> None:
    with pytest.raises(ValueError, match="the old manifest is no CRD"):
        AdmissionServer().admit_data(manifest(), {"kind": "Pod"})


def test_an_update_from_plain_data() -> None:
    changed = manifest(scope="Cluster")
    texts = [error.message for verdict in AdmissionServer().admit_data(changed, manifest()) for error in verdict.causes]
    assert texts == ['spec.scope: Invalid value: "Cluster": field is immutable']
    assert not only(AdmissionServer().admit_data(changed, manifest(), established=False)).causes


# The CEL interface


class Compiler(CelInterface):
    """A compiler that rejects every rule and records its arguments."""

    def __init__(self) -> None:
        self.requests: list[tuple[SchemaRules, Switches]] = []
        self.expressions = ExpressionCompiler()

    def compile_rules(self, rules: SchemaRules, switches: Switches) -> Sequence[Cause]:
        self.requests.append((rules, switches))
        switches.record(Switch("from-1.35", 35, "a test"))
        return [
            Cause(INVALID, f"{site.path}.{VALIDATIONS}[0].rule", "no", site.node.rules[0].rule) for site in rules.sites
        ]

    def evaluate_rules(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[Cause], int]:
        message = f"{value} before {old} {root} {minor}"
        return ([Cause(INVALID, path, message)] if node.rules else []), budget - 1

    def get_equivalence_key(self, minor: int) -> object:
        return minor >= 35


RULE = [{"rule": "true"}]


def judged(root: Schema, *minors: int) -> tuple[Compiler, tuple[Verdict, ...]]:
    compiler = Compiler()
    return compiler, AdmissionServer(minors or (37,), compiler).admit(crd(root))


def test_rules_go_to_the_compiler() -> None:
    lists = {"type": "array", "items": {"type": "object", VALIDATIONS: RULE}}
    compiler, (verdict,) = judged(spec(l=lists, m={**lists, "x-kubernetes-list-type": "atomic"}))
    start = "spec.validation.openAPIV3Schema.properties[spec]"
    assert [error.path for error in verdict.causes] == [
        f"{start}.properties[{name}].items.{VALIDATIONS}[0].rule" for name in "lm"
    ]
    ((rules, era),) = compiler.requests
    assert era.minor == 37
    assert rules.path == "spec.validation.openAPIV3Schema"
    site = rules.sites[0]
    assert [step for _, step in site.ancestors] == [".properties[spec]", ".properties[l]", ".items", ""]
    assert site.ancestors[0][0] is rules.root
    assert site.uncorrelatable_path == f"{start}.properties[l]"


def test_versions_that_compile_otherwise_are_apart() -> None:
    _, verdicts = judged(spec(a={"type": "object", VALIDATIONS: RULE}), *ALL)
    assert (34, 35) not in [(verdict.minors[-1], verdict.minors[0]) for verdict in verdicts]
    assert sorted(minor for verdict in verdicts for minor in verdict.minors) == list(ALL)
    assert all(len({minor >= 35 for minor in verdict.minors}) == 1 for verdict in verdicts)


def test_a_crd_without_rules_asks_nothing_of_cel() -> None:
    compiler, (verdict,) = judged(spec(a={"type": "string"}), *ALL)
    assert verdict.minors == tuple(ALL)
    assert compiler.requests == []


def test_nothing_is_compiled_where_the_schema_is_not_sound() -> None:
    compiler, _ = judged(spec(a={"type": "object", VALIDATIONS: RULE}, b={}))
    assert compiler.requests == []


def test_rules_of_a_faulty_node_are_not_compiled() -> None:
    compiler, _ = judged(
        spec(a={"type": "object", VALIDATIONS: RULE}, b={"type": "object", VALIDATIONS: [{"rule": ""}]})
    )
    ((rules, _),) = compiler.requests
    assert [site.path.rpartition(".")[2] for site in rules.sites] == ["properties[a]"]


def test_correlatable_nodes() -> None:
    rules = {VALIDATIONS: RULE}
    leaf: dict[str, Any] = {"type": "object", **rules}
    keyed: dict[str, Any] = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]}
    keyed["items"] = {"type": "object", "required": ["k"], "properties": {"k": {"type": "string"}}, **rules}
    members = {"type": "object", "additionalProperties": leaf}
    nested = {"type": "array", "items": {"type": "object", "properties": {"x": leaf}}}
    compiler, _ = judged(spec(keyed=keyed, members=members, nested=nested, bare={"type": "string"}))
    ((compiled, _),) = compiler.requests
    start = "spec.validation.openAPIV3Schema.properties[spec].properties"
    assert {site.path.removeprefix(start): site.uncorrelatable_path for site in compiled.sites} == {
        "[keyed].items": None,
        "[members].additionalProperties": None,
        "[nested].items.properties[x]": f"{start}[nested]",
    }


def test_defaults_are_evaluated() -> None:
    _, (verdict,) = judged(spec(a={"type": "integer", "default": 1, VALIDATIONS: RULE}))
    assert [error.detail for error in verdict.causes] == ["1 before 1 False 37"]
