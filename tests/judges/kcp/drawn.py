"""Random kinds with two versions, rules in the forms of kcp's converter, and objects.

A field has the same type in both versions if both have it, none is nullable, and no rule makes a list or map or copies
a value one way alone into an object: there our modules differ on purpose, as docs/kcp.md describes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from protoc_gen_crd.base.record import Record

Data = dict[str, Any]
Path = tuple[str, ...]

_ITEM = {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "integer", "format": "int64"}}}
_KINDS: dict[str, Data] = {
    "text": {"type": "string"},
    "integer": {"type": "integer", "format": "int64"},
    "boolean": {"type": "boolean"},
    "number": {"type": "number"},
    "choice": {"type": "string", "enum": ["A", "B", "C"]},
    "texts": {"type": "array", "items": {"type": "string"}},
    "items": {"type": "array", "items": _ITEM},
    "map": {"type": "object", "additionalProperties": {"type": "string"}},
    "either": {"x-kubernetes-int-or-string": True},
}
_VALUES: dict[str, tuple[Any, ...]] = {
    "text": ("", "x", "Y,z", "éß", "0", "true"),
    "integer": (0, 1, -1, 1000, 2**53 - 1),
    "boolean": (True, False),
    "number": (0.5, 1.5, -2.25, 1e300),
    "choice": ("A", "B", "C"),
    "texts": ([], ["a"], ["a", "b", "a"]),
    "items": ([], [{"x": "a"}, {}], [{"x": "b", "y": 7}]),
    "map": ({}, {"a": "b"}, {"a.b": "", "é/x": "y"}),
    "either": (0, 5, "5%", ""),
}
# What expressions make of a kind of value, and the kind that this is.
_MADE = {
    "text": [("self + '!'", "text"), ("self.upperAscii()", "text"), ("size(self)", "integer"),
             ("self == 'x'", "boolean"), ("self != '' ? 'A' : 'B'", "choice")],
    "integer": [("self + 1", "integer"), ("string(self)", "text"), ("self > 5", "boolean"), ("double(self)", "number")],
    "boolean": [("!self", "boolean"), ("self ? 'A' : 'B'", "choice"), ("self ? 1 : 0", "integer")],
    "choice": [("self == 'A' ? 'B' : 'A'", "choice"), ("self == 'A'", "boolean")],
    "texts": [("size(self)", "integer")],
    "map": [("size(self)", "integer"), ("'a' in self", "boolean")],
}  # fmt: skip
_PATHS: tuple[Path, ...] = (
    ("a",), ("b",), ("c",), ("d",), ("e",), ("o", "a"), ("o", "b"), ("o", "c"), ("o", "p", "a"), ("o", "p", "b"),
    ("q", "a"), ("q", "b"), ("r", "t", "u"),
)  # fmt: skip


class Drawn(Record):
    """Two versions, their rules, and objects with the version that they are converted to."""

    schemas: dict[str, Data]
    conversion: Data
    objects: tuple[tuple[Data, str], ...]


class _Way:
    """Return the rules between the versions."""

    def __init__(self, name: str, fields: dict[Path, str]) -> None:
        self.name, self.fields = name, fields
        self.rules: list[Data] = []
        self.read: set[Path] = set()
        self.written: set[Path] = set()  # in this version, by the rules of the way back

    def lead(self, source: Path, back: _Way, target: Path, text: str = "") -> None:
        """A rule."""
        rule = {"field": _dotted(source), "destination": _dotted(target)}
        self.rules.append({**rule, "transformation": text} if text else rule)
        self.read.add(source)
        back.written.add(target)

    def data(self, back: _Way) -> Data:
        """The entry of spec.conversions; all that does not come back by itself is preserved."""
        fields = [path for path in self.fields if path not in self.read]
        kept = [_dotted(path) for path in fields if path not in back.fields or path in self.written | back.written]
        return {"from": self.name, "to": back.name, "rules": self.rules, "preserve": kept}


def drawn(seed: int) -> Drawn:
    """Return the case of a seed."""
    chance = Random(seed)  # noqa: S311 - nothing is secret
    kinds = {path: chance.choice(list(_KINDS)) for path in _PATHS}
    first, other = (
        _Way(name, {path: kinds[path] for path in _PATHS if chance.random() < 0.6}) for name in ("v1", "v2")
    )
    for _ in range(chance.randint(1, 4)):
        _rule(chance, first, other)
    ways = [(first, other), (other, first)]
    objects = [(_object(chance, way), back.name) for way, back in ways for _ in range(4)]
    conversions = [way.data(back) for way, back in ways]
    return Drawn(
        {way.name: _schema(way.fields) for way in (first, other)},
        {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIConversion", "metadata": {"name": "things.acme.example"},
         "spec": {"conversions": conversions}},
        tuple(objects),
    )  # fmt: skip


def _rule(chance: Random, first: _Way, other: _Way) -> None:
    """A value that moves, or one that is made of another."""
    source = chance.choice(list(first.fields) or [("a",)])
    kind = first.fields.get(source)
    free = [path for path in other.fields if path not in first.written | other.written]
    moves = [path for path in free if other.fields[path] == kind]
    if moves and source not in first.written | first.read and chance.random() < 0.6:
        target = chance.choice(moves)
        first.lead(source, other, target)
        other.lead(target, first, source)
        return
    text, expression_kind = chance.choice(_MADE.get(kind or "", [("", "")]))
    targets = [path for path in free if other.fields[path] == expression_kind]
    if text and targets:
        first.lead(source, other, chance.choice(targets), text)


def _dotted(path: Path) -> str:
    return ".".join(("spec", *path))


def _object(chance: Random, way: _Way) -> Data:
    spec: Data = {}
    for path, kind in way.fields.items():
        if chance.random() < 0.7:
            at = spec
            for name in path[:-1]:
                at = at.setdefault(name, {})
            at[path[-1]] = chance.choice(_VALUES[kind])
    return {"apiVersion": f"acme.example/{way.name}", "kind": "Thing", "metadata": {"name": "n"}, "spec": spec}


def _schema(fields: dict[Path, str]) -> Data:
    spec: Data = {"type": "object", "properties": {}}
    for path, kind in fields.items():
        at = spec
        for name in path[:-1]:
            at = at["properties"].setdefault(name, {"type": "object", "properties": {}})
        at["properties"][path[-1]] = _KINDS[kind]
    return {"type": "object", "properties": {"spec": spec}}
