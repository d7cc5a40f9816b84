"""The settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of a pyproject.toml.

Every entry is checked, and what is wrong with it is reported at its line. Paths in the file start from its folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.diagnostics import Location, Place, Problems, Severity
from protoc_gen_crd.base.inputfiles import input_bytes
from protoc_gen_crd.base.kinds import CHANNEL, HUBS, POLICY, RULES, SELECTOR, TERMS, TYPES, Kind, hint_of
from protoc_gen_crd.base.policy import Entry, unknown_rule
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.tomlread import TomlDocument
from protoc_gen_crd.settings import HubRow, RulesRow, Settings, TypeRow
from protoc_gen_crd.settings_given import unknown
from protoc_gen_crd.settings_options import FILE, Option, options_in

if TYPE_CHECKING:
    from protoc_gen_crd.base.deprecation import Term

NAME = "protoc-gen-crd.yaml"
PYPROJECT = "pyproject.toml"
TABLE = ("tool", "protoc-gen-crd")

_MISNAMED = ("protoc-gen-crd.yml", "protoc_gen_crd.yaml", "protoc_gen_crd.yml", ".protoc-gen-crd.yaml")
# A line of a pyproject.toml that speaks of this tool, if only in a wrong way.
_ENTRY = re.compile(r'\s*(?:\[\s*tool\s*\.\s*)?"?protoc[-_]gen[-_]crd"?\s*(?:[].]|=\s*\{)')
_SEVERITIES = {severity.name.lower(): severity for severity in Severity}
_ENTRY_KEYS = ("rule", "severity", "path", "reason")

_MERGED = 'what "<<" merges counts too: put the key below it, where it gives another value'
_TERM = range(1000)

Steps = tuple[str | int, ...]


class _File:
    """A settings file as read: its value, and how to report on it. `prefix` leads to the settings in the document."""

    def __init__(
        self, name: str, value: object, place: Callable[[Steps], Location], prefix: Steps, problems: Problems
    ) -> None:  # fmt: skip
        self.value = value
        self.folder = os.path.dirname(name)  # noqa: PTH120 - keeps the path as it was given
        self.problems = problems
        self._place = place
        self._prefix = prefix

    def place(self, *path: str | int) -> Location:
        return self._place((*self._prefix, *path))

    def report(self, rule: str, message: str, *path: str | int, hint: str = "") -> None:
        self.problems.report(rule, message, self.place(*path), hint=hint)


def find_settings(start: Path, problems: Problems) -> str:
    """The settings file of a folder or of the nearest one above it in its repository; empty if there is none.

    A file with nearly the right name is reported, and counts as none.
    """
    for folder in (start, *start.parents):
        for name in _MISNAMED:
            if (folder / name).is_file():
                at = Location(os.path.relpath(folder / name, start))
                problems.report("settings-file", f'the settings file must be called "{NAME}", found "{name}"', at)
        if os.path.lexists(folder / NAME):
            if _has_table(folder / PYPROJECT):
                problem = f'settings must stand in one place, found a table of "{PYPROJECT}" beside "{NAME}"'
                at = Location(os.path.relpath(folder / PYPROJECT, start))
                problems.report("option-unused", problem, at, hint="the table has no effect")
            return os.path.relpath(folder / NAME, start)
        if _has_table(folder / PYPROJECT):
            return os.path.relpath(folder / PYPROJECT, start)
        if (folder / ".git").exists():
            break
    return ""


def _has_table(file: Path) -> bool:
    try:
        return any(_ENTRY.match(line) for line in file.read_text("utf-8").splitlines())
    except (OSError, ValueError):
        return False


def read_settings(name: str, problems: Problems, places: dict[str, Place] | None = None) -> dict[str, object]:
    """The options that a file sets, by name; `places` learns where. What cannot be used is left out, with findings."""
    try:
        text = input_bytes(name).decode()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        problems.report("settings-file", f'the settings file must be readable, found "{name}": {reason}')
        return {}
    file = _toml(text, name, problems) if name.endswith(".toml") else _yaml(text, name, problems)
    if file is None or file.value is None:
        return {}
    if not isinstance(file.value, dict):
        file.report("settings-file", f"the settings must be a mapping of options, found {_described(file.value)}")
        return {}
    given = _options(file.value, file)
    (places if places is not None else {}).update((option, file.place(option)) for option in given)
    return given


def _toml(text: str, name: str, problems: Problems) -> _File | None:
    document = TomlDocument(text, name)
    if document.error:
        problems.report("settings-file", f"the settings file must be TOML: {document.error}", document.at)
        return None
    value: Any = document.value
    for step in TABLE:
        value = value.get(step) if isinstance(value, dict) else None
    if value is None:
        message = f'a table "[{".".join(TABLE)}]" must exist, found none'
        problems.report("settings-file", message, Location(name), hint=_nearly(document.value))
    return _File(name, value, document.place, TABLE, problems)


def _nearly(value: Any) -> str:
    """A hint where the table has another name."""
    tools = value.get("tool") if isinstance(value, dict) else None
    found = next((name for name in tools if name.replace("_", "-") == TABLE[1]), "") if isinstance(tools, dict) else ""
    return f'"[tool.{found}]" is another' if found else ""


def _yaml(text: str, name: str, problems: Problems) -> _File | None:
    from protoc_gen_crd.base import yamlread  # noqa: PLC0415 - a TOML table wants no YAML library

    documents = yamlread.read(text, name)
    before = len(problems.findings)
    for document in documents:
        if document.error:
            problems.report("settings-file", f"the settings file must be YAML: {document.error}", document.error_at)
        for index, (at, what) in enumerate(document.repeated()):
            if index not in document.overrides:
                hint = _MERGED if "<<" in text else ""
                problems.report("settings-file", f"a key must stand once: {what}", at, hint=hint)
    if len(documents) > 1:
        place = documents[1].place(())
        problems.report("settings-file", f"the settings file must be one document, found {len(documents)}", place)
    if not documents or len(problems.findings) > before:
        return None
    return _File(name, documents[0].value, partial(documents[0].place, key=True), (), problems)


def _options(value: Mapping[str, object], file: _File) -> dict[str, object]:
    known = options_in(FILE)
    special = {TYPES: _types, RULES: _rules, HUBS: _hubs, POLICY: _entries, SELECTOR: _selector, TERMS: _terms}
    given: dict[str, object] = {}
    for name, data in value.items():
        option = known.get(name)
        if option is None:
            unknown(name, known, file.place(name), file.problems)
        elif option.kind in special:
            given[name] = special[option.kind](data, file)
        elif option.repeated:
            items = enumerate(_list(data, file, name, "a list"))
            given[name] = tuple(value for index, item in items for value in _value(option, item, file, name, index))
            if option.kind is CHANNEL:
                _check_names(data, file, name)
        else:
            given.update((name, value) for value in _value(option, data, file, name))
    return given


def _check_names(data: object, file: _File, name: str) -> None:
    """An order of names has at least one, and each once."""
    if data == []:
        file.report("option-value", f'"{name}" must have a name, found none', name)
    for index, item in enumerate(data if isinstance(data, list) else ()):
        if item in data[:index]:  # type: ignore[index]
            file.report("option-value", f'"{name}" must have each name once, found "{item}" again', name, index)


def _list(data: object, file: _File, name: str, demand: str) -> list[object]:
    if isinstance(data, list):
        return data
    file.report("option-value", f'"{name}" must be {demand}, found {_described(data)}', name)
    return []


def _value(option: Option, data: object, file: _File, *path: str | int) -> list[object]:
    """The value in a list, which is empty if the value is not what the option takes."""
    kind = option.kind
    fits = type(data) is kind.plain
    try:
        value = kind.parse(str(data)) if fits else None
    except (ValueError, KeyError):
        fits = False
    if not fits:
        hint = hint_of(kind, data) if isinstance(data, str) else ""
        hint = "put the value in quotes" if kind.plain is str and type(data) in (int, float) else hint
        hint = "take the quotes away" if kind.plain is not str and type(data) is str and _is(kind, data) else hint
        file.report(
            "option-value", f'"{option.name}" must be {kind.demand}, found {_described(data)}', *path, hint=hint
        )
        return []
    # Kept as it was given where the file lies in the working folder, so that messages repeat what the user wrote.
    return [os.path.normpath(os.path.join(file.folder, str(value))) if kind.path else value]  # noqa: PTH118


def _is(kind: Kind, text: str) -> bool:
    """Whether a text is a value of a kind, but for its type."""
    try:
        kind.parse(text)
    except (ValueError, KeyError):
        return False
    return True


def _types(data: object, file: _File) -> dict[str, TypeRow]:
    """The schemas by message name; what is in a schema is checked where it is used."""
    if not isinstance(data, dict):
        file.report("option-value", f'"types" must be {TYPES.demand}, found {_described(data)}', "types")
        return {}
    for name, schema in data.items():
        if not isinstance(schema, dict):
            message = f'the schema of "{name}" must be a mapping, found {_described(schema)}'
            file.report("option-value", message, "types", name)
    return {
        name: TypeRow(schema, partial(_in_row, file, name)) for name, schema in data.items() if isinstance(schema, dict)
    }


def _in_row(file: _File, name: str, path: Steps) -> Location:
    return file.place("types", name, *path)


def _rules(data: object, file: _File) -> dict[str, RulesRow]:
    """Lists of conversions by the names of CRDs; what is in a list is checked where it is used."""
    if not isinstance(data, dict):
        file.report("option-value", f'"conversions" must be {RULES.demand}, found {_described(data)}', "conversions")
        return {}
    made: dict[str, RulesRow] = {}
    for name, given in data.items():
        if isinstance(given, list):
            made[str(name)] = RulesRow(given, partial(_in_rules, file, name))
        else:
            message = f'the conversions of "{name}" must be a list, found {_described(given)}'
            file.report("option-value", message, "conversions", name)
    return made


def _hubs(data: object, file: _File) -> dict[str, HubRow]:
    """Versions by the names of CRDs; whether there are such is checked where they are used."""
    if not isinstance(data, dict):
        file.report("option-value", f'"hub_versions" must be {HUBS.demand}, found {_described(data)}', "hub_versions")
        return {}
    made: dict[str, HubRow] = {}
    for name, version in data.items():
        if isinstance(version, str) and version:
            made[str(name)] = HubRow(version, file.place("hub_versions", name))
        else:
            message = f'the hub of "{name}" must be a version, found {_described(version)}'
            file.report("option-value", message, "hub_versions", name)
    return made


def _in_rules(file: _File, name: str, path: Steps) -> Location:
    return file.place("conversions", name, *path)


def _selector(data: object, file: _File) -> Mapping[str, object]:
    """A label selector."""
    from protoc_gen_crd.base.selectors import faults  # noqa: PLC0415 - few settings have any

    name = "policy_namespaces"
    found = list(faults(data))
    for path, demand, value in found:
        said = value if isinstance(value, str) and not path else _described(value)
        file.report(
            "option-value", f'"{".".join([name, *map(str, path)])}" must be {demand}, found {said}', name, *path
        )
    return data if isinstance(data, dict) and not found else {}


def _terms(data: object, file: _File) -> dict[str, Term]:
    """The terms of a deprecation policy."""
    from protoc_gen_crd.base.deprecation import STAGES, Term  # noqa: PLC0415 - few settings have any

    name = "deprecation_policy"
    if not isinstance(data, dict):
        file.report("option-value", f'"{name}" must be {TERMS.demand}, found {_described(data)}', name)
        return {}
    given = file.value.get("channels") if isinstance(file.value, dict) else None
    names = [*STAGES, *map(str, given if isinstance(given, list) else Settings().channels)]
    made: dict[str, Term] = {}
    for key, numbers in data.items():
        if key not in names:
            message = f'"{name}" must name stages or channels, found "{key}"'
            file.report("option-value", message, name, key, hint=suggestion(str(key), names))
        elif not _is_term(numbers, Term._fields):
            message = f'"{key}" must have "months" and "releases" from 0 to {_TERM[-1]}, found {_described(numbers)}'
            file.report("option-value", message, name, key)
        else:
            made[key] = Term(*(numbers.get(field, 0) for field in Term._fields))
    return made


def _is_term(data: object, fields: tuple[str, ...]) -> bool:
    known = isinstance(data, dict) and bool(data) and data.keys() <= set(fields)
    return known and all(type(number) is int and number in _TERM for number in data.values())  # type: ignore[attr-defined]


def _entries(data: object, file: _File) -> tuple[Entry, ...]:
    items = enumerate(_list(data, file, "findings", POLICY.demand))
    return tuple(entry for index, item in items if (entry := _entry(item, index, file)))


def _entry(data: object, index: int, file: _File) -> Entry | None:
    """One entry of the policy, None if it cannot be used."""
    if not isinstance(data, dict):
        file.report("option-value", f"an entry must be a mapping, found {_described(data)}", "findings", index)
        return None
    if data.get("severity") is False:
        data = {**data, "severity": "off"}  # YAML 1.1 reads a bare `off` as a boolean
    before = len(file.problems.findings)
    for key, value in data.items():
        _check_key(key, value, index, file)
    if "rule" not in data:
        file.report("option-value", 'an entry must have a "rule", found none', "findings", index)
    if "path" not in data and "severity" not in data:
        file.report("option-value", 'an entry must have a "severity" or a "path", found neither', "findings", index)
    if "path" in data and not str(data.get("reason", "")).strip():
        message = f'an entry with a path must have a reason, found none for "{data["path"]}"'
        file.report("policy-reason", message, "findings", index)
    if len(file.problems.findings) > before:
        _check_rule(data.get("rule"), index, file)
        return None
    severity = _SEVERITIES[data.get("severity", "off")]
    place = file.place("findings", index)
    return Entry(data["rule"], severity, data.get("path", ""), data.get("reason", ""), place)


def _check_rule(rule: object, index: int, file: _File) -> None:
    """Report a rule that does not exist, in an entry that the policy gets nothing of."""
    from protoc_gen_crd.base.catalogue import rules  # noqa: PLC0415 - few settings are wrong

    if isinstance(rule, str) and rule and (finding := unknown_rule(rule, rules(), None)):
        file.report(finding.rule, finding.message, "findings", index, hint=finding.hint)


def _check_key(key: str, value: object, index: int, file: _File) -> None:
    path = ("findings", index, key)
    if key not in _ENTRY_KEYS:
        message = f'a key of an entry must be one of {", ".join(_ENTRY_KEYS)}, found "{key}"'
        file.report("option-unknown", message, *path, hint=suggestion(key, _ENTRY_KEYS))
    elif not isinstance(value, str) or not value:
        file.report("option-value", f'"{key}" must be text, found {_described(value)}', *path)
    elif key == "severity" and value not in _SEVERITIES:
        message = f'"severity" must be one of {", ".join(_SEVERITIES)}, found "{value}"'
        file.report("option-value", message, *path, hint=suggestion(value, _SEVERITIES))


_KINDS = {type(None): "nothing", list: "a list", dict: "a mapping"}


def _described(data: object) -> str:
    """A value as a message names it."""
    if isinstance(data, str):
        return f'"{data}"'
    return _KINDS.get(type(data)) or f"the {type(data).__name__} {str(data).lower()}"
