"""Validation of one conversion option: the form of its members, and contradictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from keyword import iskeyword
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.conversion.derivation.conversion_options import SOURCE_MEMBERS
from protoc_gen_crd.conversion.derivation.value_options import CHANGE_BUILDERS
from protoc_gen_crd.conversion.plan import paths

IMPORTED_NAMES = ("Any", "Derived", "Object", "annotations", "function")  # what files of functions may import
# Members of which one alone can hold.
_EXCLUSIVE_MEMBERS = (
    ("dropped", "preserved", *SOURCE_MEMBERS, "part", "join"),
    ("dropped", "preserved", *CHANGE_BUILDERS, "key", "cel", "function", "part", "join"),
    *(("default", name) for name in (*CHANGE_BUILDERS, "key", "value", "cel", "function", "part", "join")),
    *(("value", name) for name in (*CHANGE_BUILDERS, "cel", "function", "part", "join")),
)


def _check_flag(value: Any) -> str:
    return "" if value else "cannot be false"


def _check_string(value: Any) -> str:
    return "" if value else "is empty"


def _check_either(value: Any) -> str:
    return "" if value.get("from") or value.get("to") else 'has neither "from" nor "to"'


def find_function_name_error(name: Any) -> str:
    """Return why a hand-written function cannot have a name; empty if it can."""
    if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
        return f"is not a valid Python name: {bounded_json.format_json(name)}"
    return f'is imported in the file of functions: "{name}"' if name in IMPORTED_NAMES else ""


def _check_functions(value: Any) -> str:
    name_errors = [
        fault for name in ("from", "to") if value.get(name) and (fault := find_function_name_error(value[name]))
    ]
    return _check_either(value) or next(iter(name_errors), "")


def _check_separator(value: Any) -> str:
    return "" if value.get("separator") else 'has no "separator"'


def _check_part(value: Any) -> str:
    return _check_separator(value) if value.get("of") else 'has no "of"'


def _check_join(value: Any) -> str:
    return _check_separator(value) if value.get("fields") else 'has no "fields"'


def _check_values(value: Any) -> str:
    """Reject pairs that have no effect in either direction: the first pair of a value applies."""
    pairs = [(pair.get("there", ""), pair.get("here", "")) for pair in value]
    for index, (there, here) in enumerate(pairs):
        earlier = pairs[:index]
        if any(there == earlier_source for earlier_source, _ in earlier) and any(
            here == earlier_target for _, earlier_target in earlier
        ):
            return f'has a pair without effect: earlier pairs map both "{there}" and "{here}"'
    return ""


_MEMBER_CHECKS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("preserved", "dropped", "one_item"), _check_flag),
    **dict.fromkeys((*SOURCE_MEMBERS, "key", "value"), _check_string),
    "cel": _check_either,
    "function": _check_functions,
    "part": _check_part,
    "join": _check_join,
    "values": _check_values,
}


def _is_object_name(expression: str) -> bool:
    """Return True for the name and namespace of objects, which are only read."""
    return expression in map(paths.format_path, paths.NAME_PATHS)


_MEMBER_HINTS: Mapping[str, str] = {
    **dict.fromkeys(("preserved", "dropped", "one_item"), "remove it, or set it to true"),
    **dict.fromkeys(SOURCE_MEMBERS, "name the field of the other version that the value comes from, or remove it"),
    **dict.fromkeys(("key", "value"), "name the field of the items, or remove it"),
    "cel": 'set "from" to the expression for the value in this version, or "to" to the one for the other version',
    "function": 'set "from" or "to" to the name of a Python function of its own',
    "part": 'write part: {of: "FIELD" separator: " "} with the string field of the other version',
    "join": 'write join: {fields: ["FIELD", "FIELD"] separator: " "} with string fields of the other version',
    "values": "remove the pair",
}


def find_declaration_errors(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the errors of a declaration that do not depend on the fields, with their hints."""
    for name, value in values.items():
        if name in _MEMBER_CHECKS and (error := _MEMBER_CHECKS[name](value)):
            yield f'"{name}" {error}', _MEMBER_HINTS[name]
    for group in _EXCLUSIVE_MEMBERS:
        present = [
            name for name in group if name in values and not (name == "moved_from" and _is_object_name(values[name]))
        ]
        if len(present) > 1:
            names = " and ".join(f'"{name}"' for name in present)
            yield f"{names} cannot be used together", f"remove {'all but one' if len(present) > 2 else 'one'} of them"
