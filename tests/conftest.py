"""What all tests share: `--update` rewrites the goldens of the tests that run; corpora are found by environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

# The same examples each time, however slow the machine is: what chance finds is for `fuzz`.
settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite goldens instead of comparing them")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


def shared(*parts: str) -> Path:
    """A file of the upstream corpora, which are no part of this repository; skips the test where it is absent."""
    root = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", ROOT.parent / "shared"))
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"upstream's own files are not here: {'/'.join(parts)} (PROTOC_GEN_CRD_SHARED)")
    return path
