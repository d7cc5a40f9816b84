"""Changes of enum values between releases: added, removed, deprecated, moved to another channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.api_summary import Facts
from protoc_gen_crd.schema.schema import CHANNEL_VALUES, DEPRECATED_VALUES


def get_enum_values(facts: Facts) -> Sequence[str]:
    """Return the values of an enum; empty if it is not an enum."""
    return [str(value) for value in facts.get("enum") or () if value is not None]


def name_value(value: str) -> str:
    """Return the name of a value in messages and in paths of elements; that of the empty string is quoted."""
    return value or '""'


def find_lost_values(values: Facts, other: Facts) -> list[str]:
    """Return the values that only the first enum has; empty unless both are enums."""
    others = get_enum_values(other)
    return [name for name in get_enum_values(values) if name not in others] if others else []


def describe_values(old: Facts, new: Facts, release: str, main: str) -> Iterator[str]:
    """Describe the changes of enum values in a release. `main` is the default channel; `old` is empty for new enums."""
    yield from (f"{name_value(name)} removed since {release}" for name in find_lost_values(old, new))
    yield from (f"{name_value(name)} since {release}" for name in find_lost_values(new, old))
    values = get_enum_values(new)
    before, after = old.get(CHANNEL_VALUES) or {}, new.get(CHANNEL_VALUES) or {}
    for name in (*after, *(name for name in before if name not in after and name in values)):
        if before.get(name) != after.get(name):
            yield f"{name} {after.get(name) or main} since {release}"
    old_deprecated, new_deprecated = old.get(DEPRECATED_VALUES) or (), new.get(DEPRECATED_VALUES) or ()
    yield from (f"{name} deprecated since {release}" for name in new_deprecated if name not in old_deprecated)
    yield from (
        f"{name} not deprecated since {release}"
        for name in old_deprecated
        if name not in new_deprecated and name in values
    )
