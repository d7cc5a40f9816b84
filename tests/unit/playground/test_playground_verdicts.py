"""The playground has the verdicts of the commands, on good and on hostile input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli import explore
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.playground.playground_verdicts import MANIFEST, Playground
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

SERVER = """\
apiVersion: servers.acme.example/v1
kind: Server
metadata: {name: front}
spec:
  class: large
  retries: 7
  backends: [shop, other]
"""
WIDGET = """\
apiVersion: acme.example/v1
kind: Widget
metadata: {name: big}
spec:
  size: LARGE
  replicas: 500
"""
ALL = "1.25 to 1.37"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_playground(example: str) -> Playground:
    site = explore._load([str(ROOT / "examples" / example / "proto")], Settings(), Problems())
    assert site.playground is not None
    return site.playground


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    main(arguments)
    return capsys.readouterr().out


def test_a_manifest_has_the_findings_of_validate(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = make_playground("widget").validate(WIDGET)
    (here / MANIFEST).write_text(WIDGET)
    command = ["validate", str(ROOT / "examples/widget/proto"), MANIFEST, "--format-findings", "json"]
    expected = json.loads(run([*command, "--kubernetes", "1.25..1.37"], capsys))["findings"]
    results = ("rule", "severity", "message", "line", "hint")
    assert len(expected) == 2
    assert [[finding[key] for key in results] for finding in answer["findings"]] == [
        [finding[key] for key in results] for finding in expected
    ]
    assert answer["objects"] == [
        {
            "name": "Widget/big",
            "line": 1,
            "skipped": "",
            "accepted": "",
            "rejected": ALL,
            "kind": ["acme.example", "Widget"],
        }
    ]


def test_an_accepted_manifest_names_all_versions(here: Path) -> None:
    (server,) = make_playground("conversion").validate(SERVER)["objects"]
    assert (server["accepted"], server["rejected"]) == (ALL, "")


def test_a_rule_has_the_results_of_cel(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / MANIFEST).write_text(WIDGET)
    for expression in ("self.replicas > 2", "ip(self.size).family() == 4", "self.replica"):
        answer = make_playground("widget").evaluate(expression, WIDGET, "Widget.spec")
        command = ["cel", expression, str(ROOT / "examples/widget/proto"), "--on", MANIFEST, "--schema", "Widget.spec"]
        expected = json.loads(run([*command, "--json"], capsys))
        for result in expected["results"]:
            assert result.pop("kubernetes")
        for result in answer["results"]:
            assert result.pop("kubernetes")
        assert (answer["expression"], answer["results"]) == (expected["expression"], expected["results"])


def test_a_conversion_has_the_result_of_convert(here: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (converted,) = make_playground("conversion").convert(SERVER)["versions"]
    (here / MANIFEST).write_text(SERVER)
    main(["convert", str(ROOT / "examples/conversion/proto"), MANIFEST, "--to", "v1alpha1"])
    assert converted["text"] == capsysbinary.readouterr().out.decode()
    assert converted["version"] == "v1alpha1"
    assert ["v1", "spec.retries", "7"] in converted["kept"]
    assert ["v1", "spec.backends", '["shop", "other"]'] in converted["kept"]


def test_an_object_without_a_conversion_is_explained_beside_a_converted_one(here: Path) -> None:
    answer = make_playground("conversion").convert(f"{SERVER}---\napiVersion: other.example/v1\nkind: Lamp\n")
    assert len(answer["versions"]) == 1
    assert answer["reason"] == 'Lamp: There is no CRD for kind "Lamp".'


def test_an_object_that_cannot_be_converted_is_explained(here: Path) -> None:
    (converted,) = make_playground("conversion").convert(SERVER.replace("large", "yes"))["versions"]
    assert (converted["text"], converted["kept"]) == ("", [])
    assert [finding["rule"] for finding in converted["findings"]] == ["conversion-object"]


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "a: [",
        "- 1",
        "kind: Server",
        "__proto__: {}\nconstructor: 1",
        "apiVersion: servers.acme.example/v1\nkind: Server\nmetadata: {annotations: {__proto__: </script>}}",
        "apiVersion: servers.acme.example/v1\nkind: Server\nmetadata: 3",
        "[" * 100_000,
        "{" * 100_000,
        "a:\n" + " x:" * 100_000,
        "&a [*a]",
        "\ud800",
        SERVER.replace("large", "x" * 1_000_000),
        SERVER.replace("large", "\u202e\u05e9"),
        f"{SERVER}---\n{SERVER}",
    ],
)
def test_hostile_manifests_get_an_answer(here: Path, manifest: str) -> None:
    playground = make_playground("conversion")
    answers: list[dict[str, Any]] = [
        playground.validate(manifest),
        playground.evaluate("self.spec.class == 'x'", manifest, ""),
        playground.convert(manifest),
    ]
    assert all(isinstance(answer["findings"], list) for answer in answers)
    assert json.dumps(answers)


@pytest.mark.parametrize(
    "expression", ["", "(" * 10_000, "self" + ".a" * 10_000, "'" * 3, "\x00", "self.spec == self.spec", "1 +" * 100_000]
)
def test_hostile_expressions_get_an_answer(here: Path, expression: str) -> None:
    answer = make_playground("conversion").evaluate(expression, SERVER, "")
    assert answer["findings"] or answer["results"]


def test_an_unknown_kind_is_explained(here: Path) -> None:
    playground = make_playground("conversion")
    (finding,) = playground.evaluate("true", SERVER.replace("Server", "Sever"), "")["findings"]
    assert "did you mean" in finding["message"]
    assert playground.convert("apiVersion: v1\nkind: Pod")["versions"] == []
