"""`cost`: its output for the CRDs in `testdata/cost`, and whether servers require the suggested bounds.

The verdicts of servers on the bounds are recorded in `judged.json`; see tests/judges/cost/README.md.
"""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.judges.cost.bounds import FOLDER, JUDGED, cases, claims

ROOT = Path(__file__).parents[2]
RECORDED = json.loads(JUDGED.read_text("utf-8"))
CASES = cases()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # no settings file


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, capsys: pytest.CaptureFixture[str], *, update: bool) -> None:
    expected = FOLDER / f"{name}.txt"
    assert main(["cost", str(FOLDER / f"{name}.yaml")]) == 1
    output = capsys.readouterr()
    if update:
        expected.write_text(output.out, encoding="utf-8")
    assert (output.out, output.err) == (expected.read_text("utf-8"), "")


@pytest.mark.parametrize("name", CASES)
def test_bounds_are_the_largest_that_servers_take(name: str) -> None:
    for minor, rows in RECORDED[name].items():
        ours = [
            {"of": path, "places": places, "bound": bound, "over": [False if bound else None, True]}
            for path, places, bound in claims(CASES[name], int(minor))
        ]
        assert ours == rows


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cost", "--json", "--kubernetes", "1.37", str(FOLDER / "factors.yaml")]) == 1
    (schema,) = json.loads(capsys.readouterr().out)
    assert (schema["crd"], schema["versions"], schema["rejected_by"]) == ("things.example.com", ["v1"], ["1.37"])
    rule = schema["rules"][0]
    assert rule["at"] == "spec.hosts[*]"
    assert rule["location"].endswith("factors.yaml:24:21")
    assert rule["estimates"][0]["cost"] == rule["estimates"][0]["evaluation"] * rule["estimates"][0]["times"]
    assert rule["factors"][0] == {
        "at": "spec.hosts",
        "schema": ".properties[spec].properties[hosts]",
        "keyword": "maxItems",
        "bound": None,
        "most": 1048575,
    }
    assert [fit["bound"] for fit in rule["fits"]["alone"]] == [15, 9]
    assert schema["fits"]["alone"] == []
    together = schema["fits"]["together"]
    assert (together["bound"], len(together["at"]), schema["unfixable_versions"]) == (67, 6, [])


def test_protos(capsys: pytest.CaptureFixture[str]) -> None:
    folder = ROOT / "examples" / "widget" / "proto"
    assert main(["cost", str(folder), "--kubernetes", "1.30..1.37"]) == 0
    assert "default" not in (result := capsys.readouterr().out)  # macros are expanded
    assert 'spec: self.size != "LARGE" || (has(self.replicas) ? self.replicas : 1) <= 3' in result


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = (FOLDER / "factors.yaml").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["cost", "-"]) == 1
    assert capsys.readouterr().out == (FOLDER / "factors.txt").read_text("utf-8")


def test_nothing_to_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("kind: ConfigMap\napiVersion: v1\n")
    assert main(["cost", "a.yaml"]) == 0
    assert capsys.readouterr().out == "no CRD with rules\n"
    assert main(["cost"]) == 2


def test_rules_without_an_estimate_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        (FOLDER / "factors.yaml")
        .read_text("utf-8")
        .replace("maxItems: 20", "maxItems: 20\n                uniqueItems: true")
    )
    (tmp_path / "a.yaml").write_text(text)
    assert main(["cost", "a.yaml"]) == 1
    assert "not estimated because of schema errors: 1 rule; see `validate`" in capsys.readouterr().out


def test_a_document_that_is_not_a_crd_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(
        "kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {versions: 1}\n"
    )
    assert main(["cost", "a.yaml"]) == 1
    assert "[crd-rejected]" in capsys.readouterr().err


def test_an_enum_is_a_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        (FOLDER / "factors.yaml")
        .read_text("utf-8")
        .replace("name: {type: string}", "name: {type: string, enum: [AAAAAAAAAAAAAAAAAA]}")
    )
    (tmp_path / "a.yaml").write_text(text)
    assert main(["cost", "a.yaml", "--kubernetes", "1.29..1.37"]) == 1
    assert "spec.routes[*].name has" not in capsys.readouterr().out
    assert main(["cost", "a.yaml", "--kubernetes", "1.28"]) == 1
    assert "spec.routes[*].name has no maxLength" in capsys.readouterr().out
