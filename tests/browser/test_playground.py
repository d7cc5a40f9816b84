"""The playground in a browser, on a running server: verdicts, keyboard, accessibility, reloads, hostile input."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visits import Visit
from tests.conftest import ROOT

SERVER = """\
apiVersion: servers.acme.example/v1
kind: Server
metadata:
  name: front
spec:
  class: large
  retries: 7
"""
DATABASE = """\
apiVersion: platform.acme.example/v1
kind: Database
metadata: {name: orders}
spec:
  engine: MYSQL
  replicas: 9
  storageGB: 20
  owner: team-orders
"""
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\u05e9\u05dc\u05d5\u05dd"
# Names that are unsafe in HTML and JavaScript, and two groups that differ in case.
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.{group}}}
spec:
  group: {group}
  scope: Cluster
  names: {{kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: {description}
        properties:
          spec:
            type: object
            properties:
              __proto__: {{type: string, enum: [a, "</script>"], description: "<b>bold</b>"}}
              "</script>": {{type: integer, default: 3}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples/conversion", tmp_path / "api", ignore=shutil.ignore_patterns("crds", "manifests"))
    return tmp_path / "api"


@pytest.fixture
def address(folder: Path, visit: Visit) -> Iterator[str]:
    yield from serve(folder, visit)


def serve(folder: Path, visit: Visit, *paths: str) -> Iterator[str]:
    """Serve a folder, and allow the visit requests to its address only."""
    command = [sys.executable, "-m", "protoc_gen_crd", "explore", *paths, "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        visit.origin = re.sub("serving |\n", "", process.stdout.readline())
        yield visit.origin
        process.kill()


@pytest.fixture
def evolving(visit: Visit) -> Iterator[str]:
    yield from serve(ROOT / "examples/evolving", visit)


@pytest.fixture
def hostile(tmp_path: Path, visit: Visit) -> Iterator[str]:
    for name, group in (("a", "acme.example"), ("b", "Acme.example")):
        text = CRD.format(group=group, description=repr("<i>" + "long " * 200_000))
        (tmp_path / f"{name}.yaml").write_text(text)
    yield from serve(tmp_path, visit, "a.yaml", "b.yaml")


def open_playground(visit: Visit, address: str) -> Any:
    visit.page.goto(f"{address}index.html")
    visit.page.get_by_role("link", name="Playground").click()
    visit.page.wait_for_url("**/playground.html")
    output(visit.page, "verdict").get_by_text("Kubernetes").first.wait_for()
    return visit.page


def output(page: Any, section: str) -> Any:
    return page.locator(f"#{section} .output")


def test_a_manifest_is_judged_while_it_is_typed(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER.replace("7", "often"))
    verdict = output(page, "verdict")
    verdict.get_by_text("rejected by Kubernetes 1.25 to 1.37").wait_for()
    assert "spec.retries in body must be of type integer" in verdict.inner_text()
    finding = verdict.locator(".findings li").first.inner_text().splitlines()
    assert finding[0].startswith('error line 7 spec.retries Invalid value: "string": spec.retries in body')
    assert finding[1] == "type: integer"
    assert "the rule is defined at proto/acme/servers/v1/server.proto:" in verdict.inner_text()
    verdict.get_by_role("button", name="line 7").click()
    selected = page.evaluate("manifest.value.slice(manifest.selectionStart, manifest.selectionEnd)")
    assert selected == "  retries: often"
    assert page.locator("#lines .error").inner_text().strip() == "7"
    page.locator("#manifest").fill(SERVER)
    verdict.get_by_text("accepted by Kubernetes 1.25 to 1.37").wait_for()
    assert visit.list_faults() == []


def test_a_rejected_field_links_to_its_description(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER.replace("7", "often"))
    output(page, "verdict").get_by_role("link", name="spec.retries").click()
    page.locator(".target").wait_for()
    assert page.locator(".target > .row .name").inner_text() == "retries"
    assert visit.list_faults() == []


def test_warnings_and_notes_are_not_marked_as_errors(visit: Visit, evolving: str) -> None:
    page = open_playground(visit, evolving)
    page.locator("#manifest").fill(DATABASE.replace("9", "many"))
    verdict = output(page, "verdict")
    verdict.get_by_text("some validation rules were not checked").wait_for()
    assert page.locator("#lines .error").all_inner_texts() == ["6\n"]
    assert page.locator("#lines .warning").all_inner_texts() == ["7\n"]
    assert verdict.locator(".note").inner_text().startswith("note some validation rules were not checked")


def test_a_violated_cel_rule_is_shown(visit: Visit, evolving: str) -> None:
    page = open_playground(visit, evolving)
    page.locator("#manifest").fill(DATABASE.replace("9", "3"))
    finding = output(page, "verdict").locator(".error")
    finding.get_by_text("replicas want POSTGRES").wait_for()
    assert finding.locator("code").inner_text().startswith('self.engine == "POSTGRES" || ')


def test_objects_have_their_own_findings(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(f"{SERVER}---\n{SERVER.replace('7', 'often').replace('front', 'back')}")
    verdict = output(page, "verdict")
    verdict.get_by_text("rejected").wait_for()
    order = verdict.locator("p, li").all_inner_texts()
    assert order[0] == "Server/front is accepted by Kubernetes 1.25 to 1.37"
    assert order[1] == "Server/back is rejected by Kubernetes 1.25 to 1.37"
    assert "spec.retries" in order[2]


def test_a_sample_replaces_the_manifest_and_can_be_undone(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    samples = page.get_by_label("Sample")
    assert samples.evaluate("node => node.selectedOptions[0].label") == "Server v1, minimal"
    page.locator("#manifest").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SERVER)
    assert samples.evaluate("node => node.selectedOptions[0].label") == "edited"
    samples.focus()
    samples.select_option(label="Server v1, full")
    assert page.evaluate("document.activeElement.id") == "sample"
    assert "name: front" not in page.locator("#manifest").input_value()
    output(page, "verdict").get_by_text("Server/front").wait_for(state="detached")
    page.locator("#manifest").focus()
    page.keyboard.press("Control+Z")
    assert page.locator("#manifest").input_value() == SERVER
    output(page, "verdict").get_by_text("Server/front").wait_for()
    assert samples.evaluate("node => node.selectedOptions[0].label") == "edited"


def test_a_missing_conversion_is_explained_apart_from_the_manifest(visit: Visit, evolving: str) -> None:
    page = open_playground(visit, evolving)
    page.locator("#manifest").fill("a: [")
    output(page, "verdict").get_by_text("invalid YAML or JSON").wait_for()
    output(page, "conversion").get_by_text("There is no object to convert.").wait_for()
    page.locator("#manifest").fill(DATABASE)
    summary = output(page, "conversion").locator("summary")
    summary.wait_for()
    assert summary.inner_text() == "The API declares no complete conversion: 9 problems in the API"
    summary.click()
    assert "is rejected" not in output(page, "conversion").inner_text()
    assert output(page, "conversion").locator(".findings > li").count() == 9


def test_an_object_of_an_unknown_version_is_rejected(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER.replace("/v1", "/v9"))
    verdict = output(page, "verdict")
    verdict.get_by_text("rejected by Kubernetes 1.25 to 1.37").wait_for()
    assert 'has version "v9", which its CRD does not serve' in verdict.inner_text()


def test_a_rule_is_evaluated(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER)
    page.locator("#expression").fill("self.retries + 1")
    page.locator("#location").fill("Server.spec")
    rule = output(page, "rule")
    rule.get_by_text("int, but a rule must be a bool").wait_for()
    assert rule.locator("code").first.inner_text() == "8"
    page.locator("#expression").fill("self.retry")
    rule.get_by_text('did you mean "retries"?').wait_for()
    assert rule.locator("pre").inner_text() == "self.retry\n    ^"
    page.locator("#location").fill("spec")
    page.locator("#expression").fill("self.retries + 2")
    rule.locator("code", has_text="9").wait_for()
    page.locator("#location").fill("")
    page.locator("#expression").fill("self.retries + 1")
    rule.get_by_text('did you mean "self.spec.retries"?').wait_for()
    page.locator("#expression").fill("ip('10.0.0.1').family() == 4")
    rule.get_by_text("1.31 to 1.37").wait_for()
    assert visit.list_faults() == []


def test_a_conversion_shows_what_is_kept(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER)
    conversion = output(page, "conversion")
    conversion.get_by_text("size: large").wait_for()
    assert conversion.locator("tr").all_inner_texts() == ["v1\tspec.retries\t7"]
    assert visit.list_faults() == []


def test_it_is_used_by_keyboard_alone(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "sample"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "manifest"
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(SERVER.replace("7", "often"))
    line = output(page, "verdict").get_by_role("button", name="line 7")
    line.wait_for()
    page.keyboard.press("Tab")
    assert line.evaluate("node => node === document.activeElement")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "manifest"


def test_input_survives_a_reload_when_a_file_changes(visit: Visit, address: str, folder: Path) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER)
    output(page, "verdict").get_by_text("accepted").wait_for()
    proto = folder / "proto/acme/servers/v1/server.proto"
    page.evaluate("window.before = true")
    proto.write_text(proto.read_text().replace("int32 retries", "string retries"))
    page.wait_for_function("() => !window.before", timeout=30_000)
    output(page, "verdict").get_by_text("must be of type string").wait_for()
    assert page.locator("#manifest").input_value() == SERVER
    proto.write_text("syntax")
    page.locator("#banner").get_by_text("proto/acme/servers/v1/server.proto:").wait_for(timeout=30_000)


def test_a_server_that_ended_is_reported(visit: Visit, folder: Path) -> None:
    running = serve(folder, visit)
    page = open_playground(visit, next(running))
    next(running, None)
    page.get_by_text("The server does not answer. Start").wait_for(timeout=30_000)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_playground_is_accessible(visit: Visit, address: str, width: int, scheme: str) -> None:
    visit.resize(width, scheme)
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER.replace("7", "often"))
    page.locator("#expression").fill("self.spec.retry")
    output(page, "rule").locator("pre").wait_for()
    assert visit.find_violations() == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"{address}servers.acme.example.html")
    assert visit.find_violations() == []
    assert visit.list_faults() == []


def test_hostile_names_are_shown_and_never_run(visit: Visit, hostile: str) -> None:
    page = open_playground(visit, hostile)
    manifest = {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "a"}}
    text = "\n".join(f"{key}: {value}" for key, value in manifest.items())
    page.locator("#manifest").fill(f"{text}\nspec: {{__proto__: '{HOSTILE}'}}")
    page.locator("#location").fill("acme.example/Widget.spec")
    page.locator("#expression").fill("self")
    output(page, "verdict").get_by_text("onerror").wait_for()
    output(page, "rule").locator("code").wait_for()
    assert '"</script>": 3' in output(page, "rule").inner_text()
    for group in ("acme.example", "Acme.example"):
        page.goto(f"{hostile}index.html")
        page.get_by_role("link", name=group, exact=True).click()
        assert page.locator("h1").inner_text() == "Widget"
        assert page.locator(".group").inner_text() == group
    assert visit.list_faults() == []


def test_a_long_manifest_gets_an_answer(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER.replace("large", "x" * 1_000_000))
    output(page, "verdict").get_by_text("by Kubernetes").wait_for(timeout=30_000)
    assert visit.list_faults() == []


def test_the_editor_is_as_high_as_its_text_and_headings_are_aligned(visit: Visit, address: str) -> None:
    page = open_playground(visit, address)
    page.locator("#manifest").fill(SERVER)
    tops = [page.get_by_role("heading", name=name).bounding_box()["y"] for name in ("Manifest", "Verdict")]
    assert abs(tops[0] - tops[1]) < 1
    assert page.locator("#manifest").bounding_box()["height"] < 250
    page.locator("#manifest").fill(SERVER * 20)
    assert 250 < page.locator("#manifest").bounding_box()["height"] < 700
