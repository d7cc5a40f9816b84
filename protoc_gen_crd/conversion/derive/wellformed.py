"""What a declaration says, looked at by itself: members that have the form they need and do not contradict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from keyword import iskeyword
from typing import Any

from protoc_gen_crd.conversion.derive.changes import CHANGES
from protoc_gen_crd.conversion.derive.declared import SOURCES
from protoc_gen_crd.conversion.plan import paths

IMPORTED = ("Any", "Derived", "Object", "annotations", "function")  # what files of functions may import
# Members of which one alone can hold.
_EXCLUSIVE = (
    ("dropped", "preserved", *SOURCES, "part", "join"),
    ("dropped", "preserved", *CHANGES, "key", "cel", "function", "part", "join"),
    *(("default", name) for name in (*CHANGES, "key", "value", "cel", "function", "part", "join")),
    *(("value", name) for name in (*CHANGES, "cel", "function", "part", "join")),
)


def _flag(value: Any) -> str:
    return "" if value else "be true where it stands, found false"


def _text(value: Any) -> str:
    return "" if value else "name something, found an empty text"


def _either(value: Any) -> str:
    return "" if value.get("from") or value.get("to") else "say how one is made of the other, from or to, found neither"


def name_fault(name: Any) -> str:
    """What the name of a function written by hand must be, where it is not."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        return f"name a function by a name of Python, found {name!r}"
    return f"name a function by a name that its file does not have yet, found {name!r}" if name in IMPORTED else ""


def _functions(value: Any) -> str:
    found = [fault for name in ("from", "to") if value.get(name) and (fault := name_fault(value[name]))]
    return _either(value) or next(iter(found), "")


def _separated(value: Any) -> str:
    return "" if value.get("separator") else "tell what stands between the parts, found no separator"


def _part(value: Any) -> str:
    return _separated(value) if value.get("of") else "name the field with the whole text, of, found none"


def _join(value: Any) -> str:
    return _separated(value) if value.get("fields") else "name the fields that are joined, found none"


def _values(value: Any) -> str:
    """A pair that neither way uses says nothing: the first of several holds."""
    pairs = [(pair.get("there", ""), pair.get("here", "")) for pair in value]
    for index, (there, here) in enumerate(pairs):
        earlier = pairs[:index]
        if any(there == one for one, _ in earlier) and any(here == other for _, other in earlier):
            return f'say each thing once, found "{there}" and "{here}" both called something before'
    return ""


_FORMS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("preserved", "dropped", "one_item"), _flag),
    **dict.fromkeys((*SOURCES, "key", "value"), _text),
    "cel": _either,
    "function": _functions,
    "part": _part,
    "join": _join,
    "values": _values,
}


def _is_name(text: str) -> bool:
    """Whether a path leads to what every object has: nothing is moved from there."""
    return text in map(paths.shown, paths.NAMES)


def faults(values: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a declaration whatever the fields are."""
    for name, value in values.items():
        if name in _FORMS and (wrong := _FORMS[name](value)):
            yield f'"{name}" must {wrong}'
    for group in _EXCLUSIVE:
        found = [name for name in group if name in values and not (name == "moved_from" and _is_name(values[name]))]
        if len(found) > 1:
            yield f"a conversion must say one thing of {' and '.join(found)}, found {len(found)}"
