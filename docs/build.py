"""Write the reference pages from the tables that the program uses: `make docs`.

A page is a function without arguments that returns Markdown. A test fails if a committed page is out of date.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from docs.reference import (
    cel,
    cel_functions,
    change_guides,
    findings,
    lint_rules,
    markers,
    settings,
    vocabularies,
    wellknown,
)

FOLDER = Path(__file__).parent
# The links at the end of each page.
_NEXT = {
    "change-guides.md": "[check whether a change is compatible](changes.md), [findings](findings.md)",
    "lint-rules.md": "[lint an API](lint.md), [findings](findings.md)",
    "cel-functions.md": "[CEL macros](cel.md), [reduce the cost of CEL rules](cost.md)",
    "cel.md": "[CEL functions](cel-functions.md), [reduce the cost of CEL rules](cost.md)",
    "findings.md": "[settings](settings.md)",
    "markers.md": "[CEL macros](cel.md), [well-known types](wellknown.md)",
    "settings.md": "[findings](findings.md)",
    "vocabularies.md": "[markers and options](markers.md), [overrides](overrides.md)",
    "wellknown.md": "[options of other vocabularies](vocabularies.md)",
}
_BODIES = {
    "change-guides.md": change_guides.page,
    "lint-rules.md": lint_rules.page,
    "cel-functions.md": cel_functions.page,
    "cel.md": cel.page,
    "findings.md": findings.page,
    "markers.md": markers.page,
    "settings.md": settings.page,
    "vocabularies.md": vocabularies.page,
    "wellknown.md": wellknown.page,
}


def _make_page(name: str) -> str:
    return f"{_BODIES[name]().rstrip()}\n\nNext: {_NEXT[name]}.\n"


PAGES = {name: partial(_make_page, name) for name in _BODIES}


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
