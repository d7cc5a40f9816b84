"""Origins of validation errors: the schema node, and the violated keyword or rule.

API servers report neither. Both are derived from the path and the message of the error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from protoc_gen_crd.admission.field_errors import (
    DUPLICATE,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    Cause,
)
from protoc_gen_crd.admission.objects.error_paths import DocumentPath, get_error_path, resolve_path
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import (
    BRANCH_KEYWORDS,
    INT_OR_STRING,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    Schema,
    ValidationRule,
)

# Type of an error -> violated keywords; pattern in its detail -> violated keywords. The first existing keyword is used.
_BY_TYPE = {
    REQUIRED: ("required",),
    NOT_SUPPORTED: ("enum",),
    TOO_LONG: ("maxLength",),
    TOO_MANY: ("maxItems", "maxProperties"),
    DUPLICATE: (LIST_TYPE,),
}
_BY_DETAIL = (
    (r"^Minimum boundary value", ("minimum",)),
    (r"^Maximum boundary value", ("maximum",)),
    (r"^MultipleOf value", ("multipleOf",)),
    (r"must be of type integer,string", (INT_OR_STRING, "type")),
    (r"must be of type (string|integer|number|boolean|array|object|null):", ("type",)),
    (r"must be of type", ("format", "type", INT_OR_STRING)),
    (r"factor MultipleOf", ("multipleOf",)),
    (r"chars long$", ("minLength", "maxLength")),
    (r"should match '", ("pattern",)),
    (r"should have at least \d+ (items|properties)$", ("minItems", "minProperties")),
    (r"should have at most \d+ (items|properties)$", ("maxItems", "maxProperties")),
    (r"should be greater than", ("minimum",)),
    (r"should be less than", ("maximum",)),
    (r"should be a multiple of", ("multipleOf",)),
    (r"one of \[", ("enum",)),
    (r"\(oneOf\)", ("oneOf",)),
    (r"\(anyOf\)", ("anyOf",)),
    (r"\(allOf\)", ("allOf",)),
    (r"\(not\)$", ("not",)),
    (r"forbidden property$", ("additionalProperties",)),
)
_ACCESSOR = " accessor error: "  # in errors of the scale subresource


class ErrorOrigin(Record):
    """The origin of an error: a schema node with its path, and its violated keyword or CEL rule.

    `required_field` is the name of a missing field.
    """

    path: tuple[str, ...]
    node: Schema
    keyword: str = ""
    rule: ValidationRule | None = None
    required_field: str = ""

    @property
    def place(self) -> Place | None:
        """The place of the rule or keyword."""
        if self.rule is not None:
            return self.rule.origin or self.node.origin
        if self.required_field:
            child = self.node.properties.get(self.required_field)
            return (self.node.marks or {}).get("required") or (child.origin if child else self.node.origin)
        if self.keyword in BRANCH_KEYWORDS and self.keyword not in (self.node.marks or {}):
            return self.node.get(self.keyword)[0].origin or self.node.origin
        return self.node.get_place(self.keyword) if self.keyword else self.node.origin


def iterate_nodes(root: Schema, steps: DocumentPath) -> Iterator[tuple[tuple[str, ...], Schema]]:
    """Yield the nodes along a path of data, from the root, with their paths: `spec`, `ports`, `[*]`."""
    path: tuple[str, ...] = ()
    node: Schema | None = root
    yield path, root
    for step in steps:
        node, name = _get_child(node, step) if node is not None else (None, "")
        if node is None:
            return
        path = (*path, name)
        yield path, node


def _get_child(node: Schema, step: str | int) -> tuple[Schema | None, str]:
    if isinstance(step, int):
        return node.items, "[*]"
    if step in node.properties:
        return node.properties[step], step
    additional = node.additional
    return (additional, "[*]") if isinstance(additional, Schema) else (None, "")


def find_error_place(error: Cause, root: Schema, value: Any) -> Place | None:
    """Return the place of the keyword or rule that a value violates."""
    if error.place is not None:
        return error.place
    steps, rest = resolve_path(value, get_error_path(error))
    origin = find_error_origin(error, root, steps, rest)
    if origin is None or origin.keyword != "allOf":
        return origin.place if origin else None
    parts = find_violated_parts(origin, value, steps)
    return (origin.node.get("allOf")[parts[0]].origin if parts else None) or origin.place


def find_violated_parts(origin: ErrorOrigin, value: Any, steps: DocumentPath) -> list[int]:
    """Return the indexes of the violated parts of an allOf. `steps` is the path of the error."""
    from protoc_gen_crd.admission.objects.value_validator import ValueValidator  # noqa: PLC0415 - few schemas have several oneOf
    from protoc_gen_crd.kubernetes.shared_results import Switches  # noqa: PLC0415
    from protoc_gen_crd.kubernetes.supported_versions import NEWEST  # noqa: PLC0415

    values = ValueValidator(Switches.from_minor(NEWEST))
    inner = reduce(lambda inner, step: inner[step], steps[: len(origin.path)], value)
    return [index for index, part in enumerate(origin.node.get("allOf")) if values.validate_value(part, inner)]


def find_error_origin(error: Cause, root: Schema, steps: DocumentPath, rest: str) -> ErrorOrigin | None:
    """Return the origin of an error at these steps of the object. `rest` is the part of its path that is missing."""
    if error.type == DUPLICATE and steps and isinstance(steps[-1], int):
        steps = steps[:-1]  # the path is that of the item, but the keyword is on the list
    if error.type == REQUIRED and steps and not rest and not error.detail:
        steps, rest = steps[:-1], str(steps[-1])  # null counts as missing
    nodes = list(iterate_nodes(root, steps))
    if len(nodes) <= len(steps) or _ACCESSOR in error.detail:
        return None  # below fields that the schema does not specify, or not from the schema
    origin = _find_keyword_origin(error, nodes, rest)
    if origin is None and not any(f"({keyword})" in error.detail for keyword in LOGICAL_KEYWORDS):
        origin = _find_rule_origin(error, nodes)
    return origin or _find_logical_origin(nodes)


def _find_keyword_origin(
    error: Cause, nodes: Sequence[tuple[tuple[str, ...], Schema]], rest: str
) -> ErrorOrigin | None:
    path, node = nodes[-1]
    if error.type == REQUIRED and not error.detail:
        return (
            ErrorOrigin(path, node, "required", required_field=rest) if rest in (node.get("required") or ()) else None
        )
    if rest:
        return None
    candidates = _BY_TYPE.get(error.type, ())
    for pattern, keywords in _BY_DETAIL:
        candidates = candidates or (keywords if re.search(pattern, error.detail) else ())
    if not candidates and error.type == TYPE_INVALID:
        candidates = ("type",)
    violated = next((keyword for keyword in candidates if keyword in node and _has_effect(keyword, node)), None)
    return ErrorOrigin(path, node, violated) if violated and (error.detail or error.type in _BY_TYPE) else None


def _has_effect(keyword: str, node: Schema) -> bool:
    """Report whether a keyword has an effect on the type of a node."""
    types = KEYWORDS[keyword].types
    return not types or not node.type or node.type in types


def _find_rule_origin(error: Cause, nodes: Sequence[tuple[tuple[str, ...], Schema]]) -> ErrorOrigin | None:
    """Return the origin of a CEL rule with this message. The rule can be defined above the field of the error."""
    if not error.detail:
        return None  # all errors of rules have one
    for path, node in reversed(nodes):
        for rule in node.rules:
            message, expression = rule.message.strip(), rule.rule.strip()
            shown = f"rule: {message or expression}"  # ends the message of a rule that cannot be evaluated
            if error.detail in (message, f"failed rule: {expression}") or error.detail.endswith(shown):
                return ErrorOrigin(path, node, rule=rule)
    for path, node in reversed(nodes):
        for rule in () if _is_keyword_error(error) else node.rules:
            if rule.message_expression:  # its message is known only at run time
                return ErrorOrigin(path, node, rule=rule)
    return None


def _is_keyword_error(error: Cause) -> bool:
    """Report whether the type or the message of an error is that of a keyword, not of a rule."""
    is_typed = error.type in _BY_TYPE and error.type not in (REQUIRED, DUPLICATE)  # these can be reasons of rules
    return is_typed or any(re.search(pattern, error.detail) for pattern, _ in _BY_DETAIL)


def _find_logical_origin(nodes: Sequence[tuple[tuple[str, ...], Schema]]) -> ErrorOrigin | None:
    """Return the nearest anyOf, oneOf, allOf, or not. Their branches are not among the nodes."""
    for path, node in reversed(nodes):
        keyword = next((keyword for keyword in LOGICAL_KEYWORDS if keyword in node), None)
        if keyword:
            return ErrorOrigin(path, node, keyword)
    return None
