"""The documentation site of `make site`: every link leads to a page, and nothing is loaded from other servers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from protoc_gen_crd.findings.rule_catalog import load_rules

LOADING = {"script": "src", "img": "src", "iframe": "src", "link": "href"}


class Page(HTMLParser):
    """The links of a page, the addresses that it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if LOADING.get(tag) in values and values.get("rel") not in ("prev", "next"):
            self.loaded.append(values[LOADING[tag]])


@pytest.fixture(scope="module")
def site() -> Path:
    if "SITE" not in os.environ:
        pytest.skip("needs MkDocs: run `make site`")
    return Path(os.environ["SITE"]).resolve()


def find_broken_links(site: Path) -> Iterator[str]:
    """Yield the links within the site whose page or anchor does not exist, and addresses of other servers."""
    pages = {file: Page(file.read_text("utf-8")) for file in site.rglob("*.html") if file.name != "404.html"}
    for file, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    yield f"{file.relative_to(site)} loads {link}"
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            is_explorer = target.parent.name == "explorer"  # its script makes the anchors
            if not target.is_file() or not target.is_relative_to(site):
                yield f"{file.relative_to(site)} links to {link}"
            elif anchor and target in pages and not is_explorer and anchor not in pages[target].anchors:
                yield f"{file.relative_to(site)} links to {link}, without such an anchor"


def test_every_link_leads_somewhere(site: Path) -> None:
    assert list(find_broken_links(site)) == []


def test_every_finding_has_a_page(site: Path) -> None:
    missing = [rule for rule in load_rules() if not (site / f"findings/{rule}.html").is_file()]
    assert missing == []


def test_the_search_index_has_the_pages(site: Path) -> None:
    documents = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    locations = {document["location"].partition("#")[0] for document in documents}
    assert {"tutorial.html", "concepts.html", "findings/marker-unknown.html"} <= locations


def test_the_explorer_of_an_example_is_linked(site: Path) -> None:
    page = Page((site / "explorer.html").read_text("utf-8"))
    assert "explorer/index.html" in page.links
    assert "platform.acme.example.html" in Page((site / "explorer/index.html").read_text("utf-8")).links


def test_broken_links_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="x">a</h1><a href="b.html">b</a><a href="#y">y</a><a href="#x">x</a>')
    (tmp_path / "c.html").write_text(
        '<a href="../out.html">o</a><img src="https://example.com/x.png"><a href="a.html#x">a</a>'
    )
    assert sorted(find_broken_links(tmp_path)) == [
        "a.html links to #y, without such an anchor",
        "a.html links to b.html",
        "c.html links to ../out.html",
        "c.html loads https://example.com/x.png",
    ]
