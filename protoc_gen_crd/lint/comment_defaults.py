"""Rules that compare the default that a description states with that of the schema.

A contradiction is an error of the author. A default that only the description states can be intended: the controller
applies it, so that it can change later. A rule about it is therefore only for new fields, for which a default of the
schema is still compatible.

Source: Kubernetes' API conventions ("Defaulting"); OpenShift's API conventions, which prefer defaults at run time for
configuration and require that their description states them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.lint.comment_constraints import compile_pattern, list_sentences
from protoc_gen_crd.lint.lint_rule import ISTIO, NODE, OFF, Issue, LintRule
from protoc_gen_crd.lint.schema_elements import SchemaElement

_DEFAULT = compile_pattern(
    r"\b(?:defaults? (?:to|is|value is|value of)|default value:|\(default:?|default:|",
    r"by default,? (?:it )?is set to)\s*",
    r"(?P<value>[\"'`“][^\"'`”]+[\"'`”]|-?[0-9][0-9.]*(?:ns|us|ms|s|m|h|%)?(?!\^)\b|",
    r"true\b|false\b|(?-i:[A-Z][A-Z0-9_]+)\b)(?P<rest>[^.]*)",
)
_CONDITION = compile_pattern(r"\b(if|when|unless|for|otherwise|depending|except|in (the )?case|on)\b|[?*/+x^]\s*\d")
_UNSET = compile_pattern(
    r"\b(if|when)\b (it is |it's |this (field )?is |the \w+ is )?",
    r"(not|un|omitted|empty|absent|missing|no )|\b(if|when)\b.*\b(not|omitted|empty|absent)\b",
)
_OTHER_SETTINGS = compile_pattern(r"mesh ?config|global default|inherit|platform|operating system|os default")
_SCOPE = re.compile(r"(?:^|[,;] )[Ii]n (?:a |the )?[A-Z]\w+")  # such as "In ClusterWidget"
_SHARE = compile_pattern(r"%? of\b")
_UNIT = compile_pattern(r"\s*(milli|micro|nano|second|minute|hour|day|week|month|year)")


def _check_other(node: SchemaElement) -> Issue | None:
    actual = node.schema.get("default")
    for stated in _list_stated(node) if actual is not None else ():
        if stated.lower() != str(actual).lower() and str(actual) != _read_number(stated):
            return Issue(
                f'"{node.key}" is described with the default "{stated}", but has the default "{actual}"',
                "correct the default or the description",
            )
    return None


def _check_missing(node: SchemaElement) -> Issue | None:
    if node.schema.get("default") is not None or _OTHER_SETTINGS.search(node.description):
        return None
    for stated in _list_stated(node):
        if not _is_zero(node, stated):
            return Issue(
                f'"{node.key}" is described with the default "{stated}", but has no default',
                f'set the default "{stated}", unless the controller applies it, so that it can change',
            )
    return None


def _list_stated(node: SchemaElement) -> Iterator[str]:
    """Yield the defaults that the description of a field of the spec states, if they are values of its type."""
    for sentence in list_sentences(node) if not node.path.startswith("status") else ():
        match = _DEFAULT.search(sentence)
        if match and not _is_conditional(sentence, match) and not _has_other_unit(node, match):
            stated = match["value"].strip("\"'`“”")
            if _is_literal(node, stated):
                yield stated


def _is_conditional(sentence: str, match: re.Match[str]) -> bool:
    """Return whether a default is only that of some cases."""
    before = sentence[: match.start()]
    if _SCOPE.search(before) or _SHARE.match(match["rest"]):
        return True
    return bool(_CONDITION.search(match["rest"]) or (_CONDITION.search(before) and not _UNSET.search(before)))


def _has_other_unit(node: SchemaElement, match: re.Match[str]) -> bool:
    """Return whether a number has a unit that the name of the field does not have."""
    unit = _UNIT.match(match["rest"])
    return unit is not None and unit[1].lower() not in node.key.lower()


def _read_number(text: str) -> str:
    return text.replace(",", "").removesuffix("%")


def _is_zero(node: SchemaElement, stated: str) -> bool:
    """Return whether a default is the value that an absent field has anyway."""
    values = node.schema.get("enum")
    if values:
        return str(values[0]).lower() == stated.lower()
    return re.fullmatch(r"0(\.0)?[a-z%]*|false||none|empty|nil|null|unset", stated.lower()) is not None


def _is_literal(node: SchemaElement, stated: str) -> bool:
    """Return whether a stated default is a value of the type."""
    kind, values = node.schema.type, node.schema.get("enum")
    if values:
        return stated.upper() in (str(value).upper() for value in values)
    if kind == "boolean":
        return stated.lower() in ("true", "false")
    if kind in ("integer", "number"):
        return re.fullmatch(r"-?[0-9.]+", stated.rstrip(".")) is not None
    return kind == "string" and not stated.isupper() and not stated.rstrip("%.").isdecimal()


RULES = (
    LintRule("lint-comment-default", (NODE,), _check_other),
    LintRule("lint-comment-default-missing", (NODE,), _check_missing, {ISTIO: OFF}, for_new=True),
)
