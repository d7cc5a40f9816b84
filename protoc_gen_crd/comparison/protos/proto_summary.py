"""A summary of the protos of an API: numbers, types, and reservations, which CRDs do not show.

`proto.element_facts` describes how the facts are read. Histories store summaries as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.recorded_types import Check, check_summary, require
from protoc_gen_crd.findings.finding import Location, Place

FORMAT = 1
MESSAGE, ENUM, SERVICE = "message", "enum", "service"

Facts = Mapping[str, Any]

# The types of the output of `format_protos`, for `recorded_types`, and the members that elements always have.
_MARKS = {"deprecated": "bool", "options": "string"}
_FILE_PARTS = {"imports": "map[string]string", "extensions": "map[string]string"}
_RESERVED = {"file": "string", "reservedNumbers": "[][]int64", "reservedNames": "[]string"}
_TYPES: Mapping[str, Mapping[str, str]] = {
    "Summary": {
        "format": "int64", "files": "map[string]File", "messages": "map[string]Message", "enums": "map[string]Enum",
        "services": "map[string]Service", "kinds": "map[string]map[string]string",
    },
    "File": {"package": "string", "syntax": "string", "languages": "map[string]string", **_FILE_PARTS, **_MARKS},
    "Message": {**_RESERVED, "extensions": "[][]int64", "oneofs": "map[string]string", "fields": "map[string]Field",
        **_MARKS,
    },
    "Field": {
        "number": "int64", "type": "string", "json": "string", "oneof": "string", "presence": "bool",
        "required": "bool", "default": "string", **_MARKS,
    },
    "Enum": {**_RESERVED, "values": "map[string]Value", **_MARKS},
    "Value": {"number": "int64", **_MARKS},
    "Service": {"file": "string", "methods": "map[string]Method", **_MARKS},
    "Method": {"request": "string", "response": "string", "idempotency": "string", **_MARKS},
}  # fmt: skip
_CHECKS: Mapping[str, Check] = {
    "Summary": require("files", "messages", "enums"), "File": require("package", "syntax"),
    "Message": require("file", "fields"), "Field": require("number", "type"), "Enum": require("file", "values"),
    "Value": require("number"), "Service": require("file", "methods"), "Method": require("request", "response"),
}  # fmt: skip
_MEMBERS = {MESSAGE: "fields", ENUM: "values", SERVICE: "methods"}
_RANGES, _ENDS = ("reservedNumbers", "extensions"), 2


class ProtoType(Record):
    """A message, an enum, or a service: its facts, and the facts of its fields, values, or methods by name."""

    kind: str
    facts: Facts
    members: Mapping[str, Facts]

    def is_reserved(self, number: int) -> bool:
        """Return whether a number is reserved."""
        return any(first <= number <= last for first, last in self.facts.get("reservedNumbers", ()))


class ProtoSummary(Record):
    """Files by name, types and services by full name, and places of both and of members (`Type.member`).

    `kinds` are the types of the objects of recorded kinds (`group/Kind.version`) by their paths, as of
    `proto_usage.list_root_types`; none in summaries that were written by older versions of this tool.
    """

    files: Mapping[str, Facts]
    types: Mapping[str, ProtoType]
    places: Mapping[str, Place] = {}
    kinds: Mapping[str, Mapping[str, str]] = {}

    def get_package(self, name: str) -> str:
        """Return the package of a file or type, empty for an unknown one."""
        file = self.types[name].facts["file"] if name in self.types else name
        package: str = self.files[file]["package"] if file in self.files else ""
        return package

    def get_relative_name(self, name: str) -> str:
        """Return the name of a type in its package."""
        package = self.get_package(name)
        return name.removeprefix(f"{package}.") if package else name

    def find_place(self, *names: str) -> Place | None:
        """Return the place of the first of some elements that has one."""
        return next((self.places[name] for name in names if name in self.places), None)


def get_json_name(name: str, facts: Facts) -> str:
    """Return the JSON name of a field."""
    json_name: str = facts.get("json", name)
    return json_name


def get_type_name(facts: Facts) -> str:
    """Return the name of the type of a field, of its items, or of its values; empty for a value of an enum."""
    field_type: str = facts.get("type", "")
    return field_type.removesuffix(">").rpartition(" ")[2]


def merge_protos(summaries: Sequence[ProtoSummary]) -> ProtoSummary | None:
    """Return one summary of several, None of none."""
    return ProtoSummary(
        {name: facts for summary in summaries for name, facts in summary.files.items()},
        {name: proto_type for summary in summaries for name, proto_type in summary.types.items()},
        {name: place for summary in summaries for name, place in summary.places.items()},
        {name: kind for summary in summaries for name, kind in summary.kinds.items()},
    ) if summaries else None  # fmt: skip


def format_protos(summary: ProtoSummary) -> str:
    """Format a summary as JSON with one line for each member, so that diffs show the changes."""
    sections = [f' "files": {_format_entries(summary.files, 2)}']
    for kind in _MEMBERS:
        types = {name: proto_type for name, proto_type in sorted(summary.types.items()) if proto_type.kind == kind}
        lines = [f"  {_format_json(name)}: {_format_type(proto_type)}" for name, proto_type in types.items()]
        sections += [f' "{kind}s": {_join(lines, 1)}'] if lines or kind != SERVICE else []
    sections += [f' "kinds": {_format_entries(summary.kinds, 2)}'] if summary.kinds else []
    return f'{{\n "format": {FORMAT},\n' + ",\n".join(sections) + "\n}\n"


def _format_type(proto_type: ProtoType) -> str:
    facts = [f"   {_format_json(name)}: {_format_json(value)}" for name, value in sorted(proto_type.facts.items())]
    members = f'   "{_MEMBERS[proto_type.kind]}": {_format_entries(proto_type.members, 4)}'
    return "{\n" + ",\n".join([*facts, members]) + "\n  }"


def _format_entries(entries: Mapping[str, Facts], indent: int) -> str:
    lines = [f"{' ' * indent}{_format_json(name)}: {_format_json(facts)}" for name, facts in entries.items()]
    return _join(lines, indent - 1)


def _join(lines: Sequence[str], indent: int) -> str:
    return "{\n" + ",\n".join(lines) + f"\n{' ' * indent}}}" if lines else "{}"


def _format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def parse_protos(text: str, file: str = "") -> ProtoSummary:
    """Parse the output of `format_protos`; `file` is its path, for places.

    Raises ValueError if it is anything else, or has the format of a newer version of this tool.
    """
    try:
        plain = parse_json(text)
        if plain["format"] != FORMAT:
            raise ValueError(f"unsupported format {plain['format']}, expected {FORMAT}")
        check_summary(plain, _TYPES, _CHECKS)
        types = {name: proto_type for kind in _MEMBERS for name, proto_type in _parse_types(plain, kind)}
        places = dict(_find_places(text, file)) if file else {}
        return ProtoSummary(plain["files"], types, places, plain.get("kinds", {}))
    except KeyError as error:
        raise ValueError(f"missing field {error}") from None
    except (TypeError, AttributeError, RecursionError):
        raise ValueError("not a summary of protos") from None


def _parse_types(plain: Mapping[str, Any], kind: str) -> Iterator[tuple[str, ProtoType]]:
    entries = plain.get("services", {}) if kind == SERVICE else plain[f"{kind}s"]
    for name, entry in entries.items():
        facts = {key: value for key, value in entry.items() if key != _MEMBERS[kind]}
        if any(len(ends) != _ENDS for key in _RANGES for ends in facts.get(key, ())):
            raise ValueError(f"a range of {name} has not two ends")
        yield name, ProtoType(kind, facts, entry[_MEMBERS[kind]])


def _find_places(text: str, file: str) -> Iterator[tuple[str, Place]]:
    """Yield the lines of files, types, and members, which the indentation of `format_protos` distinguishes."""
    owner = ""
    for number, line in enumerate(text.splitlines(), 1):
        indent = len(line) - len(line.lstrip(" "))
        name = json.loads(line.strip().partition('": ')[0] + '"') if '": ' in line and indent in (2, 4) else ""
        if name and indent == 2:
            owner = name
            yield name, Location(file, number)
        elif name:
            yield f"{owner}.{name}", Location(file, number)
