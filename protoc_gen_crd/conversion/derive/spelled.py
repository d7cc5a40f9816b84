"""Steps that make other values, spelled as CEL for platforms that know expressions alone, and read back from it.

What is spelled here is read as the step again; any other text is an expression.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.conversion.derive.fits import shape
from protoc_gen_crd.conversion.plan.changing import Cel, Divide, Multiply, Split, Values, Wrap
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.steps import Default, Step
from protoc_gen_crd.schema.types import Schema

ANY_TEXT: Path = ("apiVersion",)  # what every object has: the field of a rule that reads nothing

_TEXT = r'"(?:[^"\\]|\\.)*"'
_NUMBER = r"-?[0-9.]+(?:e[-+]?[0-9]+)?"
_PAIR = re.compile(rf"self == (?P<old>{_TEXT}) \? (?P<new>{_TEXT}) : ")
_VALUES = re.compile(f"(?:{_PAIR.pattern.replace('?P<old>', '?:').replace('?P<new>', '?:')})+self")
_MULTIPLY = re.compile(rf"(?:self|double\(dyn\(self\)\)) \* (?P<factor>{_NUMBER})")
_WHOLE = re.compile(r"self / (?P<factor>[0-9]+) - \(self % (?P=factor) < 0 \? 1 : 0\)")
_DIVIDE = re.compile(rf"double\(dyn\(self\)\) / (?P<factor>{_NUMBER})")
_PART = rf"self\.split\((?P<separator>{_TEXT}), (?P<count>[0-9]+)\)"
_FIRST = re.compile(rf"{_PART}\[0\]")
_LATER = re.compile(
    rf"{_PART}\.size\(\) > (?P<index>[0-9]+) \? dyn\(self\.split\((?P=separator), (?P=count)\)\[(?P=index)\]\)"
    r" : dyn\(null\)"
)
_DYNAMIC = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|dyn\(|\)')


def spelling(step: Step, source: Schema | None) -> str:
    """The step as CEL; empty where there is none. `source` is what is read."""
    write = _SPELLINGS.get(type(step))
    return write(step, source) if write is not None else ""


def read(text: str, source: Path, target: Path, origin: Place | None) -> Step:
    """The step that a text spells, else the expression that it is."""
    if source == ANY_TEXT:
        value = _literal(text)
        if value is not None:
            return Default((), target, origin, value=value)
    if text == "[self]":
        return Wrap(source, target, origin)
    if _VALUES.fullmatch(text):
        pairs = tuple([(json.loads(pair["old"]), json.loads(pair["new"])) for pair in _PAIR.finditer(text)])
        return Values(source, target, origin, pairs=pairs)
    for pattern, make in ((_MULTIPLY, Multiply), (_WHOLE, Divide), (_DIVIDE, Divide)):
        if found := pattern.fullmatch(text):
            return make(source, target, origin, factor=_factor(found["factor"]))
    if found := _FIRST.fullmatch(text) or _LATER.fullmatch(text):
        parts = found.groupdict()
        separator, count = json.loads(parts["separator"]), int(parts["count"])
        return Split(source, target, origin, separator=separator, index=int(parts.get("index", 0)), count=count)
    return Cel(source, target, origin, text=text)


def _literal(text: str) -> Any:
    """The value that a text spells; None for an expression."""
    try:
        if "dyn(" not in text:
            return json.loads(text)
        value = json.loads(_DYNAMIC.sub(lambda found: found["text"] or "", text))
    except ValueError:
        return None
    return value if _constant(value) == text else None


def _constant(value: Any) -> str:
    """A value as CEL of servers, where the values of a list or map are of one type unless they say otherwise."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    parts = value if isinstance(value, list) else [value[name] for name in sorted(value)]
    mixed = len(set(map(_type, parts))) > 1
    texts = [f"dyn({_constant(part)})" if mixed else _constant(part) for part in parts]
    if isinstance(value, list):
        return f"[{', '.join(texts)}]"
    return f"{{{', '.join(f'{_quoted(name)}: {text}' for name, text in zip(sorted(value), texts, strict=True))}}}"


def _type(value: Any) -> str:
    """What tells whether values may stand beside each other."""
    if isinstance(value, (dict, list)):
        inner = {*map(_type, value.values() if isinstance(value, dict) else value)}
        return f"{type(value).__name__} of {inner.pop() if len(inner) == 1 else 'any'}"
    return type(value).__name__


def _factor(text: str) -> int | float:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _values(step: Values, _: Schema | None) -> str:
    return "".join(f"self == {_quoted(old)} ? {_quoted(new)} : " for old, new in step.table().items()) + "self"


def _multiplied(step: Multiply, source: Schema | None) -> str:
    if _is_whole(step, source):
        return f"self * {step.factor}"
    return f"double(dyn(self)) * {float(step.factor)}"


def _divided(step: Multiply, source: Schema | None) -> str:
    if not _is_whole(step, source):
        return f"double(dyn(self)) / {float(step.factor)}"
    # CEL rounds towards zero, the step down
    return f"self / {step.factor} - (self % {step.factor} < 0 ? 1 : 0)" if step.factor > 0 else ""


def _is_whole(step: Multiply, source: Schema | None) -> bool:
    return source is not None and shape(source) == "integer" and isinstance(step.factor, int)


def _split(step: Split, _: Schema | None) -> str:
    parts = f"self.split({_quoted(step.separator)}, {step.count})"
    if not step.index:
        return f"{parts}[0]"
    return f"{parts}.size() > {step.index} ? dyn({parts}[{step.index}]) : dyn(null)"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_SPELLINGS: Mapping[type, Callable[[Any, Schema | None], str]] = {
    Cel: lambda step, _: str(step.text),
    Default: lambda step, _: _constant(step.value),
    Divide: _divided,
    Multiply: _multiplied,
    Split: _split,
    Values: _values,
    Wrap: lambda _step, _source: "[self]",
}
