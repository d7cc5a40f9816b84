"""Rules of random schemas by the type of their node, with messages."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from protoc_gen_crd.schema.cel_names import escape_cel_name

RULES: dict[str, tuple[str, ...]] = {
    "string": (
        "self.size() < 2", "self != 'a'", "self == oldSelf", "self.startsWith('a')", "self in ['a', 'b', '']",
        "self.matches('^[a-z]*$')", "self.split('').all(c, c <= 'z')", "oldSelf == '' || self.contains(oldSelf)",
        "type(self) == string", "self.lowerAscii() == self", "int(self) > 0", "!(self < oldSelf)",
    ),
    "format": (
        "self == oldSelf", "self == self", "type(self) != string", "self > duration('1s')", "self != b''",
        "self >= timestamp('2000-01-01T00:00:00Z')", "size(self) < 5", "self >= oldSelf",
    ),
    "integer": (
        "self > 0", "self >= oldSelf", "10 / self > 1", "self % 2 == 0", "self != 5 && self < 100", "self + 1 > self",
        "double(self) < 1e10", "self < 1.5", "[1, 2, 10].exists(x, x == self)", "oldSelf - self < 3",
    ),
    "number": ("self > 0.0", "self <= oldSelf", "self < 10.0", "self > 1", "int(self) > 0", "string(self) != '1.5'"),
    "boolean": ("self", "self == oldSelf", "!self || oldSelf", "self ? true : false"),
    "array": (
        "self.size() < 3", "self == oldSelf", "self.all(x, x == x)", "self.exists(x, x == self[0])",
        "oldSelf.all(x, x in self)", "self.exists_one(x, x in oldSelf)", "self.map(x, [x]).size() < 2",
        "self == oldSelf || self != oldSelf", "(self + self) == self", "self.filter(x, x != self[0]).size() == 0",
        "self[1] == self[0]", "self.all(x, self.exists_one(y, x == y))", "size(self + oldSelf) < 4",
        "self in [oldSelf]",
    ),
    "map": (
        "self.size() < 2", "self == oldSelf", "'a' in self", "self.all(k, k != 'b')", "self['a'] == self['b']",
        "oldSelf.all(k, k in self)", "self.exists(k, self[k] == self[k])", "has(self.a) && self.a == oldSelf.a",
        "self.map(k, k).size() > 0", "self.filter(k, k in oldSelf).size() == oldSelf.size()",
    ),
    "object": (
        "self == oldSelf", "self == self", "true", "false", "has(self.a) || has(self.b)", "!has(self.k)",
        "has(self.a) == has(oldSelf.a)", "self in [oldSelf]", "self.a == oldSelf.a", "has(self.d__dash__e)",
        "!has(self.c) || self.c == self.c", "has(self.metadata) && self.metadata.name == 'x'", "self.__if__ == self.k",
    ),
    "either": (
        "self == 1 || self == 'a'", "type(self) == int", "self > 1", "self == oldSelf", "type(self) == type(oldSelf)",
        "type(self) == int ? self < 5 : self.size() < 2",
    ),
    "root": (
        "self.metadata.name == 'a'", "has(self.spec)", "self.kind == 'Thing'", "self == oldSelf", "has(self.status)",
        "self.spec == oldSelf.spec", "self.metadata.name.size() < 2", "self.apiVersion.startsWith('example')",
    ),
}  # fmt: skip
EXPRESSIONS = (
    "'got'", "'  '", "''", "'a\\nb'", "string(1 / 0)", "1", "'é' + 'x'", "string(type(self))", "'x' + string(self)",
    "self", "[1][2]", "'a'.substring(0, 1)", "type(self) == string ? 'text' : 'none'", "'%s'.format([self])",
)  # fmt: skip
_FIELDS = re.compile(r"\bself\.(\w+)\b(?!\()")
_OLD = ("'was ' + string(oldSelf)", "string(oldSelf == self)")
_MESSAGES = (None, "  told  ", "no", "é\u2028", "a" * 100)
_REASONS = (None, None, "FieldValueRequired", "FieldValueForbidden", "FieldValueDuplicate", "FieldValueInvalid")


def rules(random: Random, kind: str, names: list[str], *, lost: bool) -> list[dict[str, Any]]:
    """Some rules of a kind; if what they stand at has `lost` its old value, none asks for that."""
    texts = [text for text in RULES.get(kind, ()) if not lost or "oldSelf" not in text]
    if kind in ("object", "root") and random.random() < 0.9:  # few ask for fields that there are not
        known = {*map(escape_cel_name, names), "metadata" if kind == "root" else "", "kind", "apiVersion"}
        texts = [text for text in texts if set(_FIELDS.findall(text)) <= known]
    chosen = random.sample(texts, min(len(texts), random.choice((1, 1, 2))))
    return [_rule(random, text, names if kind == "object" else []) for text in chosen]


def _rule(random: Random, text: str, names: list[str]) -> dict[str, Any]:
    rule: dict[str, Any] = {"rule": text}
    message, reason = random.choice(_MESSAGES), random.choice(_REASONS)
    rule |= ({"message": message} if message else {}) | ({"reason": reason} if reason else {})
    if random.random() < 0.2:
        rule["messageExpression"] = random.choice((*EXPRESSIONS, *(_OLD if "oldSelf" in text else ())))
    if "oldSelf" in text and random.random() < 0.3:
        rule.pop("messageExpression", None)
        rule |= {"rule": _optional(random, text), "optionalOldSelf": True}
    if names and random.random() < 0.2:
        name = random.choice(names)
        rule["fieldPath"] = random.choice((f"['{name}']", f".{name}", f"['{name}'].a", f".{name}['k']"))
    return rule


def _optional(random: Random, text: str) -> str:
    """Return rules for an optional old value."""
    value = text.replace("oldSelf", "oldSelf.value()")
    return random.choice((
        f"!oldSelf.hasValue() || {value}", f"oldSelf.hasValue() && {value}", value,
        f"oldSelf.optMap(old, {text.replace('oldSelf', 'old')}).orValue(true)", "oldSelf.orValue(self) == self",
    ))  # fmt: skip
