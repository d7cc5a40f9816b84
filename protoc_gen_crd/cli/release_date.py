"""The flag --date: the date of a release."""

from __future__ import annotations

import argparse
import datetime


def add_date_argument(parser: argparse.ArgumentParser) -> None:
    """Add --date, in the form YYYY-MM-DD."""
    parser.add_argument("--date", type=_parse_date, help="date of the release, YYYY-MM-DD (default: today)")


def get_today() -> str:
    """Return the date in UTC, in the same form."""
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def _parse_date(value: str) -> str:
    try:
        return datetime.date.fromisoformat(value).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f'expected a date such as 2026-01-31, got "{value}"') from None
