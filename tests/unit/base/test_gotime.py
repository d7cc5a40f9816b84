from __future__ import annotations

import pytest

from protoc_gen_crd.base.gotime import fault

LAYOUT = "2006-01-02T15:04:05Z07:00"


@pytest.mark.parametrize(
    "text", ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.123+01:00", "2000-02-29T0:00:00Z", "1900-02-28T00:00:00,5Z"]
)
def test_times(text: str) -> None:
    assert fault(text) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f'parsing time "" as "{LAYOUT}": cannot parse "" as "2006"'),
        ("2024-1-01T0", f'parsing time "2024-1-01T0" as "{LAYOUT}": cannot parse "1-01T0" as "01"'),
        ("2024-13-01T00:00:00Z", 'parsing time "2024-13-01T00:00:00Z": month out of range'),
        ("2023-02-29T00:00:00Z", 'parsing time "2023-02-29T00:00:00Z": day out of range'),
        ("2024-01-01T24:00:00Z", 'parsing time "2024-01-01T24:00:00Z": hour out of range'),
        ("2024-01-01T00:00:00", f'parsing time "2024-01-01T00:00:00" as "{LAYOUT}": cannot parse "" as "Z07:00"'),
        ("2024-01-01T00:00:00Zx", 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'),
    ],
)  # fmt: skip
def test_others(text: str, reason: str) -> None:
    assert fault(text) == reason
