"""Coverage of the constraints and CEL rules of CRDs by documents that satisfy or violate them.

A constraint counts twice: a document should pass it, and a document should fail it. Equal constraints of the versions
of a CRD count once. The branches of anyOf, oneOf, and not are a part of these, but each branch of allOf is a
constraint. Types are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.objects.error_origins import ErrorOrigin, find_error_origin, find_violated_parts
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import LIST_TYPE, Schema, ValidationRule

_VALUE_KEYWORDS = (
    "maximum", "minimum", "multipleOf", "maxLength", "minLength", "pattern", "format", "maxItems", "minItems",
    "maxProperties", "minProperties",
)  # fmt: skip
_PLAIN_KEYWORDS = ("enum", "oneOf", "anyOf", "not")
_ALL_OF = "allOf"
_LIST_TYPES = ("map", "set")
_OLD_SELF = "oldSelf"


class Constraint(Record):
    """A constraint: the CRD, the path of its node, and its text, such as `maxLength 10` or the CEL of a rule."""

    crd: str
    path: str
    text: str
    is_rule: bool = False


ConstraintCounts = Mapping[Constraint, tuple[int, int]]  # numbers of documents that pass and that fail


def list_constraints(definition: CrdDefinition, minor: int) -> Iterator[Constraint]:
    """Yield the constraints of the served versions of a CRD, in the order of the schema."""
    crd = definition.crd
    switches = Switches.from_minor(minor)
    for version in crd.versions if crd else ():
        if version.served and version.schema is not None and crd is not None:
            yield from _walk_constraints(version.schema, "", crd.name, switches)


def _walk_constraints(node: Schema, path: str, crd: str, switches: Switches) -> Iterator[Constraint]:
    yield from _list_node_constraints(node, path, crd, switches)
    for name, child in _iterate_children(node):
        yield from _walk_constraints(child, _join_path(path, name), crd, switches)


def _iterate_children(node: Schema) -> Iterator[tuple[str, Schema]]:
    yield from node.properties.items()
    for inner in (node.items, node.additional):
        if isinstance(inner, Schema):
            yield "[*]", inner


def _join_path(path: str, name: str) -> str:
    return f"{path}{name}" if name == "[*]" or not path else f"{path}.{name}"


def _list_node_constraints(node: Schema, path: str, crd: str, switches: Switches) -> Iterator[Constraint]:
    """Yield the constraints of a node, without those of its children."""
    for keyword in _VALUE_KEYWORDS:
        if keyword in node and (keyword != "format" or is_enforced(node.type, node.get("format"), switches)):
            yield Constraint(crd, path, _format_keyword(node, keyword))
    for keyword in _PLAIN_KEYWORDS:
        if node.get(keyword):
            yield Constraint(crd, path, keyword)
    for index in range(len(node.get(_ALL_OF) or ())):
        yield Constraint(crd, path, _format_part(index))
    if node.get(LIST_TYPE) in _LIST_TYPES:
        yield Constraint(crd, path, _format_keyword(node, LIST_TYPE))
    for name in node.get("required") or ():
        yield Constraint(crd, path, f"required {name}")
    for rule in node.rules:
        yield Constraint(crd, path, _format_rule(rule), is_rule=True)


def _format_keyword(node: Schema, keyword: str) -> str:
    return f"{keyword.removeprefix('x-kubernetes-')} {node.get(keyword)}"


def _format_part(index: int) -> str:
    return f"{_ALL_OF}[{index}]"


def _format_rule(rule: ValidationRule) -> str:
    return " ".join(rule.rule.split())


def count_constraints(
    case: DocumentCase, verdicts: Iterable[Verdict], definition: CrdDefinition
) -> dict[Constraint, tuple[int, int]]:
    """Return the constraints that a document passes or fails in any of the Kubernetes versions."""
    schema, crd = definition.get_schema(case.version), definition.crd
    if schema is None or crd is None:
        return {}
    passed: set[Constraint] = set()
    failed: set[Constraint] = set()
    for verdict in verdicts:
        switches = Switches.from_minor(verdict.minors[-1])
        violated_by_error = [
            _find_violated_constraints(cause, schema, case, crd.name) if cause.path else () for cause in verdict.causes
        ]
        violated = {constraint for item in violated_by_error for constraint in item}
        rules_evaluated = all(item and item[0].is_rule for item in violated_by_error)
        visitor = _ConstraintVisitor(crd.name, switches)
        visitor.visit(schema, _get_validated_object(case, verdict), "")
        failed |= violated
        passed |= {
            item
            for item in visitor.constraints - violated
            if not item.is_rule or (rules_evaluated and _is_evaluated(item, case))
        }
    return {item: (int(item in passed), int(item in failed)) for item in passed | failed}


def _get_validated_object(case: DocumentCase, verdict: Verdict) -> Any:
    return verdict.object if isinstance(verdict.object, dict) else case.object


def _is_evaluated(constraint: Constraint, case: DocumentCase) -> bool:
    """Return whether a rule is evaluated. Rules on the old value are evaluated only for updates."""
    return _OLD_SELF not in constraint.text or case.expectation.old is not None


def _find_violated_constraints(error: Cause, schema: Schema, case: DocumentCase, crd: str) -> Sequence[Constraint]:
    """Return the constraints that an error violates: one, or the branches of an allOf; empty if unknown."""
    steps, rest = resolve_path(case.object, get_error_path(error))
    origin = find_error_origin(error, schema, steps, rest)
    if origin is None:
        return ()
    path = reduce(_join_path, origin.path, "")
    if origin.keyword == _ALL_OF:
        parts = find_violated_parts(origin, case.object, steps) or range(len(origin.node.get(_ALL_OF)))
        return [Constraint(crd, path, _format_part(index)) for index in parts]
    return [Constraint(crd, path, _format_violation(origin), is_rule=origin.rule is not None)]


def _format_violation(origin: ErrorOrigin) -> str:
    if origin.rule is not None:
        return _format_rule(origin.rule)
    if origin.required_field:
        return f"required {origin.required_field}"
    return origin.keyword if origin.keyword in _PLAIN_KEYWORDS else _format_keyword(origin.node, origin.keyword)


class _ConstraintVisitor:
    """Visitor that collects the constraints of every node with a value in a document."""

    def __init__(self, crd: str, switches: Switches) -> None:
        self.constraints: set[Constraint] = set()
        self._crd, self._switches = crd, switches
        self._visited: set[tuple[int, str]] = set()

    def visit(self, node: Schema, value: Any, path: str) -> None:
        """Add the constraints of a node and its children."""
        key = id(node), path
        if key not in self._visited:
            self._visited.add(key)
            self.constraints.update(_list_node_constraints(node, path, self._crd, self._switches))
        if isinstance(value, list) and node.items is not None:
            item_path = _join_path(path, "[*]")
            for item in value:
                self.visit(node.items, item, item_path)
        elif isinstance(value, dict):
            self._visit_members(node, value, path)

    def _visit_members(self, node: Schema, value: dict[str, Any], path: str) -> None:
        for key, member in value.items():
            child = node.properties.get(key)
            if child is not None:
                self.visit(child, member, _join_path(path, key))
            elif isinstance(node.additional, Schema):
                self.visit(node.additional, member, _join_path(path, "[*]"))


class Coverage:
    """The counts of all constraints in a run."""

    def __init__(self, definitions: Iterable[CrdDefinition], minor: int) -> None:
        self.counts: dict[Constraint, tuple[int, int]] = {
            constraint: (0, 0) for definition in definitions for constraint in list_constraints(definition, minor)
        }

    def add(self, counts: ConstraintCounts) -> None:
        """Add the counts of a document."""
        for constraint, (passed, failed) in counts.items():
            if constraint in self.counts:
                previous = self.counts[constraint]
                self.counts[constraint] = previous[0] + passed, previous[1] + failed

    @property
    def percentage(self) -> float:
        """The percentage of constraints that documents pass and fail, from 0 to 100. Both count as one half."""
        halves = [bool(count) for counts in self.counts.values() for count in counts]
        return 100 * sum(halves) / len(halves) if halves else 100.0

    def format_lines(self) -> Iterator[str]:
        """Yield a table for each CRD, and a line with the percentage."""
        for crd in sorted({constraint.crd for constraint in self.counts}):
            rows = [(constraint, counts) for constraint, counts in self.counts.items() if constraint.crd == crd]
            yield crd
            yield from _format_table(rows)
        passed, failed = (sum(bool(counts[side]) for counts in self.counts.values()) for side in (0, 1))
        total = len(self.counts)
        counts = f"of {total} constraints and rules, documents pass {passed} and violate {failed}"
        yield f"coverage {self.percentage:.1f} %: {counts}"


_MAX_RULE_WIDTH = 60  # characters of a rule in the table


def _format_table(rows: Iterable[tuple[Constraint, tuple[int, int]]]) -> Iterator[str]:
    cells = [
        (constraint.path or "(root)", _truncate(constraint.text), *map(_format_count, counts))
        for constraint, counts in rows
    ]
    heading = ("path", "constraint", "passed", "failed")
    widths = [max(len(row[column]) for row in [heading, *cells]) for column in range(4)]
    for row in [heading, *cells]:
        labels = "  ".join(f"{cell:{width}}" for cell, width in zip(row[:2], widths, strict=False))
        yield f"  {labels}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))


def _format_count(count: int) -> str:
    return str(count) if count else "-"


def _truncate(message: str) -> str:
    return message if len(message) <= _MAX_RULE_WIDTH else f"{message[: _MAX_RULE_WIDTH - 1]}…"
