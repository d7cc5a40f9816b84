"""The API explorer in a browser: search, tree, comparison, copying, keyboard, accessibility, and nothing loaded."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.__main__ import run
from tests.browser.visits import Visit
from tests.conftest import ROOT
from tests.support.explorer_pages import crd, pages

HOSTILE = [
    "__proto__",
    "constructor",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\u05e9\u05dc\u05d5\u05dd",
    "a b",
]
KEYSTROKE = 50  # milliseconds, at most, with 10,000 fields


def make_widget() -> dict[str, str]:
    backend = {"type": "object", "properties": {"host": {"type": "string", "description": "The name to connect to."}}}
    v1 = {
        "properties": {
            "replicas": {"type": "integer", "default": 3, "maximum": 9, "description": "The number of copies."},
            "mode": {"type": "string", "enum": ["FAST", "SAFE"]},
            "backends": {"type": "array", "items": backend, "maxItems": 5},
            "limit": {"type": "integer"},
        },
        "required": ["mode"],
        "x-kubernetes-validations": [{"rule": "!has(self.limit) || self.limit > 0", "message": "limit is positive"}],
    }
    v1beta1 = {"properties": {"replicas": {"type": "integer", "maximum": 5}, "old": {"type": "string"}}}
    return pages([crd({"v1": v1, "v1beta1": v1beta1}), crd({"v1": backend}, kind="Gadget")])


def make_example_pages(name: str, folder: Path, *paths: str) -> dict[str, str]:
    """Return the pages of an example, or of these paths, as the program writes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT / "examples" / name)
        patch.setattr("sys.argv", ["protoc-gen-crd", "docs", *paths, "--html", "--out", str(folder), "--quiet"])
        assert run() == 0
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.html")}


@pytest.fixture(scope="module")
def evolving(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of the example with releases."""
    return make_example_pages("evolving", tmp_path_factory.mktemp("evolving"))


@pytest.fixture(scope="module")
def conversion(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of the example with conversions."""
    return make_example_pages("conversion", tmp_path_factory.mktemp("conversion"))


def make_group_pages(protos: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the pages of gRPC API groups."""
    for name, text in protos.items():
        (folder / "proto" / name).parent.mkdir(parents=True)
        (folder / "proto" / name).write_text(text)
    (folder / "protoc-gen-crd.yaml").write_text("inputs: [proto]\ngroups: groups\nhtml: true\ndocs: html\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("sys.argv", ["protoc-gen-crd", "docs", "--quiet"])
        assert run() == 0
    return {path.name: path.read_text("utf-8") for path in (folder / "html").glob("*.html")}


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a gRPC API group with five versions."""
    paths = (ROOT / "testdata/groups/storage").glob("*/api.proto")
    protos = {f"storage/{path.parent.name}/api.proto": path.read_text() for path in paths}
    return make_group_pages(protos, tmp_path_factory.mktemp("storage"))


def row(page: Any, path: str) -> Any:
    return page.locator(".field").filter(has=page.get_by_role("button", name=f"Copy path {path}", exact=True)).last


def test_the_default_of_a_field_is_found_by_search(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html")
    page.keyboard.press("/")
    page.keyboard.type("replic")
    assert page.get_by_role("option").all_inner_texts()[0].startswith("Widget spec.replicas\ndefault 3 · The number")
    page.keyboard.press("Enter")
    assert page.url.endswith("#widget-spec.replicas")
    assert "default 3" in row(page, "spec.replicas").inner_text()
    assert page.evaluate("document.activeElement.textContent") == "replicas"
    assert visit.list_faults() == []


def test_search_finds_descriptions_and_moves_with_arrows(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html")
    search = page.get_by_role("combobox", name="Search kinds, fields and descriptions")
    search.fill("name connect")
    selected = [page.locator('[aria-selected="true"]').inner_text().split("\n")[0]]
    search.press("ArrowDown")
    selected.append(page.locator('[aria-selected="true"]').inner_text().split("\n")[0])
    assert sorted(selected) == ["Gadget spec.host", "Widget spec.backends[].host"]
    assert search.get_attribute("aria-activedescendant") == page.locator('[aria-selected="true"]').get_attribute("id")
    search.press("Escape")
    assert page.get_by_role("listbox").is_hidden()


def test_a_field_of_another_version_is_shown_in_its_version(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html")
    page.get_by_role("combobox", name="Search").fill("old")
    page.keyboard.press("Enter")
    assert page.get_by_role("radio", name="v1beta1").is_checked()
    assert row(page, "spec.old").is_visible()


def test_the_tree_opens_with_the_keyboard(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html", "#widget")
    toggle = page.get_by_role("button", name="Fields of spec.backends", exact=True)
    assert toggle.get_attribute("aria-expanded") == "false"
    toggle.focus()
    page.keyboard.press("Enter")
    assert toggle.get_attribute("aria-expanded") == "true"
    assert row(page, "spec.backends[].host").is_visible()
    page.keyboard.press("Space")
    assert row(page, "spec.backends[].host").is_hidden()


def test_the_difference_of_two_versions_is_listed(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html", "#widget")
    differences = page.locator(".diff tr").all_inner_texts()
    assert "added\tspec.backends\nlist of object\nwith 1 field below it" in differences
    assert "removed\tspec.old\nstring" in differences
    assert "added\tspec.mode\nstring, required" in differences
    assert any("constraint: at most 5 → at most 9" in text for text in differences)
    assert any("default: none → 3" in text and "spec.replicas" in text for text in differences)
    page.get_by_label("From").select_option(label="v1")
    assert page.get_by_text("There are no differences.").is_visible()


def test_releases_are_compared_with_the_verdict(visit: Visit, evolving: dict[str, str]) -> None:
    page = visit.open(evolving, "platform.acme.example.html")
    page.get_by_label("From").select_option(label="1.4: v1")
    verdict = page.get_by_text("All changes from release 1.4 to this API")
    assert verdict.locator("strong").inner_text() == "minor release"
    page.get_by_label("From").select_option(label="1.2: v1beta1")
    page.locator(".compare select").last.select_option(label="1.4: v1")
    verdict = page.get_by_text("All changes from release 1.2 to release 1.4")
    assert verdict.locator("strong").inner_text() == "new version v1"


def test_two_versions_are_compared_with_the_verdict_and_its_reasons(visit: Visit, evolving: dict[str, str]) -> None:
    page = visit.open(evolving, "platform.acme.example.html")
    page.get_by_label("From").select_option(label="v1beta1")
    verdict = page.get_by_text("Verdict on the change from v1beta1 to v1:")
    assert verdict.locator("strong").inner_text() == "minor release"
    assert "Clients keep working: the version stays" in verdict.inner_text()
    assert page.locator(".diff tr", has_text="decides the verdict").all_inner_texts() == [
        "changed\tspec.owner decides the verdict\nconstraint: at most 63 characters → at most 253 characters"
    ]
    assert page.locator(".reasons").count() == 0
    assert page.get_by_text("All changes").count() == 0


def test_a_conversion_is_a_table_of_fields(visit: Visit, conversion: dict[str, str]) -> None:
    page = visit.open(conversion, "servers.acme.example.html", "#server:conversion")
    page.get_by_text("v1alpha1 → v1", exact=True).click()
    rows = page.get_by_role("region", name="Steps from v1alpha1 to v1").locator("tr").all_inner_texts()
    assert rows[0] == "v1alpha1\tv1\teffect"
    assert "spec.size\tspec.class\trenamed" in rows
    assert 'spec.address\tspec.port\tpart 2 of 2, split at ":"' in rows
    page.locator(".compare select").first.select_option(label="v1alpha1")
    page.locator(".diff tr", has_text="converted from spec.size: renamed").get_by_role("link").click()
    assert page.url.endswith("#server:conversion")


def test_a_missing_conversion_is_explained(visit: Visit, evolving: dict[str, str]) -> None:
    page = visit.open(evolving, "platform.acme.example.html", "#database:conversion")
    page.get_by_text("The API declares no complete conversion between its versions.").wait_for()
    page.get_by_text("9 problems").click()
    assert page.get_by_text('field "spec.diskGb" of v1alpha1 has no counterpart in v1').is_visible()


def test_samples_of_the_shown_version_come_first(
    visit: Visit, storage: dict[str, str], evolving: dict[str, str]
) -> None:
    page = visit.open(evolving, "platform.acme.example.html")
    assert page.get_by_text("There are no samples of").count() == 0
    page.get_by_role("radio", name="v1alpha1").check(force=True)
    visit.wait()
    assert page.get_by_text("There are no samples of v1alpha1.").is_visible()
    page = visit.open(storage, "storage.html", "#getstats")
    assert page.get_by_text("There are no samples of").count() == 0


def test_a_kind_that_no_release_has_is_unreleased(visit: Visit, tmp_path: Path) -> None:
    new = next((ROOT / "examples/widget").rglob("*widgets.yaml"))
    pages = make_example_pages("evolving", tmp_path / "site", "proto", str(new))
    page = visit.open(pages, next(name for name in pages if "Widget" in pages[name] and name != "index.html"))
    assert page.locator("td", has_text="1.6").first.inner_text() == "1.6 (unreleased)"
    page = visit.open(pages, "platform.acme.example.html")
    assert page.get_by_text("unreleased").count() == 0


def test_a_tiny_cost_has_no_bar(visit: Visit, evolving: dict[str, str]) -> None:
    page = visit.open(evolving, "platform.acme.example.html", "#database:rules")
    assert "<0.01 %" in page.locator(".cost").first.inner_text()
    assert page.locator(".track").first.is_hidden()


def test_a_group_has_pages_of_its_rpcs(visit: Visit, storage: dict[str, str]) -> None:
    page = visit.open(storage, "storage.html")
    assert page.locator("h1").inner_text() == "Storage"
    page.locator("main").get_by_role("link", name="GetStats", exact=True).click()
    assert page.locator("h1").inner_text() == "GetStats"
    page.get_by_role("combobox", name="Search").fill("device_id")
    page.keyboard.press("Enter")
    assert page.locator(".target > .row .name").inner_text() == "device_id"
    visit.open(storage, "storage.html", "#getstatsrequest-device_number")
    assert page.locator(".target").inner_text().splitlines()[-1] == "in v1beta2: device_id string"
    page.get_by_label("From").select_option(label="v1beta2")
    assert "removed\trequest.device_id\nstring" in page.locator(".diff tr").all_inner_texts()
    visit.open(storage, "storage.html", "#getstats-v1-request")
    assert '"deviceNumber": 1' in page.locator("#getstats-v1-request").inner_text()
    assert visit.list_faults() == []


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "`<b>`"])
def test_comments_of_groups_are_shown_and_never_run(visit: Visit, tmp_path: Path, text: str) -> None:
    proto = f"""
        // {text}
        syntax = "proto3"; package work.v1;
        // {text}
        service Work {{
          // {text}
          //
          // Deprecated: {text}
          rpc Do(Task) returns (Task); }}
        // {text}
        message Task {{
          // {text}
          Kind kind = 1; }}
        enum Kind {{
          // {text}
          UNKNOWN = 0; }}
    """
    page = visit.open(make_group_pages({"work/v1/api.proto": proto}, tmp_path / "api"), "work.html")
    assert text.replace("`", "") in page.locator("main").inner_text()
    page.goto(f"{page.url}#do")
    visit.wait()
    page.get_by_role("combobox", name="Search").fill("kind")
    page.keyboard.press("Enter")
    assert text.replace("`", "") in page.locator(".target").inner_text()
    assert visit.list_faults() == []


def test_versions_of_a_group_are_compared_with_the_verdict(visit: Visit, storage: dict[str, str]) -> None:
    page = visit.open(storage, "storage.html", "#service")
    page.get_by_label("From").select_option(label="v1alpha1")
    verdict = page.get_by_text("Verdict on the change from v1alpha1 to v1:")
    assert verdict.locator("strong").inner_text() == "new version"
    assert "ResizeRequest.size: field of type int32 is removed" in page.locator(".reasons").inner_text()


def test_the_index_leads_to_kinds_and_rpcs(visit: Visit, storage: dict[str, str]) -> None:
    for group, names in ((storage, ("GetStats",)), (make_widget(), ("Widget", "Gadget"))):
        for name in names:
            page = visit.open(group, "index.html")
            page.get_by_role("link", name=name, exact=True).click()
            visit.wait()
            assert page.locator("h1").inner_text() == name
    assert visit.list_faults() == []


def make_shared_type() -> dict[str, str]:
    """Return the pages of two groups, of which one has a type in two places, which has one section of anchors."""
    pool = {"type": "object", "properties": {"size": {"type": "integer"}}}
    kinds = [crd({"v1": {"properties": {"first": pool, "second": pool}}}, kind=kind) for kind in ("Widget", "Gadget")]
    return pages([*kinds, crd({"v1": pool, "v1beta1": {"properties": {"old": pool}}}, group="other.example")])


def test_the_index_searches_all_groups(visit: Visit) -> None:
    page = visit.open(make_shared_type(), "index.html")
    page.keyboard.press("/")
    page.keyboard.type("size")
    options = page.get_by_role("option").all_inner_texts()
    assert options == [
        "Widget spec.size\nother.example",
        "Widget spec.old.size v1beta1\nother.example",
        "Gadget spec.first.size\nacme.example",
        "Widget spec.first.size\nacme.example",
        "Gadget spec.second.size\nacme.example",
        "Widget spec.second.size\nacme.example",
    ]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    visit.wait()
    assert page.url.rpartition("/")[2].startswith("other.example.html#")
    assert page.get_by_role("radio", name="v1beta1").is_checked()
    assert page.locator(".target > .row .name").inner_text() == "size"
    assert visit.list_faults() == []


@pytest.mark.parametrize("kind", ["Widget", "Gadget"])
@pytest.mark.parametrize("path", ["spec.first.size", "spec.second.size"])
def test_a_result_of_the_index_opens_its_own_path(visit: Visit, kind: str, path: str) -> None:
    page = visit.open(make_shared_type(), "index.html")
    page.get_by_role("combobox", name="Search").fill(f"{kind.lower()}.{path}")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.locator(".target").wait_for()
        assert page.locator("h1").inner_text() == kind
        assert page.locator(".target > .row .trail").inner_text() + "size" == path
        page.reload()
    assert visit.list_faults() == []


def test_the_index_finds_kinds_rpcs_defaults_and_enum_values(visit: Visit, storage: dict[str, str]) -> None:
    for files, text, name in ((storage, "getstats", "GetStats"), (make_widget(), "gadg", "Gadget"),
                              (make_widget(), "default 3", "Widget"), (make_widget(), "safe", "Widget")):  # fmt: skip
        page = visit.open(files, "index.html")
        page.get_by_role("combobox", name="Search").fill(text)
        page.keyboard.press("Enter")
        page.wait_for_url("**#*")
        visit.wait()
        assert page.locator("h1").inner_text() == name
    assert visit.list_faults() == []


@pytest.mark.parametrize("name", [*HOSTILE, "a/b", "100%"])
def test_hostile_names_are_found_from_the_index(visit: Visit, name: str) -> None:
    leaf = {"properties": {name: {"type": "string", "description": name, "enum": [name]}}}
    page = visit.open(pages([crd({"v1": {"properties": {name: {"type": "object", **leaf}}}})]), "index.html")
    page.get_by_role("combobox", name="Search").fill(name)
    assert name in page.get_by_role("option").first.inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".target").wait_for()
    assert page.locator(".target > .row .trail").inner_text() == f"spec.{name}."
    assert visit.list_faults() == []


@pytest.mark.parametrize("anchor", ["%", "widget/no.such", "nothing", "/"])
def test_an_unknown_address_opens_the_first_kind(visit: Visit, anchor: str) -> None:
    page = visit.open(make_widget(), "acme.example.html", f"#{anchor}")
    assert page.locator("h1").inner_text() == "Gadget"
    assert visit.list_faults() == []


def test_a_path_and_a_sample_are_copied(visit: Visit, evolving: dict[str, str]) -> None:
    page = visit.open(evolving, "platform.acme.example.html")
    page.get_by_role("button", name="Copy path spec.engine", exact=True).click()
    assert page.evaluate("navigator.clipboard.readText()") == "spec.engine"
    button = page.get_by_role("button", name="Copy path spec.engine", exact=True)
    assert button.inner_text() == "Copied"
    assert button.evaluate("node => getComputedStyle(node).opacity") == "1"
    page.locator("button:not(.copied)", has_text="Copied").wait_for(state="detached")
    page.wait_for_function("node => node.textContent === 'Copy path'", arg=button.element_handle())
    page.get_by_role("button", name="Copy Database v1, minimal", exact=True).click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("apiVersion: platform.acme.example/v1\n")


def test_a_slash_starts_a_search_except_in_a_text_input(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html", "#widget")
    search = page.get_by_role("combobox", name="Search")
    for control in (page.get_by_role("radio", name="v1beta1"), page.get_by_label("From")):
        control.focus()
        page.keyboard.press("/")
        page.keyboard.type("a/b")
        assert search.input_value() == "a/b"
        assert page.get_by_role("option", name="No matches").inner_text() == "No matches in acme.example"
        search.press("Escape")


def test_a_narrow_page_fits_and_selects_kinds(visit: Visit) -> None:
    rule = {"x-kubernetes-validations": [{"rule": "self > 0"}], "type": "integer"}
    long = {"properties": {"a" * 40: {"type": "object", "properties": {"b" * 40: rule}}}}
    crds = [crd({"v1": long, "v1beta1": long}), crd({"v1": long}, kind="Gadget")]
    visit.resize(390, "light")
    page = visit.open(pages(crds), "acme.example.html", "#widget")
    assert page.locator(".rule .path").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    kinds = page.get_by_role("combobox", name="Kind", exact=True)
    kinds.focus()
    kinds.select_option(label="Gadget")
    visit.wait()
    assert page.locator("h1").inner_text() == "Gadget"
    assert page.evaluate("document.activeElement.selectedOptions[0].label") == "Gadget"
    assert page.locator("nav").get_by_role("link", name="Widget").is_hidden()
    assert page.locator("nav").get_by_role("link", name="Rules").is_visible()
    visit.resize(1280, "light")
    assert page.locator("nav").get_by_role("link", name="Widget").is_visible()
    assert kinds.is_hidden()


def test_notes_of_a_version_have_their_own_row(visit: Visit, evolving: dict[str, str]) -> None:
    visit.resize(390, "light")
    page = visit.open(evolving, "platform.acme.example.html")
    cell = page.locator("td", has_text="status subresource").first
    assert cell.evaluate("node => node.parentNode.cells.length") == 1
    assert cell.bounding_box()["width"] > 200


def test_anchors_of_the_markdown_page_open_fields(visit: Visit) -> None:
    for anchor, path in (("widget-spec.backends.host", "spec.backends[].host"), ("widget-spec", "spec")):
        page = visit.open(make_widget(), "acme.example.html", f"#{anchor}")
        target = page.locator(".target > .row")
        assert target.get_by_role("button", name=f"Copy path {path}", exact=True).count() == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_and_never_run(visit: Visit, name: str) -> None:
    field = {"type": "string", "description": name, "enum": [name], "default": name}
    old = {"properties": {name: {"type": "integer"}}}
    spec = {"properties": {name: field}}
    page = visit.open(pages([crd({"v1": spec, "v1beta1": old})]), "acme.example.html")
    assert row(page, f"spec.{name}").locator(".name").first.inner_text() == name
    page.get_by_role("combobox", name="Search").fill(name)
    page.keyboard.press("Enter")
    assert page.locator(".target > .row .name").inner_text() == name
    assert visit.list_faults() == []


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("anchor", ["", "#watch"])
def test_pages_are_accessible(
    visit: Visit, evolving: dict[str, str], storage: dict[str, str], width: int, scheme: str, anchor: str
) -> None:
    visit.resize(width, scheme)
    pages = storage if anchor else evolving
    for name in pages:
        page = visit.open(pages, name, anchor)
        if name != "index.html":
            page.get_by_role("button", name="Expand all").click()
        page.get_by_role("combobox", name="Search").fill("back")
        assert visit.find_violations() == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.list_faults() == []


@pytest.mark.parametrize("name", ["index.html", "acme.example.html"])
def test_long_names_and_links_fit_on_a_narrow_screen(visit: Visit, name: str) -> None:
    long = "connectionPoolOfTheService" * 3
    leaf = {"type": "string", "maxLength": 9, "x-kubernetes-validations": [{"rule": f"self != '{long}'"}]}
    inner = {"type": "object", "properties": {long: leaf}, "description": f"See https://example.com/{long}."}
    visit.resize(390, "dark")
    page = visit.open(
        pages([crd({"v1": {"properties": {long: inner}, "description": f"See https://example.com/{long}."}})]), name
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("groups", "name"), [(1, "acme0.example.html"), (10, "index.html")])
def test_a_keystroke_takes_at_most_50_ms(visit: Visit, groups: int, name: str) -> None:
    fields = [
        {
            f"field{group}x{number}": {
                "type": "object",
                "description": f"The part {number} of the widget, with a sentence that describes it.",
                "properties": {f"leaf{leaf}": {"type": "string", "description": f"Leaf {leaf}."} for leaf in range(99)},
            }
            for number in range(100 // groups)
        }
        for group in range(groups)
    ]
    crds = [crd({"v1": {"properties": each}}, group=f"acme{at}.example") for at, each in enumerate(fields)]
    page = visit.open(pages(crds), name)
    page.get_by_role("combobox", name="Search").focus()
    times = page.evaluate("""() => ['l', 'le', 'leaf9', 'part 7', 'nothing at all'].map((text) =>
        Math.min(...[1, 2, 3, 4, 5].map(() => {
            const started = performance.now();
            query.value = text;
            query.dispatchEvent(new Event('input'));
            return performance.now() - started;
        })))""")
    assert max(times) <= KEYSTROKE, times


def test_only_the_fields_are_rendered_before_the_first_paint(visit: Visit, evolving: dict[str, str]) -> None:
    count = "document.querySelectorAll('.diff, .rule, .sample').length"
    visit.page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => {{ window.early = {count}; }})")
    page = visit.open(evolving, "platform.acme.example.html")
    assert page.evaluate("window.early") == 0
    assert page.evaluate(count) >= 3
    visit.page.evaluate("location.hash = '#database:samples'; location.reload()")
    visit.wait()
    assert page.evaluate("document.getElementById('database:samples').getBoundingClientRect().top < innerHeight")


def test_print_shows_all_fields(visit: Visit) -> None:
    page = visit.open(make_widget(), "acme.example.html", "#widget")
    assert not page.get_by_text("The name to connect to.").is_visible()
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.get_by_text("The name to connect to.").is_visible()
    assert page.get_by_role("combobox").count() == 0


def test_faults_are_found(visit: Visit, tmp_path: Path) -> None:
    text = '<!doctype html><title>x</title><img src="http://127.0.0.1:9/x.png"><script>console.log("noise")</script>'
    visit.open({"bad.html": text}, "bad.html")
    assert "noise" in visit.list_faults()
    assert "http://127.0.0.1:9/x.png" in visit.list_faults()
    assert any(fault.startswith("image-alt") for fault in visit.find_violations())
