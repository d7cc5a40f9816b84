"""The Python API: verdicts of API servers on CRDs and objects, and the estimated cost of CEL rules.

    from protoc_gen_crd import validate
    (verdict,) = validate(obj, crd, kubernetes="1.34")
    print(verdict.accepted, [cause.message for cause in verdict.causes])

Objects and CRDs are plain dicts, strings with one YAML or JSON document, or the `Path` of a file with one document. A
CRD may also be a `Crd`, which `pipeline.build_crds` builds from protos. For CRDs from strings, files and protos, causes
have the place of the violated rule. The object of a verdict is plain data, None if it is rejected.

Versions of Kubernetes have the form of the commands, `1.30` or `1.28..1.37`; the default is the newest one. Versions
with the same errors and messages share a verdict. Arguments are not modified.

All functions raise

- ValueError for an unknown version, and for a string that cannot be parsed or does not contain one object
- OSError for a file that cannot be read
- TypeError for data that is not JSON, such as dates or keys other than strings
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.documents.manifest_input import Json, ManifestInput, StringOrPath, read_manifest, read_manifests
from protoc_gen_crd.kubernetes.supported_versions import format_minors, parse_minors
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.option_types import VERSIONS

__all__ = ["Cause", "Estimate", "Validator", "Verdict", "admit", "estimate", "validate"]

Object = Json | StringOrPath
Definition = Json | StringOrPath | Crd


class Estimate(Record):
    """The estimated cost of a rule or messageExpression in some versions, in units of CEL's cost model.

    Attributes:
        kubernetes: The versions with this estimate, such as `1.30`.
        path: The path of the rule in the CRD.
        rule: The expression.
        once: The maximum cost of one evaluation.
        times: The maximum number of evaluations in an object.
        cost: The product of both. Its limit is 10,000,000.
        rejected: True if the cost exceeds the limit, or if there is an `error`.
        error: The error of the compiler; empty if there is none.
    """

    kubernetes: tuple[str, ...]
    path: str
    rule: str
    once: int
    times: int
    cost: int
    rejected: bool
    error: str


class Validator:
    """A validator of any number of objects of the kinds of one or more CRDs.

    Args:
        crds: A CRD or several; a string or file may contain several.
        kubernetes: The versions of Kubernetes; by default the newest one.

    Raises:
        ValueError: One of the versions rejects a CRD. The message has its first error.
    """

    def __init__(self, crds: Definition | Iterable[Definition], kubernetes: str = "") -> None:
        self._minors = _parse_minors(kubernetes)
        self._cel = RuleCompiler()
        self._servers: dict[tuple[int, ...], AdmissionServer] = {}
        self._kinds: dict[tuple[str, str], list[tuple[tuple[int, ...], Crd]]] = {}
        for crd in [crds] if isinstance(crds, str | os.PathLike | Mapping | Crd) else crds:
            for definition in [crd] if isinstance(crd, Crd) else read_manifests(crd):
                self._add_crd(definition)

    def _get_server(self, minors: tuple[int, ...]) -> AdmissionServer:
        if minors not in self._servers:
            self._servers[minors] = AdmissionServer(minors, self._cel)
        return self._servers[minors]

    def _add_crd(self, definition: ManifestInput | Crd) -> None:
        groups: dict[int, tuple[Crd, list[int]]] = {}
        for verdict in _admit_crd(self._get_server(self._minors), definition):
            if verdict.causes:
                reason = verdict.causes[0].message
                raise ValueError(f"Kubernetes {format_minors(verdict.minors)} rejects the CRD: {reason}")
            groups.setdefault(id(verdict.object), (verdict.object, []))[1].extend(verdict.minors)
        for crd, minors in groups.values():
            self._kinds.setdefault((crd.group, crd.names.kind), []).append((tuple(sorted(minors)), crd))

    def validate(self, obj: Object | bytes, old: Object | None = None, *, status: bool = False) -> tuple[Verdict, ...]:
        """Return the verdicts on the creation or the update of an object.

        Args:
            obj: The object. It may be the bytes of a JSON body, in which 1.0 and 1 are different; invalid JSON and
                values that are not objects are rejected.
            old: The object that is updated; none for a creation.
            status: Whether the update is a request to the subresource `/status`.

        Returns:
            One verdict for each group of versions with the same errors and messages, from oldest to newest.

        Raises:
            ValueError: No CRD serves the kind and version, or the kind of invalid JSON is ambiguous.
        """
        plain = obj if isinstance(obj, bytes | Mapping) else read_manifest(obj).data
        before = None if old is None else read_manifest(old).data
        return _merge_verdicts(
            _finish_verdict(verdict, _find_placed_schema(crd, verdict))
            for minors, crd in self._find_crds(plain)
            for verdict in self._get_server(minors).validate(crd, plain, before, status=status)
        )

    def _find_crds(self, obj: Json | bytes) -> Sequence[tuple[tuple[int, ...], Crd]]:
        plain: Any = obj
        if isinstance(obj, bytes):
            from protoc_gen_crd.base.bounded_json import parse_json  # noqa: PLC0415 - few objects are bytes

            try:
                plain = parse_json(obj.decode("utf-8", "replace"), parse_float=float)
                fault = "" if isinstance(plain, Mapping) or plain is None else "it is not a JSON object"
            except ValueError as error:
                fault = str(error)
            if fault:
                if len(self._kinds) != 1:
                    raise ValueError(f"the kind of the object is unknown: {fault}") from None
                return next(iter(self._kinds.values()))  # its servers report the error in the body
        members = plain if isinstance(plain, Mapping) else {}
        kind, api_version = (
            value if isinstance(value, str) else "" for value in (members.get("kind"), members.get("apiVersion"))
        )
        group = api_version.rpartition("/")[0]
        crds = self._kinds.get((group, kind))
        if crds is None:
            raise ValueError(f'no CRD describes the kind "{kind}" of the group "{group}"')
        return crds


def validate(
    obj: Object | bytes, crd: Definition, old: Object | None = None, *, status: bool = False, kubernetes: str = ""
) -> tuple[Verdict, ...]:
    """Return the verdicts on one object of a CRD's kind; for many objects, use a `Validator`.

    Args:
        obj: The object, or the bytes of a JSON body.
        crd: The CRD.
        old: The object that is updated; none for a creation.
        status: Whether the update is a request to the subresource `/status`.
        kubernetes: The versions of Kubernetes; by default the newest one.

    Returns:
        One verdict for each group of versions with the same errors and messages, from oldest to newest.

    Raises:
        ValueError: The CRD is rejected, or does not serve the kind and version of the object.
    """
    return Validator([crd], kubernetes).validate(obj, old, status=status)


def admit(crd: Definition, old: Definition | None = None, *, kubernetes: str = "") -> tuple[Verdict, ...]:
    """Return the verdicts on the creation or the update of a CRD.

    Args:
        crd: The CRD.
        old: The CRD that is updated; none for a creation.
        kubernetes: The versions of Kubernetes; by default the newest one.

    Returns:
        One verdict for each group of versions with the same errors and messages, from oldest to newest.

    Raises:
        ValueError: `old` is not a CRD.
    """
    minors = _parse_minors(kubernetes)
    definition = crd if isinstance(crd, Crd) else read_manifest(crd)
    verdicts = _admit_crd(AdmissionServer(minors, RuleCompiler()), definition, old)
    return _merge_verdicts(_finish_verdict(verdict) for verdict in verdicts)


def _admit_crd(server: AdmissionServer, crd: ManifestInput | Crd, old: Definition | None = None) -> tuple[Verdict, ...]:
    if isinstance(crd, Crd):
        return server.admit(crd, None if old is None else _decode_crd(old))
    before = encode(old) if isinstance(old, Crd) else None if old is None else read_manifest(old).data
    return server.admit_data(crd.data, before, places=crd.places)


def _decode_crd(definition: Definition) -> Crd:
    if isinstance(definition, Crd):
        return definition
    manifest = read_manifest(definition)
    decoded = decode(manifest.data, manifest.places)
    if decoded.crd is None:
        raise ValueError(decoded.format_rejection(nested=True))
    return decoded.crd


def estimate(crd: Definition, *, kubernetes: str = "") -> tuple[Estimate, ...]:
    """Return the estimated costs of the CEL rules of a CRD, whether or not servers accept it.

    Args:
        crd: The CRD.
        kubernetes: The versions of Kubernetes; by default the newest one.

    Returns:
        One estimate for each rule and each group of versions with the same estimate.

    Raises:
        ValueError: The manifest is not a CRD.
    """
    from protoc_gen_crd.admission.crd.rules.cost_report import report_costs  # noqa: PLC0415
    from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator  # noqa: PLC0415 - only this function needs it

    return tuple(
        Estimate(
            tuple([f"1.{minor}" for minor in rule_estimate.minors]),
            rule.path,
            rule.text,
            rule_estimate.max_cost,
            rule_estimate.cardinality.maximum,
            rule_estimate.cost,
            rule_estimate.rejected,
            rule_estimate.error or "",
        )
        for schema in report_costs(_decode_crd(crd), _parse_minors(kubernetes), RuleEstimator(), effort=0)
        for rule in schema.rules
        for rule_estimate in rule.estimates
    )


def _parse_minors(kubernetes: str) -> tuple[int, ...]:
    if not isinstance(kubernetes, str):
        raise TypeError(f'"kubernetes" must be a string, not {type(kubernetes).__name__}')
    try:
        return tuple(parse_minors(str(VERSIONS.parse(kubernetes)) if kubernetes else ""))
    except ValueError:
        raise ValueError(f'invalid "kubernetes": expected {VERSIONS.requirement}, got "{kubernetes}"') from None


def _find_placed_schema(crd: Crd, verdict: Verdict) -> Schema | None:
    """Return the schema that an object was validated against, if its location is known."""
    if verdict.accepted or not isinstance(verdict.object, Mapping):
        return None
    name = str(verdict.object.get("apiVersion")).rpartition("/")[2]
    schema = next((version.schema for version in crd.versions if version.name == name), None)
    return schema if schema is not None and schema.origin is not None else None


def _merge_verdicts(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """Merge verdicts with equal messages and objects, in the order of their versions."""
    merged: list[Verdict] = []
    for verdict in verdicts:
        index = next((at for at, other in enumerate(merged) if verdict.replace(minors=other.minors) == other), None)
        if index is None:
            merged.append(verdict)
        else:
            minors = tuple(sorted((*merged[index].minors, *verdict.minors)))
            merged[index] = verdict.replace(minors=minors)
    return tuple(sorted(merged, key=lambda verdict: verdict.minors[0]))


def _finish_verdict(verdict: Verdict, schema: Schema | None = None) -> Verdict:
    """Return a verdict with locations of its causes, and without the object if it is rejected."""
    causes, warnings, unknown_fields = (
        tuple([_locate(cause, schema, verdict.object) for cause in causes])
        for causes in (verdict.causes, verdict.warnings, verdict.unknown_fields)
    )
    stored = verdict.stored
    returned = None if causes else stored if isinstance(verdict.object, Crd) else verdict.object
    return Verdict(verdict.minors, causes, warnings, unknown_fields, returned, stored)


def _locate(cause: Cause, schema: Schema | None, obj: Any) -> Cause:
    place = cause.place
    if schema is not None and cause.path:
        from protoc_gen_crd.admission.objects.error_origins import find_error_place  # noqa: PLC0415 - few CRDs have locations

        place = find_error_place(cause, schema, obj)
    return cause.replace(place=place.resolve()) if place else cause
