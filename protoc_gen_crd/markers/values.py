"""Values of markers: what a schema can take of them. What it cannot is a finding."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.types import INT_OR_STRING, TYPE, Schema

_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}
_BITS = {"int32": 31}  # of the format of an integer; what has none is int64 to a server
_EXACT = 2**53  # doubles above are whole numbers, but not all whole numbers are doubles
_BAD = object()
_LISTED = r"""[\[({]?\s*["'`]?[\w.-]+["'`]?(\s*[,;|]\s*["'`]?[\w.-]+["'`]?)+[,;|]?\s*[\])}]?"""
_OURS = ("+", "(protoc_gen_crd.")  # other vocabularies have values that look like lists
_EMPTY = 'leave the sign out, or write "" for the empty text'
_MOST_SHOWN = 4

Report = Callable[[str, str, Marker, str], None]  # rule id, message, marker, hint


def found(schema: Schema) -> str:
    """The type of a schema, for a message."""
    return schema.type or ("an integer or a string" if schema.get(INT_OR_STRING) else "no type")


def has_type(schema: Schema, value: Any) -> bool:
    """Whether a value in plain data has the type of a schema."""
    expected = _JSON_TYPES.get(schema.type)
    if expected is None or schema.get(INT_OR_STRING) or (value is None and schema.get("nullable")):
        return True
    return isinstance(value, expected) and (schema.type == "boolean" or not isinstance(value, bool))


class Values:
    """Turns the value of a marker into that of its keyword."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def of(self, schema: Schema, marker: Marker) -> Any:
        """The keyword's value on a schema; None, with or without a finding, if there is nothing to set."""
        option, value = marker.option, marker.value
        if option.json:
            return self._json(schema, marker)
        if option.kind == "number":
            return self._number(schema, marker)
        if option.kind == "integer" and value < 0:
            return self._refuse(f'"{marker.name}" must not be negative, found {value}', marker)
        if option.kind == "string" and not isinstance(value, str) and not option.repeated:
            return self._refuse(f'"{marker.name}" must be a string, found {_shown(value)}', marker)
        return value

    def _refuse(self, problem: str, marker: Marker, hint: str = "") -> Any:
        """Report that there is nothing to set, which is None."""
        self._report("marker-value", problem, marker, hint)
        return None

    def _number(self, schema: Schema, marker: Marker) -> Any:
        value: int | float = marker.value
        if not isfinite(value):
            return self._refuse(f'"{marker.name}" must be a finite number, found {value}', marker)
        if abs(value) >= _EXACT:
            value = float(value)
        if isinstance(value, float) and value.is_integer() and (schema.type == "integer" or abs(value) < _EXACT):
            value = int(value)
        if marker.option.keyword == "multipleOf" and value <= 0:
            return self._refuse(f'"{marker.name}" must be above 0, found {value}', marker)
        return value if schema.type != "integer" else self._integer(schema, marker, value)

    def _integer(self, schema: Schema, marker: Marker, value: int | float) -> Any:
        if isinstance(value, float):
            return self._refuse(f'"{marker.name}" must be a whole number for an integer, found {value}', marker)
        least, most = _held(schema)
        if marker.option.keyword == "multipleOf" or least <= value <= most:
            return value
        hint = (
            "from Kubernetes 1.36 on a field with such a bound can hold no value at all" if -least == most + 1 else ""
        )
        return self._refuse(_beyond(schema, marker, value), marker, hint)

    def _json(self, schema: Schema, marker: Marker) -> Any:
        """JSON of an option, for strings plain text as well; checked against the schema's type."""
        values = marker.value if marker.option.repeated else [marker.value]
        if not values:
            return self._refuse(f'"{marker.name}" must list a value, found none', marker)
        if marker.unread:
            values = [self._parsed(schema, marker.of_value(index), value) for index, value in enumerate(values)]
        if any(value is _BAD for value in values):
            return None
        if schema.type == "array" and values == [{}] and "kubebuilder:default=" in marker.text:
            values = [[]]  # its grammar has one spelling for both
        if values == [None] and not marker.option.repeated:
            return self._refuse(f'"{marker.name}" must not be null, which servers take for none', marker)
        if values == ["null"] and marker.text.endswith("default=null"):
            problem = f'null is the text "null" here, found it as "{marker.name}"'
            self._report("marker-dialect", problem, marker.pointed("null"), 'put it in quotes if it is meant: "null"')
        fitting = [value for index, value in enumerate(values) if self._fits(schema, marker.of_value(index), value)]
        if len(fitting) < len(values):
            return None
        if marker.option.repeated and marker.text.startswith(_OURS):
            self._check_parted(values, marker)
        return values if marker.option.repeated else values[0]

    def _check_parted(self, values: list[Any], marker: Marker) -> None:
        """Texts that hold what was perhaps meant to part them."""
        texts = [value for value in values if isinstance(value, str)]
        ends = texts[0][:1] + texts[-1][-1:] if texts else ""
        empty = next((text for text in texts if text.startswith(";")), None)
        if empty is not None:
            problem, hint = f'a ";" must part two values, found "{empty}", which holds it', _EMPTY
        elif len(texts) == 1 and re.fullmatch(_LISTED, texts[0]):
            problem, hint = f'values must be parted, found "{texts[0]}", which is one', _parted(marker, texts)
        elif len(texts) > 1 and ends in ("[]", "()"):
            problem, hint = f'brackets are part of a text, found "{texts[0]}" and "{texts[-1]}"', _parted(marker, texts)
        else:
            return
        self._report("marker-list", problem, marker.pointed(empty or texts[0]), hint)

    def _parsed(self, schema: Schema, marker: Marker, text: str) -> Any:
        if schema.type == "string" and text[:1] != '"':
            return text
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs need it

        def twice(key: str) -> None:
            self._report("marker-repeated", f'a key must stand once, found "{key}" twice', marker, "")

        try:
            return jsontext.loads(text, twice)
        except ValueError:
            if schema.type == "string":
                return text
            kind = f" for {found(schema)}" if schema.type or schema.get(INT_OR_STRING) else ""
            hint = "" if schema.type else 'a text stands in quotes of its own: "\\"' + text + '\\""'
            self._report(
                "marker-parse", f'"{marker.name}" must be JSON{kind}, found "{text}"', marker.pointed(text), hint
            )
            return _BAD

    def _fits(self, schema: Schema, marker: Marker, value: Any) -> bool:
        return self._has_type(schema, marker, value) and self._is_member(schema, marker, value)

    def _is_member(self, schema: Schema, marker: Marker, value: Any) -> bool:
        """Whether a name listed is one of the proto enum that the field has for its type: no client can send others."""
        named = (schema.facts or {}).get(TYPE)
        if marker.option.keyword != "enum" or not isinstance(value, str) or named is None or not named.members:
            return True
        if value in named.members:
            return True
        problem = f'"{marker.name}" must list values of "{named.name}", found "{value}"'
        hint = _by_number(schema, value) or suggestion(value, named.members)
        self._refuse(problem, marker.pointed(value), hint)
        return False

    def _has_type(self, schema: Schema, marker: Marker, value: Any) -> bool:
        if has_type(schema, value):
            least, most = _held(schema)
            if schema.type != "integer" or not isinstance(value, int) or least <= value <= most:
                return True
            self._refuse(_beyond(schema, marker, value), marker)
            return False
        hint = _by_number(schema, value)
        if not hint and schema.type == "string" and not isinstance(value, (list, dict)):
            hint = f'quote it: "{_shown(value)}"'
        at = marker.pointed(value if isinstance(value, str) else _shown(value))
        self._refuse(f'"{marker.name}" must be of type {schema.type}, found {_shown(value)}', at, hint)
        return False


def _parted(marker: Marker, texts: list[str]) -> str:
    """How the values in a text that looks like several are listed in the spelling of their marker."""
    values = [value for text in texts for value in re.findall(r"[\w.-]+", text)][:_MOST_SHOWN]
    if not marker.text.startswith("+"):
        return "write " + ", ".join([f'{marker.option.name} = "{value}"' for value in values])
    if marker.unread:
        return "write [" + ", ".join([f'"{value}"' for value in values]) + "]"
    return f"write {';'.join(values)}"


def _by_number(schema: Schema, value: Any) -> str:
    """A hint for the number of a value of a proto enum; empty if it is none."""
    named = (schema.facts or {}).get(TYPE)
    members = named.members if named is not None else {}
    if not members or not re.fullmatch("-?[0-9]+", str(value)):
        return ""
    name = next((name for name, number in members.items() if str(number) == str(value)), "")
    return f"""values are names, of which {value} has {f'"{name}"' if name else "none"}"""


def _held(schema: Schema) -> tuple[int, int]:
    """The least and the greatest number of an integer, before markers set other bounds."""
    limit = 2 ** _BITS.get(schema.get("format") or "", 63)
    own, marks = schema.keywords, schema.marks or {}
    least = own["minimum"] if "minimum" in own and "minimum" not in marks else -limit
    most = own["maximum"] if "maximum" in own and "maximum" not in marks else limit - 1
    return least, most


def _beyond(schema: Schema, marker: Marker, value: int | float) -> str:
    """What is wrong with a number that an integer cannot hold."""
    least, most = _held(schema)
    name = schema.get("format") or "int64"
    what = name if -least == most + 1 else f"{least} to {most}, which is all that the field can hold"
    return f'"{marker.name}" must be within {what}, found {value}'


def _shown(value: Any) -> str:
    from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs need it

    return jsontext.shown(value)
