"""A plan against the schemas of its versions: no two steps write one place, and every field is accounted for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from protoc_gen_crd.admission.crd.costs import repeats
from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import REQUEST, RULE
from protoc_gen_crd.conversion.check.around import given
from protoc_gen_crd.conversion.check.aside import check_aside
from protoc_gen_crd.conversion.check.lost import refusals, unaccounted
from protoc_gen_crd.conversion.check.narrowed import check_narrowed
from protoc_gen_crd.conversion.check.nothing import check_nothing
from protoc_gen_crd.conversion.check.required import check_required
from protoc_gen_crd.conversion.check.sound import check_declared, check_filled, check_sound
from protoc_gen_crd.conversion.check.unseen import check_unseen
from protoc_gen_crd.conversion.derive.declared import every
from protoc_gen_crd.conversion.derive.held import refusal
from protoc_gen_crd.conversion.expressions import SIZES, Expression
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Cel, Values
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Fields, Step
from protoc_gen_crd.schema.types import Schema

_UNKNOWN = MOST // 20  # estimates of texts whose length nobody knows, such as string(1), are a tenth of the most
_WAYS_OUT = """
    mark it conversion {renamed_from: "..."} (or moved_from, and what else makes it of a field there),
    conversion {preserved: true} to keep it in an annotation meanwhile, or conversion {dropped: true} to lose it"""

_RULES_OUT = """
    name it in a rule each way, as what it is made of and what becomes of it there, or in "preserve" of the way there to
    keep it in an annotation meanwhile, or in "drop" to lose it"""


# What CEL says of lists, maps and choices whose values are of several types.
_SEVERAL_TYPES = re.compile(r"expected type '[^']+' but found|'_\?_:_'")
_OF_SEVERAL_TYPES = (
    "values of several types beside each other are written in dyn(...): {'name': dyn(self), 'port': dyn(80)}, "
    "self > 0 ? dyn(self) : dyn(null)"
)


def check(plan: Plan, problems: Problems) -> None:
    """Report what the plan leaves open."""
    for pair in plan.pairs:
        for way, back in pair.ways():
            check_sound(plan, way, back, problems)
            check_declared(plan, pair, (way, back), problems)
            _check_writes(way, problems)
            _check_lost(plan, (way, back), (*pair.faults, *pair.meant), problems)
            check_required(plan, way, pair.faults, problems)
            check_nothing(plan, way, problems)
            check_narrowed(plan, way, problems)
            check_unseen(plan, way, problems)
            check_aside(plan, way, back, problems)
            _check_expressions(plan, way, problems)
            _check_values(plan, way, problems)
        check_filled(pair, problems)
    _check_versions(plan, problems)


def _check_writes(way: Way, problems: Problems) -> None:
    """No two steps write overlapping places."""
    written: dict[Path, list[Step]] = {}
    inside: dict[Path, list[Step]] = {}
    for step in way.steps:
        if isinstance(step, Fields):
            continue
        for path in step.writes():
            above = [first for cut in range(len(path) + 1) for first in written.get(path[:cut], ())]
            for first in (*above, *inside.get(path, ())):
                _report_twice(way, path, (first, step), problems)
            written.setdefault(path, []).append(step)
            for cut in range(len(path)):
                inside.setdefault(path[:cut], []).append(step)


def _check_expressions(plan: Plan, way: Way, problems: Problems) -> None:
    """CEL must compile for what it is given, and make what is wanted."""
    source, target = plan.schema(way.source), plan.schema(way.target)
    for step in way.steps:
        if isinstance(step, Cel):
            own, made = paths.at(source, step.source), paths.at(target, step.target)
            if own is None or made is None:
                continue
            fault = Expression(step.text, given(way, step, source)).fault(made)
            if fault:
                found = fault.removeprefix("found ")
                problem = f'an expression must make "{paths.shown(step.target)}" of {way.target}, found {found}'
                at = step.origin
                excerpt = Excerpt(step.text)
                hint = _OF_SEVERAL_TYPES if _SEVERAL_TYPES.search(found) else ""
                problems.report(
                    "conversion-cel", problem, at, path=at.owner() if at else "", hint=hint, excerpt=excerpt
                )
            else:
                _check_cost(way, source, step, problems)


def _check_cost(way: Way, root: Schema, step: Cel, problems: Problems) -> None:
    """What an expression costs in all its places must stay within what servers allow a rule."""
    once, least = Expression(step.text, given(way, step, root, SIZES)).cost()
    count, unbounded = 1, ""
    for depth in range(1, len(step.source)):
        around = paths.at(root, step.source[:depth])
        bound = repeats(around) if around is not None and step.source[depth] in BRACKETS else 1
        if bound is None:
            count, unbounded = REQUEST // least, unbounded or paths.shown(step.source[:depth])
            break
        count *= bound
    if once * count > RULE and once < _UNKNOWN:
        found = f"{once:,} times {count:,}" if count > 1 else f"{once:,}"
        problem = f'an expression for "{paths.shown(step.target)}" must cost at most {RULE:,}, found {found}'
        hint = f'bound "{unbounded}"' if unbounded else "bound the texts and lists that it looks at"
        at = step.origin
        problems.report("conversion-cost", problem, at, path=at.owner() if at else "", hint=hint)


def _check_values(plan: Plan, way: Way, problems: Problems) -> None:
    """Every value of an enum must become one."""
    for step in way.steps:
        source, target = paths.at(plan.schema(way.source), step.source), paths.at(plan.schema(way.target), step.target)
        if not isinstance(step, Values) or source is None or target is None:
            continue
        _check_drift(way, step, source, problems)
        table = step.table()
        values = [value for value in source.get("enum") or table if not refusal(source, value)]
        refused = {value: fault for value in values if (fault := refusal(target, table.get(value, value)))}
        if refused:
            _report_values(way, step, refused, target, problems)


def _report_values(way: Way, step: Values, refused: Mapping[str, str], target: Schema, problems: Problems) -> None:
    table, at = step.table(), step.origin
    found = ", ".join(f'"{value}" becoming "{table.get(value, value)}"' for value in [*refused][:5])
    why = "" if target.get("enum") else f": {next(iter(refused.values()))}"
    missing = next((value for value in refused if value not in table), "")
    problem = f'every value of "{paths.shown(step.source)}" in {way.source} must become one in {way.target}'
    spelled = ((missing, [*table]),) if missing else ((table[value], target.get("enum") or ()) for value in refused)
    meant = (problems.suggestion(text, names) for text, names in spelled)
    hint = next(filter(None, meant), "") if not missing else ""
    if missing:
        hint = f'add a pair with "{missing}": several may be called the same, and come back as they were'
    problems.report("conversion-values", f"{problem}, found {found}{why}", at, path=at.owner() if at else "", hint=hint)


def _check_drift(way: Way, step: Values, source: Schema, problems: Problems) -> None:
    """Texts that nothing maps stay, and must not be what others are mapped to."""
    table = step.table()
    meeting = ((old, new) for old, new in table.items() if new not in table)
    old, new = next((pair for pair in meeting if not any(refusal(source, text) for text in pair)), ("", ""))
    if old or new:
        problem = f'texts of "{paths.shown(step.source)}" in {way.source} should stay apart in {way.target}, '
        problem += f'found "{old}" and "{new}" both becoming "{new}"'
        hint = f'or give "{paths.shown(step.source)}" an enum without it'
        at = step.origin
        if is_of_a_document(at):
            hint = f'say what else "{new}" becomes, {hint}'
        else:
            hint = f'add a pair of "{new}" and "{new}" in front, since "{new}" comes back as "{old}", {hint}'
        problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "", hint=hint)


def _report_twice(way: Way, path: Path, steps: tuple[Step, Step], problems: Problems) -> None:
    at = next((step.origin for step in reversed(steps) if step.declared), steps[1].origin)
    again = next((step.origin for step in steps if step.origin != at and step.declared), None)
    if again and steps[0].shown() == steps[1].shown():
        _report_again(at, again, problems)
        return
    found = " and ".join(f'"{step.shown()}"' for step in steps)
    problem = f'a field must be written by one step, found "{paths.shown(path)}" of {way.target} written by {found}'
    one_said = steps[0].declared and steps[0].origin == steps[1].origin
    hint = (
        "what a message says holds wherever it stands: name the field of the same object, renamed_from"
        if one_said
        else ""
    )
    problems.report("conversion-overlap", problem, at, path=at.owner() if at else "", hint=hint)


def _report_again(at: Place | None, again: Place, problems: Problems) -> None:
    """Both ends of a step say it, once for each way."""
    if not any(finding.rule == "conversion-overlap" and finding.at == at for finding in problems.findings):
        owner = again.owner()
        problem = f"a conversion must be said once, found the same {f'at {owner}' if owner else 'in a rule'}"
        hint = "take one away: the way back follows from either"
        problems.report("conversion-overlap", problem, at, path=at.owner() if at else "", hint=hint)


def _check_lost(plan: Plan, ways: tuple[Way, Way], faults: Sequence[tuple[str, Path]], problems: Problems) -> None:
    """Every field of the source must be converted both ways, kept or dropped on purpose."""
    way, _ = ways
    told = [path for version, path in faults if version == way.source]
    places = refusals(problems)
    unread = {name for one in every(plan.schema(way.target)) for name in re.findall(r"\w+", one.unread)}
    for path, schema in unaccounted(ways, plan.schema(way.source)):
        at = schema.origin
        refused = path[-1] in unread or any(one.origin in places for one in every(schema))
        if refused or any(path[: len(one)] == one for one in told):
            continue  # what is wrong with what it says has been told, or with what says that it is that
        problem = f'a field must be converted, preserved or dropped, found "{paths.shown(path)}" of {way.source} '
        problem += f"without a counterpart in {way.target}{_taken(path, ways)}"
        hint = " ".join((_RULES_OUT if is_of_a_document(at) else _WAYS_OUT).split())
        problems.report("conversion-lost", problem, at, path=at.owner() if at else "", hint=hint)


def _taken(path: Path, ways: tuple[Way, Way]) -> str:
    """Which step it is that the field of the same name in the other version is for, in words; empty for none."""
    for step in (*ways[0].steps, *ways[1].steps):
        ends = step.writes() if step in ways[0].steps else step.reads()
        if path in ends and not isinstance(step, Fields):
            return f', which has it for "{step.shown()}"'
    return ""


def is_of_a_document(at: Place | None) -> bool:
    """Whether something comes of a CRD or of rules, which take no marks."""
    return at is not None and at.resolve().file.endswith((".yaml", ".yml", ".json"))


def _check_versions(plan: Plan, problems: Problems) -> None:
    """Versions that declarations name must be there."""
    known = [version.name for version in plan.crd.versions]
    seen: set[int] = set()
    for version in plan.crd.versions:
        for one in every(version.schema) if version.schema else ():
            for name in one.values.get("versions") or ():
                if name not in known and id(one.values) not in seen:
                    seen.add(id(one.values))
                    problem = f'a version must be one of the kind, {", ".join(known)}, found "{name}"'
                    several = [each for each in known if each in re.findall(r"\w+", name)]
                    listed = f"name several as a list, [{', '.join(map(jsontext.shown, several))}]"
                    hint = listed if len(several) > 1 else problems.suggestion(name, known)
                    problems.report("conversion-version", problem, one.origin, path=one.owner, hint=hint)
