"""Registries with helpful misses: a name that is not there is answered with the nearest one that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like this one, or None if none is close. Ties go to the first in sort order."""
    from difflib import get_close_matches  # noqa: PLC0415 - only a miss pays for it

    choices = sorted(known)
    folded = {choice.lower(): choice for choice in reversed(choices)}
    if name.lower() in folded:
        return folded[name.lower()]
    found = get_close_matches(name.lower(), sorted(folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else None


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
