"""What a version takes less of than the other one: bounds, formats, rules, and ranges of what is made by arithmetic.

Values are followed along the steps: what a step makes is compared with what the version takes there. What only a run
can tell, such as what an expression makes, is not told here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.namefaults import label_value
from protoc_gen_crd.conversion.check.meeting import check_meeting
from protoc_gen_crd.conversion.check.ranges import check_range
from protoc_gen_crd.conversion.derive.fits import shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.alternatives import apart
from protoc_gen_crd.conversion.plan.changing import Cel, First, Join, Multiply, Split, Values, Wrap
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, FirstOf, Gather, ListOf, Own, Spread, ToList, ToMap
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Duplicate, Fields, Step
from protoc_gen_crd.samples.patterns import found
from protoc_gen_crd.schema.narrower import Facts, narrower, said
from protoc_gen_crd.schema.types import LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Schema

_LONGEST = 63  # characters of the value of a label
_NO_LABELS = ("[^-A-Za-z0-9_.]", "^[^A-Za-z0-9]", "[^A-Za-z0-9]$")
_EITHER = [{"type": "integer"}, {"type": "string"}]  # what servers want beside x-kubernetes-int-or-string
_SEVERAL = ("allOf", "anyOf", "oneOf")
_SELF = re.compile(r"\b(self|oldSelf)\.(\w+)")
_ALWAYS = {"apiVersion", "kind", "metadata"}
_COUNTS = (("minItems", "minProperties"), ("maxItems", "maxProperties"))

# What a way writes: its path and schema, what is known of its values, and the fields that no such value has.
Made = tuple[Path, Schema, Facts, Collection[str]]


def check_narrowed(plan: Plan, way: Way, problems: Problems) -> None:
    """Report what values of one version may break in the other."""
    roots = plan.schema(way.source), plan.schema(way.target)
    fields = _Fields(way)
    for path, has, had, came in _made(way, roots, fields):
        for keyword, old, new in narrower(had, said(has), came):
            if keyword == "oneOf" and apart(has):
                check_meeting(way, path, has, problems)
            elif keyword != "nullable" and not _is_same(keyword, old, new):
                _tell(way, path, has, (keyword, old, new), problems)
    for step in way.steps:
        ends = paths.at(roots[0], step.source), paths.at(roots[1], step.target)
        if step.writes() and paths.is_metadata(step.target) and isinstance(step, Copy | Duplicate) and ends[0]:
            _check_label(way, step, ends[0], problems)
        if isinstance(step, Wrap | ListOf) and ends[1]:
            _check_single(way, step, ends[1], problems)
        if isinstance(step, Multiply) and ends[0] and ends[1]:
            check_range(way, step, ends[0], ends[1], problems)


def _check_label(way: Way, step: Step, had: Schema, problems: Problems) -> None:
    """Report texts that are no value of a label."""
    wrong = next((text for text in _texts(had) if label_value(text, newer=True)), None)
    if step.target[1] == "labels" and wrong is not None:
        at = step.origin
        problem = f'a label should take all of "{paths.shown(step.source)}" in {way.source}, found "{wrong}"'
        hint = "give the field a pattern or an enum of texts that labels take"
        problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "", hint=hint)


def _texts(had: Schema) -> Iterator[str]:
    """Texts of a field that a label might not take, of each kind one."""
    if had.get("enum"):
        yield from (value for value in had.get("enum") if isinstance(value, str))
        return
    patterns, most = ((had.get("pattern"),) if had.get("pattern") else ()), had.get("maxLength")
    for strange in _NO_LABELS:
        yield from found((*patterns, strange), 0, most, 1).texts
    if most is None or most > _LONGEST:
        yield from found(patterns or ("",), _LONGEST + 1, most, 1).texts


def _check_single(way: Way, step: Step, has: Schema, problems: Problems) -> None:
    """A list of one value must be one that the version takes."""
    bounds = {name: has.get(name) for name in ("minItems", "maxItems")}
    wrong = [name for name, less in (("minItems", 1), ("maxItems", -1)) if _outside(bounds[name], less)]
    if wrong:
        at = step.origin
        problem = f'a list of one value must be one that "{paths.shown(step.target)}" of {way.target} takes, '
        problem += f"found {wrong[0]} {bounds[wrong[0]]}"
        problems.report("conversion-type", problem, at, path=at.owner() if at else "")


def _outside(bound: int | None, less: int) -> bool:
    return bound is not None and (bound - 1) * less > 0


def _is_same(keyword: str, old: Any, new: Any) -> bool:
    if keyword == "anyOf" and new == _EITHER:
        return True  # types are compared elsewhere
    return keyword == "enum" and bool(old) and bool(new)  # names are compared one by one elsewhere


class _Fields:
    """The fields that a way writes, by the objects around them, and what they were called there."""

    def __init__(self, way: Way) -> None:
        self.names: dict[tuple[Path, Path], dict[str, str]] = {}
        self.written: dict[Path, set[str]] = {}
        for step in way.steps:
            for path in step.writes():
                for cut in range(1, len(path) + 1):
                    self.written.setdefault(path[: cut - 1], set()).add(path[cut - 1])
                if step.source:
                    around = (step.source[:-1], path[:-1])
                    self.names.setdefault(around, {})[step.source[-1]] = path[-1]

    def facts(self, source: Path, had: Schema, target: Path) -> Facts:
        """What is said of an object as one with the new names of its fields would say it."""
        names = self.names.get((source, target), {})
        known: dict[str, Any] = dict(_renamed(said(had), names))
        if VALIDATIONS in known:
            known[VALIDATIONS] = [{**rule, "rule": _respelled(rule["rule"], names)} for rule in known[VALIDATIONS]]
        if LIST_MAP_KEYS in known:
            names = self.names.get(((*source, ITEM), (*target, ITEM)), {})
            known[LIST_MAP_KEYS] = [names.get(name, name) for name in known[LIST_MAP_KEYS]]
        return known

    def came(self, target: Path, has: Schema) -> Collection[str]:
        """The fields of an object that it never has after this way."""
        return set(has.properties) - self.written.get(target, set()) - (set() if target else _ALWAYS)


def _renamed(facts: Facts, names: Mapping[str, str]) -> Facts:
    """Junctors with other names of fields."""
    made = dict(facts)
    if "required" in made:
        made["required"] = sorted(names.get(name, name) for name in made["required"])
    if "properties" in made:
        made["properties"] = {names.get(name, name): each for name, each in made["properties"].items()}
    for keyword in (keyword for keyword in _SEVERAL if keyword in made):
        made[keyword] = [_renamed(each, names) for each in made[keyword]]
    if isinstance(made.get("not"), dict):
        made["not"] = _renamed(made["not"], names)
    return made


def _respelled(rule: str, names: Mapping[str, str]) -> str:
    return _SELF.sub(lambda found: f"{found[1]}.{names.get(found[2], found[2])}", rule)


def _made(way: Way, roots: tuple[Schema, Schema], fields: _Fields) -> Iterator[Made]:
    """All that a way writes of which anything is known."""
    yield (), roots[1], fields.facts((), roots[0], ()), fields.came((), roots[1])
    for step in way.steps:
        if isinstance(step, Default | Own | ByHand) or not step.writes():
            continue
        had, has = paths.at(roots[0], step.source), paths.at(roots[1], step.target)
        if had is None or has is None or paths.is_metadata(step.source) or paths.is_metadata(step.target):
            continue
        make = next((make for kind, make in _KNOWN.items() if isinstance(step, kind)), None)
        if make is not None:
            yield step.target, has, make(step, had, has, roots[0]), ()
        yield from _through(step, had, has, fields)
        if isinstance(step, Each):
            yield from _inside(step, roots, fields)


def _through(step: Step, had: Schema, has: Schema, fields: _Fields) -> Iterator[Made]:
    """What values are as they were, whole or as items."""
    whole = isinstance(step, Copy) and not isinstance(step, Fields)
    if isinstance(step, Cel) and step.text.strip() == "self" and shape(had) == shape(has):
        step = Duplicate(step.source, step.target)  # it gives what it is given
    ends: tuple[Schema | None, Schema | None] = (None, None)
    if isinstance(step, Wrap):
        ends, target = (had, has.items), (*step.target, ITEM)
    elif isinstance(step, First):
        ends, target = (had.items, has), step.target
    elif isinstance(step, Copy | Duplicate | Spread | Gather) and not isinstance(step, ToList | ListOf | FirstOf):
        ends, target = (had, has), step.target
    if ends[0] is None or ends[1] is None:
        return
    deep = whole or isinstance(step, Wrap | First | Duplicate | Spread | Gather)
    stack = [(step.source, ends[0], target, ends[1])]
    while stack:
        here, one, there, two = stack.pop()
        facts = fields.facts(here, one, there)
        yield there, two, facts, () if deep else fields.came(there, two)
        for name in (*one.properties, ITEM, VALUE) if deep else ():
            below = paths.child(one, name), paths.child(two, name)
            if below[0] is not None and below[1] is not None and below[0] is not below[1]:
                stack.append(((*here, name), below[0], (*there, name), below[1]))


def _inside(step: Each, roots: tuple[Schema, Schema], fields: _Fields) -> Iterator[Made]:
    """The items or values that steps below make."""
    one, two = paths.at(roots[0], step.inside), paths.at(roots[1], step.made)
    if one is None or two is None:
        return
    if shape(one) == shape(two):
        yield step.made, two, fields.facts(step.inside, one, step.made), fields.came(step.made, two)
    key = two.properties.get(step.key) if isinstance(step, ToList) and not isinstance(step, ToMap) else None
    if isinstance(step, ToList) and key is not None:
        yield (*step.made, step.key), key, {"type": "string"}, ()


def _single(_step: Step, _had: Schema, has: Schema, _root: Schema) -> Facts:
    """A list of one value, whose number is looked at by itself."""
    known = (LIST_TYPE, LIST_MAP_KEYS, "minItems", "maxItems")
    return {name: value for name, value in said(has).items() if name in known}


def _counted(step: Step, had: Schema, _has: Schema, _root: Schema) -> Facts:
    """As many items as there were entries, or entries as items."""
    back = isinstance(step, ToMap)
    known = {pair[back]: had.get(pair[not back]) for pair in _COUNTS if had.get(pair[not back]) is not None}
    return known if back else {**known, LIST_TYPE: "map", LIST_MAP_KEYS: [getattr(step, "key", "")]}


def _called(_step: Step, had: Schema, _has: Schema, _root: Schema) -> Facts:
    """A text of a table, or one that is not in it."""
    return said(had)


def _joined(step: Step, _had: Schema, _has: Schema, root: Schema) -> Facts:
    """Several texts with separators."""
    parts: Sequence[Schema | None] = [paths.at(root, path) for path in step.reads()]
    most = [part.get("maxLength") if part else None for part in parts]
    least = min((part.get("minLength") or 0) if part else 0 for part in parts)
    between = len(getattr(step, "separator", "")) * (len(parts) - 1)
    total = None if None in most else sum(filter(None, most)) + between
    return {"minLength": least, **({} if total is None else {"maxLength": total})}


def _split(_step: Step, had: Schema, _has: Schema, _root: Schema) -> Facts:
    most = had.get("maxLength")
    return {} if most is None else {"maxLength": most}


_KNOWN: Mapping[type[Step], Callable[[Any, Schema, Schema, Schema], Facts]] = {
    Wrap: _single,
    ListOf: _single,
    ToList: _counted,
    Values: _called,
    Join: _joined,
    Split: _split,
}


def _tell(way: Way, path: Path, has: Schema, less: tuple[str, Any, Any], problems: Problems) -> None:
    keyword, old, new = less
    if keyword == VALIDATIONS:
        known = [rule["rule"] for rule in old or ()]
        new, old = "; ".join(rule["rule"] for rule in new if rule["rule"] not in known), None
    elif isinstance(new, (dict, list)):
        old, new = (None if each is None else json.dumps(each, ensure_ascii=False) for each in (old, new))
    at = has.place(keyword) or has.origin
    found = f'{keyword} {new} of "{paths.shown(path)}" in {way.target}'
    was = f"{old} in {way.source}" if old is not None else f"none in {way.source}"
    problem = f"a version should take what the other one takes, found {found} and {was}"
    problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "")
