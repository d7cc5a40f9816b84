"""The reference pages are up to date with the tables of the program."""

from __future__ import annotations

import pytest

from docs.build import FOLDER, PAGES


@pytest.mark.parametrize("name", list(PAGES))
def test_a_page_is_up_to_date(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == PAGES[name](), "run make docs"
