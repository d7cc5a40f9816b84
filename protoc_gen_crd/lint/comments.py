"""Rules about comments and descriptions.

Sources: kube-api-linter's commentstart; buf's COMMENTS rules; csi-proxy's API guide for deprecations.
"""

from __future__ import annotations

import re

from protoc_gen_crd.lint.lint_rule import ENUM, ENUM_VALUE, FIELD, MESSAGE, NODE, VERSION, Issue, LintRule
from protoc_gen_crd.lint.proto_elements import ProtoElement, read_prose
from protoc_gen_crd.lint.schema_elements import CrdElement, SchemaElement

_WORD = re.compile("[A-Za-z0-9_]+")
_REPLACEMENT = re.compile(
    r"instead|replace|superse|use\b|see\b|prefer|in favou?r|favour|removed|renamed|moved|no longer|not used|unused|"
    r"no effect|ignored|obsolete|alternative|migrat|without replacement",
    re.IGNORECASE,
)
_ADD_DESCRIPTION = "add a description (in a .proto file: a comment)"


def _check_missing(node: SchemaElement) -> Issue | None:
    if not node.is_property or node.description or node.path in ("spec", "status"):
        return None
    return Issue(f'"{node.key}" has no description', _ADD_DESCRIPTION)


def _check_kind(version: CrdElement) -> Issue | None:
    schema = version.version.schema if version.version else None
    if schema is None or schema.get("description"):
        return None
    if any(child.get("description") for name, child in schema.properties.items() if name == "spec"):
        return None
    return Issue(f"{version.name} has no description", _ADD_DESCRIPTION, schema.origin)


def _check_start(element: ProtoElement) -> Issue | None:
    prose, name = read_prose(element.element.comment), element.field.json_name
    first = _WORD.search(prose)
    if first is None or first[0] in (name, element.element.name):
        return None
    return Issue(f'the comment of field "{name}" begins with "{first[0]}"', f'begin it with "{name}"')


def _check_deprecation(element: ProtoElement) -> Issue | None:
    prose = read_prose(element.element.comment)
    if not element.element.deprecated or _REPLACEMENT.search(prose):
        return None
    message = f'{element.kind} "{element.element.name}" is deprecated, but its comment names no replacement'
    return Issue(message, "name the replacement, or explain why there is none")


RULES = (
    LintRule("lint-comment", (NODE,), _check_missing, for_new=True),
    LintRule("lint-comment-kind", (VERSION,), _check_kind),
    LintRule("lint-comment-start", (FIELD,), _check_start),
    LintRule("lint-deprecation", (MESSAGE, FIELD, ENUM, ENUM_VALUE), _check_deprecation, for_deprecated=True),
)
