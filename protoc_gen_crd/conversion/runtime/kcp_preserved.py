"""Read the data that kcp's converter has preserved in annotations.

kcp keeps values by their paths in its own annotation, lists and maps as a whole. A path
may lead into another preserved value: both agree as kcp writes them.

Only the standard library is used.
"""

from __future__ import annotations

from typing import Any

from .path_access import get_value, put
from .runtime import ANYTHING, MISSING, ConversionError, Object, Path

KCP = "preserve.conversion.apis.kcp.io/"  # followed by the version of the data


class Preserved:
    """Values by their paths."""

    __slots__ = ("_values",)

    def __init__(self, values: dict[Path, Any]) -> None:
        self._values = values

    def entry(self, path: Path) -> list[Any] | None:
        """Return the value at a path, as conversion data without shown values."""
        value = self._at(path)
        return None if value is MISSING else ["", value]

    def below(self, path: Path) -> Preserved:
        """Return the conversion data for a path."""
        return Preserved(self._inside(path))

    def _inside(self, path: Path) -> dict[Path, Any]:
        entries = self._values.items()
        return {
            name[len(path) :]: value
            for name, value in entries
            if len(name) > len(path) and name[: len(path)] == path
        }

    def _at(self, path: Path) -> Any:
        """Return a value, else part of an enclosing value, else its parts combined."""
        for cut in range(len(path), 0, -1):
            value = _part(self._values.get(path[:cut], MISSING), path[cut:])
            if value is not MISSING:
                return value
        inside, combined = self._inside(path), dict[str, Any]()
        for name, value in inside.items():
            if not any(name[:cut] in inside for cut in range(1, len(name))):
                put(combined, name, value)
        return combined or MISSING


def preserved(annotation: Object) -> Preserved | None:
    """Return the values of an annotation; None if it has none."""
    entries = sorted(annotation.items())
    values = {
        tuple(name.removeprefix(".").split(".")): value for name, value in entries
    }
    return Preserved(values) if values else None


def _part(value: Any, path: Path) -> Any:
    """Return the value at a path; MISSING unless all values on it are objects."""
    try:
        return get_value({"": value}, ("", *path), ANYTHING)
    except ConversionError:
        return MISSING
