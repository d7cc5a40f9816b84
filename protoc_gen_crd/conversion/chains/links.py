"""What a field is made of in another version, in words of the option `Conversion`, and what comes of several of them.

Words are read from the steps between two versions, so that it makes no difference whether options or rules said them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.lexer import Tokens
from protoc_gen_crd.conversion.derive.spelled import spelling
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Call, Cel, Divide, First, Join, Multiply, Split, Values, Wrap
from protoc_gen_crd.conversion.plan.containers import (
    ByHand,
    Each,
    Entries,
    Fill,
    FirstOf,
    Gather,
    Items,
    ListOf,
    Own,
    Pick,
    Spread,
    ToList,
)
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Pair, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Drop, Duplicate, Keep, Step
from protoc_gen_crd.schema.types import Schema

Words = Mapping[str, Any]
At = Callable[[str, Path], Schema | None]  # the schema at a path of a version
OPAQUE: Words = {"what no option says": True}
GIVEN = "given"  # a default of the other end


class Link(Record):
    """A field of one version in the next: where it is there, none if it has no place, and what makes it of that."""

    there: tuple[Path, ...]
    words: Words
    places: tuple[Place, ...] = ()  # of what somebody has written


def link(pair: Pair, own: str, path: Path, at: At) -> Link | None:
    """What a field of one version of a pair is in the other; None where nothing is said of it."""
    there, back = next(ways for ways in pair.ways() if ways[0].source == own)
    for step in back.steps:
        if isinstance(step, Own | Default):
            continue
        if paths.bare(step.target) == path:
            ends = tuple([paths.bare(read) for read in _reads(step)])
            forth = next((one for one in there.steps if (one.source, one.target) == (step.target, step.source)), None)
            return Link(ends, _words((step, forth), there, back, at), _places(step, forth))
        if type(step) is Copy and step.target == path[: len(step.target)]:
            return Link(((*step.source, *path[len(step.target) :]),), {}, _places(step))
    for step in there.steps:
        if isinstance(step, Cel | Call) and step.source == path:
            kind = "cel" if isinstance(step, Cel) else "function"
            return Link((step.target,), {kind: {"to": step.text}}, _places(step))
    return _absent(path, there, back)


def _places(*steps: Step | None) -> tuple[Place, ...]:
    return tuple([step.origin for step in steps if step is not None and step.declared and step.origin is not None])


def _reads(step: Step) -> Sequence[Path]:
    return step.reads() if isinstance(step, Join) else (step.source,)


def _absent(path: Path, there: Way, back: Way) -> Link | None:
    """A field that has no place in the other version."""
    for step in there.steps:
        if isinstance(step, Keep) and step.source == path:
            given = next((one for one in back.steps if isinstance(one, Default) and one.target == path), None)
            words: Words = {"default": given.value} if given is not None else {_absence(step): True}
            return Link((), words, _places(step, given))
    return None


def _absence(step: Keep) -> str:
    return "dropped" if isinstance(step, Drop) else "preserved"


def _words(steps: tuple[Step, Step | None], there: Way, back: Way, at: At) -> Words:
    """What a step of the way back does, and the one that goes there, in words of the field that it makes."""
    step, forth = steps
    if isinstance(forth, Defaulted) and isinstance(step, Copy):
        return {GIVEN: forth.value, **({"default": step.value} if isinstance(step, Defaulted) else {})}
    made = next((kind for kind in (Cel, Call) if isinstance(step, kind) or isinstance(forth, kind)), None)
    if made is not None:
        ends = ("from", step, at(back.source, step.source)), ("to", forth, at(there.source, step.target))
        return _made(made, ends)
    if isinstance(step, Items | Entries) and (held := _held(step, back)):
        return {"value": held}
    if isinstance(step, Values):
        return _renamed(step, forth)
    for kind, words in _WORDS:
        if isinstance(step, kind):
            return words(step, back)
    return OPAQUE


def _made(kind: type[Cel | Call], ends: Sequence[tuple[str, Step | None, Schema | None]]) -> Words:
    """A value that an expression or a function makes, on one of the ways at least."""
    ways = {}
    for name, one, read in ends:
        text = one.text if isinstance(one, kind) else "" if one is None or kind is Call else _spelled(one, read)
        if text:
            ways[name] = text
        elif one is not None:
            return OPAQUE
    return {"cel" if kind is Cel else "function": ways}


def _spelled(step: Step, read: Schema | None) -> str:
    """A step as an expression; empty where there is none."""
    return "self" if type(step) is Copy else spelling(step, read)


def _renamed(step: Values, forth: Step | None) -> Words:
    """A table with what both ways say: rules have one of their own for each."""
    back = [(there, here) for here, there in forth.pairs] if isinstance(forth, Values) else []
    found = [*step.pairs, *back]
    made = Values((), (), pairs=tuple([pair for at, pair in enumerate(found) if not _is_said(pair, found[:at])]))
    (undone,) = made.inverse()
    both = made.table() == step.table() and (forth is None or _table(undone) == _table(forth))
    return {"values": made.pairs} if both else OPAQUE


def _held(step: Each, way: Way) -> str:
    """The field of objects that holds a value which is no object, in a list or map of such; empty for none."""
    wraps = {(one.source, one.target[:-1]): one.target[-1] for one in way.steps if type(one) is Copy}
    unwraps = {(one.source[:-1], one.target): one.source[-1] for one in way.steps if type(one) is Copy and one.source}
    ends = step.inside, step.made
    return wraps.get(ends, "") or unwraps.get(ends, "")


def _keyed(step: ToList, way: Way) -> Words:
    value = _held(step, way)
    return {"key": step.key, **({"value": value} if value else {})}


_WORDS: tuple[tuple[Any, Callable[[Any, Way], Words]], ...] = (
    ((Pick, Fill, Duplicate), lambda *_: OPAQUE),
    (Defaulted, lambda step, _: {"default": step.value}),
    (Divide, lambda step, _: {"factor": 1 / Fraction(step.factor)}),
    (Multiply, lambda step, _: {"factor": Fraction(step.factor)}),
    ((Wrap, First, ListOf, FirstOf), lambda *_: {"one_item": True}),
    (ToList, _keyed),
    (ByHand, lambda step, _: {"function": {"from": step.function, "to": step.undo}}),
    (Join, lambda step, _: {"join": {"separator": step.separator}}),
    (Split, lambda step, _: {"part": {"separator": step.separator, "index": step.index}}),
    ((Copy, Gather, Spread), lambda *_: {}),
)


def joined(outer: Words, inner: Words) -> Words | None:
    """What a field is made of by way of another one, by the words of both steps; None where no words say it."""
    if OPAQUE in (outer, inner):
        return None
    if not inner or not outer:
        looks = _texts(outer, "from") + _texts(inner, "to")  # at an object that is another one there
        return None if any(map(names_root, looks)) else outer or inner
    if inner.keys() <= {"preserved", "dropped"}:
        return inner
    names = outer.keys() | inner.keys()
    if names == {"default"}:
        return inner
    if names == {GIVEN}:
        return outer
    kind = next(iter(names)) if len(names) == 1 else ""
    return _JOINS[kind](outer[kind], inner[kind]) if kind in _JOINS else None


def _texts(words: Words, way: str) -> list[str]:
    """The expression of a way, if there is one."""
    given = words.get("cel", {})
    return [given[way]] if way in given else []


def _tables(outer: Sequence[tuple[str, str]], inner: Sequence[tuple[str, str]]) -> Words | None:
    """One table for two, each of pairs of a value there and here; values that stay in one are called what they are."""
    far, near = Values((), (), pairs=tuple(inner)), Values((), (), pairs=tuple(outer))
    (back_far,), (back_near,) = far.inverse(), near.inverse()
    between = {text for pair in inner for text in pair}
    found = [(old, _called(near, new)) for old, new in inner] + [pair for pair in outer if pair[0] not in between]
    pairs = [pair for at, pair in enumerate(found) if not _is_said(pair, found[:at])]
    made = Values((), (), pairs=tuple(pairs))
    (undone,) = made.inverse()
    agree = all(new == _through(old, far, near) for old, new in _table(made).items())
    agree = agree and all(old == _through(new, back_near, back_far) for new, old in _table(undone).items())
    return {"values": tuple(pairs)} if agree else None


def _is_said(pair: tuple[str, str], earlier: Sequence[tuple[str, str]]) -> bool:
    """Whether earlier pairs leave nothing to say: of several of one value the first holds."""
    return any(pair[0] == one for one, _ in earlier) and any(pair[1] == other for _, other in earlier)


def _through(text: str, *tables: Step) -> str:
    for table in tables:
        text = _called(table, text)
    return text


def _called(table: Step, text: str) -> str:
    return _table(table).get(text, text)


def _table(step: Step) -> dict[str, str]:
    return step.table() if isinstance(step, Values) else {}


def _expressions(outer: Mapping[str, str], inner: Mapping[str, str]) -> Words | None:
    """One expression of two each way: what the second is given is what the first makes."""
    if outer.keys() != inner.keys():
        return None
    ways = {"from": (outer, inner), "to": (inner, outer)}
    made = {name: within(last[name], first[name]) for name, (last, first) in ways.items() if name in outer}
    return {"cel": made} if all(made.values()) else None


def within(text: str, inner: str) -> str:
    """An expression that is given what another one makes; empty where that cannot be said in one."""
    if "self" in (text, inner):
        return inner if text == "self" else text
    if "null" in Tokens(inner).kinds or "optional" in inner or names_root(text):
        return ""  # what is no value is given to no expression; the object is another one there
    tokens, made, at = Tokens(text), "", 0
    for index, start in enumerate(tokens.starts):
        if tokens.texts[index] == "self" and tokens.kinds[index] == "ident" and not _selected(tokens, index):
            whole = _whole(tokens, index) or not _operates(inner)
            made += text[at:start] + (inner if whole else f"({inner})")
            at = start + len("self")
    return made + text[at:]


def _whole(tokens: Tokens, index: int) -> bool:
    """Whether a token is an argument, or stands in brackets, alone."""
    around = tokens.kinds[index - 1 : index] + tokens.kinds[index + 1 : index + 2]
    return len(around) == len("()") and around[0] in ("(", ",", "[") and around[1] in (")", ",", "]")


def _operates(text: str) -> bool:
    """Whether an expression has an operator outside of brackets."""
    depth = 0
    for kind in Tokens(text).kinds:
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if not depth and kind not in _JOINING and kind not in _CLOSING:
            return True
    return False


_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_JOINING = ("ident", "escaped", ".", "string", "bytes", "int", "uint", "float", "true", "false", "end")


def _selected(tokens: Tokens, index: int) -> bool:
    return tokens.kinds[index - 1 : index] == ["."]


def names_root(text: str) -> bool:
    """Whether an expression may look at the whole object."""
    tokens = Tokens(text)
    return ("ident", "root") in zip(tokens.kinds, tokens.texts, strict=False)


_JOINS: Mapping[str, Callable[[Any, Any], Words | None]] = {
    "values": _tables,
    "factor": lambda outer, inner: {} if outer * inner == 1 else {"factor": outer * inner},
    "one_item": lambda *_: {},
    "cel": _expressions,
}


def option(words: Words, *, whole: bool, text: bool) -> dict[str, Any] | None:
    """Words as members of the option; None where it has none. `whole` and `text` tell the type of the field."""
    if GIVEN in words:
        return None
    made = dict(words)
    if "values" in made:
        made["values"] = [{"there": there, "here": here} for there, here in made["values"]]
    if "default" in made and not (text and isinstance(made["default"], str)):
        made["default"] = json.dumps(made["default"], ensure_ascii=False)
    if "factor" in made:
        if whole and made["factor"].denominator != 1:
            return None
        made["factor"] = float(made["factor"])
    return made
