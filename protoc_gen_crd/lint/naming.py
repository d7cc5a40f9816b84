"""Rules about names of messages, fields and other elements.

Sources: Kubernetes' API conventions ("Naming conventions"); Istio's API guidelines; AIP-140 (names of fields), AIP-142
(time and duration); kube-api-linter's nophase, noreferences and notimestamp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protoc_gen_crd.lint.lint_rule import (
    ENUM,
    FIELD,
    ISTIO,
    MESSAGE,
    METHOD,
    NODE,
    NOTE,
    OCM,
    OFF,
    ONEOF,
    SERVICE,
    WARNING,
    Issue,
    LintRule,
)
from protoc_gen_crd.lint.name_words import (
    ADJECTIVES,
    MEASURED_WORDS,
    PREPOSITIONS,
    RESERVED_WORDS,
    UNITS,
    is_plural,
    make_plural,
    split_words,
)
from protoc_gen_crd.lint.proto_elements import ProtoElement
from protoc_gen_crd.lint.schema_elements import SchemaElement

_PASCAL = re.compile("[A-Z][A-Za-z0-9]*")
_SNAKE = re.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*")
_CAMEL = re.compile("[a-z][A-Za-z0-9]*")
_ACRONYM = re.compile("[A-Z]{3,}|[A-Z]{2,}$")
_NUMBERS = ("integer", "number")
_LETTER = "begin the name with a lowercase letter"


def _make_pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in split_words(name)) or name


def _check_type_name(element: ProtoElement) -> Issue | None:
    name = element.element.name
    if _PASCAL.fullmatch(name):
        return None
    return Issue(f'{element.kind} "{name}" is not in PascalCase', f'name it "{_make_pascal(name)}"')


def _check_acronym(element: ProtoElement) -> Issue | None:
    name = element.element.name
    match = _ACRONYM.search(name)
    if not match:
        return None
    hint = f'name it "{_make_pascal(re.sub("[A-Z]+(?=[A-Z][a-z])|[A-Z]+$", lambda match: match[0].title(), name))}"'
    return Issue(f'{element.kind} "{name}" contains an acronym in capitals', hint)


def _check_field_name(element: ProtoElement) -> Issue | None:
    name = element.element.name
    if _SNAKE.fullmatch(name):
        return None
    return Issue(
        f'{element.kind} "{name}" is not in lower_snake_case', f'name it "{"_".join(split_words(name)).lower()}"'
    )


def _check_json_name(node: SchemaElement) -> Issue | None:
    if not node.is_property or _CAMEL.fullmatch(node.key):
        return None
    words = split_words(node.key)
    first, rest = (words[0].lower(), words[1:]) if words else ("", ())
    hint = (
        f'name it "{first}{"".join(word[:1].upper() + word[1:] for word in rest)}"' if first[:1].isalpha() else _LETTER
    )
    return Issue(f'property "{node.key}" is not in lowerCamelCase', hint)


def _restyle(node: SchemaElement, name: str) -> str:
    """Return a suggested name in the style in which the source of the node spells it: snake_case for most fields."""
    field = node.field.full_name.rpartition(".")[2] if node.field else ""
    is_snake = field == field.lower() and field == "_".join(split_words(node.key)).lower()
    return "_".join(split_words(name)).lower() if is_snake else name


def _check_plural(node: SchemaElement) -> Issue | None:
    words = _drop_prepositions(split_words(node.key))
    if not node.is_property or node.schema.type != "array" or not words or is_plural(words[-1]):
        return None
    at = node.key.find(words[-1]) + len(words[-1])
    plural = node.key[: at - len(words[-1])] + make_plural(words[-1]) + node.key[at:]
    return Issue(f'the name of list "{node.key}" is not plural', f'name it "{_restyle(node, plural)}"')


def _drop_prepositions(words: Sequence[str]) -> Sequence[str]:
    """Return the words before the first preposition, whose last one is the noun: "names" of "namesForHosts".

    A name that ends with a preposition, such as "templateFrom", has no noun that can be plural.
    """
    ends = [index for index, word in enumerate(words) if index and word.lower() in PREPOSITIONS]
    if ends and ends[0] == len(words) - 1:
        return ()
    return words[: ends[0]] if ends else words


def _check_adjective(element: ProtoElement) -> Issue | None:
    words = split_words(element.element.name)
    if len(words) < 2 or words[-1] not in ADJECTIVES or element.field.kind == "bool":
        return None
    hint = f'name it "{"_".join((words[-1], *words[:-1]))}"'
    return Issue(f'the name of field "{element.element.name}" ends with an adjective', hint)


def _check_preposition(element: ProtoElement) -> Issue | None:
    name = element.element.name
    used = [word for word in split_words(name)[1:-1] if word in PREPOSITIONS]
    if not used:
        return None
    return Issue(
        f'field "{name}" contains the preposition "{used[0]}"',
        'rename it without the preposition, as in "error_reason" instead of "reason_of_error"',
    )


def _check_reserved(element: ProtoElement) -> Issue | None:
    name = element.element.name
    if name not in RESERVED_WORDS:
        return None
    return Issue(f'the name of field "{name}" is a keyword in Go, Python, Java or TypeScript', "choose another name")


def _check_timestamp(node: SchemaElement) -> Issue | None:
    words = [word.lower() for word in split_words(node.key)]
    if not node.is_property or not words or words[-1] not in ("timestamp", "timestamps"):
        return None
    name = f"{node.key[: -len(words[-1])].rstrip('_-')}Time{words[-1][len('timestamp') :]}"
    hint = f'name it "{_restyle(node, name[:1].lower() + name[1:])}"'
    return Issue(f'the name of "{node.key}" ends with "{words[-1]}"', hint)


def _check_unit(node: SchemaElement) -> Issue | None:
    words = [word.lower() for word in split_words(node.key)]
    if (
        not node.is_property
        or node.schema.type not in _NUMBERS
        or not MEASURED_WORDS & set(words)
        or UNITS & set(words)
    ):
        return None
    hint = f'add the unit to the name, as in "{_restyle(node, node.key + "Seconds")}", or use a duration'
    return Issue(f'number "{node.key}" has no unit', hint)


def _check_phase(node: SchemaElement) -> Issue | None:
    if (
        not node.path.startswith("status.")
        or not node.is_property
        or "phase" not in [word.lower() for word in split_words(node.key)]
    ):
        return None
    return Issue(f'"{node.key}" is a phase, a pattern that Kubernetes deprecated', "report the state in conditions")


def _check_reference(node: SchemaElement) -> Issue | None:
    words = split_words(node.key)
    is_flag = node.schema.type == "boolean"
    if not node.is_property or is_flag or not words or words[-1].lower() not in ("reference", "references"):
        return None
    short = node.key[: -len("reference")] if words[-1].lower() == "reference" else node.key[: -len("references")]
    plural = "s" if words[-1].lower() == "references" else ""
    name = f"{short}Ref{plural}" if short else f"ref{plural}"
    return Issue(f'the name of "{node.key}" ends with "{words[-1]}"', f'name it "{_restyle(node, name)}"')


RULES = (
    LintRule("lint-type-name", (MESSAGE, ENUM, SERVICE, METHOD), _check_type_name),
    LintRule("lint-acronym", (MESSAGE, ENUM, METHOD), _check_acronym, {ISTIO: WARNING}, for_new=True),
    LintRule("lint-field-name", (FIELD, ONEOF), _check_field_name, renames=True),
    LintRule("lint-json-name", (NODE,), _check_json_name, renames=True),
    LintRule("lint-plural", (NODE,), _check_plural, renames=True),
    LintRule("lint-adjective", (FIELD,), _check_adjective, {ISTIO: NOTE}, renames=True),
    LintRule("lint-preposition", (FIELD,), _check_preposition, {OCM: OFF}, for_new=True),
    LintRule("lint-reserved-word", (FIELD,), _check_reserved, renames=True),
    LintRule("lint-timestamp", (NODE,), _check_timestamp, renames=True),
    LintRule("lint-unit", (NODE,), _check_unit),
    LintRule("lint-phase", (NODE,), _check_phase),
    LintRule("lint-reference", (NODE,), _check_reference, {ISTIO: OFF}, renames=True),
)
