"""Report constraints of the target version that valid values of the source version may break.

The check follows values along the steps and compares the constraints at both ends. Results that are only known at run
time, such as those of expressions, are not checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.comparison.schemas.narrowed_constraints import Constraints, find_narrowed_keywords, get_constraints
from protoc_gen_crd.conversion.checks.number_ranges import check_range
from protoc_gen_crd.conversion.checks.oneof_conflicts import check_oneof_conflicts
from protoc_gen_crd.conversion.derivation.conversion_options import get_plural_declaration
from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    Gather,
    HandwrittenField,
    HandwrittenObject,
    ListToMap,
    MapToList,
    Spread,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Default, Duplicate, ObjectStep
from protoc_gen_crd.conversion.plan.exclusive_fields import find_exclusive_groups
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, First, Join, Multiply, Split, ValueTable, Wrap
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.dns_names_and_labels import validate_label_value
from protoc_gen_crd.samples.pattern_strings import find_matches
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Schema

_MAX_LABEL_LENGTH = 63  # characters of the value of a label
_INVALID_LABEL_PATTERNS = ("[^-A-Za-z0-9_.]", "^[^A-Za-z0-9]", "[^A-Za-z0-9]$")
_INT_OR_STRING_TYPES = [
    {"type": "integer"},
    {"type": "string"},
]  # required by API servers with x-kubernetes-int-or-string
_SELF_FIELD = re.compile(r"\b(self|oldSelf)\.(\w+)")
_COMMON_FIELDS = {"apiVersion", "kind", "metadata"}
_COUNT_KEYWORDS = (("minItems", "minProperties"), ("maxItems", "maxProperties"))

# A value that a direction writes: path, schema, known constraints, and fields that it never has.
WrittenValue = tuple[Path, Schema, Constraints, Collection[str]]


def check_narrowed_constraints(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report values that are valid in the source version but may be invalid in the target version."""
    roots = plan.get_schema(direction.source), plan.get_schema(direction.target)
    fields = _FieldNames(direction)
    for path, has, had, came in _iterate_written_values(direction, roots, fields):
        for keyword, old, new in find_narrowed_keywords(had, _get_violable_constraints(direction, path, has), came):
            if keyword == "oneOf" and find_exclusive_groups(has):
                check_oneof_conflicts(direction, path, has, problems)
            elif keyword != "nullable" and not _is_same(keyword, old, new):
                _report_narrowed(direction, path, has, (keyword, old, new), problems)
    check_narrowing_steps(plan, direction, problems)


def _get_violable_constraints(direction: Direction, path: Path, schema: Schema) -> Constraints:
    """Return the constraints of a written value without the rules of `plural_of` that its conversion satisfies."""
    constraints, places = get_constraints(schema), []
    for name, child in schema.properties.items():
        plural = get_plural_declaration(child)
        if plural and _is_synchronized(direction, (*path, name), (*path, plural.values["renamed_from"])):
            places.append(plural.origin)
    if not places:
        return constraints
    satisfied = {rule.rule for rule in schema.rules if rule.origin in places}
    rules = [rule for rule in constraints.get(VALIDATIONS, ()) if rule["rule"] not in satisfied]
    others = {name: value for name, value in constraints.items() if name != VALIDATIONS}
    return {**others, **({VALIDATIONS: rules} if rules else {})}


def _is_synchronized(direction: Direction, plural: Path, singular: Path) -> bool:
    """Return True if a direction writes no list, or only the list of the value that it also copies to a field."""
    lists = [step for step in direction.steps if plural in step.get_writes()]
    sources = [step.source for step in direction.steps if singular in step.get_writes() and isinstance(step, Copy)]
    return all(isinstance(step, Wrap) and [step.source] == sources for step in lists)


def check_narrowing_steps(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report steps whose results may be invalid in the target version."""
    roots = plan.get_schema(direction.source), plan.get_schema(direction.target)
    for step in direction.steps:
        schemas = paths.find_schema(roots[0], step.source), paths.find_schema(roots[1], step.target)
        if (
            step.get_writes()
            and paths.is_metadata_entry(step.target)
            and isinstance(step, Copy | Duplicate)
            and schemas[0]
        ):
            _check_label(direction, step, schemas[0], problems)
        if isinstance(step, Wrap | WrapObject) and schemas[1]:
            _check_single_item(direction, step, schemas[1], problems)
        if isinstance(step, Multiply) and schemas[0] and schemas[1]:
            check_range(direction, step, schemas[0], schemas[1], problems)


def _check_label(direction: Direction, step: Step, had: Schema, problems: Problems) -> None:
    """Report strings that are not valid label values."""
    invalid = next((string for string in _generate_strings(had) if validate_label_value(string, newer=True)), None)
    if step.target[1] == "labels" and invalid is not None:
        at = step.origin
        problem = f'"{paths.format_path(step.source)}" of {direction.source} may be "{invalid}", '
        problem += "which is no valid label value"
        hint = "give the field a pattern or an enum that allows only valid label values"
        problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)


def _generate_strings(had: Schema) -> Iterator[str]:
    """Generate strings of a field that may not be valid label values, one of each kind."""
    if had.get("enum"):
        yield from (value for value in had.get("enum") if isinstance(value, str))
        return
    patterns, most = ((had.get("pattern"),) if had.get("pattern") else ()), had.get("maxLength")
    for strange in _INVALID_LABEL_PATTERNS:
        yield from find_matches((*patterns, strange), 0, most, 1).strings
    if most is None or most > _MAX_LABEL_LENGTH:
        yield from find_matches(patterns or ("",), _MAX_LABEL_LENGTH + 1, most, 1).strings


def _check_single_item(direction: Direction, step: Step, has: Schema, problems: Problems) -> None:
    """Report a target list that does not accept a list of one item."""
    bounds = {name: has.get(name) for name in ("minItems", "maxItems")}
    violated = [name for name, less in (("minItems", 1), ("maxItems", -1)) if _is_out_of_bounds(bounds[name], less)]
    if violated:
        at = step.origin
        problem = f'"{paths.format_path(step.target)}" of {direction.target} rejects a list of one item: '
        problem += f"{violated[0]} is {bounds[violated[0]]}"
        problems.report("conversion-type", problem, at, path=at.find_owner() if at else "")


def _is_out_of_bounds(bound: int | None, less: int) -> bool:
    return bound is not None and (bound - 1) * less > 0


def _is_same(keyword: str, old: Any, new: Any) -> bool:
    if keyword == "anyOf" and new == _INT_OR_STRING_TYPES:
        return True  # types are compared elsewhere
    return keyword == "enum" and bool(old) and bool(new)  # enum values are compared elsewhere, one by one


class _FieldNames:
    """The fields that a direction writes, by their objects, and their names in the source version."""

    def __init__(self, direction: Direction) -> None:
        self.names: dict[tuple[Path, Path], dict[str, str]] = {}
        self.written: dict[Path, set[str]] = {}
        for step in direction.steps:
            for path in step.get_writes():
                for cut in range(1, len(path) + 1):
                    self.written.setdefault(path[: cut - 1], set()).add(path[cut - 1])
                if step.source:
                    around = (step.source[:-1], path[:-1])
                    self.names.setdefault(around, {})[step.source[-1]] = path[-1]

    def build_constraints(self, source: Path, had: Schema, target: Path) -> Constraints:
        """Return the constraints of an object, expressed with the new names of its fields."""
        names = self.names.get((source, target), {})
        constraints: dict[str, Any] = dict(_rename_fields(get_constraints(had), names))
        if VALIDATIONS in constraints:
            constraints[VALIDATIONS] = [
                {**rule, "rule": _rename_rule_fields(rule["rule"], names)} for rule in constraints[VALIDATIONS]
            ]
        if LIST_MAP_KEYS in constraints:
            names = self.names.get(((*source, ITEM), (*target, ITEM)), {})
            constraints[LIST_MAP_KEYS] = [names.get(name, name) for name in constraints[LIST_MAP_KEYS]]
        return constraints

    def find_missing_fields(self, target: Path, has: Schema) -> Collection[str]:
        """Return the fields of an object that this direction never writes."""
        return set(has.properties) - self.written.get(target, set()) - (set() if target else _COMMON_FIELDS)


def _rename_fields(facts: Constraints, names: Mapping[str, str]) -> Constraints:
    """Rename the fields of logical keywords."""
    renamed = dict(facts)
    if "required" in renamed:
        renamed["required"] = sorted(names.get(name, name) for name in renamed["required"])
    if "properties" in renamed:
        renamed["properties"] = {
            names.get(name, name): constraint for name, constraint in renamed["properties"].items()
        }
    for keyword in (keyword for keyword in BRANCH_KEYWORDS if keyword in renamed):
        renamed[keyword] = [_rename_fields(junct, names) for junct in renamed[keyword]]
    if isinstance(renamed.get("not"), dict):
        renamed["not"] = _rename_fields(renamed["not"], names)
    return renamed


def _rename_rule_fields(rule: str, names: Mapping[str, str]) -> str:
    return _SELF_FIELD.sub(lambda match: f"{match[1]}.{names.get(match[2], match[2])}", rule)


def _iterate_written_values(
    direction: Direction, roots: tuple[Schema, Schema], fields: _FieldNames
) -> Iterator[WrittenValue]:
    """Iterate over all written values with known constraints."""
    yield (), roots[1], fields.build_constraints((), roots[0], ()), fields.find_missing_fields((), roots[1])
    for step in direction.steps:
        if isinstance(step, Default | HandwrittenField | HandwrittenObject) or not step.get_writes():
            continue
        had, has = paths.find_schema(roots[0], step.source), paths.find_schema(roots[1], step.target)
        if had is None or has is None or paths.is_metadata_entry(step.source) or paths.is_metadata_entry(step.target):
            continue
        make = next((make for kind, make in _CONSTRAINT_BUILDERS.items() if isinstance(step, kind)), None)
        if make is not None:
            yield step.target, has, make(step, had, has, roots[0]), ()
        yield from _iterate_copied_values(step, had, has, fields)
        if isinstance(step, ContainerStep):
            yield from _iterate_items(step, roots, fields)


def _iterate_copied_values(step: Step, had: Schema, has: Schema, fields: _FieldNames) -> Iterator[WrittenValue]:
    """Iterate over values that are copied unchanged, whole or as items."""
    whole = isinstance(step, Copy) and not isinstance(step, ObjectStep)
    if isinstance(step, CelExpression) and step.expression.strip() == "self" and get_shape(had) == get_shape(has):
        step = Duplicate(step.source, step.target)  # the expression returns its input
    schemas: tuple[Schema | None, Schema | None] = (None, None)
    if isinstance(step, Wrap):
        schemas, target = (had, has.items), (*step.target, ITEM)
    elif isinstance(step, First):
        schemas, target = (had.items, has), step.target
    elif isinstance(step, Copy | Duplicate | Spread | Gather) and not isinstance(
        step, MapToList | WrapObject | UnwrapObject
    ):
        schemas, target = (had, has), step.target
    if schemas[0] is None or schemas[1] is None:
        return
    deep = whole or isinstance(step, Wrap | First | Duplicate | Spread | Gather)
    stack = [(step.source, schemas[0], target, schemas[1])]
    while stack:
        source_path, source_schema, target_path, target_schema = stack.pop()
        facts = fields.build_constraints(source_path, source_schema, target_path)
        yield target_path, target_schema, facts, () if deep else fields.find_missing_fields(target_path, target_schema)
        for name in (*source_schema.properties, ITEM, VALUE) if deep else ():
            children = paths.get_child(source_schema, name), paths.get_child(target_schema, name)
            if children[0] is not None and children[1] is not None and children[0] is not children[1]:
                stack.append(((*source_path, name), children[0], (*target_path, name), children[1]))


def _iterate_items(step: ContainerStep, roots: tuple[Schema, Schema], fields: _FieldNames) -> Iterator[WrittenValue]:
    """Iterate over the items or values that nested steps write."""
    source_schema, target_schema = (
        paths.find_schema(roots[0], step.source_scope),
        paths.find_schema(roots[1], step.target_scope),
    )
    if source_schema is None or target_schema is None:
        return
    if get_shape(source_schema) == get_shape(target_schema):
        yield (
            step.target_scope,
            target_schema,
            fields.build_constraints(step.source_scope, source_schema, step.target_scope),
            fields.find_missing_fields(step.target_scope, target_schema),
        )
    key = (
        target_schema.properties.get(step.key)
        if isinstance(step, MapToList) and not isinstance(step, ListToMap)
        else None
    )
    if isinstance(step, MapToList) and key is not None:
        yield (*step.target_scope, step.key), key, {"type": "string"}, ()


def _build_single_item(_step: Step, _had: Schema, has: Schema, _root: Schema) -> Constraints:
    """Return the constraints of a list of one item; its length is checked separately."""
    keywords = (LIST_TYPE, LIST_MAP_KEYS, "minItems", "maxItems")
    return {name: value for name, value in get_constraints(has).items() if name in keywords}


def _build_counts(step: Step, had: Schema, _has: Schema, _root: Schema) -> Constraints:
    """Return the counts of a list from those of a map, or the reverse."""
    back = isinstance(step, ListToMap)
    counts = {pair[back]: had.get(pair[not back]) for pair in _COUNT_KEYWORDS if had.get(pair[not back]) is not None}
    return counts if back else {**counts, LIST_TYPE: "map", LIST_MAP_KEYS: [getattr(step, "key", "")]}


def _build_table(_step: Step, had: Schema, _has: Schema, _root: Schema) -> Constraints:
    """A string of a table, or one without an entry."""
    return get_constraints(had)


def _build_join(step: Step, _had: Schema, _has: Schema, root: Schema) -> Constraints:
    """Joined strings with separators."""
    parts: Sequence[Schema | None] = [paths.find_schema(root, path) for path in step.get_reads()]
    most = [part.get("maxLength") if part else None for part in parts]
    least = min((part.get("minLength") or 0) if part else 0 for part in parts)
    between = len(getattr(step, "separator", "")) * (len(parts) - 1)
    total = None if None in most else sum(filter(None, most)) + between
    return {"minLength": least, **({} if total is None else {"maxLength": total})}


def _build_split(_step: Step, had: Schema, _has: Schema, _root: Schema) -> Constraints:
    most = had.get("maxLength")
    return {} if most is None else {"maxLength": most}


_CONSTRAINT_BUILDERS: Mapping[type[Step], Callable[[Any, Schema, Schema, Schema], Constraints]] = {
    Wrap: _build_single_item,
    WrapObject: _build_single_item,
    MapToList: _build_counts,
    ValueTable: _build_table,
    Join: _build_join,
    Split: _build_split,
}


def _report_narrowed(
    direction: Direction, path: Path, has: Schema, less: tuple[str, Any, Any], problems: Problems
) -> None:
    keyword, old, new = less
    if keyword == VALIDATIONS:
        old_rules = [rule["rule"] for rule in old or ()]
        new, old = "; ".join(rule["rule"] for rule in new if rule["rule"] not in old_rules), None
    elif isinstance(new, (dict, list)):
        old, new = (None if value is None else json.dumps(value, ensure_ascii=False) for value in (old, new))
    at = has.get_place(keyword) or has.origin
    subject = f'"{paths.format_path(path)}"' if path else "the object"
    problem = f"{subject} of {direction.target} rejects values that {direction.source} accepts: "
    problem += f"{keyword} {new} in {direction.target}, {'none' if old is None else old} in {direction.source}"
    hint = f"set the same {keyword} in {direction.source}, or compute a value that {direction.target} accepts"
    problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)
