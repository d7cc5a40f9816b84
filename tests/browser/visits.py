"""A visit of generated pages, which records what pages must not do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


class Visit:
    """A browser with the pages of a test in a folder. `messages` are console messages and errors of the page."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self._folder = folder
        self._context = browser.new_context(viewport={"width": 1280, "height": 900})
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self._context.new_page()
        self.messages: list[str] = []
        self.requests: list[str] = []
        self.origin = folder.as_uri()
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("dialog", self._dismiss)

    def _dismiss(self, dialog: Any) -> None:
        self.messages.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, pages: Mapping[str, str], name: str, anchor: str = "") -> Any:
        """Open a page from a file and return it."""
        for file, text in pages.items():
            (self._folder / file).write_text(text, encoding="utf-8")
        self.page.goto(f"{(self._folder / name).as_uri()}{anchor}")
        self.wait()
        return self.page

    def wait(self) -> None:
        """Wait until the page is complete: some sections are rendered after the first paint."""
        self.page.locator("[aria-busy]").wait_for(state="detached")

    def resize(self, width: int, scheme: str) -> None:
        """Set the width of the screen, and light or dark colors."""
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)

    def find_violations(self) -> list[str]:
        """Return what axe-core reports for WCAG 2.2 at level AA."""
        self.page.evaluate(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
        report = self.page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
        return [f"{found['id']}: {node['html'][:200]}" for found in report["violations"] for node in found["nodes"]]

    def list_faults(self) -> list[str]:
        """Return the messages, and the requests for anything but the files or the server of the test."""
        return [*self.messages, *(url for url in self.requests if not url.startswith(self.origin))]

    def close(self) -> None:
        """Close the browser window."""
        self._context.close()
