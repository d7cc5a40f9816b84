"""Plans to kcp's APIConversion, and what of them kcp's converter has no form for.

That converter copies the whole object, then each `field` to its `destination`, through CEL where a rule has any; paths
are names with dots between them, and no list is entered. Then the server prunes what the version does not know.

Source: kcp-dev/kcp config/crds/apis.kcp.io_apiconversions.yaml and pkg/conversion, of 2026.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, MAP, shape
from protoc_gen_crd.conversion.derive.spelled import ANY_TEXT, spelling
from protoc_gen_crd.conversion.expressions import Expression, bare, whole
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Cel, Computed, Divide, Values
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, Entries, Items, Own
from protoc_gen_crd.conversion.plan.paths import Path, shown
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import (
    Copy,
    Default,
    Defaulted,
    Drop,
    Duplicate,
    Fields,
    Keep,
    Loose,
    Namesake,
    Step,
)
from protoc_gen_crd.conversion.rules.rules import DROPPED, GROUP, KIND
from protoc_gen_crd.schema.types import Schema

VERSION = "v1alpha1"
_NAME = re.compile("v[1-9][0-9]*([a-z]+[1-9][0-9]*)?")
_PLAIN = re.compile(r"[^.\[\]'\"]+")
_TIMES = ("date-time", "duration", "byte")  # types of their own to CEL, and texts when it runs

_WEBHOOK = "nothing of kcp comes near it but a webhook by URL"
_SCHEMA = "the nearest is a default in the schema of {source}: servers fill it in before they convert"
_WAYS = {
    "items": f"kcp enters no lists: {_WEBHOOK}",
    "names": f"kcp knows no metadata, and no names with dots or brackets: {_WEBHOOK}",
    "kept": "the nearest is to preserve the whole list, which then comes back over what old clients write",
}


class Said(Record):
    """What is said of a step: the rule of the finding, what is found, and the way out."""

    rule: str
    found: str
    hint: str


class Form(Record):
    """A step in kcp's words: a rule of the APIConversion or a path to preserve, and what is to be said of it."""

    given: dict[str, str] | None = None
    said: tuple[Said, ...] = ()
    kept: str = ""


def api_conversion(plan: Plan, name: str, problems: Problems) -> dict[str, Any]:
    """The APIConversion of a plan, under the name of its schema; what it cannot hold is reported."""
    _check_versions(plan, problems)
    directions: list[dict[str, Any]] = []
    dropped: dict[str, dict[str, list[str]]] = {}
    for pair in plan.pairs:
        for way, back in pair.ways():
            directions.append(_Direction(plan, (way, back), problems).data())
            lost = [shown(step.source) for step in way.steps if isinstance(step, Drop)]
            if lost:
                dropped.setdefault(way.source, {})[way.target] = lost
        _check_stash(plan, [way for way, _ in pair.ways()], problems)
    metadata: dict[str, Any] = {"name": name}
    if dropped:
        metadata["annotations"] = {f"{plan.crd.group}/{DROPPED}": json.dumps(dropped, sort_keys=True)}
    return {
        "apiVersion": f"{GROUP}/{VERSION}",
        "kind": KIND,
        "metadata": metadata,
        "spec": {"conversions": directions},
    }


def _check_versions(plan: Plan, problems: Problems) -> None:
    at = plan.crd.origin
    for version in plan.crd.versions:
        if not _NAME.fullmatch(version.name):
            problem = f'a version must be called v1, v1beta1 or the like for kcp to convert it, found "{version.name}"'
            problems.report("kcp-name", problem, version.origin or at, path=plan.name)
    if len(plan.pairs) > 1:
        problem = f"kcp converts between two versions, found {len(plan.crd.versions)} of {plan.crd.names.kind}"
        hint = f"it takes the rules of one pair for all others of the same version: serve two at a time, or {_WEBHOOK}"
        problems.report("kcp-versions", problem, at, path=plan.name, hint=hint)


def _check_stash(plan: Plan, ways: list[Way], problems: Problems) -> None:
    kept = [[step for step in way.steps if type(step) is Keep and _is_plain(paths.bare(step.source))] for way in ways]
    if all(kept):
        both = " and ".join(
            f'"{shown(steps[0].source)}" of {way.source}' for way, steps in zip(ways, kept, strict=True)
        )
        problem = f"kcp puts values of one of two versions aside at a time, found {both} preserved"
        at = kept[0][0].origin
        hint = "what is there of the other version is lost meanwhile"
        problems.report("kcp-loss", problem, at, path=at.owner() if at else plan.name, hint=hint)


class _Direction:
    """One way, and what it says."""

    def __init__(self, plan: Plan, ways: tuple[Way, Way], problems: Problems) -> None:
        way, back = ways
        self._way, self._problems = way, problems
        self._kept = [step.source for step in back.steps if isinstance(step, Keep)]
        self._lost = [step.source for step in back.steps if isinstance(step, Drop)]
        self._source, self._target = plan.schema(way.source), plan.schema(way.target)
        self._each = [step for step in way.steps if isinstance(step, Each)]
        self._written = [path for step in way.steps if not isinstance(step, Fields) for path in step.writes()]

    def data(self) -> dict[str, Any]:
        """The entry of spec.conversions."""
        forms = [(step, self._form(step)) for step in self._way.steps]
        for step, form in forms:
            fails = any(said.rule == "kcp-form" for said in form.said)
            for said in (*form.said, *(() if fails else self._left(step))):
                self._report(step, said)
        rules = [form.given for _, form in forms if form.given is not None]
        kept = [form.kept for _, form in forms if form.kept]
        made: dict[str, Any] = {"from": self._way.source, "to": self._way.target, "rules": rules}
        return {**made, "preserve": kept} if kept else made

    def _report(self, step: Step, said: Said) -> None:
        at = step.origin
        way = f"{self._way.source} -> {self._way.target}"
        problem = f'{_DEMANDS[said.rule]}, found "{step.shown()}" of {way}{said.found}'
        self._problems.report(said.rule, problem, at, path=at.owner() if at else "", hint=said.hint)

    def _form(self, step: Step) -> Form:
        """A step in kcp's words."""
        entered = isinstance(step, Fields) and not isinstance(step, Each)
        if self._is_inside(step) or isinstance(step, Drop | Namesake | Own) or entered:
            return Form()
        if isinstance(step, Keep):
            path = paths.bare(step.source)
            told = paths.is_metadata(path) and not step.declared  # of the step that writes the label or annotation
            return Form(kept=_dotted(path)) if _is_plain(path) else Form() if told else _none("", _WAYS["kept"])
        if not all(_is_plain(path) for path in (*step.reads(), *step.writes())):
            return _none("", _WAYS["items" if _enters(step) else "names"])
        if isinstance(step, Copy):
            return self._copied(step)
        if isinstance(step, Duplicate):
            form = self._ruled(step.source, step.target)
            return form.replace(said=(*form.said, *self._differences(step)))
        return self._computed(step)

    def _copied(self, step: Copy) -> Form:
        """A value as it is, or a list or map whose items stay as they are but for what is pruned."""
        if isinstance(step, Each) and type(step) not in (Items, Entries):
            return _none("", _WEBHOOK if isinstance(step, ByHand) else _WAYS["items"])
        if type(step) not in (Copy, Loose, Items, Entries, Defaulted):
            return _none("", _WEBHOOK)
        said: tuple[Said, ...] = ()
        if isinstance(step, Defaulted):
            said = (Said("kcp-nearest", ", without its default", _SCHEMA.format(source=self._way.source)),)
        if step.source == step.target:
            return Form(None, said)
        form = self._ruled(step.source, step.target)
        return form.replace(said=(*form.said, *said))

    def _computed(self, step: Step) -> Form:
        """A value that an expression makes."""
        field = ANY_TEXT if isinstance(step, Default) else (step.reads() or (ANY_TEXT,))[0]
        schema = paths.at(self._source, field)
        text = spelling(step, schema) if len(step.reads()) < 2 else ""
        if not text or schema is None:
            return _none("", f"a rule reads one field: {_WEBHOOK}" if len(step.reads()) > 1 else _WEBHOOK)
        fault = _unread(schema) or (self._looks_around(step) if isinstance(step, Cel) else "")
        if fault:
            return _none(f", {fault}", _WEBHOOK)
        form = self._ruled(field, step.target, text)
        return form.replace(said=(*form.said, *self._differences(step)))

    def _looks_around(self, step: Cel) -> str:
        own = paths.at(self._source, step.source)
        found = own is not None and Expression(step.text, {"self": bare(own), "root": whole(self._source)}).root
        return "which looks at the whole object" if found else ""

    def _differences(self, step: Step) -> Iterator[Said]:
        if isinstance(step, Default) and len(step.target) > 2:
            where = shown(step.target[:-1])
            yield Said("kcp-nearest", f", where kcp makes {where}, too", _SCHEMA.format(source=self._way.target))
        around = paths.at(self._target, step.target[:-1])
        again = step.target in self._kept  # nothing leads back from there
        made = isinstance(step, Default | Duplicate | Computed) and again and step.target not in self._lost
        if made and around is not None and step.target[-1] not in (around.get("required") or ()):
            yield Said(
                "kcp-loss", "", f"an object of {self._way.target} that has none comes back with it: require it there"
            )
        if again:
            return
        if isinstance(step, Computed | Divide) or (isinstance(step, Values) and _many(step)):
            yield Said("kcp-loss", "", "what the way back does not give again is lost in kcp, which keeps fields alone")

    def _ruled(self, source: Path, target: Path, text: str = "") -> Form:
        for cut in range(1, len(target)):
            around = paths.at(self._source, target[:cut])
            if around is not None and shape(around) not in (*CONTAINERS, "opaque object"):
                found = f", below {shown(target[:cut])}, which holds a value in {self._way.source}"
                return _none(found, "move it to another name: kcp copies the old value first and cannot write below it")
        rule = {"field": _dotted(source), "destination": _dotted(target)}
        return Form({**rule, "transformation": text} if text else rule)

    def _left(self, step: Step) -> Iterator[Said]:
        """What kcp leaves where it stands, since the other version has a field of that name."""
        for path in step.reads() if not isinstance(step, Fields) and not self._is_inside(step) else ():
            known = paths.at(self._target, path)
            if known is not None and not any(paths.overlap(path, one) for one in self._written):
                found = f", which leaves {shown(path)} in {self._way.target}"
                yield Said("kcp-form", found, "give the new field another name: kcp copies what has the same one")

    def _is_inside(self, step: Step) -> bool:
        """Whether it comes with a list or map that is copied as a whole: its place in the items stays."""
        if isinstance(step, Drop):
            return True
        around = [
            each
            for each in self._each
            if step is not each and (_starts(step.reads(), each.inside) or _starts(step.writes(), each.made))
        ]
        if not around:
            return False
        each = max(around, key=lambda one: len(one.inside))
        if type(each) not in (Items, Entries):
            return True  # it is told of what is around
        stays = step.source[len(each.inside) :] == step.target[len(each.made) :]
        return stays and type(step) in (Copy, Loose, Fields, Items, Entries)


_DEMANDS = {
    "kcp-form": "a step must have a form in kcp",
    "kcp-nearest": "a step should be the same in kcp",
    "kcp-loss": "a value should come back in kcp",
}


def _none(found: str, hint: str) -> Form:
    return Form(None, (Said("kcp-form", found, hint),))


def _starts(known: tuple[Path, ...], start: Path) -> bool:
    return any(path[: len(start)] == start for path in known)


def _unread(schema: Schema) -> str:
    """Why kcp compiles no expression on a value, empty where it does."""
    kind = shape(schema)
    if kind == MAP and isinstance(schema.additional, Schema) and shape(schema.additional) not in CONTAINERS:
        return ""
    if kind in CONTAINERS or kind == "opaque object":
        return f"which reads {kind}"
    return f"which reads a text of format {schema.get('format')}" if schema.get("format") in _TIMES else ""


def _many(step: Values) -> bool:
    values = list(step.table().values())
    return len(set(values)) < len(values)


def _is_plain(path: Path) -> bool:
    brackets = any(step in paths.BRACKETS for step in path)
    return not brackets and path[:1] != ("metadata",) and all(_PLAIN.fullmatch(step) for step in path)


def _enters(step: Step) -> bool:
    return any(bracket in path for path in (*step.reads(), *step.writes()) for bracket in (paths.ITEM, paths.VALUE))


def _dotted(path: Path) -> str:
    return ".".join(path)
