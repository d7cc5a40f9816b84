"""For programs: what API servers say of CRDs, of objects of their kinds and of the cost of CEL rules.

    from protoc_gen_crd import validate
    (verdict,) = validate(obj, crd, kubernetes="1.34")
    print(verdict.accepted, [error.text for error in verdict.errors])

Objects and CRDs are given as plain dicts, as the text (`str`) of one YAML or JSON document, or as the `Path` of a file
that holds one. A CRD may also be a `Crd`, which `pipeline.crds` makes of protos. Of a CRD that was a text or comes from
protos, errors name the file, line and column of the rule that was broken.

Versions of Kubernetes are given as for the commands, `1.30` or `1.28..1.37`; without them the newest known one is
asked. Versions that say the same in the same words share a verdict. Nothing given is changed. ValueError is raised for
what is no question: a version that is not known, a text that cannot be read or does not hold one object; OSError for a
file that cannot be read; TypeError for data that JSON does not have, such as a date or a key that is no text.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.crd_verdict import CrdVerdict as Admitted
from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import VerdictError, VersionVerdict, convert_crd_verdict, convert_object_verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.documents.manifest_input import Json, ManifestInput, StringOrPath, read_manifest, read_manifests
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.kubernetes.versions import format_minors, parse_minors
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.option_types import VERSIONS

Object = Json | StringOrPath
Definition = Json | StringOrPath | Crd


class Error(Record):
    """One reason to refuse: the server's text, and of what is a field error also the path and Kubernetes' type.

    `place` is where the keyword or rule was written that was broken, None where the CRD does not know.
    """

    text: str
    path: str = ""
    type: str = ""
    place: Location | None = None


class Verdict(Record):
    """What the servers of some versions, such as `("1.33", "1.34")`, say.

    `warnings` are texts of Warning headers. `unknown_fields` are texts such as `unknown field "spec.x"`, which strict
    field validation, kubectl's default, refuses; by themselves they refuse nothing here. `object` is the object as it
    is returned: pruned, with defaults, in the version that was asked for. `stored` is the same as it is written, in the
    version of storage. Both are None where it is refused.
    """

    kubernetes: tuple[str, ...]
    errors: tuple[Error, ...]
    warnings: tuple[str, ...]
    unknown_fields: tuple[str, ...]
    object: dict[str, Any] | None
    stored: dict[str, Any] | None

    @property
    def accepted(self) -> bool:
        """Whether the servers take the object."""
        return not self.errors


class Estimate(Record):
    """What a rule or messageExpression costs by the estimate of some versions, in units of CEL's cost model.

    `cost` is what one evaluation costs at most, `once`, times how often it can be needed in one object, `times`. It is
    held against the limit of 10,000,000. `rejected` says whether the rule is refused, for its cost or by the compiler's
    `error`. `path` is the rule's place in the CRD.
    """

    kubernetes: tuple[str, ...]
    path: str
    rule: str
    once: int
    times: int
    cost: int
    refused: bool
    error: str


class Validator:
    """CRDs, or one, made ready to judge any number of objects of their kinds; a text or file may hold several.

    Raises ValueError for a CRD that one of the versions refuses, with what it says.
    """

    def __init__(self, crds: Definition | Iterable[Definition], kubernetes: str = "") -> None:
        self._minors = _parse_minors(kubernetes)
        self._cel = RuleCompiler()
        self._servers: dict[tuple[int, ...], AdmissionServer] = {}
        self._kinds: dict[tuple[str, str], list[tuple[tuple[int, ...], Crd]]] = {}
        for crd in [crds] if isinstance(crds, str | os.PathLike | Mapping | Crd) else crds:
            for each in [crd] if isinstance(crd, Crd) else read_manifests(crd):
                self._add_crd(each)

    def _get_server(self, minors: tuple[int, ...]) -> AdmissionServer:
        if minors not in self._servers:
            self._servers[minors] = AdmissionServer(minors, self._cel)
        return self._servers[minors]

    def _add_crd(self, given: ManifestInput | Crd) -> None:
        groups: dict[int, tuple[Crd, list[int]]] = {}
        for verdict in _admit_crd(self._get_server(self._minors), given):
            if verdict.rejected or verdict.internal is None:
                said = verdict.decode_error or verdict.format_error(verdict.errors[0])
                raise ValueError(f"Kubernetes {format_minors(verdict.minors)} refuses the CRD: {said}")
            groups.setdefault(id(verdict.internal.crd), (verdict.internal.crd, []))[1].extend(verdict.minors)
        for crd, minors in groups.values():
            self._kinds.setdefault((crd.group, crd.names.kind), []).append((tuple(sorted(minors)), crd))

    def validate(self, obj: Object | bytes, old: Object | None = None, *, status: bool = False) -> tuple[Verdict, ...]:
        """What servers say of an object that is created or, with `old`, updated; `status`: through `/status`.

        An object may be given as the bytes of a JSON body, in which 1.0 and 1 are not the same; bytes that are no JSON
        are rejected. Raises ValueError where no CRD serves its kind and version, or bytes show no kind among several.
        """
        answers: list[tuple[VersionVerdict, Schema | None]] = []
        plain = obj if isinstance(obj, bytes | Mapping) else read_manifest(obj).data
        before = None if old is None else read_manifest(old).data
        for minors, crd in self._find_crds(plain):
            for verdict in self._get_server(minors).validate(crd, plain, before, status=status):
                answers += [
                    (answer, _find_placed_schema(crd, answer)) for answer in convert_object_verdict(verdict, minors)
                ]
        return _merge_verdicts(answers)

    def _find_crds(self, obj: Json | bytes) -> Sequence[tuple[tuple[int, ...], Crd]]:
        plain: Any = obj
        if isinstance(obj, bytes):
            from protoc_gen_crd.base.bounded_json import parse_json  # noqa: PLC0415 - most objects are no bytes

            try:
                plain = parse_json(obj.decode("utf-8", "replace"))
            except ValueError as error:
                if len(self._kinds) != 1:
                    raise ValueError(f"the kind of the object is unknown: {error}") from None
                return next(iter(self._kinds.values()))  # its servers report what is wrong with the body
        kind = plain.get("kind") if isinstance(plain, Mapping) else None
        group = str(plain.get("apiVersion", "")).rpartition("/")[0] if isinstance(plain, Mapping) else ""
        found = self._kinds.get((group, str(kind)))
        if found is None:
            raise ValueError(f'no CRD describes the kind "{kind}" of the group "{group}"')
        return found


def validate(
    obj: Object | bytes, crd: Definition, old: Object | None = None, *, status: bool = False, kubernetes: str = ""
) -> tuple[Verdict, ...]:
    """What servers say of one object of a CRD's kind; for many objects, keep a `Validator`.

    Raises ValueError for a CRD that is refused, and where it does not serve the object's kind and version.
    """
    return Validator([crd], kubernetes).validate(obj, old, status=status)


def admit(crd: Definition, old: Definition | None = None, *, kubernetes: str = "") -> tuple[Verdict, ...]:
    """What servers say of a CRD that is created or, with `old`, updated. Raises ValueError if `old` is no CRD."""
    minors = _parse_minors(kubernetes)
    given = crd if isinstance(crd, Crd) else read_manifest(crd)
    verdicts = _admit_crd(AdmissionServer(minors, RuleCompiler()), given, old)
    return _merge_verdicts([(answer, None) for verdict in verdicts for answer in convert_crd_verdict(verdict, minors)])


def _admit_crd(
    server: AdmissionServer, crd: ManifestInput | Crd, old: Definition | None = None
) -> tuple[Admitted, ...]:
    if isinstance(crd, Crd):
        return server.admit(crd, None if old is None else _decode_crd(old))
    before = encode(old) if isinstance(old, Crd) else None if old is None else read_manifest(old).data
    return server.admit_data(crd.data, before, places=crd.places)


def _decode_crd(given: Definition) -> Crd:
    if isinstance(given, Crd):
        return given
    of = read_manifest(given)
    decoded = decode(of.data, of.places)
    if decoded.crd is None:
        raise ValueError(decoded.format_rejection(nested=True))
    return decoded.crd


def estimate(crd: Definition, *, kubernetes: str = "") -> tuple[Estimate, ...]:
    """What the CEL rules of a CRD cost, whether or not it would be taken. Raises ValueError for what is no CRD."""
    from protoc_gen_crd.admission.crd.rules.cost_report import report_costs  # noqa: PLC0415
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator  # noqa: PLC0415 - few ask

    return tuple(
        Estimate(
            _format_versions(each.minors),
            rule.path,
            rule.text,
            each.max_cost,
            each.cardinality.maximum,
            each.cost,
            each.rejected,
            each.error or "",
        )
        for schema in report_costs(_decode_crd(crd), _parse_minors(kubernetes), RuleEstimator(), effort=0)
        for rule in schema.rules
        for each in rule.estimates
    )


def _parse_minors(kubernetes: str) -> tuple[int, ...]:
    if not isinstance(kubernetes, str):
        raise TypeError(f'"kubernetes" must be a text, found {type(kubernetes).__name__}')
    try:
        return tuple(parse_minors(str(VERSIONS.parse(kubernetes)) if kubernetes else ""))
    except ValueError:
        raise ValueError(f'"kubernetes" must be {VERSIONS.requirement}, found "{kubernetes}"') from None


def _format_versions(minors: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"1.{minor}" for minor in minors)


def _find_placed_schema(crd: Crd, answer: VersionVerdict) -> Schema | None:
    """The schema that an object was held to, if it knows where it was written."""
    if not answer.errors or not isinstance(answer.returned_object, Mapping):
        return None
    name = str(answer.returned_object.get("apiVersion")).rpartition("/")[2]
    schema = next((version.schema for version in crd.versions if version.name == name), None)
    return schema if schema is not None and schema.origin is not None else None


def _merge_verdicts(answers: Sequence[tuple[VersionVerdict, Schema | None]]) -> tuple[Verdict, ...]:
    """Answers in the order of their versions, those that are alike as one."""
    found: list[tuple[Verdict, list[int]]] = []
    for answer, schema in answers:
        made = _make_verdict(answer, schema)
        same = next((minors for verdict, minors in found if verdict == made), None)
        if same is None:
            found.append((made, list(answer.minors)))
        else:
            same += answer.minors
    found.sort(key=lambda each: min(each[1]))
    return tuple(verdict.replace(kubernetes=_format_versions(sorted(minors))) for verdict, minors in found)


def _make_verdict(answer: VersionVerdict, schema: Schema | None) -> Verdict:
    errors = tuple(_make_error(said, schema, answer.returned_object) for said in answer.errors)
    seen = None if errors else answer.returned_object
    return Verdict((), errors, answer.warnings, answer.unknown_fields, seen, answer.stored)


def _make_error(said: VerdictError, schema: Schema | None, obj: Any) -> Error:
    if said.error is None:
        return Error(said.text, said.path)
    place = said.error.origin
    if schema is not None:
        from protoc_gen_crd.admission.objects.error_origins import find_error_place  # noqa: PLC0415 - most CRDs know no places

        place = find_error_place(said.error, schema, obj)
    return Error(said.text, said.path, said.error.type, place.resolve() if place else None)
