"""Which constraints and CEL rules of the CRDs documents have met, and which they have broken.

A constraint counts twice: documents should be seen to pass it and to fail it. Versions of a CRD share what they have
alike. What stands inside anyOf and its like is part of that, but each part of allOf counts, as each is a demand of its
own. Types are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from protoc_gen_crd.admission.enforced import is_enforced
from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import LIST_TYPE, Rule, Schema
from protoc_gen_crd.testing.answers import Answer
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.origins import Origin, broken_parts, origin_of
from protoc_gen_crd.testing.places import located, place_in

_VALUED = (
    "maximum", "minimum", "multipleOf", "maxLength", "minLength", "pattern", "format", "maxItems", "minItems",
    "maxProperties", "minProperties",
)  # fmt: skip
_PLAIN = ("enum", "oneOf", "anyOf", "not")
_ALL = "allOf"
_LIST_TYPES = ("map", "set")
_OLD = "oldSelf"


class Constraint(Record):
    """One constraint: the CRD, the path of its node, and what it is, such as `maxLength 10` or a rule's text."""

    crd: str
    path: str
    what: str
    is_rule: bool = False


Marks = Mapping[Constraint, tuple[int, int]]  # documents that passed and that failed


def constraints(definition: Definition, minor: int) -> Iterator[Constraint]:
    """Every constraint of a CRD's served versions, in the order of the schema."""
    crd = definition.crd
    switches = Switches.of(minor)
    for version in crd.versions if crd else ():
        if version.served and version.schema is not None and crd is not None:
            yield from _below(version.schema, "", crd.name, switches)


def _below(node: Schema, path: str, crd: str, switches: Switches) -> Iterator[Constraint]:
    yield from _own(node, path, crd, switches)
    for name, child in _children(node):
        yield from _below(child, _joined(path, name), crd, switches)


def _children(node: Schema) -> Iterator[tuple[str, Schema]]:
    yield from node.properties.items()
    for inner in (node.items, node.additional):
        if isinstance(inner, Schema):
            yield "[*]", inner


def _joined(path: str, name: str) -> str:
    return f"{path}{name}" if name == "[*]" or not path else f"{path}.{name}"


def _own(node: Schema, path: str, crd: str, switches: Switches) -> Iterator[Constraint]:
    """The constraints that stand at a node itself."""
    for keyword in _VALUED:
        if keyword in node and (keyword != "format" or is_enforced(node.type, node.get("format"), switches)):
            yield Constraint(crd, path, _what(node, keyword))
    for keyword in _PLAIN:
        if node.get(keyword):
            yield Constraint(crd, path, keyword)
    for index in range(len(node.get(_ALL) or ())):
        yield Constraint(crd, path, _part(index))
    if node.get(LIST_TYPE) in _LIST_TYPES:
        yield Constraint(crd, path, _what(node, LIST_TYPE))
    for name in node.get("required") or ():
        yield Constraint(crd, path, f"required {name}")
    for rule in node.rules:
        yield Constraint(crd, path, _said(rule), is_rule=True)


def _what(node: Schema, keyword: str) -> str:
    return f"{keyword.removeprefix('x-kubernetes-')} {node.get(keyword)}"


def _part(index: int) -> str:
    return f"{_ALL}[{index}]"


def _said(rule: Rule) -> str:
    return " ".join(rule.rule.split())


def marks(case: Case, answers: Iterable[Answer], definition: Definition) -> dict[Constraint, tuple[int, int]]:
    """What one document has passed and failed, by any of the versions."""
    schema, crd = definition.schema(case.version), definition.crd
    if schema is None or crd is None:
        return {}
    passed: set[Constraint] = set()
    failed: set[Constraint] = set()
    for answer in answers:
        switches = Switches.of(answer.minors[-1])
        blamed = [_blamed(each.error, schema, case, crd.name) if each.error else () for each in answer.errors]
        broken = {constraint for each in blamed for constraint in each}
        ran = all(each and each[0].is_rule for each in blamed)
        meeting = _Meeting(crd.name, switches)
        meeting.meet(schema, _seen(case, answer), "")
        failed |= broken
        passed |= {each for each in meeting.met - broken if not each.is_rule or (ran and _applies(each, case))}
    return {each: (int(each in passed), int(each in failed)) for each in passed | failed}


def _seen(case: Case, answer: Answer) -> Any:
    return answer.seen if isinstance(answer.seen, dict) else case.object


def _applies(constraint: Constraint, case: Case) -> bool:
    """Whether a rule has been asked: one on the old value is only on updates."""
    return _OLD not in constraint.what or case.expected.old is not None


def _blamed(error: FieldError, schema: Schema, case: Case, crd: str) -> Sequence[Constraint]:
    """The constraints that an error is about: one, or the parts of an allOf; none where that cannot be told."""
    steps, rest = located(case.object, place_in(error))
    origin = origin_of(error, schema, steps, rest)
    if origin is None:
        return ()
    path = reduce(_joined, origin.path, "")
    if origin.keyword == _ALL:
        parts = broken_parts(origin, case.object, steps) or range(len(origin.node.get(_ALL)))
        return [Constraint(crd, path, _part(index)) for index in parts]
    return [Constraint(crd, path, _broken(origin), is_rule=origin.rule is not None)]


def _broken(origin: Origin) -> str:
    if origin.rule is not None:
        return _said(origin.rule)
    if origin.member:
        return f"required {origin.member}"
    return origin.keyword if origin.keyword in _PLAIN else _what(origin.node, origin.keyword)


class _Meeting:
    """The constraints of every node that has a value in a document."""

    def __init__(self, crd: str, switches: Switches) -> None:
        self.met: set[Constraint] = set()
        self._crd, self._switches = crd, switches
        self._been: set[tuple[int, str]] = set()

    def meet(self, node: Schema, value: Any, path: str) -> None:
        """Take up a node and what is below it."""
        key = id(node), path
        if key not in self._been:
            self._been.add(key)
            self.met.update(_own(node, path, self._crd, self._switches))
        if isinstance(value, list) and node.items is not None:
            below = _joined(path, "[*]")
            for item in value:
                self.meet(node.items, item, below)
        elif isinstance(value, dict):
            self._members(node, value, path)

    def _members(self, node: Schema, value: dict[str, Any], path: str) -> None:
        for key, each in value.items():
            child = node.properties.get(key)
            if child is not None:
                self.meet(child, each, _joined(path, key))
            elif isinstance(node.additional, Schema):
                self.meet(node.additional, each, _joined(path, "[*]"))


class Coverage:
    """The marks of a whole run over all constraints there are."""

    def __init__(self, definitions: Iterable[Definition], minor: int) -> None:
        self.seen: dict[Constraint, tuple[int, int]] = {
            each: (0, 0) for definition in definitions for each in constraints(definition, minor)
        }

    def add(self, found: Marks) -> None:
        """Add what a file's documents have met."""
        for each, (passed, failed) in found.items():
            if each in self.seen:
                before = self.seen[each]
                self.seen[each] = before[0] + passed, before[1] + failed

    @property
    def percentage(self) -> float:
        """How many of both halves of all constraints were seen, from 0 to 100."""
        halves = [bool(count) for counts in self.seen.values() for count in counts]
        return 100 * sum(halves) / len(halves) if halves else 100.0

    def lines(self) -> Iterator[str]:
        """A table for each CRD, and the percentage."""
        for crd in sorted({each.crd for each in self.seen}):
            rows = [(each, counts) for each, counts in self.seen.items() if each.crd == crd]
            yield crd
            yield from _table(rows)
        passed, failed = (sum(bool(counts[side]) for counts in self.seen.values()) for side in (0, 1))
        total = len(self.seen)
        yield f"coverage {self.percentage:.1f} %: of {total} constraints and rules {passed} passed, {failed} failed"


_WIDEST = 60  # characters of a rule that are shown


def _table(rows: Iterable[tuple[Constraint, tuple[int, int]]]) -> Iterator[str]:
    cells = [(each.path or "(root)", _cut(each.what), *map(_count, counts)) for each, counts in rows]
    heading = ("path", "constraint", "passed", "failed")
    widths = [max(len(row[column]) for row in [heading, *cells]) for column in range(4)]
    for row in [heading, *cells]:
        left = "  ".join(f"{cell:{width}}" for cell, width in zip(row[:2], widths, strict=False))
        yield f"  {left}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))


def _count(count: int) -> str:
    return str(count) if count else "-"


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
