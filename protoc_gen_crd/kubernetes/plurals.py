"""Plurals of kinds by fixed rules; `irregular_plurals` has the kinds that they do not apply to."""

from __future__ import annotations

_ES = ("s", "x", "z", "ch", "sh")


def make_plural(singular: str) -> str:
    """Return the plural of a lower-case name by three fixed rules, which no library upgrade can change.

    -es after s, x, z, ch and sh; -ies for a consonant and y; else -s.
    """
    if singular.endswith(_ES):
        return singular + "es"
    if singular.endswith("y") and singular[-2:-1] not in tuple("aeiou"):
        return singular[:-1] + "ies"
    return singular + "s"
