"""Suggestions of the nearest existing name for an unknown name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

_LONGEST = 100  # characters of a name up to which a search is worthwhile
_MANY_NAMES = 500  # names that are compared one by one; among more, only single typos are found
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"

# What other tools call an option -> our name.
_OTHER_NAMES = {
    "cel": "rules",
    "expression": "rules",
    "validate": "rules",
    "validation": "rules",
    "validations": "rules",
    "x_kubernetes_validations": "rules",
    "xvalidation": "rules",
    "x_validation": "rules",
}


def find_nearest(name: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the most similar known name, None if none is similar enough.

    Args:
        name: The unknown name.
        known: The known names; of equally similar ones, the last by name is returned.
        likeness: The minimum similarity, from 0 to 1.
    """
    if len(name) > _LONGEST:
        return None
    choices = sorted(known)
    folded = {choice.lower(): choice for choice in reversed(choices)}
    if name.lower() in folded:
        return folded[name.lower()]
    if len(folded) > _MANY_NAMES:
        return next((folded[typo] for typo in _generate_typos(name.lower()) if typo in folded), None)
    near = [choice for choice in sorted(folded) if _bound_similarity(name.lower(), choice) >= likeness]
    if not near:
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only typos need it

    matches = get_close_matches(name.lower(), near, n=1, cutoff=likeness)
    return folded[matches[0]] if matches else None


def find_nearest_path(name: str, known: Iterable[str], separator: str, likeness: float = 0.6) -> str | None:
    """Return the nearest of names with separated parts, like `find_nearest`.

    The first part that differs or the last part must be similar too, since paths often have long common prefixes.
    """
    nearest = find_nearest(name, known, likeness)
    pairs = list(zip(name.split(separator), nearest.split(separator), strict=False)) if nearest else []
    first_difference = [pair for pair in pairs if pair[0] != pair[1]][:1]
    last = name.rpartition(separator)[2], (nearest or "").rpartition(separator)[2]
    return (
        nearest
        if not first_difference or any(find_nearest(part, [other]) for part, other in (*first_difference, last))
        else None
    )


def _bound_similarity(name: str, other: str) -> float:
    """Return an upper bound of the similarity of two names, from the characters that they have in common."""
    common = sum([min(name.count(character), other.count(character)) for character in set(name)])
    return 2 * common / (len(name) + len(other) or 1)


def _generate_typos(name: str) -> Iterator[str]:
    """Yield all names with one typo: a character omitted, added or changed, or two characters swapped."""
    halves = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    yield from (head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1)
    yield from (head + tail[1:] for head, tail in halves if tail)
    yield from (head + character + tail for head, tail in halves for character in _CHARACTERS)
    yield from (head + character + tail[1:] for head, tail in halves if tail for character in _CHARACTERS)


def find_misspelled(name: str, known: Iterable[str], limit: int) -> str | None:
    """Return the known name with the fewest typos to this one, None if all have more than `limit`."""
    near = [other for other in sorted(known) if abs(len(name) - len(other)) <= limit]
    counts = [(_count_typos(name, other), other) for other in near if len(name) <= _LONGEST]
    count, nearest = min(counts, default=(limit + 1, ""))
    return nearest if count <= limit else None


def _count_typos(name: str, other: str) -> int:
    """Return the number of typos between two names, each as in `_generate_typos` (optimal string alignment)."""
    previous_row: list[int] = []
    row = list(range(len(other) + 1))
    for i, character in enumerate(name):
        next_row = [i + 1]
        for j, other_character in enumerate(other):
            count = min(row[j + 1] + 1, next_row[j] + 1, row[j] + (character != other_character))
            if i and j and (character, name[i - 1]) == (other[j - 1], other_character):
                count = min(count, previous_row[j - 1] + 1)
            next_row.append(count)
        previous_row, row = row, next_row
    return row[-1]


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a hint for an unknown name, empty if no name is near."""
    return did_you_mean(find_nearest(name, known))


def did_you_mean(name: str | None) -> str:
    """Return a hint with the nearest name; empty for None."""
    return f'did you mean "{name}"?' if name else ""


def suggest_other_name(name: str, names: Collection[str]) -> str:
    """Return a hint for the name that another tool gives an option, empty for none."""
    own = _OTHER_NAMES.get(name.lower().replace("-", "_"))
    return did_you_mean(own) if own in names else ""
