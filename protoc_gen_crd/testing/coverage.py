"""Which constraints and CEL rules of the CRDs documents have met, and which they have broken.

A constraint counts twice: documents should be seen to pass it and to fail it. Versions of a CRD share what they have
alike. What stands inside anyOf and its like is part of that, but each part of allOf counts, as each is a demand of its
own. Types are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.objects.error_origins import ErrorOrigin, find_error_origin, find_violated_parts
from protoc_gen_crd.admission.objects.error_paths import get_error_path, resolve_path
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.admission.verdicts import VersionVerdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_cases import DocumentCase
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
    """One constraint: the CRD, the path of its node, and what it is, such as `maxLength 10` or a rule's text."""

    crd: str
    path: str
    text: str
    is_rule: bool = False


ConstraintCounts = Mapping[Constraint, tuple[int, int]]  # documents that passed and that failed


def list_constraints(definition: CrdDefinition, minor: int) -> Iterator[Constraint]:
    """Every constraint of a CRD's served versions, in the order of the schema."""
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
    """The constraints that stand at a node itself."""
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
    case: DocumentCase, answers: Iterable[VersionVerdict], definition: CrdDefinition
) -> dict[Constraint, tuple[int, int]]:
    """What one document has passed and failed, by any of the versions."""
    schema, crd = definition.get_schema(case.version), definition.crd
    if schema is None or crd is None:
        return {}
    passed: set[Constraint] = set()
    failed: set[Constraint] = set()
    for answer in answers:
        switches = Switches.from_minor(answer.minors[-1])
        blamed = [
            _find_violated_constraints(each.error, schema, case, crd.name) if each.error else ()
            for each in answer.errors
        ]
        broken = {constraint for each in blamed for constraint in each}
        ran = all(each and each[0].is_rule for each in blamed)
        meeting = _ConstraintVisitor(crd.name, switches)
        meeting.visit(schema, _get_validated_object(case, answer), "")
        failed |= broken
        passed |= {
            each for each in meeting.constraints - broken if not each.is_rule or (ran and _is_evaluated(each, case))
        }
    return {each: (int(each in passed), int(each in failed)) for each in passed | failed}


def _get_validated_object(case: DocumentCase, answer: VersionVerdict) -> Any:
    return answer.returned_object if isinstance(answer.returned_object, dict) else case.object


def _is_evaluated(constraint: Constraint, case: DocumentCase) -> bool:
    """Whether a rule has been asked: one on the old value is only on updates."""
    return _OLD_SELF not in constraint.text or case.expectation.old is not None


def _find_violated_constraints(error: FieldError, schema: Schema, case: DocumentCase, crd: str) -> Sequence[Constraint]:
    """The constraints that an error is about: one, or the parts of an allOf; none where that cannot be told."""
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
    """The constraints of every node that has a value in a document."""

    def __init__(self, crd: str, switches: Switches) -> None:
        self.constraints: set[Constraint] = set()
        self._crd, self._switches = crd, switches
        self._visited: set[tuple[int, str]] = set()

    def visit(self, node: Schema, value: Any, path: str) -> None:
        """Take up a node and what is below it."""
        key = id(node), path
        if key not in self._visited:
            self._visited.add(key)
            self.constraints.update(_list_node_constraints(node, path, self._crd, self._switches))
        if isinstance(value, list) and node.items is not None:
            below = _join_path(path, "[*]")
            for item in value:
                self.visit(node.items, item, below)
        elif isinstance(value, dict):
            self._visit_members(node, value, path)

    def _visit_members(self, node: Schema, value: dict[str, Any], path: str) -> None:
        for key, each in value.items():
            child = node.properties.get(key)
            if child is not None:
                self.visit(child, each, _join_path(path, key))
            elif isinstance(node.additional, Schema):
                self.visit(node.additional, each, _join_path(path, "[*]"))


class Coverage:
    """The marks of a whole run over all constraints there are."""

    def __init__(self, definitions: Iterable[CrdDefinition], minor: int) -> None:
        self.counts: dict[Constraint, tuple[int, int]] = {
            each: (0, 0) for definition in definitions for each in list_constraints(definition, minor)
        }

    def add(self, found: ConstraintCounts) -> None:
        """Add what a file's documents have met."""
        for each, (passed, failed) in found.items():
            if each in self.counts:
                before = self.counts[each]
                self.counts[each] = before[0] + passed, before[1] + failed

    @property
    def percentage(self) -> float:
        """How many of both halves of all constraints were seen, from 0 to 100."""
        halves = [bool(count) for counts in self.counts.values() for count in counts]
        return 100 * sum(halves) / len(halves) if halves else 100.0

    def format_lines(self) -> Iterator[str]:
        """A table for each CRD, and the percentage."""
        for crd in sorted({each.crd for each in self.counts}):
            rows = [(each, counts) for each, counts in self.counts.items() if each.crd == crd]
            yield crd
            yield from _format_table(rows)
        passed, failed = (sum(bool(counts[side]) for counts in self.counts.values()) for side in (0, 1))
        total = len(self.counts)
        yield f"coverage {self.percentage:.1f} %: of {total} constraints and rules {passed} passed, {failed} failed"


_MAX_RULE_WIDTH = 60  # characters of a rule that are shown


def _format_table(rows: Iterable[tuple[Constraint, tuple[int, int]]]) -> Iterator[str]:
    cells = [(each.path or "(root)", _truncate(each.text), *map(_format_count, counts)) for each, counts in rows]
    heading = ("path", "constraint", "passed", "failed")
    widths = [max(len(row[column]) for row in [heading, *cells]) for column in range(4)]
    for row in [heading, *cells]:
        left = "  ".join(f"{cell:{width}}" for cell, width in zip(row[:2], widths, strict=False))
        yield f"  {left}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))


def _format_count(count: int) -> str:
    return str(count) if count else "-"


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_RULE_WIDTH else f"{text[: _MAX_RULE_WIDTH - 1]}…"
