"""Writes the reference pages from the tables that the program itself uses: `make docs`.

A page is a function without arguments that returns Markdown. A test fails where a committed page is another text.
"""

from __future__ import annotations

from pathlib import Path

from docs.reference import cel, findings, markers, settings, vocabularies, wellknown

FOLDER = Path(__file__).parent
PAGES = {
    "cel.md": cel.page,
    "findings.md": findings.page,
    "markers.md": markers.page,
    "settings.md": settings.page,
    "vocabularies.md": vocabularies.page,
    "wellknown.md": wellknown.page,
}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
