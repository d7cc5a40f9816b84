from __future__ import annotations

import pytest

from protoc_gen_crd.golang.rfc3339 import normalize_to_utc, parse_error

LAYOUT = "2006-01-02T15:04:05Z07:00"


@pytest.mark.parametrize(
    "time", ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123+01:00", "2000-02-29T0:00:00Z", "1900-02-28T00:00:00,5Z"]
)
def test_times(time: str) -> None:
    assert parse_error(time) is None


@pytest.mark.parametrize(
    ("time", "error"),
    [
        ("", f'parsing time "" as "{LAYOUT}": cannot parse "" as "2006"'),
        ("2024-1-01T0", f'parsing time "2024-1-01T0" as "{LAYOUT}": cannot parse "1-01T0" as "01"'),
        ("2024-13-01T00:00:00Z", 'parsing time "2024-13-01T00:00:00Z": month out of range'),
        ("2023-02-29T00:00:00Z", 'parsing time "2023-02-29T00:00:00Z": day out of range'),
        ("2024-01-01T24:00:00Z", 'parsing time "2024-01-01T24:00:00Z": hour out of range'),
        ("2024-01-01T00:00:00", f'parsing time "2024-01-01T00:00:00" as "{LAYOUT}": cannot parse "" as "Z07:00"'),
        ("2024-01-01T00:00:00+25:00", 'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range'),
        ("2024-01-01T00:00:00+25:61", 'parsing time "2024-01-01T00:00:00+25:61": time zone offset minute out of range'),
        ("2024-01-01T00:00:00Zx", 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'),
    ],
)  # fmt: skip
def test_others(time: str, error: str) -> None:
    assert parse_error(time) == error


@pytest.mark.parametrize(
    ("time", "normalized"),
    [
        ("2024-03-01T0:30:00.9+01:00", "2024-02-29T23:30:00Z"),
        ("2023-02-28T23:00:00-24:60", "2023-03-02T00:00:00Z"),
        ("9999-12-31T23:00:00-02:00", "10000-01-01T01:00:00Z"),
        ("0000-12-31T23:00:00-01:00", "0001-01-01T00:00:00Z"),
        ("0000-01-01T00:00:00+00:01", "-0001-12-31T23:59:00Z"),
    ],
)
def test_times_are_written_in_utc(time: str, normalized: str) -> None:
    assert parse_error(time) is None
    assert normalize_to_utc(time) == normalized
