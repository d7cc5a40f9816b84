"""The data of the search on the index: fields of all pages, as nodes that equal fields share."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.explorer.index_search_data import make_index_model


def make_page(group: str, description: str = "", fields: tuple[list[Any], ...] = ()) -> dict[str, Any]:
    """Return the data of a page with a kind of one version, whose schema has a leaf with a description."""
    version = {"name": "v1", "root": 1}
    kind = {"kind": "Widget", "anchor": "widget", "description": "A <em>widget</em>.", "versions": [version]}
    leaf = {"type": "string", "description": description, "rules": [["self > 1", ""]]}
    return {"group": group, "kinds": [kind], "nodes": [leaf, {"fields": [["spec", 0, 1, "widget-spec"], *fields]}]}


def test_pages_share_equal_fields_without_their_anchors() -> None:
    model = make_index_model([(f"{name}.html", make_page(name, "A leaf.")) for name in ("a", "b")])
    assert model["nodes"] == [{"description": "A leaf."}, {"fields": [["spec", 0]]}]
    assert [kind["name"] for kind in model["kinds"]] == ["a.html#widget", "b.html#widget"]
    assert [kind["versions"] for kind in model["kinds"]] == [[{"name": "v1", "root": 1}]] * 2
    assert model["kinds"][0]["description"] == "A widget."


def test_descriptions_are_shortened_without_cutting_elements_or_references() -> None:
    model = make_index_model([("a.html", make_page("a", f"<p>{'&lt;b&gt;' * 100}</p>"))])
    assert model["nodes"][0]["description"] == "&lt;b&gt;" * 53 + "&lt;"


def test_a_version_without_a_schema_has_no_fields() -> None:
    page = make_page("a")
    page["kinds"][0]["versions"][0]["root"] = -1
    assert make_index_model([("a.html", page)])["kinds"][0]["versions"] == [{"name": "v1", "root": -1}]
