"""The place of an override in the settings file."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.findings.finding import Location, Place

SettingsPath = tuple[str | int, ...]


class OverridePlace:
    """The place of the override of an element, or of a key or item in it."""

    __slots__ = ("_locate", "_owner", "_path", "_read_word")

    def __init__(
        self,
        owner: str,
        locate: Callable[[SettingsPath], Location],
        read_word: Callable[[SettingsPath], str] | None = None,
        path: SettingsPath = (),
    ) -> None:
        self._owner = owner
        self._read_word = read_word
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
        return OverridePlace(self._owner, self._locate, self._read_word, (*self._path, *steps))

    def read_word(self) -> str:
        """Return the number or boolean at the place as written, empty if it is unknown."""
        return self._read_word(self._path) if self._read_word else ""


def locate_key(place: Place, key: str) -> Place:
    """Return the place of a key of the value at a place, which only overrides have."""
    return place.append(key) if isinstance(place, OverridePlace) else place


def is_overridden(place: Place | None, package: Place | None) -> bool:
    """Return whether the override of a package replaces the option of an element that is not an override itself."""
    return isinstance(package, OverridePlace) and not isinstance(place, OverridePlace)
