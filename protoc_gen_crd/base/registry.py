"""Registries with helpful misses: a name that is not there is answered with the nearest one that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


_LONGEST = 100  # characters of a name worth a search
_MANY = 500  # names that are compared one by one; among more only a slip is looked for
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"


def nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The known name most like this one, or None if none is as close as 0 to 1 tells. Ties go to the last by name."""
    if len(name) > _LONGEST:
        return None
    choices = sorted(known)
    folded = {choice.lower(): choice for choice in reversed(choices)}
    if name.lower() in folded:
        return folded[name.lower()]
    if len(folded) > _MANY:
        return next((folded[slip] for slip in _slips(name.lower()) if slip in folded), None)
    near = [choice for choice in sorted(folded) if _common(name.lower(), choice) >= likeness]
    if not near:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only a near miss pays for it

    found = get_close_matches(name.lower(), near, n=1, cutoff=likeness)
    return folded[found[0]] if found else None


def _common(name: str, other: str) -> float:
    """The most that two names can be alike, since they have no more characters in common, in whatever order."""
    common = sum([min(name.count(character), other.count(character)) for character in set(name)])
    return 2 * common / (len(name) + len(other) or 1)


def _slips(name: str) -> Iterator[str]:
    """Every name that one slip makes this one of: a character left out, added, changed, or two in the wrong order."""
    halves = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    yield from (head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1)
    yield from (head + tail[1:] for head, tail in halves if tail)
    yield from (head + character + tail for head, tail in halves for character in _CHARACTERS)
    yield from (head + character + tail[1:] for head, tail in halves if tail for character in _CHARACTERS)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A hint sentence for an unknown name, empty if nothing is near."""
    found = nearest(name, known)
    return f'did you mean "{found}"?' if found else ""


class Registry(Generic[T]):
    """Names to things, each added once, iterated in sorted order."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._entries: dict[str, T] = {}

    def add(self, name: str, entry: T) -> T:
        """Add one. Raises ValueError for a name that is taken."""
        if name in self._entries:
            raise ValueError(f'{self.what} "{name}" is declared twice')
        self._entries[name] = entry
        return entry

    def get(self, name: str) -> T | None:
        """The thing of this name, or None."""
        return self._entries.get(name)

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)
