"""Documents that no author writes, and valid ones that are huge: name -> the YAML of the CRD and of the documents.

By default, a case specifies the `spec` of an object and the schema of `spec` in its CRD.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Node = dict[str, Any]
Case = tuple[str, bytes]

DOCUMENTS: dict[str, Callable[[], Case]] = {}

_CRD = (
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com}\n"
    "spec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: things, kind: Thing}\n"
    "  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: SCHEMA}}\n"
)
_OBJECT = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: hostile}\n"
_OPEN: Node = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_TEXT: Node = {"type": "string", "maxLength": 10}
_MANY = 100_000
_FORMATS = (
    "bsonobjectid", "byte", "cidr", "creditcard", "date", "date-time", "datetime", "duration", "email", "hexcolor",
    "hostname", "ipv4", "ipv6", "isbn", "isbn10", "isbn13", "mac", "password", "rgbcolor", "ssn", "uri", "uuid",
    "uuid3", "uuid4", "uuid5",
)  # fmt: skip


def _case(make: Callable[[], Case]) -> Callable[[], Case]:
    DOCUMENTS[make.__name__.strip("_").replace("_", "-")] = make
    return make


def _crd(schema: str) -> str:
    return _CRD.replace("SCHEMA", schema)


def _of(node: Node, spec: str) -> Case:
    """An object of a schema."""
    schema = {"type": "object", "properties": {"spec": node}}
    return _crd(json.dumps(schema)), f"{_OBJECT}spec: {spec}\n".encode()


def _with(properties: Node, spec: str, rule: str = "") -> Case:
    """Return an object schema with declared fields and optionally a rule."""
    rules = {"x-kubernetes-validations": [{"rule": rule}]} if rule else {}
    return _of({"type": "object", "properties": properties, **rules}, spec)


def _list(items: Node, *texts: str, **keywords: object) -> Case:
    """An object with one list."""
    return _with({"list": {"type": "array", "items": items, **keywords}}, f"{{list: [{', '.join(texts)}]}}")


def _raw(data: bytes) -> Case:
    return _of(_OPEN, "{}")[0], data


# documents


@_case
def _aliases_of_aliases() -> Case:
    lines = [f"  a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12)]
    return _of(_OPEN, "\n  a0: &a0 [x, x, x]\n" + "\n".join(lines))


@_case
def _aliases_within_what_is_taken() -> Case:
    lines = [
        f"  a{level}: &a{level} {{{', '.join(f'k{key}: *a{level - 1}' for key in range(4))}}}" for level in range(1, 7)
    ]
    return _of(_OPEN, "\n  a0: &a0 {a: 1}\n" + "\n".join(lines))


@_case
def _maps_nested_1000_deep() -> Case:
    return _of(_OPEN, "{a: " * 1000 + "1" + "}" * 1000)


@_case
def _lists_nested_9000_deep() -> Case:
    return _of(_OPEN, "{a: " + "[" * 9000 + "]" * 9000 + "}")


@_case
def _brackets_without_end() -> Case:
    return _of(_OPEN, "[{a: " * _MANY)


@_case
def _integers_beyond_64_bits() -> Case:
    whole, real = {"type": "integer"}, {"type": "number", "multipleOf": 0.1}
    return _with({"a": whole, "b": real, "c": whole}, f"{{a: {'9' * 300_000}, b: {'9' * 40}, c: 0x{'f' * 20}}}")


@_case
def _numbers_that_are_none() -> Case:
    real = {"type": "number"}
    first, second = _with({"a": real}, "{a: .nan}"), _with({"a": real}, "{a: 1e999999999999}")
    return first[0], first[1] + b"---\n" + second[1]


@_case
def _bytes_that_are_no_utf8() -> Case:
    return _raw(_OBJECT.encode() + b"spec: {a: \xff\xfe}\n---\n" + _OBJECT.encode())


@_case
def _nul_bytes() -> Case:
    return _raw(_OBJECT.encode() + b'spec: {a: "a\x00b"}\n---\n' + _OBJECT.encode())


@_case
def _a_key_50000_times() -> Case:
    return _of(_OPEN, "{" + ", ".join(["a: 1"] * 50_000) + "}")


@_case
def _documents_without_anything() -> Case:
    return _raw(b"---\n" * 50_000)


@_case
def _a_list_of_10000_objects() -> Case:
    items = [
        f"- {{apiVersion: example.com/v1, kind: Thing, metadata: {{name: a{index}}}}}\n" for index in range(10_000)
    ]
    return _raw(("apiVersion: v1\nkind: List\nitems:\n" + "".join(items)).encode())


# objects against schemas


@_case
def _list_of_100000_items() -> Case:
    wrong = [str(index % 3 * 9) for index in range(_MANY)]
    return _list({"type": "integer", "format": "int32", "maximum": 9}, *wrong)


@_case
def _set_of_100000_items() -> Case:
    return _list({"type": "integer"}, *[str(index // 2) for index in range(_MANY)], **{"x-kubernetes-list-type": "set"})


@_case
def _map_of_50000_items() -> Case:
    item = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}
    texts = [f"{{a: {index // 2}, b: x}}" for index in range(50_000)]
    return _list(item, *texts, **{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"]})


@_case
def _branches_of_branches() -> Case:
    branches: list[Node] = [{"minimum": 2}]
    for _ in range(11):
        branches = [{"anyOf": branches}, {"oneOf": branches}]
    return _with({"a": {"type": "integer", "anyOf": branches}}, "{a: 1}")


@_case
def _values_of_a_large_enum() -> Case:
    return _list({"type": "string", "enum": [f"e{index}" for index in range(5_000)]}, *["x"] * 5_000)


@_case
def _object_of_50000_properties() -> Case:
    names = [f"p{index}" for index in range(50_000)]
    return _with({name: {"type": "string"} for name in names}, f"{{{', '.join(f'{name}: x' for name in names)}}}")


@_case
def _object_of_50000_unknown_fields() -> Case:
    return _with({"a": _TEXT}, "{" + ", ".join(f"p{index}: x" for index in range(50_000)) + "}")


@_case
def _defaults_of_defaults() -> Case:
    inner = {f"q{index}": {"type": "string", "default": "x" * 100} for index in range(20)}
    outer = {f"p{index}": {"type": "object", "default": {}, "properties": inner} for index in range(20)}
    return _list({"type": "object", "properties": outer}, *["{}"] * 500)


@_case
def _labels_and_finalizers_without_end() -> Case:
    labels = ", ".join(f"l{index}: '{'x' * 70}'" for index in range(20_000))
    names = ", ".join(f"f{index}" for index in range(20_000))
    meta = f"{{name: {'a' * 100_000}, labels: {{{labels}}}, finalizers: [{names}]}}"
    return _raw(f"apiVersion: example.com/v1\nkind: Thing\nmetadata: {meta}\n".encode())


def _formats(text: str) -> Case:
    properties = {name: {"type": "string", "format": name} for name in _FORMATS}
    return _with(properties, "\n" + "\n".join(f'  {name}: "{text}"' for name in _FORMATS))


for _name, _text in {
    "digits": "1" * _MANY, "zeros": "0" * _MANY + "1h", "labels": "a-" * 50_000, "dots": "a." * 50_000,
    "colons": "a:" * 50_000, "spaces": "1" + " " * _MANY, "quotes": '\\"' * 50_000, "comments": "(" * _MANY,
    "escapes": "%25" * 30_000, "words": "1h" * 50_000,
}.items():  # fmt: skip
    DOCUMENTS[f"formats-of-{_name}"] = lambda text=_text: _formats(text)  # type: ignore[misc]


# patterns


def _pattern(pattern: str, text: str) -> Case:
    return _with({"a": {"type": "string", "pattern": pattern}}, f"{{a: {text}}}")


@_case
def _pattern_that_explodes() -> Case:
    return _pattern("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * _MANY)


@_case
def _pattern_of_large_classes() -> Case:
    return _pattern("\\pL{1000}" * 9, "a" * 9_000)


@_case
def _pattern_of_large_counts() -> Case:
    return _pattern(".{1000}" * 3_000, "a" * 1_000)


@_case
def _pattern_that_a_long_text_is_searched_for() -> Case:
    return _pattern(".{1000}" * 600, "a" * 700_000)


# rules


@_case
def _rule_that_runs_to_its_budget() -> Case:
    numbers = {"type": "array", "maxItems": 60, "items": {"type": "integer"}}
    rules = [{"rule": "self.all(x, self.all(y, self.all(z, x + y + z > 0)))"}]
    inner = {"type": "object", "properties": {"numbers": {**numbers, "x-kubernetes-validations": rules}}}
    return _list(inner, *[f"{{numbers: [{', '.join(['1'] * 60)}]}}"] * 4, maxItems=4)


@_case
def _rule_of_100000_characters() -> Case:
    return _with({"a": _TEXT}, "{a: x}", " || ".join(["self.a == 'x'"] * 5_800))


@_case
def _rule_of_brackets() -> Case:
    return _with({"a": _TEXT}, "{a: x}", "[" * 50_000)


@_case
def _rule_with_300_parentheses() -> Case:
    return _with({"a": _TEXT}, "{a: x}", "(" * 300 + "true" + ")" * 300)


@_case
def _rule_of_macros_in_macros() -> Case:
    return _with({"a": _TEXT}, "{a: x}", "[1].all(x, " * 40 + "true" + ")" * 40)


@_case
def _rule_on_amounts_of_100000_digits() -> Case:
    rule = "isQuantity(self.a) || duration(self.b) < duration('1s') || int(self.a) > 0 || isIP(self.b)"
    long: Node = {"type": "string", "maxLength": _MANY + 9}
    return _with({"a": long, "b": long}, f'{{a: "{"9" * _MANY}", b: "{"9" * _MANY}h"}}', rule)


# CRDs


@_case
def _crd_of_3_mib() -> Case:
    properties = {f"p{index}": {"type": "string", "description": "d" * 150, "maxLength": 9} for index in range(15_000)}
    return _with(properties, "{p1: x}")


@_case
def _crd_that_is_not_structural() -> Case:
    branch = {"anyOf": [{"type": "string", "properties": {"a": {"default": 1}}}]}
    return _crd(json.dumps({"properties": {f"p{index}": branch for index in range(2_000)}})), _OBJECT.encode()


@_case
def _crd_nested_1000_deep() -> Case:
    node = '{"type": "object", "properties": {"a": ' * 1000 + '{"type": "integer"}' + "}}" * 1000
    return _crd(node), (_OBJECT + "a: " + "{a: " * 999 + "x" + "}" * 999 + "\n").encode()


@_case
def _crd_with_2000_rules_that_are_none() -> Case:
    rules = [{"rule": f"self !! {index}"} for index in range(2_000)]
    return _with({"a": {**_TEXT, "x-kubernetes-validations": rules}}, "{a: x}")


@_case
def _crd_with_3000_rules() -> Case:
    rules = {f"p{index}": [{"rule": f"self != 'x{index}'"}] for index in range(3_000)}
    return _with({name: {**_TEXT, "x-kubernetes-validations": rule} for name, rule in rules.items()}, "{p7: x7}")
