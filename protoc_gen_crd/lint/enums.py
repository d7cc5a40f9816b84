"""Rules about enums.

Sources: Istio's API guidelines; Kubernetes' API conventions ("Constants"); buf's ENUM rules.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import cast

from protoc_gen_crd.lint.lint_rule import ENUM, ENUM_VALUE, ISTIO, NODE, NOTE, OFF, Issue, LintRule
from protoc_gen_crd.lint.name_words import split_words
from protoc_gen_crd.lint.proto_elements import ProtoElement, read_prose
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.proto.element_model import Enum

_UPPER = re.compile("[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_PASCAL = re.compile("[A-Z][A-Za-z0-9]*")
_UNSET = re.compile("(^|_)(UNSPECIFIED|UNDEFINED|UNKNOWN|UNSET|NONE|DEFAULT|INVALID|NULL|AUTO)(_|$)")
_DEFAULT = re.compile("default", re.IGNORECASE)


def _make_upper(name: str) -> str:
    return "_".join(split_words(name)).upper()


def _check_value_name(element: ProtoElement) -> Issue | None:
    name = element.element.name
    if _UPPER.fullmatch(name) or _is_pascal(cast(Enum, element.parent)):
        return None
    return Issue(f'enum value "{name}" is not in UPPER_SNAKE_CASE', f'name it "{_make_upper(name)}"')


def _is_pascal(enum: Enum) -> bool:
    """Return whether an enum has the spelling of Kubernetes: all its values are in PascalCase, except for value 0.

    Values in capitals are acronyms if they are at most half of the values.
    """
    names = [value.name for value in enum.values if value.number or not _UNSET.search(value.name)]
    return all(map(_PASCAL.fullmatch, names)) and 2 * sum(map(str.isupper, names)) <= len(names)


def _check_zero(element: ProtoElement) -> Issue | None:
    if any(value.number == 0 for value in element.enum.values):
        return None
    name = f"{_make_upper(element.element.name)}_UNSPECIFIED"
    return Issue(f'enum "{element.element.name}" has no value 0', f'add "{name} = 0"')


def _check_zero_name(element: ProtoElement) -> Issue | None:
    zero = next((value for value in element.enum.values if value.number == 0), None)
    if zero is None or _UNSET.search(zero.name) or _is_pascal(element.enum):
        return None
    if _DEFAULT.search(f"{read_prose(zero.comment)} {read_prose(element.element.comment)}"):
        return None
    unset = f'add "{_make_upper(element.element.name)}_UNSPECIFIED" as value 0 before the first release'
    return Issue(
        f'value 0 of enum "{element.element.name}" is "{zero.name}", as of an unset field in generated code',
        f'document that "{zero.name}" is the default, or {unset}',
        zero.at,
    )


def _check_alias(element: ProtoElement) -> Issue | None:
    names: dict[int, str] = {}
    for value in element.enum.values:
        if value.number in names:
            message = f'"{value.name}" and "{names[value.number]}" have the same number {value.number}'
            return Issue(
                f"{message} but are different values in YAML", "remove one of them, or give it another number", value.at
            )
        names[value.number] = value.name
    return None


def _check_prefix(element: ProtoElement) -> Issue | None:
    prefix = f"{_make_upper(element.parent.name) if element.parent else ''}_"
    if element.element.name.startswith(prefix):
        return None
    return Issue(
        f'enum value "{element.element.name}" does not begin with "{prefix}"',
        f'name it "{prefix}{element.element.name}"',
    )


def _check_spelling(node: SchemaElement) -> Issue | None:
    values = node.schema.get("enum")
    names = [value for value in values if isinstance(value, str) and value] if isinstance(values, list | tuple) else []
    if node.field or len(names) < 2:
        return None
    styles = Counter(map(_get_style, names))
    styles.pop("", None)
    if len(styles) < 2:
        return None
    usual = styles.most_common(1)[0][0]
    other = next(name for name in names if _get_style(name) not in ("", usual))
    first = next(name for name in names if _get_style(name) == usual)
    return Issue(
        f'the enum values "{first}" and "{other}" have different naming styles', "use PascalCase for all values"
    )


def _get_style(name: str) -> str:
    """Return the spelling of an enum value, empty if it fits several."""
    if not name.replace("_", "").replace("-", "").isalnum() or not any(letter.isalpha() for letter in name):
        return ""
    if _UPPER.fullmatch(name):
        return "" if "_" not in name else "UPPER_SNAKE_CASE"
    return "PascalCase" if _PASCAL.fullmatch(name) else "lower"


RULES = (
    LintRule("lint-enum-value-name", (ENUM_VALUE,), _check_value_name, renames=True),
    LintRule("lint-enum-zero", (ENUM,), _check_zero),
    LintRule("lint-enum-zero-name", (ENUM,), _check_zero_name, {ISTIO: NOTE}),
    LintRule("lint-enum-alias", (ENUM,), _check_alias),
    LintRule("lint-enum-prefix", (ENUM_VALUE,), _check_prefix, renames=True),
    LintRule("lint-enum-spelling", (NODE,), _check_spelling, {ISTIO: OFF}),
)
