"""Names that are not there are answered with the nearest one that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_LONGEST = 100  # characters of a name worth a search
_MANY_NAMES = 500  # names that are compared one by one; among more only a slip is looked for
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"


def find_nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """The known name most like this one, or None if none is as close as 0 to 1 tells. Ties go to the last by name."""
    if len(name) > _LONGEST:
        return None
    choices = sorted(known)
    folded = {choice.lower(): choice for choice in reversed(choices)}
    if name.lower() in folded:
        return folded[name.lower()]
    if len(folded) > _MANY_NAMES:
        return next((folded[slip] for slip in _generate_typos(name.lower()) if slip in folded), None)
    near = [choice for choice in sorted(folded) if _bound_similarity(name.lower(), choice) >= likeness]
    if not near:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only a near miss pays for it

    found = get_close_matches(name.lower(), near, n=1, cutoff=likeness)
    return folded[found[0]] if found else None


def find_nearest_path(name: str, known: Iterable[str], separator: str, likeness: float = 0.6) -> str | None:
    """As `find_nearest` for names of parts: the first that differs or the last must be alike, what is shared says
    little."""
    found = find_nearest(name, known, likeness)
    pairs = list(zip(name.split(separator), found.split(separator), strict=False)) if found else []
    told = [pair for pair in pairs if pair[0] != pair[1]][:1]
    last = name.rpartition(separator)[2], (found or "").rpartition(separator)[2]
    return found if not told or any(find_nearest(part, [other]) for part, other in (*told, last)) else None


def _bound_similarity(name: str, other: str) -> float:
    """The most that two names can be alike, since they have no more characters in common, in whatever order."""
    common = sum([min(name.count(character), other.count(character)) for character in set(name)])
    return 2 * common / (len(name) + len(other) or 1)


def _generate_typos(name: str) -> Iterator[str]:
    """Every name that one slip makes this one of: a character left out, added, changed, or two in the wrong order."""
    halves = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    yield from (head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1)
    yield from (head + tail[1:] for head, tail in halves if tail)
    yield from (head + character + tail for head, tail in halves for character in _CHARACTERS)
    yield from (head + character + tail[1:] for head, tail in halves if tail for character in _CHARACTERS)


def find_misspelled(name: str, known: Iterable[str], limit: int = 2) -> str | None:
    """Return the known name with the fewest typos to this one, None if all have more than `limit`."""
    near = [other for other in sorted(known) if abs(len(name) - len(other)) <= limit]
    counts = [(_count_typos(name, other), other) for other in near if len(name) <= _LONGEST]
    count, nearest = min(counts, default=(limit + 1, ""))
    return nearest if count <= limit else None


def _count_typos(name: str, other: str) -> int:
    """Return the number of typos between two names, each as in `_generate_typos` (optimal string alignment)."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, character in enumerate(name):
        below = [i + 1]
        for j, theirs in enumerate(other):
            count = min(row[j + 1] + 1, below[j] + 1, row[j] + (character != theirs))
            if i and j and (character, name[i - 1]) == (other[j - 1], theirs):
                count = min(count, above[j - 1] + 1)
            below.append(count)
        above, row = row, below
    return row[-1]


def suggest(name: str, known: Iterable[str]) -> str:
    """A hint sentence for an unknown name, empty if nothing is near."""
    return did_you_mean(find_nearest(name, known))


def did_you_mean(name: str | None) -> str:
    """A hint sentence that names the nearest name; empty for none."""
    return f'did you mean "{name}"?' if name else ""
