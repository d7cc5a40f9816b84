"""A parsed settings file: its value, the places of its entries, and its findings."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.findings.finding import Location, Problems

DocumentPath = tuple[str | int, ...]


class SettingsDocument:
    """A parsed settings file. `prefix` is the path of the settings in the document.

    `read_word` returns the number or boolean at a path as written, None if it is unknown.
    """

    def __init__(
        self,
        value: object,
        place: Callable[[DocumentPath], Location],
        prefix: DocumentPath,
        problems: Problems,
        read_word: Callable[[DocumentPath], str] | None = None,
    ) -> None:
        self.value = value
        self.folder = ""  # that the paths in the file are relative to
        self.problems = problems
        self.former_names: dict[str, str] = {}  # names in the file by current name, if they differ
        self._place = place
        self._prefix = prefix
        self.read_word = read_word

    def get_place(self, *path: str | int) -> Location:
        """Return the place of an option, or of a part of its value."""
        first = [self.former_names.get(str(name), name) for name in path[:1]]
        return self._place((*self._prefix, *first, *path[1:]))

    def report(self, rule: str, message: str, *path: str | int, hint: str = "") -> None:
        """Report a finding at an option, or at a part of its value."""
        self.problems.report(rule, message, self.get_place(*path), hint=hint)

    def report_value(self, name: str, requirement: str, data: object, *path: str | int, hint: str = "") -> None:
        """Report an invalid value of an option, or of a part of its value."""
        from protoc_gen_crd.settings.option_errors import format_invalid  # noqa: PLC0415 - only an error pays for it

        self.report("option-value", format_invalid(name, requirement, describe_value(data)), *path, hint=hint)


def read_list(data: object, file: SettingsDocument, name: str, requirement: str) -> list[object]:
    """Return the value of an option that is a list; another value is reported."""
    if isinstance(data, list):
        return data
    hint = 'begin each entry with "- "' if isinstance(data, dict | str) else ""
    file.report_value(name, requirement, data, name, hint=hint)
    return []


_TYPE_NAMES = {type(None): "null", list: "a list", dict: "a mapping"}
_SCALAR_NAMES = {bool: "boolean", int: "number", float: "number"}  # other scalars of TOML: date, datetime, time


def describe_value(data: object) -> str:
    """Format a value for a message."""
    if isinstance(data, str):
        return f'"{data}"'
    return _TYPE_NAMES.get(type(data)) or _describe_scalar(data)


def _describe_scalar(data: object) -> str:
    name = _SCALAR_NAMES.get(type(data), type(data).__name__)
    return f"the {name} {str(data).lower()}"
