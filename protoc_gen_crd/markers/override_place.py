"""The place of an override in the settings file."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.findings.finding import Location

SettingsPath = tuple[str | int, ...]


class OverridePlace:
    """The place of the override of an element, or of a key or item in it."""

    __slots__ = ("_locate", "_owner", "_path")

    def __init__(self, owner: str, locate: Callable[[SettingsPath], Location], path: SettingsPath = ()) -> None:
        self._owner = owner
        self._locate = locate
        self._path = path

    def resolve(self) -> Location:
        """Return the line and column in the settings file."""
        return self._locate(self._path)

    def find_owner(self) -> str:
        """Return the full name of the overridden element."""
        return self._owner

    def append(self, *steps: str | int) -> OverridePlace:
        """Return the place of a key or item."""
        return OverridePlace(self._owner, self._locate, (*self._path, *steps))
