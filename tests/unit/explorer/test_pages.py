from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

from protoc_gen_crd.explorer.html_descriptions import render_line, render_prose
from protoc_gen_crd.explorer.script_data import format_script_data
from protoc_gen_crd.reference.group_page import make_pages
from protoc_gen_crd.reference.lifecycle import make_empty_index
from tests.conftest import ROOT
from tests.support.explorer_pages import crd, pages

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    "\u2028\u2029",
    "\u202egnp.exe",
    "]]>",
    "[x](javascript:alert(1))",
    "`</code><b>`",
    "&lt;b&gt;",
]


class _Elements(HTMLParser):
    """The elements of a page with their attributes, and the contents of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements[-1:] and self.elements[-1][0] in ("script", "style") and data.strip():
            self.raw.append((self.elements[-1][0], data))


def model(page: str) -> Any:
    match = re.search(r'<script type="application/json" id="model">(.*?)</script>', page, re.DOTALL)
    assert match
    return json.loads(match[1])


@pytest.mark.parametrize("text", HOSTILE)
def test_data_cannot_end_the_script_element(text: str) -> None:
    encoded = "".join(format_script_data({text: [text]}))
    assert json.loads(encoded) == {text: [text]}
    assert not re.search("[<>&\u2028\u2029]", encoded)


@pytest.mark.parametrize("text", HOSTILE)
def test_descriptions_contain_only_elements_of_markdown(text: str) -> None:
    for html in (render_prose(text), render_line(text)):
        parsed = _Elements(html)
        assert {tag for tag, _ in parsed.elements} <= {"p", "code", "a", "em", "strong"}
        links = [attributes.get("href") or "" for _, attributes in parsed.elements if "href" in attributes]
        assert not [link for link in links if link.startswith("javascript:")]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_add_no_element(text: str) -> None:
    calm, hostile = (
        pages([crd({"v1": {"properties": {name: {"type": "string", "description": name}}}})])["acme.example.html"]
        for name in ("calm", text)
    )
    assert _Elements(hostile).elements == _Elements(calm).elements
    assert model(hostile)["nodes"][-2]["fields"][0][0] == text


def test_a_field_named_proto_is_an_item_and_no_member() -> None:
    page = pages([crd({"v1": {"properties": {"__proto__": {"type": "string"}}}})])["acme.example.html"]
    assert "__proto__" in [field[0] for node in model(page)["nodes"] for field in node.get("fields", ())]
    assert '"__proto__":' not in page


def test_a_surrogate_is_replaced() -> None:
    assert "".join(format_script_data({"a": "a\ud800", "b": ["\ud800"], "c": []})) == '{"a":"a?","b":["?"],"c":[]}'


def test_a_description_of_a_megabyte_is_stored_once() -> None:
    text = "word " * 200_000
    field = {"type": "string", "description": text}
    page = pages([crd({"v1": {"properties": {"a": field}}, "v2": {"properties": {"a": field}}})])["acme.example.html"]
    assert page.count("word ") < 210_000


def test_groups_that_differ_in_case_have_files_that_differ_in_more() -> None:
    files = pages([crd({"v1": {}}, group=group) for group in ("acme.example", "ACME.example", "index")])
    assert len({name.lower() for name in files}) == 4


def test_the_policy_allows_only_the_style_and_script_of_the_page() -> None:
    for page in pages([crd({"v1": {"properties": {"a": {"type": "string"}}}})]).values():
        parsed = _Elements(page)
        policy = next(attributes["content"] or "" for _, attributes in parsed.elements if "http-equiv" in attributes)
        contents = [text for _, text in parsed.raw if not text.startswith(('{"group"', '{"kinds"'))]
        assert re.findall(r"'sha256-([^']+)'", policy)[::-1] == [
            base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in contents
        ]
        assert policy.startswith("default-src 'none'; ")
        assert "unsafe" not in policy
        names = {name for _, attributes in parsed.elements for name in attributes}
        assert not [name for name in names if name in ("style", "src") or name.startswith("on")]


def test_anchors_are_those_of_the_markdown_page() -> None:
    leaf = {"type": "object", "properties": {"leaf": {"type": "string"}}}
    items = {"type": "object", "properties": {"deep": leaf}}
    fields = {"a-b": {"type": "string"}, "a.b": {"type": "array", "items": items}}
    definition = crd({"v1": {"properties": fields}, "v1beta1": {"properties": {"gone": {"type": "string"}}}})
    data = model(pages([definition])["acme.example.html"])
    anchors = {field[3] for node in data["nodes"] for field in node.get("fields", ())}
    anchors |= {data["kinds"][0]["anchor"], *(anchor for anchor, *_ in data["types"])}
    markdown = make_pages([definition], make_empty_index(), ())[0].text
    assert anchors == set(re.findall(r'<a id="([^"]*)">', markdown))


def test_a_missing_library_is_reported(tmp_path: Any) -> None:
    program = "import sys; sys.modules['jinja2'] = None; from protoc_gen_crd.__main__ import run; sys.exit(run())"
    command = [sys.executable, "-c", program, "docs", "--html", "examples/widget/crds", "--out", str(tmp_path / "site")]
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert result.returncode == 2
    assert "pip install 'protoc-gen-crd[explorer]'" in result.stderr
    assert not (tmp_path / "site").exists()


def test_pages_do_not_depend_on_the_hash_seed(tmp_path: Any) -> None:
    command = [sys.executable, "-m", "protoc_gen_crd", "docs", "--html", "examples/widget/crds", "--quiet", "--out"]
    for seed in ("1", "2"):
        subprocess.run([*command, str(tmp_path / seed)], cwd=ROOT, check=True, env={"PYTHONHASHSEED": seed})
    first, second = ({path.name: path.read_bytes() for path in (tmp_path / seed).iterdir()} for seed in ("1", "2"))
    assert first == second
