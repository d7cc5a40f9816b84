"""Encoding of structural schemas as JSON Schema, draft 7, for editors and validators that do not know Kubernetes.

The result accepts what API servers accept, except in a status, which servers ignore on creation. A constraint is left
out if JSON Schema cannot express it, or if it depends on defaults, which servers add before they validate. CEL rules
become part of the description. Unknown fields are rejected, as `kubectl apply` rejects them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.schema.deprecated_fields import format_deprecation, is_deprecated
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, LIST_TYPE, LOGICAL_KEYWORDS, PRESERVE, Schema

JsonSchema = dict[str, Any]

STRING: JsonSchema = {"type": "string"}
# Validators check other formats more strictly than API servers do, for example date-time and uri.
_FORMATS = frozenset(("int32", "int64", "float", "double", "byte", "password"))
_COPIED = (
    "enum", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
)  # fmt: skip
_BOUNDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
_UNREPRESENTABLE = 2**63  # servers compare such bounds with integers after a conversion that overflows
# Syntax of Go that JavaScript lacks or reads differently: other escapes, flags, names, classes by name, `[]a]`.
_GO_SYNTAX = re.compile(r"\\(?![dDwWsSbBnrtfv.^$*+?()\[\]{}|/-]|x[0-9A-Fa-f]{2})|\(\?(?!:)|\[\[:|\[\^?\]")


def is_portable(pattern: str) -> bool:
    """Return whether JavaScript reads a valid Go pattern in the same way; False if that is not obvious."""
    return _GO_SYNTAX.search(pattern.replace("\\\\", "")) is None


class _NotExpressibleError(Exception):
    """A part of a logical keyword that JSON Schema cannot express."""


class JsonSchemaEncoder:
    """An encoder of schemas. Nodes that are shared are encoded once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool], JsonSchema] = {}
        self._defaults: dict[int, bool] = {}

    def encode(self, schema: Schema, *, nullable: bool = False) -> JsonSchema:
        """Return the JSON Schema of a node. With `nullable`, servers drop or replace a null value of the node."""
        key = id(schema), nullable
        encoded = self._known.get(key)
        if encoded is None:
            encoded = self._known[key] = self._encode_node(schema, nullable=nullable)
        return encoded

    def _encode_node(self, schema: Schema, *, nullable: bool) -> JsonSchema:
        encoded = _encode_annotations(schema) | dict(_encode_values(schema))
        if nullable and "enum" in encoded:
            encoded["enum"] = [*encoded["enum"], *([] if None in encoded["enum"] else [None])]
        if "type" in encoded and (nullable or schema.get("nullable")):
            types = encoded["type"]
            encoded["type"] = [*(types if isinstance(types, list) else [types]), "null"]
        logical_keywords = self._encode_logical_keywords(schema)
        if nullable and logical_keywords:
            logical_keywords = {"anyOf": [{"type": "null"}, logical_keywords]}
        return encoded | self._encode_children(schema) | logical_keywords

    def _encode_children(self, schema: Schema) -> JsonSchema:
        required = [name for name in schema.get("required") or () if not _has_own_default(schema.properties.get(name))]
        properties = {
            name: self.encode(child, nullable=name not in required) for name, child in schema.properties.items()
        }
        if schema.get(EMBEDDED):
            properties = {"apiVersion": STRING, "kind": STRING, "metadata": {"type": "object"}} | properties
            required = sorted({*required, "apiVersion", "kind"})
        encoded: JsonSchema = {"properties": properties} if properties else {}
        if required:
            encoded["required"] = required
        if isinstance(schema.items, Schema):
            encoded["items"] = self.encode(schema.items, nullable=_has_own_default(schema.items))
        return encoded | self._encode_additional(schema)

    def _encode_additional(self, schema: Schema) -> JsonSchema:
        if isinstance(schema.additional, Schema):
            return {"additionalProperties": self.encode(schema.additional, nullable=True)}
        is_open = schema.additional or schema.get(PRESERVE)
        return {"additionalProperties": False} if schema.type == "object" and not is_open else {}

    def _encode_logical_keywords(self, schema: Schema) -> JsonSchema:
        """Return the logical keywords of a node without those that cannot be expressed."""
        encoded: JsonSchema = {}
        for keyword in LOGICAL_KEYWORDS:
            try:
                encoded |= self._encode_logical_keyword(keyword, schema, schema)
            except _NotExpressibleError:
                continue
        return encoded

    def _encode_logical_keyword(self, keyword: str, branch: Schema, node: Schema) -> JsonSchema:
        parts = branch.get(keyword)
        if not parts:
            return {}
        if keyword == "not":
            return {keyword: self._encode_branch(parts, node)}
        return {keyword: [self._encode_branch(part, node) for part in parts]}

    def _encode_branch(self, branch: Schema, node: Schema) -> JsonSchema:
        """Encode a part of a logical keyword of a node. Raises _NotExpressibleError."""
        encoded = dict(_encode_values(branch, whole=True))
        for name in (*branch.properties, *(branch.get("required") or ())):
            if name in node.properties and self._has_default(node.properties[name]):
                raise _NotExpressibleError
        if branch.properties:
            encoded["properties"] = {
                name: self._encode_branch(child, node.properties.get(name, child))
                for name, child in branch.properties.items()
            }
        if branch.get("required"):
            encoded["required"] = list(branch.get("required"))
        if isinstance(branch.items, Schema):
            encoded["items"] = self._encode_branch(branch.items, node.items or branch.items)
        if isinstance(branch.additional, Schema):
            additional = node.additional if isinstance(node.additional, Schema) else branch.additional
            encoded["additionalProperties"] = self._encode_branch(branch.additional, additional)
        for keyword in LOGICAL_KEYWORDS:
            encoded |= self._encode_logical_keyword(keyword, branch, node)
        return encoded

    def _has_default(self, schema: Schema) -> bool:
        """Return whether a node or a node below has a default."""
        known = self._defaults.get(id(schema))
        if known is None:
            below = (child for _, child in schema.iterate_children())
            known = _has_own_default(schema) or any(map(self._has_default, below))
            self._defaults[id(schema)] = known
        return known


def _has_own_default(schema: Schema | None) -> bool:
    return schema is not None and schema.get("default") is not None


def _encode_annotations(schema: Schema) -> JsonSchema:
    """Return the keywords that editors show."""
    paragraphs = [schema.get("description") or "", _format_rules(schema)]
    description = "\n\n".join(filter(None, paragraphs))
    encoded = {key: value for key, value in (("title", schema.get("title")), ("description", description)) if value}
    if "default" in schema:
        encoded["default"] = schema.get("default")
    if is_deprecated(schema):
        encoded |= make_deprecation(format_deprecation(schema))
    return encoded


def _format_rules(schema: Schema) -> str:
    rules = [f"- {rule.message or rule.rule}" for rule in schema.rules]
    return "\n".join(["Rules:", *rules]) if rules else ""


def make_deprecation(note: str) -> JsonSchema:
    """Return the keywords of a deprecation: that of JSON Schema 2019-09, and that of editors."""
    return {"deprecated": True, "deprecationMessage": note}


def _encode_values(schema: Schema, *, whole: bool = False) -> Iterator[tuple[str, Any]]:
    """Yield the constraints on single values. Raises _NotExpressibleError with `whole` if one is left out."""
    if schema.get(INT_OR_STRING):
        yield "type", ["integer", "string"]
    elif schema.type:
        yield "type", schema.type
    yield from ((keyword, schema.get(keyword)) for keyword in _COPIED if schema.get(keyword) is not None)
    for bound, exclusive in _BOUNDS:
        if schema.get(bound) is not None and abs(schema.get(bound)) < _UNREPRESENTABLE:
            yield (exclusive if schema.get(exclusive) else bound), schema.get(bound)
    for keyword, is_expressible in _EXPRESSIBLE.items():
        value = schema.get(keyword)
        if value is not None and is_expressible(value):
            yield keyword, value
        elif value is not None and whole:
            raise _NotExpressibleError
    if schema.get(LIST_TYPE) == "set" and isinstance(schema.items, Schema) and schema.items.type == "string":
        yield "uniqueItems", True


# Keywords that JSON Schema expresses for some values. Editors divide by a multipleOf as floating-point numbers.
_EXPRESSIBLE: Mapping[str, Callable[[Any], bool]] = {
    "pattern": is_portable,
    "format": _FORMATS.__contains__,
    "multipleOf": lambda value: value == int(value),
}
