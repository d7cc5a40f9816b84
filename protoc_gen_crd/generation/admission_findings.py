"""Errors and warnings of API servers about generated CRDs, as findings at the markers that cause them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
from protoc_gen_crd.admission.crd.structure.node_checks import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_RULE, SchemaVisitor
from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.server import AdmissionServer, CrdVerdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, suggest
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.generation.masked_findings import iterate_verdicts
from protoc_gen_crd.kubernetes.versions import format_minors, parse_minors
from protoc_gen_crd.schema.cel_names import escape_cel_name

if TYPE_CHECKING:  # it knows markers, and with them protobuf, which commands on CRDs do without
    from protoc_gen_crd.generation.macro_source_map import MacroSourceMap

_WHERE = 'in the file or under "overrides:" in the settings file'
_MESSAGE_COST_HINT = (
    f"bound the strings that the message contains with max_length, {_WHERE}; string() of a number counts as unbounded"
)
# Servers' words for one rule or message that exceeds the limit, and for all of a schema.
_RULE_COST = re.compile(r"estimated (?:rule|messageExpression) cost exceeds budget")
_COST_TOTAL = re.compile(r"estimated rule cost total")
COST_MESSAGE = "rule cost"  # servers' words for rules that cost too much
# Words of a server -> the way out in a .proto, where the words do not tell it.
_HINTS = {
    "messageExpression cost": _MESSAGE_COST_HINT,
    "messageExpression: Forbidden: contributed": _MESSAGE_COST_HINT,
    COST_MESSAGE: f"bound lists and maps around rules with max_items and max_properties, {_WHERE}",
    "it must have a default or be a required property": "mark the field +required, or give it a default",
    "must not be empty if x-kubernetes-list-type is map": "name the fields that identify an item: +listMapKey=<field>",
    'in body must be of type string: "integer"': "quote a string that looks like a number",
    "cannot be nullable when x-kubernetes-list-type is": "its items may be null: exclude null with "
    "+protoc-gen-crd:items.nullable=false",
    "so it cannot be nullable": "a wrapper may be null: exclude null with +protoc-gen-crd:nullable=false",
    "must be object if parent array's x-kubernetes-list-type is map": "use +listType=set only for a list of scalars",
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
_MIN_SIMILARITY = 0.8  # as names of one field in a proto and in JSON are; the field may be of any object
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
    """Report what servers of these versions refuse or warn of; the same text once, with its versions.

    `survey` holds what is known of the schemas already. Without `rules`, CEL is neither compiled nor costed. `hints`
    are those of this API, by words of the servers; `rewritten` are its rules that are not as they were written.
    """
    asked = parse_minors(kubernetes)
    visitor = visitor or make_schema_visitor()
    server = AdmissionServer(asked, _make_compiler(crds, visitor) if rules else None, visitor)
    for crd in crds:
        for verdicts in iterate_verdicts(crd, server):
            report_verdicts(crd, verdicts, len(asked), problems, {**hints, **_HINTS}, macro_source_map)


# Shortcut no-compiler: the compiler is only asked about rules, and the flag of a root covers the whole schema.
def _make_compiler(crds: Sequence[Crd], visitor: SchemaVisitor) -> CelInterface | None:
    schemas = [version.schema for crd in crds for version in crd.versions]
    if not any(visitor.visit_root(schema).flags & HAS_RULE for schema in schemas if schema is not None):
        return None
    from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler  # noqa: PLC0415 - many APIs have no rules

    return RuleCompiler()


def report_verdicts(
    crd: Crd,
    verdicts: Sequence[CrdVerdict],
    asked: int,
    problems: Problems,
    hints: Mapping[str, str] = _HINTS,
    macro_source_map: MacroSourceMap | None = None,
) -> None:
    """Report what the verdicts on one CRD say, in the newest words; `asked` is how many versions were asked.

    `ways_out` are hints, by words of the server.
    """
    found: dict[object, tuple[_VerdictItem, list[int]]] = {}
    for verdict in sorted(verdicts, key=lambda verdict: max(verdict.minors), reverse=True):
        counts: dict[object, int] = {}
        for said in _list_items(crd, verdict):
            counts[said.key] = counts.get(said.key, 0) + 1
            found.setdefault((said.key, counts[said.key]), (said, []))[1].extend(verdict.minors)
    for said, minors in found.values():
        versions = "" if len(minors) == asked else f" by Kubernetes {format_minors(sorted(minors))}"
        text = said.text()
        hint = _find_hint(text, hints) or _suggest_name(text, crd)
        if macro_source_map and said.error and macro_source_map.report(said.error, versions, problems, hint):
            continue
        outcome = f"rejected{versions}" if said.rule == "crd-rejected" else f"accepted{versions} with a warning"
        message = f"{crd.name} is {outcome}: {text}"
        path = (said.at.find_owner() if said.at else "") or crd.name
        problems.report(said.rule, message, said.at, path=path, hint=hint)


def _find_hint(text: str, ways_out: Mapping[str, str]) -> str:
    return next((way for words, way in ways_out.items() if words in text), "")


def _suggest_name(text: str, crd: Crd) -> str:
    """A hint for a name that a rule does not know, or a field that it selects of something else than `self`."""
    unknown = re.search(r"undeclared reference to '([^']+)'", text)
    if unknown:
        if unknown[1] == "not":
            return did_you_mean("!")
        field = f"self.{unknown[1]}" if unknown[1] in _collect_field_names(crd) else None
        return did_you_mean(find_nearest(unknown[1], ("oldSelf", "self")) or field)
    listed = re.search(r'Unsupported value: "([^"]*)": supported values: (.*)', text)
    if listed:
        return suggest(listed[1], re.findall('"([^"]*)"', listed[2]))
    found = re.search(r"undefined field '([^']+)'", text)
    if not found:
        return ""
    names = _collect_field_names(crd) - {found[1]}
    return did_you_mean(find_nearest(found[1], map(escape_cel_name, names), _MIN_SIMILARITY))


def _collect_field_names(crd: Crd) -> set[str]:
    names: set[str] = set()
    seen: set[int] = set()
    left = [version.schema for version in crd.versions if version.schema is not None]
    while left:
        schema = left.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            names.update(schema.properties)
            left += [child for _, child in schema.iterate_children()]
    return names


class _VerdictItem(Record):
    """Something that a verdict holds; servers of other versions may say it in other words, but with the same key."""

    rule: str
    text: Callable[[], str]  # built when it is reported: a path is as long as its schema is deep
    at: Place | None
    key: object
    error: FieldError | None = None


def _list_items(crd: Crd, verdict: CrdVerdict) -> Iterator[_VerdictItem]:
    for error in _drop_cost_totals(verdict.errors):
        at = _find_place(crd, error) or crd.origin
        yield _VerdictItem("crd-rejected", partial(verdict.format_error, error), at, (error.type, error.path), error)
    for notice in (*verdict.strict_errors, *verdict.warnings):
        yield _VerdictItem("crd-warning", partial(str, notice.text), notice.origin or crd.origin, notice.text)


def _drop_cost_totals(errors: Sequence[FieldError]) -> Sequence[FieldError]:
    """Drop the errors of a schema about the total cost of rules if a rule of it exceeds the limit by itself.

    Servers report up to four rules as contributing to the total, however cheap, and the total at the root.
    """
    roots = {_find_root(error) for error in errors if _RULE_COST.match(error.detail)}
    if not roots:
        return errors
    return [error for error in errors if not _COST_TOTAL.search(error.detail) or _find_root(error) not in roots]


def _find_root(error: FieldError) -> str:
    """The path of the schema of a version that an error is about."""
    head, root, _ = error.path.partition("openAPIV3Schema")
    return head + root


def _find_place(crd: Crd, error: FieldError) -> Place | None:
    """Find the place of an error. For a bad label or annotation servers report only the map and the string."""
    if not error.path.startswith("metadata."):
        return error.origin
    entries = {"metadata.labels": crd.labels, "metadata.annotations": crd.annotations}.get(error.path, {})
    key = next((key for key, value in entries.items() if error.value in (key, value)), None)
    return crd.get_place(error.path if key is None else f"{error.path}[{key}]")
