"""Accessors of timestamps and durations, a part of the standard library.

Source: cel-go v0.29 `common/stdlib/standard.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import DURATION, INT, STRING, TIMESTAMP
from protoc_gen_crd.cel.version_differences import PLAIN_ZONE_ERRORS

_PARTS = (
    ("year", "getFullYear"), ("month", "getMonth"), ("day_of_year", "getDayOfYear"), ("day_of_month", "getDayOfMonth"),
    ("day_of_month_1_based", "getDate"), ("day_of_week", "getDayOfWeek"), ("hours", "getHours"),
    ("minutes", "getMinutes"), ("seconds", "getSeconds"), ("milliseconds", "getMilliseconds"),
)  # fmt: skip
_RUN = "functions.time"
_OF_DURATIONS = ("hours", "minutes", "seconds", "milliseconds")


def _make_part_overloads(word: str, name: str) -> list[Overload]:
    zoned = f"timestamp_to_{word}_tz" if word == "seconds" else f"timestamp_to_{word}_with_tz"
    rows = [
        declare_method(f"timestamp_to_{word}", name, TIMESTAMP, result=INT, run=f"{_RUN}.{word}"),
        *split_by_version(
            declare_method(zoned, name, TIMESTAMP, STRING, result=INT, run=f"{_RUN}.{word}"),
            (PLAIN_ZONE_ERRORS, f"{_RUN}.old_{word}"),
        ),
    ]
    if word in _OF_DURATIONS:
        rows.append(declare_method(f"duration_to_{word}", name, DURATION, result=INT, run=f"{_RUN}.{word}_of"))
    return rows


LIBRARY = Library(
    "cel.lib.std", tuple([overload for word, name in _PARTS for overload in _make_part_overloads(word, name)])
)
