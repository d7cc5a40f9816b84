"""The check of recorded summaries: the types of their members, and the members that every element has.

Records are files that anyone can edit. Code that compares summaries relies on this check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.schema.go_type_decoder import Builder, Decoder, Link, Union

Check = Callable[[Mapping[str, Any]], None]  # of the members of an element


def check_summary(
    plain: object,
    types: Mapping[str, Mapping[str, str]],
    checks: Mapping[str, Check] = {},
    unions: Mapping[str, Union] = {},
) -> None:
    """Check a summary. Null has no type, except in values of any JSON type.

    Args:
        plain: The summary.
        types: The types of the members of structs, for `schema.go_type_decoder`; that of the summary is `Summary`.
        checks: Further checks of structs, by the names of their types.
        unions: Types with several representations.

    Raises:
        ValueError: A member has another type.
        KeyError: An element lacks a member.
    """
    builders = {name: _make_builder(check) for name, check in checks.items()}
    decoder = Decoder(types, builders, unions, requires_values=True)
    decoder.decode(plain, "Summary")
    if decoder.misfit is not None:
        raise ValueError(decoder.misfit.format_message(inner=True))


def _make_builder(check: Check) -> Builder:
    def build(members: dict[str, Any], _: Link) -> dict[str, Any]:
        check(members)
        return members

    return build


def require(*names: str) -> Check:
    """Return a check that raises KeyError for the first of some members that is missing."""

    def check(members: Mapping[str, Any]) -> None:
        for name in names:
            if name not in members:
                raise KeyError(name)

    return check
