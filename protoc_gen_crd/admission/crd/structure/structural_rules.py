"""The invariants of structural schemas: a node has one place, junctors only validate.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema validation.go, complete.go; KEP-1693.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd.structure import node_validation
from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    META,
    STRUCTURAL,
    UNCONVERTIBLE,
    Check,
    ChildFindings,
    NodeFinding,
    NodeVisit,
    get_property_position,
    get_sibling_position,
    get_values_position,
)
from protoc_gen_crd.admission.field_errors import FORBIDDEN, INVALID, REQUIRED
from protoc_gen_crd.admission.switches import NESTED_FALSE, STRUCTURAL_DOCS
from protoc_gen_crd.kubernetes.versions import KUBERNETES_GO, Switch
from protoc_gen_crd.schema.schema import (
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


def check_type(visit: NodeVisit, kind: str) -> None:
    """Every node has a type, an array has items."""
    keywords = visit.node.keywords
    if kind == "array":
        if not keywords.get("items"):
            visit.add_finding(STRUCTURAL, REQUIRED, ".items", "must be specified")
    elif kind:
        node_validation.check_type(visit, kind)
    elif not (keywords.get(EMBEDDED) or keywords.get(INT_OR_STRING) or keywords.get(PRESERVE)):
        visit.add_finding(STRUCTURAL, REQUIRED, ".type", visit.position.missing)


def check_root(visit: NodeVisit) -> None:
    """What holds for the schema of a whole object alone."""
    keywords = visit.node.keywords
    if keywords.get("additionalProperties") is not None:
        visit.add_finding(STRUCTURAL, FORBIDDEN, ".additionalProperties", "must not be used at the root")
    if visit.node.type not in ("", "object"):
        visit.add_finding(STRUCTURAL, INVALID, ".type", "must be object at the root", visit.node.type)
    metadata = visit.node.properties.get("metadata")
    if metadata is not None:
        _check_root_metadata(visit, metadata)
    if not keywords.get(EMBEDDED):
        _check_type_meta(visit)
    if not visit.flags & UNCONVERTIBLE:
        check_complete(visit)


def _check_type_meta(visit: NodeVisit) -> None:
    for name in sorted(META & visit.node.properties.keys()):
        wanted = "object" if name == "metadata" else "string"
        kind = visit.node.properties[name].type
        if kind != wanted:
            visit.add_finding(STRUCTURAL, INVALID, f".properties[{name}].type", f"must be {wanted}", kind)


def _check_root_metadata(visit: NodeVisit, metadata: Schema) -> None:
    extra = {key for key, value in metadata.keywords.items() if not _is_allowed_in_metadata(key, value)}
    if extra:
        reason = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        when = STRUCTURAL_DOCS if extra <= _DOCS else None
        visit.add_finding(STRUCTURAL, FORBIDDEN, ".properties[metadata]", reason, when=when)


def _is_allowed_in_metadata(keyword: str, value: Any) -> bool:
    if keyword in ("type", "default", "$schema"):
        return True
    if keyword == "properties":
        return not value or set(value) <= {"name", "generateName"}
    return not value and keyword in _NOTHING_IF_EMPTY


def check_embedded_resource(visit: NodeVisit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """A resource within a resource."""
    node_validation.check_embedded_resource(visit, value)
    if not value:
        return
    node = visit.node
    if node.type != "object":
        reason = "must be object if x-kubernetes-embedded-resource is true"
        if node.type:
            visit.add_finding(STRUCTURAL, INVALID, ".type", reason, node.type)
        else:
            visit.add_finding(STRUCTURAL, REQUIRED, ".type", reason)
    if node.get("additionalProperties") is not None:
        reason = "must not be used if x-kubernetes-embedded-resource is set"
        visit.add_finding(STRUCTURAL, FORBIDDEN, ".additionalProperties", reason)
    if not node.properties and not node.get(PRESERVE):
        reason = "must not be empty if x-kubernetes-embedded-resource is true without " + PRESERVE
        visit.add_finding(STRUCTURAL, REQUIRED, ".properties", reason)
    _check_type_meta(visit)


def check_int_or_string(visit: NodeVisit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Neither preserving unknown fields nor a resource."""
    node_validation.note_extension(visit, value)
    for keyword in (PRESERVE, EMBEDDED):
        if value and visit.node.get(keyword):
            reason = "must be false if x-kubernetes-int-or-string is true"
            visit.add_finding(STRUCTURAL, INVALID, f".{keyword}", reason, value=True)


def check_pattern(visit: NodeVisit, value: str) -> None:
    """A pattern is an RE2 expression, to the Go that a version is built with.

    Shortcut stable-patterns: a pattern that the latest Go accepts, and that has no syntax that Go added since 1.25 was
    built, is accepted by all.
    """
    from protoc_gen_crd.regex.syntax_check import check, depends_on_go_version  # noqa: PLC0415 - many CRDs have no pattern

    if not value or (check(value) is None and not depends_on_go_version(value)):
        return
    for fault in dict.fromkeys(check(value, go=go) for go in KUBERNETES_GO.values()):
        if fault is not None:
            reason = f"must be a valid regular expression, but isn't: {fault}"
            asked = partial(_has_pattern_error, value, fault)
            visit.add_finding(STRUCTURAL, INVALID, ".pattern", reason, value, predicate=asked)


def _has_pattern_error(text: str, fault: str, minor: int) -> bool:
    from protoc_gen_crd.regex.syntax_check import check  # noqa: PLC0415 - see above

    return check(text, go=KUBERNETES_GO[minor]) == fault


# Children


def visit_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Fields."""
    special = visit.position.kind.name == "root" or visit.node.get(EMBEDDED)
    at = get_sibling_position(visit, "field")
    for name, child in value.items():
        place = get_property_position(visit, name, "field") if special else at
        report = place.memo.get(id(child)) or visit.visitor.visit_node(child, place)
        if report.flags or report.findings:
            visit.visit_child(f".properties[{name}]", child, place)


def visit_items(visit: NodeVisit, value: Any) -> None:
    """List items."""
    if isinstance(value, Schema):
        visit.visit_child(".items", value, get_sibling_position(visit, "item"))
    else:
        node_validation.visit_items_list(visit, value)


def visit_additional_properties(visit: NodeVisit, value: Any) -> None:
    """Map values."""
    node_validation.check_mutual_exclusion(visit, value)
    if isinstance(value, Schema):
        visit.visit_child(".additionalProperties", value, get_values_position(visit, "field"))


def visit_not(visit: NodeVisit, value: Schema) -> None:
    """The refused schema."""
    visit.visit_child(".not", value, get_sibling_position(visit, "nested"))


def visit_one_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Branches."""
    _visit_branches(visit, "oneOf", value)


def visit_any_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Branches; those of an int-or-string have types."""
    condition = _find_int_or_string_condition(value)
    if condition is None:
        _visit_branches(visit, "anyOf", value)
    elif condition:
        _visit_typed_branches(visit, "anyOf", value, condition)
    else:
        node_validation.make_branch_visitor("anyOf")(visit, value)


def visit_all_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Branches; the first may be that of an int-or-string."""
    condition = _find_int_or_string_condition(value[0].get("anyOf") or ()) if value else None
    if condition is None:
        _visit_branches(visit, "allOf", value)
    elif condition:
        _visit_typed_branches(visit, "allOf", value, condition)
    else:
        visit.visit_child(".allOf[0]", value[0], get_sibling_position(visit, "int-or-string"))
        _visit_branches(visit, "allOf", value, 1)


def _visit_branches(visit: NodeVisit, keyword: str, value: Sequence[Schema], start: int = 0) -> None:
    at = get_sibling_position(visit, "nested")
    for index in range(start, len(value)):
        visit.visit_child(f".{keyword}[{index}]", value[index], at)


def _visit_typed_branches(visit: NodeVisit, keyword: str, value: Sequence[Schema], condition: Condition) -> None:
    """Branches that are those of an int-or-string for some servers only; the others find types in them."""
    known = len(visit.findings)
    _visit_branches(visit, keyword, value)
    visit.findings[known:] = list(_restrict_type_findings(visit.findings[known:], "", condition))


def _restrict_type_findings(
    found: Iterable[NodeFinding | ChildFindings], path: str, condition: Condition
) -> Iterator[NodeFinding | ChildFindings]:
    """What was found at a path, of types of branches only where the condition holds."""
    for each in found:
        if isinstance(each, ChildFindings):
            below = path + each.step
            inner = (
                _restrict_type_findings(each.findings, below, condition)
                if re.fullmatch(_BRANCH, below)
                else each.findings
            )
            yield each.replace(findings=tuple(inner))
        elif each.path == ".type" and re.fullmatch(_TYPED_BRANCH, path):
            yield from (each.replace(**when) for when in condition)
        else:
            yield each


Condition = Sequence[dict[str, Switch]]
_TYPED_BRANCH = r"(?:\.allOf\[0\])?\.anyOf\[[01]\]"
_BRANCH = rf"\.allOf\[0\]|{_TYPED_BRANCH}"


def _find_int_or_string_condition(branches: Sequence[Schema]) -> Condition | None:
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


def _make_empty_check(stage_type: str, keyword: str, word: str) -> Check:
    def check(visit: NodeVisit, value: Any) -> None:
        if value or word == "undefined":
            visit.add_finding(STRUCTURAL, stage_type, f".{keyword}", f"must be {word} to be structural")

    return check


_WORDS = {
    "type": "empty", "title": "empty", "description": "empty", "default": "undefined", "nullable": "false",
    PRESERVE: "false", EMBEDDED: "false", INT_OR_STRING: "false", LIST_MAP_KEYS: "empty", LIST_TYPE: "undefined",
    MAP_TYPE: "undefined", VALIDATIONS: "empty",
}  # fmt: skip


def make_nested_checks(anywhere: Mapping[str, Check]) -> dict[str, Check]:
    """The checks of keywords that junctors may not hold, each followed by its check for anywhere."""

    def combine(first: Check, second: Check) -> Check:
        def check(visit: NodeVisit, value: Any) -> None:
            first(visit, value)
            second(visit, value)

        return check

    forbidden = {keyword: _make_empty_check(FORBIDDEN, keyword, word) for keyword, word in _WORDS.items()}
    return {key: combine(check, anywhere[key]) if key in anywhere else check for key, check in forbidden.items()}


def visit_nested_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Fields, but not metadata."""
    for name, child in value.items():
        visit.visit_child(f".properties[{name}]", child, get_property_position(visit, name, "nested"))
    if "metadata" in value:
        visit.add_finding(STRUCTURAL, FORBIDDEN, ".properties[metadata]", "must not be specified in a nested context")


def make_nested_branch_visitor(keyword: str) -> Check:
    """The check of allOf or anyOf below a junctor, where no type is ever lawful."""
    return lambda visit, value: _visit_branches(visit, keyword, value)


def visit_nested_items(visit: NodeVisit, value: Any) -> None:
    """List items."""
    if isinstance(value, Schema):
        visit.visit_child(".items", value, get_sibling_position(visit, "nested"))
    else:
        node_validation.visit_items_list(visit, value)


def visit_nested_additional_properties(visit: NodeVisit, value: Any) -> None:
    """Not below junctors, except a literal false from some version on."""
    node_validation.check_mutual_exclusion(visit, value)
    unless = NESTED_FALSE if value is False else None
    path, reason = ".additionalProperties", "must be undefined to be structural"
    visit.add_finding(STRUCTURAL, FORBIDDEN, path, reason, unless=unless)
    if isinstance(value, Schema):
        visit.visit_child(".additionalProperties", value, get_values_position(visit, "loose"))


# Completeness


def check_complete(visit: NodeVisit) -> None:
    """What the junctors of the root speak of must be declared beside them."""
    for path, child in _iterate_junctors(visit.node):
        _check_declared(visit, visit.node, "", child, path)


def _iterate_junctors(node: Schema) -> Iterable[tuple[str, Schema]]:
    if isinstance(node.get("not"), Schema):
        yield ".not", node.get("not")
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, branch in enumerate(node.get(keyword) or ()):
            yield f".{keyword}[{index}]", branch


def _check_declared(visit: NodeVisit, node: Schema, path: str, nested: Schema, nested_path: str) -> None:
    for step, branch in _iterate_junctors(nested):
        _check_declared(visit, node, path, branch, nested_path + step)
    steps = [(f".properties[{name}]", child, node.properties.get(name)) for name, child in nested.properties.items()]
    if isinstance(nested.items, Schema):
        steps.append((".items", nested.items, node.items if isinstance(node.items, Schema) else None))
    for step, child, counterpart in steps:
        if counterpart is None:
            why = "because it is defined in "
            visit.add_finding(
                STRUCTURAL, REQUIRED, path + step, why, detail_path=nested_path + step, origin=child.origin
            )
        else:
            _check_declared(visit, counterpart, path + step, child, nested_path + step)
