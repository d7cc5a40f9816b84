"""Findings for errors and warnings of API servers about generated CRDs, at the markers that cause them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, SchemaVisitor
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, suggest
from protoc_gen_crd.crd.crd import Crd, UnknownField
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.api_server_limits import MAX_STRICT_ERRORS
from protoc_gen_crd.kubernetes.supported_versions import format_minors, parse_minors
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import iterate_nodes

if TYPE_CHECKING:  # it imports markers and protobuf, which commands on CRDs do not need
    from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
    from protoc_gen_crd.generation.macro_source_map import MacroSourceMap

_WHERE = 'in the file or under "overrides:" in the settings file'
_MESSAGE_COST_HINT = (
    f"bound the strings that the message contains with max_length, {_WHERE}; string() of a number counts as unbounded"
)
# Error messages of API servers for a rule or message that exceeds the cost limit, and for all rules of a schema.
_RULE_COST = "estimated rule cost exceeds budget", "estimated messageExpression cost exceeds budget"
_COST_TOTAL = "estimated rule cost total"
COST_MESSAGE = "rule cost"  # part of the error messages of API servers for rules over the cost limit
# Part of an error message of API servers -> the fix in a .proto, if the message does not contain it.
_HINTS = {
    "messageExpression cost": _MESSAGE_COST_HINT,
    "messageExpression: Forbidden: contributed": _MESSAGE_COST_HINT,
    COST_MESSAGE: f"bound lists and maps around rules with max_items and max_properties, {_WHERE}",
    "it must have a default or be a required property": "mark the field +required, or give it a default",
    "must not be empty if x-kubernetes-list-type is map": "name the fields that identify an item: +listMapKey=<field>",
    "in body must be of type byte": 'write bytes in base64: "aGk=" has the bytes of "hi"',
    "cannot be nullable when x-kubernetes-list-type is": "its items may be null: exclude null with "
    "+protoc-gen-crd:items.nullable=false",
    "so it cannot be nullable": "a wrapper may be null: exclude null with +protoc-gen-crd:nullable=false",
    "must be object if parent array's x-kubernetes-list-type is map": "use +listType=set or "
    "+listType=atomic, since the items are not objects",
    "must be atomic as item of a list": "mark the message of the items +structType=atomic, or use +listType=map",
    "oldSelf cannot be used on the uncorrelatable portion": "make items correlatable with +listType=map and "
    "+listMapKey=<field> on the list around it, or omit the rule there with +protoc-gen-crd:ignore_rules",
    "since the runtime complexity becomes quadratic": "use +listType=set for a list of scalars",
    "protected groups must have approval annotation": "+kubebuilder:metadata:annotations="
    '"api-approved.kubernetes.io=https://github.com/kubernetes/kubernetes/pull/<number>" sets it',
    'spec.selectableFields: Invalid value: "": may only be set': "shared selectable fields are "
    'rejected while schemas differ: restrict them, as in during: {since: "v1" selectable_fields: ".spec.a"}',
    "must be one of boolean,date,integer,number,string": "give the column a type: type=string",
}
_RULE_MEMBER = r"x-kubernetes-validations\[\d+\]\.(\w+)$"  # at the end of the path of an error
_COLUMN_MEMBER = r"additionalPrinterColumns\[\d+\]\.(\w+)$"
# Rule -> its message about a CRD, and a format of versions.
_MESSAGES = {
    "crd-rejected": ("{name} is rejected{versions}: {message}", " by {}"),
    "crd-warning": ("{name} is accepted{versions} with a warning: {message}", " by {}"),
    "crd-unknown-field": ("{message} in {name}{versions}", " ({})"),
}
_UNNAMED = "CRD without a name"
DROPPED = ": API servers drop it without a warning"  # after the message about an unknown field
_MIN_SIMILARITY = 0.8  # high, since the field can be of any object; the proto and JSON names of a field reach it
_NO_HINTS: Mapping[str, str] = {}


def check_admission(
    crds: Sequence[Crd],
    kubernetes: str,
    problems: Problems,
    visitor: SchemaVisitor | None = None,
    *,
    rules: bool = True,
    hints: Mapping[str, str] = _NO_HINTS,
    macro_source_map: MacroSourceMap | None = None,
) -> None:
    """Report the errors and warnings of API servers of these versions. Each is reported once, with its versions.

    `visitor` caches results for schemas. Without `rules`, CEL is neither compiled nor costed. `hints` are those of this
    API, by a part of the error message. `macro_source_map` has the rules as written.
    """
    from protoc_gen_crd.generation.masked_findings import iterate_verdicts  # noqa: PLC0415 - documents have no masked errors

    minors = parse_minors(kubernetes)
    visitor = visitor or make_schema_visitor()
    compiler = _make_compiler(crds, visitor) if rules else None
    server = AdmissionServer(minors, compiler, visitor)
    for crd in crds:
        for verdicts in iterate_verdicts(crd, server):
            report_verdicts(crd, verdicts, len(minors), problems, {**hints, **_HINTS}, macro_source_map)
    if compiler is not None and not kubernetes:
        from protoc_gen_crd.generation.required_kubernetes_version import report_rule_versions  # noqa: PLC0415 - it imports CEL

        report_rule_versions(crds, compiler.expressions, problems)


# Shortcut no-compiler: the compiler is only used for rules, and the flag of a root covers the whole schema.
def _make_compiler(crds: Sequence[Crd], visitor: SchemaVisitor) -> CelInterface | None:
    schemas = [version.schema for crd in crds for version in crd.versions]
    if not any(visitor.visit_root(schema).flags & HAS_RULE for schema in schemas if schema is not None):
        return None
    from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler  # noqa: PLC0415 - many APIs have no rules

    return RuleCompiler()


def report_verdicts(
    crd: Crd,
    verdicts: Sequence[Verdict],
    version_count: int,
    problems: Problems,
    hints: Mapping[str, str] = _HINTS,
    macro_source_map: MacroSourceMap | None = None,
) -> None:
    """Report the errors and warnings in the verdicts on a CRD, with the message of the newest version.

    Args:
        crd: The CRD.
        verdicts: The verdicts of all selected Kubernetes versions.
        version_count: The number of these versions; a message names versions unless it is about all of them.
        problems: Receives the findings.
        hints: Hints by a part of the error message.
        macro_source_map: The places of rules with macros, None if rules are not expanded.
    """
    causes: dict[object, tuple[str, Cause, list[int]]] = {}
    for verdict in sorted(verdicts, key=lambda verdict: max(verdict.minors), reverse=True):
        counts: dict[object, int] = {}
        for rule, key, cause in _list_causes(crd, verdict):
            counts[key] = counts.get(key, 0) + 1
            causes.setdefault((key, counts[key]), (rule, cause, []))[2].extend(verdict.minors)
    fields = _FieldNames(crd)
    for rule, cause, minors in causes.values():
        format_message, format_versions = _MESSAGES[rule]
        kubernetes = f"Kubernetes {format_minors(sorted(minors))}"
        versions = "" if len(minors) == version_count else format_versions.format(kubernetes)
        message = cause.message
        unknown = match_unknown_field(crd, message)
        hint = unknown.make_hint() if unknown else _make_hint(message, hints, fields)
        if macro_source_map and cause.path and macro_source_map.report(cause, versions, problems, hint):
            continue
        problem = format_message.format(name=crd.name or _UNNAMED, versions=versions, message=message)
        if unknown and not unknown.is_reported:
            problem += DROPPED
        path = (cause.place.find_owner() if cause.place else "") or crd.name
        place = unknown.origin if unknown else _point_at_rule_member(cause)
        problems.report(rule, problem, place, path=path, hint=hint)


def _point_at_rule_member(cause: Cause) -> Place | None:
    """Return the place of an error; for a member of a rule in a manifest or in an override, that of the member.

    The same applies to a member of a printer column in a manifest.
    """
    from protoc_gen_crd.schema.go_type_decoder import DocumentPlace  # noqa: PLC0415 - only an error pays for it

    member = re.search(_RULE_MEMBER, cause.path)
    if isinstance(cause.place, DocumentPlace) and (part := member or re.search(_COLUMN_MEMBER, cause.path)):
        return cause.place.append("jsonPath" if part[1] == "JSONPath" else part[1])
    if member and cause.place:
        from protoc_gen_crd.markers.override_place import locate_key  # noqa: PLC0415 - only an error pays for it

        return locate_key(cause.place, re.sub("([A-Z])", r"_\1", member[1]).lower())
    return cause.place


def match_unknown_field(crd: Crd, message: str) -> UnknownField | None:
    """Return the unknown field of a CRD in an error message of strict decoding; None for another message."""
    if not crd.unknown_fields or "unknown field" not in message:
        return None
    return next((field for field in crd.unknown_fields if message.endswith(field.message)), None)


def _make_hint(message: str, hints: Mapping[str, str], fields: _FieldNames) -> str:
    from protoc_gen_crd.admission.type_hints import suggest_type  # noqa: PLC0415 - only an error pays for it

    known = next((hint for part, hint in hints.items() if part in message), "")
    return known or suggest_type(message) or _suggest_name(message, fields)


class _FieldNames:
    """The names of the fields of a CRD, collected for the first hint that needs them."""

    def __init__(self, crd: Crd) -> None:
        self._crd = crd

    @cached_property
    def names(self) -> set[str]:
        """The names in all versions."""
        schemas = (version.schema for version in self._crd.versions)
        return {name for node in iterate_nodes(schemas) for name in node.properties}


def _suggest_name(message: str, fields: _FieldNames) -> str:
    """Return a hint for an undeclared name, an unsupported value, or an undefined field in an error message."""
    unknown = re.search(r"undeclared reference to '([^']+)'", message)
    if unknown:
        if unknown[1] == "not":
            return did_you_mean("!")
        field = f"self.{unknown[1]}" if unknown[1] in fields.names else None
        return did_you_mean(find_nearest(unknown[1], ("oldSelf", "self")) or field)
    listed = re.search(r'Unsupported value: "([^"]*)": supported values: (.*)', message)
    if listed:
        return suggest(listed[1], re.findall('"([^"]*)"', listed[2]))
    undefined = re.search(r"undefined field '([^']+)'", message)
    if not undefined:
        return ""
    names = fields.names - {undefined[1]}
    return did_you_mean(find_nearest(undefined[1], map(escape_cel_name, names), _MIN_SIMILARITY))


def _list_causes(crd: Crd, verdict: Verdict) -> Iterator[tuple[str, object, Cause]]:
    """Yield the errors and warnings of a decoded CRD with their rules, and keys that all versions share."""
    if verdict.object is None:
        return
    # Servers repeat an error for equal values, such as those of two labels.
    causes = {(cause.type, cause.path, cause.message): cause for cause in _drop_cost_totals(verdict.causes)}
    for key, cause in _merge_costs(causes.values()):
        yield "crd-rejected", key, cause.replace(place=_find_place(crd, cause) or crd.origin)
    for rule, warnings in (
        ("crd-unknown-field", (*verdict.unknown_fields, *list_dropped_fields(verdict.object))),
        ("crd-warning", verdict.warnings),
    ):
        for cause in warnings:
            yield rule, cause.detail, cause.replace(place=cause.place or crd.origin)


def list_dropped_fields(crd: Crd | None) -> list[Cause]:
    """Return the unknown fields of a CRD that API servers drop without a warning, as many as they report of others.

    `crd` is None for a manifest that cannot be decoded.
    """
    dropped = [field for field in crd.unknown_fields if not field.is_reported] if crd else []
    return [Cause(detail=field.message, place=field.origin) for field in dropped[:MAX_STRICT_ERRORS]]


def _merge_costs(errors: Iterable[Cause]) -> Iterator[tuple[object, Cause]]:
    """Yield the errors with keys that all versions share: of an expensive rule, only the most expensive place."""
    groups: dict[object, list[Cause]] = {}
    for error in errors:
        is_cost = error.expression and error.place
        key: object = (id(error.place), error.expression, error.path.rpartition(".")[2]) if is_cost else error
        groups.setdefault(key, []).append(error)
    for key, group in groups.items():
        worst = max(group, key=lambda error: error.cost)
        others = len({error.path for error in group}) - 1
        if others:
            places = f"{others} other place{'s' * (others > 1)}"
            worst = worst.replace(detail=f"{worst.detail}; API servers report the same rule at {places}")
        yield (worst.type, worst.path) if isinstance(key, Cause) else key, worst


def _drop_cost_totals(errors: Sequence[Cause]) -> Sequence[Cause]:
    """Drop errors about the total rule cost of a schema if a single rule of it exceeds the limit.

    API servers report the total at the root, and up to four rules that contribute to it, however cheap they are.
    """
    roots = {_find_root(error) for error in errors if error.detail.startswith(_RULE_COST)}
    if not roots:
        return errors
    return [error for error in errors if _COST_TOTAL not in error.detail or _find_root(error) not in roots]


def _find_root(error: Cause) -> str:
    """Return the path of the root schema with an error."""
    head, root, _ = error.path.partition("openAPIV3Schema")
    return head + root


def _find_place(crd: Crd, error: Cause) -> Place | None:
    """Return the place of an error. For a label or annotation, API servers report only the map and the string."""
    if not error.path.startswith("metadata."):
        return error.place
    entries = {"metadata.labels": crd.labels, "metadata.annotations": crd.annotations}.get(error.path, {})
    key = next((key for key, value in entries.items() if error.value in (key, value)), None)
    return crd.get_place(error.path if key is None else f"{error.path}[{key}]")
