"""Random workloads for the admission of objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules import rule_compiler
from protoc_gen_crd.admission.objects.json_body import decode_body
from protoc_gen_crd.admission.objects.keyword_checks import make_number_check
from protoc_gen_crd.admission.objects.schema_errors import SchemaError
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema
from tests.judges.objectfuzz.schemas import Schemas
from tests.property.workloads.draws import MINORS, Outcome, draw_input, format_minors, list_more, make_crd, make_version


def _add_version(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the same CRD with another version, which has the same schema and is stored."""
    first, *others = inputs["crd"]["spec"]["versions"]
    versions = [{**first, "storage": False}, {**first, "name": "v3", "storage": True}]
    versions += [{**other, "storage": False} for other in others]
    return {**inputs, "crd": {**inputs["crd"], "spec": {**inputs["crd"]["spec"], "versions": versions}}}


def _format_object_verdict(verdict: Verdict, minor: int) -> Outcome:
    assert minor in verdict.minors
    lists = verdict.causes, verdict.warnings, verdict.unknown_fields
    messages = [[(cause.message, cause.path, str(cause.place)) for cause in causes] for causes in lists]
    return messages, verdict.object, verdict.stored


def validate_objects(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Return verdicts on random objects, twice each, so that the second time uses all remembered results."""
    server = AdmissionServer(MINORS, rule_compiler.RuleCompiler())
    for seed in seeds:
        inputs = _add_version(draw_input(seed)) if seed % 5 == 0 else draw_input(seed)
        status = inputs.get("subresource") == "status"
        crds = [item.object for item in server.admit_data(inputs["crd"]) if item.accepted]
        for crd in crds[:1]:
            for _ in range(2):
                verdicts = server.validate(crd, inputs["obj"], inputs.get("old"), status=status)
                yield seed, format_minors(verdicts, _format_object_verdict)
        yield seed, bool(crds)


def store_objects(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Return verdicts on objects of CRDs with two versions, of which the other one is stored."""
    server = AdmissionServer(MINORS)
    for seed in seeds:
        schemas = Schemas(Random(seed))
        spec: dict[str, Any] = {"type": "object", "properties": {name: {"type": "string"} for name in ("a", "b")}}
        other = spec if seed % 3 else {**spec, "properties": {"a": {"type": "string"}}}
        nulls: dict[str, Any] = {"a": None} if schemas.chance(0.5) else {}
        members = {"a": {"x-kubernetes-preserve-unknown-fields": True}, "b": {"type": "string"}}
        defaulted = {**spec, "properties": members, "default": nulls | {"b": "x"}}
        default = {"d": defaulted} if schemas.chance(0.7) else {}
        versions = [
            make_version("v1", spec | {"properties": spec["properties"] | default}),
            make_version("v2", other),
        ]
        versions[schemas.random.choice((0, 1, 1))]["storage"] = True
        crd = decode(make_crd(*versions)).crd
        assert crd is not None
        obj: dict[str, Any] = {
            "apiVersion": "example.com/v1",
            "kind": "Thing",
            "metadata": schemas.metadata(),
            "spec": {},
        }
        obj["spec"] = {name: schemas.value({"type": "string"}) for name in ("a", "b") if schemas.chance(0.7)}
        yield format_minors(server.validate(crd, obj), _format_object_verdict)


# Rules that some versions reject, and rules that all versions accept but compile differently.
_RULES = (
    "self.a == 'x'", "isIP(self.a)", "quantity(self.a).isInteger()", "isSemver(self.a)",
    "sets.contains([self.a], ['x'])", "[self.a].all(i, v, v == self.a)", "[self.a].all(v, v == 'x')",
    "optional.of(self.a).hasValue()",
    "self.a.split('').exists(c, c == 'x')", "self.a.charAt(0) == 'x'", "ip(self.a).isCanonical()", "[1, 2].sum() > 2.0",
)  # fmt: skip


def evaluate_rules(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Return verdicts on objects with rules whose functions and macros differ between versions."""
    server = AdmissionServer(MINORS, rule_compiler.RuleCompiler())
    for seed in seeds:
        random = Random(seed)
        rules = [{"rule": rule} for rule in random.sample(_RULES, random.randint(1, 3))]
        spec = {"type": "object", "properties": {"a": {"type": "string"}}, "x-kubernetes-validations": rules}
        crd = decode(make_crd(make_version("v1", spec))).crd
        assert crd is not None
        obj = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}}
        for value in ("x", "1", "127.0.0.1"):
            yield seed, format_minors(server.validate(crd, {**obj, "spec": {"a": value}}), _format_object_verdict)


_VALUES: tuple[Any, ...] = (
    0,
    1,
    -1,
    2**53,
    -(2**63),
    2**63,
    10**30,
    1.0,
    1.5,
    float("inf"),
    "a",
    "é",
    "\ud800",
    None,
    True,
    [],
    {},
)


def decode_bodies(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Random plain data as the body of a request."""
    for seed in seeds:
        random = Random(seed)
        value: Any = random.choice(_VALUES)
        for _ in range(random.randint(0, 3)):
            value = random.choice(([value, 1], {"a": value}, {"é": value}, {"\ud800": value}))
        yield repr(decode_body(value, "Thing"))


_BOUNDS = (0, 1, 1.5, -1.5, 10, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63), 2.0**63, 1e300, 3.9)


_FORMS = (("integer", ""), ("integer", "int32"), ("integer", "int64"), ("number", ""), ("number", "float"))


def check_numbers(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Errors of integers near random bounds."""
    for seed in list_more(seeds, 20):
        random = Random(seed)
        kind, form = random.choice(_FORMS)
        keywords: dict[str, Any] = {"type": kind, random.choice(("minimum", "maximum")): random.choice(_BOUNDS)}
        for more in ("exclusiveMaximum", "exclusiveMinimum", "multipleOf", "minimum", "maximum"):
            if random.random() < 0.2:
                keywords[more] = True if more.startswith("e") else random.choice(_BOUNDS[1:3])
        switches = Switches.from_minor(random.choice(MINORS))
        check = make_number_check(Schema(keywords), (kind,), form, switches, whole=True)
        value = min(max(int(random.choice(_BOUNDS)) + random.randint(-2, 2), -(2**63)), 2**63 - 1)
        errors: list[SchemaError] = []
        if check is not None and keywords.get("multipleOf") != 0:
            check(value, "a", errors, None)
        yield keywords, form, value, errors
