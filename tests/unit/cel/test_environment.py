from __future__ import annotations

import re
from pathlib import Path

import pytest

import protoc_gen_crd.cel.library.declarations
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.environment import LIBRARIES
from protoc_gen_crd.cel.library.time_parser import parse_duration, parse_timestamp
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST

FOLDER = Path(protoc_gen_crd.cel.library.declarations.__file__).parent


def test_every_module_of_a_library_is_listed() -> None:
    text = Path(environment.__file__).read_text("utf-8")
    for path in FOLDER.glob("*.py"):
        assert path.stem in ("__init__", "messages") or re.search(rf"VersionedLibrary\({path.stem}\.", text), path.stem


@pytest.mark.parametrize(
    ("new", "stored"),
    [(29, 28), (30, 29), (31, 30), (32, 31), (33, 32), (34, 33), (35, 34)],
)
def test_new_rules_wait_a_version(new: int, stored: int) -> None:
    rows = [row for row in LIBRARIES if row.since.since == stored]
    assert rows
    for row in rows:
        assert row.library in environment.get_stored_environment(stored).libraries
        assert row.library not in environment.get_new_environment(new - 1).libraries
        assert row.library in environment.get_new_environment(new).libraries


def test_overload_ids_are_unique_but_for_in() -> None:
    for minor in (25, 31, 37):
        ids = [
            f"{overload.id} {overload.name}" for overload in environment.get_stored_environment(minor).list_overloads()
        ]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("0", 0), ("1s", 10**9), ("-1.5h", -5400 * 10**9), ("1h2m3.5s", 3723_500_000_000), ("1\u00b5s", 1000),
        (".5s", 5 * 10**8), ("9223372036854775807ns", (1 << 63) - 1), ("-9223372036854775808ns", -(1 << 63)),
        ("9223372036854775808ns", None), ("", None), ("1", None), ("1d", None), ("s", None), (".s", None),
        ("1s ", None), ("--1s", None), ("1sm", None), ("\u0661s", None),
    ],
)  # fmt: skip
def test_durations(text: str, nanoseconds: int | None) -> None:
    assert parse_duration(text) == nanoseconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:00Z", (0, 0)), ("1970-01-01T00:00:00.5Z", (0, 5 * 10**8)),
        ("1970-01-01T1:00:00Z", (3600, 0)),
        ("1970-01-01T00:00:00+01:00", (-3600, 0)), ("0001-01-01T00:00:00Z", (-62135596800, 0)),
        ("9999-12-31T23:59:59Z", (253402300799, 0)), ("2000-02-29T00:00:00Z", (951782400, 0)),
        ("0000-12-31T23:59:59Z", None), ("1900-02-29T00:00:00Z", None), ("1970-01-01t00:00:00z", None),
        ("1970-01-01T24:00:00Z", None), ("1970-01-01", None), ("9999-12-31T23:59:59-01:00", None),
    ],
)  # fmt: skip
def test_timestamps(text: str, seconds: tuple[int, int] | None) -> None:
    assert parse_timestamp(text) == seconds


@pytest.mark.parametrize("minor", range(OLDEST, NEWEST + 1))
def test_names_of_functions_are_those_of_the_environment(minor: int) -> None:
    assert environment.list_function_names(minor) == environment.get_new_environment(minor).functions.keys()
