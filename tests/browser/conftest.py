"""A browser for tests: Chromium of the system, driven by Playwright.

`make test-browser` installs both and sets CHROMIUM and AXE, the paths of the browser and of axe-core's script.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visits import Visit


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = os.environ.get("CHROMIUM")
    if not path:
        pytest.skip("needs a browser: run `make test-browser`")
    driver = pytest.importorskip("playwright.sync_api")
    with driver.sync_playwright() as playwright:
        # The sandbox of Chromium does not start as root.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        chromium = playwright.chromium.launch(executable_path=path, args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Visit]:
    visit = Visit(browser, tmp_path)
    yield visit
    visit.close()
