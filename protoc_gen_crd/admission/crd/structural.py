"""The invariants of structural schemas: a node has one place, junctors only validate.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema validation.go, complete.go; KEP-1693.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd import schemas
from protoc_gen_crd.admission.crd.survey import (
    META,
    STRUCTURAL,
    UNCONVERTIBLE,
    Check,
    Visit,
    beside,
    of_property,
    of_values,
)
from protoc_gen_crd.admission.errors import FORBIDDEN, INVALID, REQUIRED
from protoc_gen_crd.admission.switches import NESTED_FALSE, STRUCTURAL_DOCS, Switch
from protoc_gen_crd.schema.types import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
    Schema,
)

_DOCS = frozenset(("example", "externalDocs"))
_NOTHING_IF_EMPTY = frozenset((
    "allOf", "anyOf", "oneOf", "enum", "items", "$ref", "patternProperties", "dependencies", "definitions",
))  # fmt: skip


def type_(visit: Visit, kind: str) -> None:
    """Every node has a type, an array has items."""
    keywords = visit.node.keywords
    if kind == "array":
        if not keywords.get("items"):
            visit.add(STRUCTURAL, REQUIRED, ".items", "must be specified")
    elif kind:
        schemas.type_(visit, kind)
    elif not (keywords.get(EMBEDDED) or keywords.get(INT_OR_STRING) or keywords.get(PRESERVE)):
        visit.add(STRUCTURAL, REQUIRED, ".type", visit.at.missing)


def root(visit: Visit) -> None:
    """What holds for the schema of a whole object alone."""
    keywords = visit.node.keywords
    if keywords.get("additionalProperties") is not None:
        visit.add(STRUCTURAL, FORBIDDEN, ".additionalProperties", "must not be used at the root")
    if visit.node.type not in ("", "object"):
        visit.add(STRUCTURAL, INVALID, ".type", "must be object at the root", visit.node.type)
    metadata = visit.node.properties.get("metadata")
    if metadata is not None:
        _root_metadata(visit, metadata)
    if not keywords.get(EMBEDDED):
        _type_meta(visit)
    if not visit.bits & UNCONVERTIBLE:
        complete(visit)


def _type_meta(visit: Visit) -> None:
    for name in sorted(META & visit.node.properties.keys()):
        wanted = "object" if name == "metadata" else "string"
        kind = visit.node.properties[name].type
        if kind != wanted:
            visit.add(STRUCTURAL, INVALID, f".properties[{name}].type", f"must be {wanted}", kind)


def _root_metadata(visit: Visit, metadata: Schema) -> None:
    extra = {key for key, value in metadata.keywords.items() if not _lawful_in_metadata(key, value)}
    if extra:
        reason = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        when = STRUCTURAL_DOCS if extra <= _DOCS else None
        visit.add(STRUCTURAL, FORBIDDEN, ".properties[metadata]", reason, when=when)


def _lawful_in_metadata(keyword: str, value: Any) -> bool:
    if keyword in ("type", "default", "$schema"):
        return True
    if keyword == "properties":
        return not value or set(value) <= {"name", "generateName"}
    return not value and keyword in _NOTHING_IF_EMPTY


def embedded(visit: Visit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """A resource within a resource."""
    schemas.embedded(visit, value)
    if not value:
        return
    node = visit.node
    if node.type != "object":
        reason = "must be object if x-kubernetes-embedded-resource is true"
        if node.type:
            visit.add(STRUCTURAL, INVALID, ".type", reason, node.type)
        else:
            visit.add(STRUCTURAL, REQUIRED, ".type", reason)
    if node.get("additionalProperties") is not None:
        reason = "must not be used if x-kubernetes-embedded-resource is set"
        visit.add(STRUCTURAL, FORBIDDEN, ".additionalProperties", reason)
    if not node.properties and not node.get(PRESERVE):
        reason = "must not be empty if x-kubernetes-embedded-resource is true without " + PRESERVE
        visit.add(STRUCTURAL, REQUIRED, ".properties", reason)
    _type_meta(visit)


def int_or_string(visit: Visit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Neither preserving unknown fields nor a resource."""
    schemas.extension(visit, value)
    for keyword in (PRESERVE, EMBEDDED):
        if value and visit.node.get(keyword):
            reason = "must be false if x-kubernetes-int-or-string is true"
            visit.add(STRUCTURAL, INVALID, f".{keyword}", reason, value=True)


def pattern(visit: Visit, value: str) -> None:
    """A pattern is an RE2 expression, to the Go that a version is built with."""
    from protoc_gen_crd.regex.syntax import KUBERNETES_GO, changes, check  # noqa: PLC0415 - many CRDs have no pattern

    if not value or (check(value) is None and not changes(value)):
        return
    for fault in dict.fromkeys(check(value, go=go) for go in KUBERNETES_GO.values()):
        if fault is not None:
            reason = f"must be a valid regular expression, but isn't: {fault}"
            asked = partial(_finds, value, fault)
            visit.add(STRUCTURAL, INVALID, ".pattern", reason, value, asked=asked)


def _finds(text: str, fault: str, minor: int) -> bool:
    from protoc_gen_crd.regex.syntax import KUBERNETES_GO, check  # noqa: PLC0415 - see above

    return check(text, go=KUBERNETES_GO[minor]) == fault


# Children


def properties(visit: Visit, value: Mapping[str, Schema]) -> None:
    """Fields."""
    special = visit.at.kind.name == "root" or visit.node.get(EMBEDDED)
    at = beside(visit, "field")
    for name, child in value.items():
        place = of_property(visit, name, "field") if special else at
        report = place.memo.get(id(child)) or visit.survey.look(child, place)
        if report.bits or report.found:
            visit.child(f".properties[{name}]", child, place)


def items(visit: Visit, value: Any) -> None:
    """List items."""
    if isinstance(value, Schema):
        visit.child(".items", value, beside(visit, "item"))
    else:
        schemas.items_list(visit, value)


def additional_properties(visit: Visit, value: Any) -> None:
    """Map values."""
    schemas.mutual_exclusion(visit, value)
    if isinstance(value, Schema):
        visit.child(".additionalProperties", value, of_values(visit, "field"))


def not_(visit: Visit, value: Schema) -> None:
    """The refused schema."""
    visit.child(".not", value, beside(visit, "nested"))


def one_of(visit: Visit, value: Sequence[Schema]) -> None:
    """Branches."""
    _branches(visit, "oneOf", value)


def any_of(visit: Visit, value: Sequence[Schema]) -> None:
    """Branches; those of an int-or-string have types."""
    condition = _int_or_string(value)
    if condition is None:
        _branches(visit, "anyOf", value)
    elif condition:
        _branches_sometimes(visit, "anyOf", value, condition)
    else:
        schemas.branches("anyOf")(visit, value)


def all_of(visit: Visit, value: Sequence[Schema]) -> None:
    """Branches; the first may be that of an int-or-string."""
    condition = _int_or_string(value[0].get("anyOf") or ()) if value else None
    if condition is None:
        _branches(visit, "allOf", value)
    elif condition:
        _branches_sometimes(visit, "allOf", value, condition)
    else:
        visit.child(".allOf[0]", value[0], beside(visit, "int-or-string"))
        _branches(visit, "allOf", value, 1)


def _branches(visit: Visit, keyword: str, value: Sequence[Schema], start: int = 0) -> None:
    at = beside(visit, "nested")
    for index in range(start, len(value)):
        visit.child(f".{keyword}[{index}]", value[index], at)


def _branches_sometimes(visit: Visit, keyword: str, value: Sequence[Schema], condition: Condition) -> None:
    """Branches that are those of an int-or-string for some servers only; the others find types in them."""
    known = len(visit.found)
    _branches(visit, keyword, value)
    found, visit.found[known:] = visit.found[known:], []
    for each in found:
        copies = [each.replace(**when) for when in condition] if re.fullmatch(_TYPE_OF_BRANCH, each.path) else [each]
        visit.found.extend(copies)


Condition = Sequence[dict[str, Switch]]
_TYPE_OF_BRANCH = r"(?:\.allOf\[0\])?\.anyOf\[[01]\]\.type"


def _int_or_string(branches: Sequence[Schema]) -> Condition | None:
    """None unless these are an integer and a string; else when, if ever, a server takes them for something more."""
    if [branch.type for branch in branches] != ["integer", "string"]:
        return None
    given = [each for branch in branches for each in branch.keywords.items()]
    extra = {keyword for keyword, value in given if value or keyword not in _NOTHING_IF_EMPTY} - {"type"}
    closed = ("additionalProperties", False) in [(key, value) for key, value in given if value is False]
    documented = bool(extra & _DOCS)
    if extra - _DOCS - ({"additionalProperties"} if closed else set()):
        return None
    return [{"when": STRUCTURAL_DOCS}] * documented + [{"unless": NESTED_FALSE}] * closed


# Below junctors


def _unless_empty(stage_type: str, keyword: str, word: str) -> Check:
    def check(visit: Visit, value: Any) -> None:
        if value or word == "undefined":
            visit.add(STRUCTURAL, stage_type, f".{keyword}", f"must be {word} to be structural")

    return check


_WORDS = {
    "type": "empty", "title": "empty", "description": "empty", "default": "undefined", "nullable": "false",
    PRESERVE: "false", EMBEDDED: "false", INT_OR_STRING: "false", LIST_MAP_KEYS: "empty", LIST_TYPE: "undefined",
    MAP_TYPE: "undefined", VALIDATIONS: "empty",
}  # fmt: skip


def forbidden_in_nested(anywhere: Mapping[str, Check]) -> dict[str, Check]:
    """The checks of keywords that junctors may not hold, each followed by its check for anywhere."""

    def both(first: Check, second: Check) -> Check:
        def check(visit: Visit, value: Any) -> None:
            first(visit, value)
            second(visit, value)

        return check

    forbidden = {keyword: _unless_empty(FORBIDDEN, keyword, word) for keyword, word in _WORDS.items()}
    return {key: both(check, anywhere[key]) if key in anywhere else check for key, check in forbidden.items()}


def nested_properties(visit: Visit, value: Mapping[str, Schema]) -> None:
    """Fields, but not metadata."""
    for name, child in value.items():
        visit.child(f".properties[{name}]", child, of_property(visit, name, "nested"))
    if "metadata" in value:
        visit.add(STRUCTURAL, FORBIDDEN, ".properties[metadata]", "must not be specified in a nested context")


def nested_branches(keyword: str) -> Check:
    """The check of allOf or anyOf below a junctor, where no type is ever lawful."""
    return lambda visit, value: _branches(visit, keyword, value)


def nested_items(visit: Visit, value: Any) -> None:
    """List items."""
    if isinstance(value, Schema):
        visit.child(".items", value, beside(visit, "nested"))
    else:
        schemas.items_list(visit, value)


def nested_additional_properties(visit: Visit, value: Any) -> None:
    """Not below junctors, except a literal false from some version on."""
    schemas.mutual_exclusion(visit, value)
    unless = NESTED_FALSE if value is False else None
    path, reason = ".additionalProperties", "must be undefined to be structural"
    visit.add(STRUCTURAL, FORBIDDEN, path, reason, unless=unless)
    if isinstance(value, Schema):
        visit.child(".additionalProperties", value, of_values(visit, "loose"))


# Completeness


def complete(visit: Visit) -> None:
    """What the junctors of the root speak of must be declared beside them."""
    for path, child in _junctors(visit.node):
        _declared(visit, visit.node, "", child, path)


def _junctors(node: Schema) -> Iterable[tuple[str, Schema]]:
    if isinstance(node.get("not"), Schema):
        yield ".not", node.get("not")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, branch in enumerate(node.get(keyword) or ()):
            yield f".{keyword}[{index}]", branch


def _declared(visit: Visit, node: Schema, path: str, nested: Schema, nested_path: str) -> None:
    for step, branch in _junctors(nested):
        _declared(visit, node, path, branch, nested_path + step)
    steps = [(f".properties[{name}]", child, node.properties.get(name)) for name, child in nested.properties.items()]
    if isinstance(nested.items, Schema):
        steps.append((".items", nested.items, node.items if isinstance(node.items, Schema) else None))
    for step, child, counterpart in steps:
        if counterpart is None:
            why = "because it is defined in "
            visit.add(STRUCTURAL, REQUIRED, path + step, why, because=nested_path + step, origin=child.origin)
        else:
            _declared(visit, counterpart, path + step, child, nested_path + step)
