"""Build the documentation site with MkDocs: `make site`, or `python -m docs.site FOLDER`.

The pages are those of this folder, a page for each finding, and those that they link to elsewhere in the repository.
Links are mapped to the pages of the site. The build is strict: a broken link is an error.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from protoc_gen_crd.findings.rule_catalog import CatalogRule, load_rules

ROOT = Path(__file__).parents[1]
_EXAMPLE = "examples/evolving"
_EXPLORER = "explorer/index.html"
_FINDINGS = "protoc_gen_crd/findings/"
_IMAGES = (".png", ".svg")
_NAMES = {
    "README.md": "overview.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
_CODE = re.compile(r"(^[ ]*```.*?^[ ]*```[ ]*$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_TITLED_FENCE = re.compile(r"\A([ ]*```\w+)[ ]+(\S+)[ ]*$", re.MULTILINE)
_LIST = re.compile(r"(?<=\n)([^\n|#<-][^\n]*\n)(?=- )")  # Python-Markdown needs an empty line before a list
_LANGUAGES = {".proto": "proto", ".go": "go", ".md": "markdown", ".yaml": "yaml"}
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_ENTRY = re.compile(r"\[([^\]`]+)\]\(([\w-]+\.md)\)")


class SiteSources:
    """The Markdown files of the site in a folder. Pages are written when a link reaches them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: set[str] = set()

    def write(self) -> None:
        """Write all pages."""
        for page in sorted((ROOT / "docs").glob("*.md")):
            self._map_path(page.relative_to(ROOT).as_posix(), "")
        for rule in load_rules().values():
            self._write_finding(rule)

    def _write_finding(self, rule: CatalogRule) -> None:
        severity = f"Severity: {rule.severity.name.lower()}{', fixed' if rule.fixed else ''}"
        text = re.sub("^###", "##", rule.text, flags=re.MULTILINE)
        text = re.sub(r"(?<=\]\()#(?=[a-z])", f"../{_FINDINGS}{rule.topic}.md#", text)
        self._write(f"findings/{rule.id}.md", "docs/findings.md", f"# {rule.id}\n\n{severity}\n\n{text}\n")

    def _map_path(self, path: str, anchor: str) -> tuple[str, str]:
        """Return the page of a path of the repository and the anchor in it. Write the page if it is missing."""
        if path.startswith(_FINDINGS):
            return f"findings/{anchor}.md", ""
        if (ROOT / path / "README.md").is_file():
            path = f"{path}/README.md"
        page = self._name_page(path)
        if page not in self._written:
            self._written.add(page)
            if path.endswith(_IMAGES):
                self._copy(path, page)
            elif page.startswith("source/"):
                self._write(page, path, _show_source(path))
            else:
                self._write(page, path, (ROOT / path).read_text("utf-8"))
        return page, anchor

    @staticmethod
    def _name_page(path: str) -> str:
        if path in _NAMES:
            return _NAMES[path]
        name = path.removeprefix("docs/")
        if path.endswith(_IMAGES) or (path.endswith(".md") and path.startswith(("docs/", "examples/"))):
            return f"{name.removesuffix('README.md')}index.md" if name.endswith("README.md") else name
        return f"source/{path}.md"

    def _copy(self, path: str, page: str) -> None:
        (self._folder / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, self._folder / page)

    def _write(self, page: str, path: str, text: str) -> None:
        """Write a page with the text of a file of the repository."""
        file = self._folder / page
        file.parent.mkdir(parents=True, exist_ok=True)
        text += f"\n[API explorer of an example]({_EXPLORER}).\n" if page == "explorer.md" else ""
        file.write_text("".join(self._convert(text, page, path)), "utf-8")

    def _convert(self, text: str, page: str, path: str) -> Iterator[str]:
        """Yield the parts of a page: prose with the links of the site, and code."""
        for part in _CODE.split(text):
            if part.startswith("`") or part.lstrip().startswith("```"):
                yield _TITLED_FENCE.sub(r'\1 title="\2"', part)
            else:
                yield _LINK.sub(lambda match: self._map_link(match[1], page, path), _LIST.sub(r"\1\n", part))

    def _map_link(self, link: str, page: str, path: str) -> str:
        target, _, anchor = link.partition("#")
        if not target or ":" in target or link == _EXPLORER:
            return link
        linked = os.path.normpath(os.path.join(os.path.dirname(path), target))  # noqa: PTH118, PTH120 - not on disk
        if not (ROOT / linked).exists():
            return link  # MkDocs reports it
        other, anchor = self._map_path(linked, anchor)
        relative = os.path.relpath(other, os.path.dirname(page) or ".")  # noqa: PTH120
        return f"{relative}#{anchor}" if anchor else relative


def _show_source(path: str) -> str:
    """Return the page of a file that is no page, or of a folder."""
    file = ROOT / path
    if file.is_dir():
        names = sorted(child.name + "/" * child.is_dir() for child in file.iterdir() if not child.name.startswith("."))
        return f"# {path}\n\nThis folder of the repository contains:\n\n" + "".join(f"- `{name}`\n" for name in names)
    return f"# {path}\n\n````{_LANGUAGES.get(file.suffix, 'text')}\n{file.read_text('utf-8').rstrip()}\n````\n"


def make_navigation() -> list[dict[str, Any]]:
    """Return the sections of the index with their pages."""
    _, *parts = _HEADING.split((ROOT / "docs/README.md").read_text("utf-8"))
    sections = zip(parts[::2], parts[1::2], strict=True)
    entries = {title: [{name: page} for name, page in _ENTRY.findall(text)] for title, text in sections}
    return [{"Home": "index.md"}, *({title: pages} for title, pages in entries.items() if pages)]


def write_explorer(folder: Path) -> None:
    """Write the API explorer of an example."""
    command = [sys.executable, "-m", "protoc_gen_crd", "docs", "--html", "--quiet", "--out", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, check=True, cwd=ROOT / _EXAMPLE, env=environment)  # noqa: S603 - our own program
    (folder / "checksums.txt").unlink(missing_ok=True)


def main() -> int:
    """Build the site in a folder; exit status 1 if a link is broken."""
    from mkdocs.commands.build import build  # noqa: PLC0415 - only the site needs it
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.exceptions import Abort  # noqa: PLC0415

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    (site,) = sys.argv[1:]
    with TemporaryDirectory() as work:
        sources = Path(work).resolve()
        SiteSources(sources).write()
        write_explorer(sources / "explorer")
        folders = {"docs_dir": str(sources), "site_dir": str(Path(site).resolve())}
        config = load_config(str(ROOT / "docs/mkdocs.yml"), strict=True, nav=make_navigation(), **folders)
        try:
            build(config)
        except Abort:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
