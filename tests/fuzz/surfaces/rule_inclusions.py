"""Random CEL rules and edits of them: an inclusion that the comparison claims, compared with verdicts on objects.

The old schema lacks some fields and values of an enum, and so do the objects.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.comparison.schemas.cel_rule_comparison import find_rejecting_rules
from protoc_gen_crd.comparison.schemas.node_pair import PROPERTY, NodePair
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule
from tests.fuzz.harness import Fuzzer, PropertyError

Json = Any
FindRejecting = Callable[[Any, Any, NodePair], Any]
_PAIRS, _OBJECTS = 12, 50
_TRUE = "true"
_TEXT: Json = {"type": "string", "maxLength": 9}
_NESTED_FIELDS: Json = {"n": {"type": "integer"}, "m": {"type": "object", "properties": {"z": _TEXT}}}
_ITEM: Json = {"type": "object", "properties": {"n": {"type": "integer"}, "s": _TEXT}}
_PROPERTIES: Json = {
    "a": {"type": "integer", "nullable": True},
    "d": {"type": "number"},
    "b": _TEXT,
    "f": {"type": "boolean"},
    "c": {"type": "array", "maxItems": 4, "items": _ITEM},
    "l": {"type": "array", "maxItems": 4, "items": _TEXT},
    "k": {"type": "object", "properties": _NESTED_FIELDS},
    "i": {"x-kubernetes-int-or-string": True, "maxLength": 9},
    "map": {"type": "object", "maxProperties": 4, "additionalProperties": {"type": "integer"}},
    "r": {"type": "integer"},
}  # fmt: skip
_VALUES: dict[str, tuple[Json, ...]] = {
    "a": (None, -2, -1, 0, 1, 2, 3, 4),
    "d": (0.5, 1.5, -1.5, 0, 1, 2, 2.5, 3),
    "b": ("", "a", "ab", "b", "abc"),
    "f": (True, False),
    "c": ([], [{}], [{"n": 1}], [{"n": 1, "s": "a"}], [{"s": "a"}, {"n": 2}], [{"n": 0, "s": ""}, {"n": 3, "s": "ab"}]),
    "l": ([], ["a"], ["a", "b"], ["", "ab"], ["ab"]),
    "k": ({}, {"n": 0}, {"n": 2}, {"n": 1, "m": {}}, {"m": {"z": "a"}}, {"m": {}}),
    "i": (1, 2, 0, "a", "ab", "", "b"),
    "map": ({}, {"q": 1}, {"q": 2, "z": 0}, {"z": 1}),
}
_NUMBERS, _TEXTS = ("0", "1", "2", "3", "-1"), ("'a'", "'ab'", "''", "'b'")
_LISTS = ("['a']", "['a', 'ab']", "['a', 'ab', '']", "['b', 'a']", "[1, 2]", "[0, 2, 1]")
_ORDERS, _EQUALITIES = ("<", "<=", ">", ">="), ("==", "!=")
_PATHS = ("a", "b", "c", "k", "k.n", "k.m", "k.m.z", "l", "f", "i", "map", "map.q", "r")
_NEW_FIELDS = (("a",), ("b",), ("c", "s"), ("c", "n"), ("k", "n"), ("k", "m"), ("k", "m", "z"), ("d",), ("f",), ("l",))
_OLD_CHOICES = ("", "a", "ab")  # of the string `b`
# Conditions; the words in upper case stand for one of their values.
_WORDS: dict[str, tuple[str, ...]] = {
    "NUMBER": _NUMBERS, "TEXT": _TEXTS, "TEXTS": _LISTS[:4], "ORDER": _ORDERS, "EQUALITY": _EQUALITIES, "PATH": _PATHS,
    "COUNT": ("self.a", "self.k.n", "self.r", "self.map.q", "self.d"), "SIZED": ("b", "l", "c", "map"),
    "LISTED": _LISTS, "BOOLEAN": ("true", "false"), "NAME": ("x", "y"),
}  # fmt: skip
_CONDITIONS = (
    "has(self.PATH)", "has(self.PATH)", "COUNT ORDER NUMBER", "COUNT ORDER NUMBER", "NUMBER ORDER COUNT",
    "COUNT in [NUMBER, NUMBER]", "COUNT EQUALITY NUMBER", "self.d ORDER NUMBER.5", "self.b EQUALITY TEXT",
    "self.b in TEXTS", "!(self.b in TEXTS)", "size(self.SIZED) ORDER NUMBER", "self.SIZED.size() EQUALITY NUMBER",
    "self.f", "self.f EQUALITY BOOLEAN", "self.i EQUALITY NUMBER", "self.i EQUALITY TEXT", "self.i in LISTED",
    "self.a == self.r", "self.b.startsWith('a')", "BOOLEAN", "self.l.all(x, x EQUALITY TEXT)",
    "self.l.all(y, y EQUALITY TEXT || y in TEXTS)", "self.l.exists(x, x == TEXT)", "2 / self.r ORDER NUMBER",
    "self.c.all(NAME, NESTED)", "self.c.all(NAME, NESTED || NESTED)", "!has(self.PATH) || self.c.all(NAME, NESTED)",
    "!has(self.PATH) || self.b EQUALITY TEXT", "!has(self.c) || self.c.all(x, !has(x.s) || NESTED)",
    "double(self.b) ORDER NUMBER.5", "self.c.all(x, x.s.size() ORDER NUMBER)",
)  # fmt: skip
_NESTED = (
    "has(x.n)", "x.n ORDER NUMBER", "x.s == TEXT", "x.s in TEXTS", "size(x.s) ORDER NUMBER", "has(x.s)",
    "x.n == self.r", "!has(x.n) || x.n ORDER NUMBER", "has(x.n) && x.s EQUALITY TEXT",
)  # fmt: skip
_SHAPES = (
    "({} && {})", "({} || {})", "!({})", "({} ? {} : {})", "(({}) == ({}))", "({} && {} && {})", "({} || {} || {})",
)  # fmt: skip
_WRAPPERS = (
    "({0}) && ({1})", "({0}) || ({1})", "({1}) || ({0})", "({1}) ? ({0}) : true", "!({1}) || ({0})", "!(!({0}))",
    "({0}) == ({1})",
)  # fmt: skip
_SWAPS = {"&&": "||", "||": "&&", "==": "!=", "!=": "=="}
_EDITED = re.compile(r"(?<=[<>=] )-?\d+\b(?!\.)|<=|>=|[<>]|&&|\|\||[!=]=|'\w*'|\[['\w, ]+\]|has\([\w.]+\)")


class RuleInclusions(Fuzzer):
    """Pairs of rules: no object that the first rule accepts is rejected by the second one, if that is claimed."""

    name, slice, seconds = "rule-inclusions", 40, 10.0

    def __init__(self, find: FindRejecting = find_rejecting_rules) -> None:
        self._find = find

    def generate(self, random: Random) -> bytes:
        """Return pairs of rules, and objects."""
        firsts = [_make_rule(random, random.choice((1, 2, 2, 3))) for _ in range(_PAIRS)]
        seconds = [_edit(random, rule, random.choice((1, 1, 2, 3))) for rule in firsts]
        objects = [
            {"r": random.randint(-1, 3)} | {k: random.choice(v) for k, v in _VALUES.items() if random.random() < 0.6}
            for _ in range(_OBJECTS)
        ]
        names = random.sample(_NEW_FIELDS, random.choice((0, 1, 2)))
        pairs = [*zip(firsts, seconds, strict=True)]
        return json.dumps({"pairs": pairs, "objects": objects, "names": names}).encode()

    def run(self, data: bytes) -> str:
        """Compare the claims of an input with verdicts. Raises PropertyError for a wrong claim."""
        try:
            pairs, objects, names = (json.loads(data)[name] for name in ("pairs", "objects", "names"))
            objects = [drop_fields(own, names) for own in objects if own.get("b", "") in _OLD_CHOICES]
            rules = sorted({str(rule) for first, second in pairs for rule in (first, second)})
        except (ValueError, KeyError, TypeError):
            return "no input"
        server = AdmissionServer(cel=RuleCompiler())
        verdict = server.admit_data(_make_crd(rules))[-1]
        invalid = {int(index) for cause in verdict.causes for index in re.findall(r"validations\[(\d+)\]", cause.path)}
        rules = [rule for index, rule in enumerate(rules) if index not in invalid]
        verdict = server.admit_data(_make_crd(rules))[-1]
        if not verdict.accepted:
            return "no input"
        new = verdict.object.versions[0].schema.properties["spec"]
        old = server.admit_data(_make_crd([], names))[-1].object.versions[0].schema.properties["spec"]
        rejected = [_find_rejecting(server.validate(verdict.object, _make_object(own))[-1], rules) for own in objects]
        candidates = [
            (first, second)
            for pair in pairs
            for first, second in (pair, pair[::-1], (_TRUE, pair[0]), (_TRUE, pair[1]))
        ]
        claimed = [
            (first, second)
            for first, second in candidates
            if {first, second} <= {*rules, _TRUE} and first != second and self._is_claimed(old, new, first, second)
        ]
        for first, second in claimed:
            for own, rejecting in zip(objects, rejected, strict=True):
                if rejecting is not None and second in rejecting and first not in rejecting:
                    raise PropertyError(f"{first!r} does not imply {second!r}: {own}")
        return str(claimed)

    def _is_claimed(self, old: Schema, new: Schema, first: str, second: str) -> bool:
        before, after = ([ValidationRule(rule)] for rule in (first, second))
        pair = NodePair(
            old.with_keywords({VALIDATIONS: tuple(before)}),
            new.with_keywords({VALIDATIONS: tuple(after)}),
            "spec",
            PROPERTY,
        )
        return not self._find(after, before, pair)


def drop_fields(value: Json, names: list[list[str]]) -> Json:
    """Return an object without fields, also in lists."""
    if isinstance(value, list):
        return [drop_fields(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    below = {key: [path[1:] for path in names if path[0] == key] for key in value}
    return {key: drop_fields(part, below[key]) for key, part in value.items() if [] not in below[key]}


def _make_rule(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.25:
        return _make_condition(random)
    shape = random.choice(_SHAPES)
    return shape.format(*(_make_rule(random, depth - 1) for _ in range(shape.count("{}"))))


def _make_condition(random: Random) -> str:
    text = random.choice(_CONDITIONS)
    name = random.choice(_WORDS["NAME"])
    text = text.replace("NESTED", re.sub(r"\bx\b", name, random.choice(_NESTED))).replace("NAME", name)
    return re.sub(r"[A-Z]{2,}", lambda match: random.choice(_WORDS[match[0]]), text)


def _edit(random: Random, rule: str, count: int) -> str:
    for _ in range(count):
        if random.random() < 0.5:
            rule = random.choice(_WRAPPERS).format(rule, _make_rule(random, 1))
        elif matches := list(_EDITED.finditer(rule)):
            match = random.choice(matches)
            rule = rule[: match.start()] + _replace(random, match[0]) + rule[match.end() :]
    return rule


def _replace(random: Random, text: str) -> str:
    if text in _SWAPS:
        return _SWAPS[text]
    if text in _ORDERS:
        return random.choice(_ORDERS)
    if text.startswith("has"):
        return random.choice((f"!{text}", "true", "false", f"({text} && {_make_condition(random)})"))
    if text.startswith("'"):
        return random.choice(_TEXTS)
    return random.choice(_LISTS) if text.startswith("[") else str(int(text) + random.choice((-1, 1)))


def _make_crd(rules: list[str], names: list[list[str]] | None = None) -> Json:
    """Return the CRD with rules; with names, the old one without these fields."""
    properties = copy.deepcopy(_PROPERTIES)
    if names is not None:
        properties["b"]["enum"] = list(_OLD_CHOICES)
    for *around, name in names or ():
        fields: Json = properties
        for step in around:
            fields = fields.get(step, {}).get("items", fields.get(step, {})).get("properties", {})
        fields.pop(name, None)
    spec: Json = {"type": "object", "required": ["r"], "properties": properties}
    spec[VALIDATIONS] = [{"rule": rule, "message": f"rule {index};"} for index, rule in enumerate(rules)]
    version = {"name": "v1", "served": True, "storage": True}
    version["schema"] = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    kind = {"kind": "Thing", "plural": "things"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {"group": "example.com", "names": kind, "scope": "Namespaced", "versions": [version]},
    }  # fmt: skip


def _make_object(spec: Json) -> Json:
    metadata = {"name": "a", "namespace": "b"}
    return {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": metadata, "spec": spec}


def _find_rejecting(verdict: Verdict, rules: list[str]) -> set[str] | None:
    """Return the rules that reject an object; None if it has other errors."""
    rejecting: set[str] = set()
    for cause in verdict.causes:
        index = re.search(r"rule (\d+);", cause.message)
        failed = {rules[int(index[1])]} if index else {rule for rule in rules if f"rule: {rule}" in cause.message}
        if not failed:
            return None
        rejecting |= failed
    return rejecting
