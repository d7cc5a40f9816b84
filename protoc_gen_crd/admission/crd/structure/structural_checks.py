"""The checks of structural schemas: every field is specified outside of logical keywords, which only validate.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema validation.go, complete.go; KEP-1693.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd.structure import openapi_v3_checks
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
from protoc_gen_crd.admission.version_differences import NESTED_FALSE, STRUCTURAL_DOCS
from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO, Switch
from protoc_gen_crd.schema.schema import (
    BRANCH_KEYWORDS,
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
    """Check that every node has a type and an array has items."""
    keywords = visit.node.keywords
    if kind == "array":
        if not keywords.get("items"):
            visit.add_finding(STRUCTURAL, REQUIRED, ".items", "must be specified")
    elif kind:
        openapi_v3_checks.check_type(visit, kind)
    elif not (keywords.get(EMBEDDED) or keywords.get(INT_OR_STRING) or keywords.get(PRESERVE)):
        visit.add_finding(STRUCTURAL, REQUIRED, ".type", visit.position.missing)


def check_root(visit: NodeVisit) -> None:
    """Check the schema of a whole object."""
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
        expected = "object" if name == "metadata" else "string"
        kind = visit.node.properties[name].type
        if kind != expected:
            visit.add_finding(STRUCTURAL, INVALID, f".properties[{name}].type", f"must be {expected}", kind)


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
    """Check x-kubernetes-embedded-resource."""
    openapi_v3_checks.check_embedded_resource(visit, value)
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
    """Check that an int-or-string neither preserves unknown fields nor is a resource."""
    openapi_v3_checks.note_extension(visit, value)
    for keyword in (PRESERVE, EMBEDDED):
        if value and visit.node.get(keyword):
            reason = "must be false if x-kubernetes-int-or-string is true"
            visit.add_finding(STRUCTURAL, INVALID, f".{keyword}", reason, value=True)


def check_pattern(visit: NodeVisit, value: str) -> None:
    """Check that a pattern is a regular expression of the Go release that a version is built with.

    Shortcut stable-patterns: a pattern that the latest Go accepts, and that has no syntax that Go added since 1.25 was
    built, is accepted by all.
    """
    from protoc_gen_crd.regex.syntax_check import check, depends_on_go_version  # noqa: PLC0415 - many CRDs have no pattern

    if not value or (check(value) is None and not depends_on_go_version(value)):
        return
    for error in dict.fromkeys(check(value, go=go) for go in KUBERNETES_GO.values()):
        if error is not None:
            reason = f"must be a valid regular expression, but isn't: {error}"
            predicate = partial(_has_pattern_error, value, error)
            visit.add_finding(STRUCTURAL, INVALID, ".pattern", reason, value, predicate=predicate)


def _has_pattern_error(pattern: str, error: str, minor: int) -> bool:
    from protoc_gen_crd.regex.syntax_check import check  # noqa: PLC0415 - see above

    return check(pattern, go=KUBERNETES_GO[minor]) == error


# Children


def visit_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Visit the schemas of fields."""
    special = visit.position.kind.name == "root" or visit.node.get(EMBEDDED)
    sibling_position = get_sibling_position(visit, "field")
    for name, child in value.items():
        child_position = get_property_position(visit, name, "field") if special else sibling_position
        report = child_position.memo.get(id(child)) or visit.visitor.visit_node(child, child_position)
        if report.flags or report.findings:
            visit.visit_child(f".properties[{name}]", child, child_position)


def visit_items(visit: NodeVisit, value: Any) -> None:
    """Visit the schema of list items."""
    if isinstance(value, Schema):
        visit.visit_child(".items", value, get_sibling_position(visit, "item"))
    else:
        openapi_v3_checks.visit_items_list(visit, value)


def visit_additional_properties(visit: NodeVisit, value: Any) -> None:
    """Visit the schema of map values."""
    openapi_v3_checks.check_mutual_exclusion(visit, value)
    if isinstance(value, Schema):
        visit.visit_child(".additionalProperties", value, get_values_position(visit, "field"))


def visit_not(visit: NodeVisit, value: Schema) -> None:
    """Visit the schema of not."""
    visit.visit_child(".not", value, get_sibling_position(visit, "nested"))


def visit_one_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Visit the branches of oneOf."""
    _visit_branches(visit, "oneOf", value)


def visit_any_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Visit the branches of anyOf; those of an int-or-string may have types."""
    condition = _find_int_or_string_condition(value)
    if condition is None:
        _visit_branches(visit, "anyOf", value)
    elif condition:
        _visit_typed_branches(visit, "anyOf", value, condition)
    else:
        openapi_v3_checks.make_branch_visitor("anyOf")(visit, value)


def visit_all_of(visit: NodeVisit, value: Sequence[Schema]) -> None:
    """Visit the branches of allOf; the first may define an int-or-string."""
    condition = _find_int_or_string_condition(value[0].get("anyOf") or ()) if value else None
    if condition is None:
        _visit_branches(visit, "allOf", value)
    elif condition:
        _visit_typed_branches(visit, "allOf", value, condition)
    else:
        visit.visit_child(".allOf[0]", value[0], get_sibling_position(visit, "int-or-string"))
        _visit_branches(visit, "allOf", value, 1)


def _visit_branches(visit: NodeVisit, keyword: str, value: Sequence[Schema], start: int = 0) -> None:
    position = get_sibling_position(visit, "nested")
    for index in range(start, len(value)):
        visit.visit_child(f".{keyword}[{index}]", value[index], position)


def _visit_typed_branches(visit: NodeVisit, keyword: str, value: Sequence[Schema], condition: Condition) -> None:
    """Visit branches that some servers regard as those of an int-or-string; the others reject their types."""
    count = len(visit.findings)
    _visit_branches(visit, keyword, value)
    visit.findings[count:] = list(_restrict_type_findings(visit.findings[count:], "", condition))


def _restrict_type_findings(
    findings: Iterable[NodeFinding | ChildFindings], path: str, condition: Condition
) -> Iterator[NodeFinding | ChildFindings]:
    """Return the findings at a path, with those about the types of branches restricted to the condition."""
    for finding in findings:
        if isinstance(finding, ChildFindings):
            child_path = path + finding.step
            inner = (
                _restrict_type_findings(finding.findings, child_path, condition)
                if re.fullmatch(_BRANCH, child_path)
                else finding.findings
            )
            yield finding.replace(findings=tuple(inner))
        elif finding.path == ".type" and re.fullmatch(_TYPED_BRANCH, path):
            yield from (finding.replace(**when) for when in condition)
        else:
            yield finding


Condition = Sequence[dict[str, Switch]]
_TYPED_BRANCH = r"(?:\.allOf\[0\])?\.anyOf\[[01]\]"
_BRANCH = rf"\.allOf\[0\]|{_TYPED_BRANCH}"


def _find_int_or_string_condition(branches: Sequence[Schema]) -> Condition | None:
    """Return the condition under which a server does not regard branches as those of an int-or-string.

    None means always, an empty condition never.
    """
    if [branch.type for branch in branches] != ["integer", "string"]:
        return None
    keywords = [entry for branch in branches for entry in branch.keywords.items()]
    extra = {keyword for keyword, value in keywords if value or keyword not in _NOTHING_IF_EMPTY} - {"type"}
    closed = ("additionalProperties", False) in [(key, value) for key, value in keywords if value is False]
    documented = bool(extra & _DOCS)
    if extra - _DOCS - ({"additionalProperties"} if closed else set()):
        return None
    return [{"when": STRUCTURAL_DOCS}] * documented + [{"unless": NESTED_FALSE}] * closed


# Below logical keywords


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
    """Return the checks of keywords that are forbidden in logical keywords, each combined with its general check."""

    def combine(first: Check, second: Check) -> Check:
        def check(visit: NodeVisit, value: Any) -> None:
            first(visit, value)
            second(visit, value)

        return check

    forbidden = {keyword: _make_empty_check(FORBIDDEN, keyword, word) for keyword, word in _WORDS.items()}
    return {key: combine(check, anywhere[key]) if key in anywhere else check for key, check in forbidden.items()}


def visit_nested_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Visit the schemas of fields, and reject metadata."""
    for name, child in value.items():
        visit.visit_child(f".properties[{name}]", child, get_property_position(visit, name, "nested"))
    if "metadata" in value:
        visit.add_finding(STRUCTURAL, FORBIDDEN, ".properties[metadata]", "must not be specified in a nested context")


def make_nested_branch_visitor(keyword: str) -> Check:
    """Return the visitor of allOf or anyOf below a logical keyword, where types are never allowed."""
    return lambda visit, value: _visit_branches(visit, keyword, value)


def visit_nested_items(visit: NodeVisit, value: Any) -> None:
    """Visit the schema of list items."""
    if isinstance(value, Schema):
        visit.visit_child(".items", value, get_sibling_position(visit, "nested"))
    else:
        openapi_v3_checks.visit_items_list(visit, value)


def visit_nested_additional_properties(visit: NodeVisit, value: Any) -> None:
    """Reject additionalProperties below logical keywords, except for a literal false since Kubernetes 1.31."""
    openapi_v3_checks.check_mutual_exclusion(visit, value)
    unless = NESTED_FALSE if value is False else None
    path, reason = ".additionalProperties", "must be undefined to be structural"
    visit.add_finding(STRUCTURAL, FORBIDDEN, path, reason, unless=unless)
    if isinstance(value, Schema):
        visit.visit_child(".additionalProperties", value, get_values_position(visit, "loose"))


# Completeness


def check_complete(visit: NodeVisit) -> None:
    """Check that the fields that the logical keywords of the root specify are also specified outside of them."""
    for path, child in _iterate_logical_keywords(visit.node):
        _check_declared(visit, visit.node, "", child, path)


def _iterate_logical_keywords(node: Schema) -> Iterable[tuple[str, Schema]]:
    if isinstance(node.get("not"), Schema):
        yield ".not", node.get("not")
    for keyword in BRANCH_KEYWORDS:
        for index, branch in enumerate(node.get(keyword) or ()):
            yield f".{keyword}[{index}]", branch


def _check_declared(visit: NodeVisit, node: Schema, path: str, nested: Schema, nested_path: str) -> None:
    for step, branch in _iterate_logical_keywords(nested):
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
