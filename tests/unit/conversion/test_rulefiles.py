"""Rules in the settings file: the list of an APIConversion, with the places of its entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.conversion.hub import with_hubs
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.rules.rulefiles import read_rules
from protoc_gen_crd.conversion.rules.rules import Reader
from protoc_gen_crd.settings import HubRow, Settings
from protoc_gen_crd.settings_file import read_settings
from tests.support.conversion import FOLDER, Case, crd, fields

TEXT = {"type": "string"}
RULED = [path.parent.name for path in sorted(FOLDER.glob("*/rules.yaml"))]


def settings(folder: Path, text: str, problems: Problems) -> Settings:
    (folder / "settings.yaml").write_text(text)
    given: dict[str, Any] = read_settings(str(folder / "settings.yaml"), problems)
    return Settings(**given)


@pytest.mark.parametrize("name", RULED)
def test_settings_say_the_same_as_a_rule_file(name: str, tmp_path: Path) -> None:
    case = Case(FOLDER / name)
    document = yaml.safe_load((case.folder / "rules.yaml").read_text())
    about = {document["metadata"]["name"]: document["spec"]["conversions"]}
    problems = Problems()
    files = read_rules(settings(tmp_path, yaml.safe_dump({"conversions": about}), problems), problems)
    plan = plan_of(case.silent, problems, files)
    assert problems.findings == []
    assert plan is not None
    ruled = case.ruled(problems)
    assert ruled is not None
    steps = [[step.shown() for way in pair.ways() for step in way[0].steps] for pair in plan.pairs]
    assert steps == [[step.shown() for way in pair.ways() for step in way[0].steps] for pair in ruled.pairs]


WRONG = [path.parent.name for path in sorted(FOLDER.glob("*/wrong-rules.yaml"))]


@pytest.mark.parametrize("name", WRONG)
def test_settings_are_refused_as_a_rule_file_is(name: str, tmp_path: Path) -> None:
    case = Case(FOLDER / name)
    document = yaml.safe_load((case.folder / "wrong-rules.yaml").read_text())
    about = {document["metadata"]["name"]: document["spec"]["conversions"]}
    told = Problems(), Problems()
    files = read_rules(settings(tmp_path, yaml.safe_dump({"conversions": about}, sort_keys=False), told[0]), told[0])
    plan_of(case.crd, told[0], files)
    plan_of(case.crd, told[1], [Reader(lambda _: Location(""), told[1]).read(document)])
    found = [sorted((one.rule, one.message, one.hint) for one in each.findings) for each in told]
    assert found[0] == found[1]


def test_what_is_wrong_in_settings_is_told_where_crds_are_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))))
    text = "{things.acme.example: [{from: v1, to: v2, rules: [], presrve: []}]}"
    (tmp_path / "settings.yaml").write_text(f"conversions: {text}")
    arguments = ["convert", str(tmp_path / "crd.yaml"), "--settings", str(tmp_path / "settings.yaml"), "--plan"]
    assert main(arguments) == 1
    assert 'found "presrve" [conversion-rule]' in capsys.readouterr().err


def test_what_is_wrong_is_told_at_its_line(tmp_path: Path) -> None:
    text = """
conversions:
  widgets.acme.example:
  - from: v1
    to: v2
    rules:
    - field: spec.sizes
      destination: spec.color
    presrve: []
  - {from: v1, to: v3}
  others.acme.example: 3
"""
    problems = Problems()
    found = settings(tmp_path, text, problems)
    plan_of(Case(FOLDER / "n11-new-field").silent, problems, read_rules(found, problems))
    told = {
        (one.rule, one.at.resolve().line) for one in problems.findings if one.at and "settings" in str(one.at.resolve())
    }
    assert told == {
        ("option-value", 11), ("conversion-rule", 9), ("conversion-path", 7), ("conversion-version", 10),
        ("conversion-rule", 4),
    }  # fmt: skip


COPIES = "[{from: v1, to: v2, rules: []}, {from: v2, to: v1, rules: []}]"
KCP = "{apiVersion: apis.kcp.io/v1alpha1, kind: APIConversion, metadata: {name: %s}, "
KCP += f"spec: {{conversions: {COPIES}}}}}\n"


GOOD = KCP % "things.acme.example"
TWICE = GOOD.replace("rules: []", "rules: [], rules: []", 1)
OFTEN = 'warning: a key must stand once, found key "rules" already set'
WANTED = "a rule file must hold APIConversion of apis.kcp.io, found "
SETTINGS = "conversion_rules: [set.yaml]"
UNHEARD = {
    "key twice": ({"a.yaml": TWICE}, "", OFTEN),
    "key twice in one of the settings": ({"set.yaml": TWICE}, SETTINGS, OFTEN),
    "kind": ({"a.yaml": GOOD.replace("APIC", "ApiC")}, "", f"{WANTED}'ApiConversion' of 'apis.kcp.io'"),
    "group": ({"a.yaml": GOOD.replace("apis.", "api.")}, "", f"{WANTED}'APIConversion' of 'api.kcp.io'"),
    "empty": ({"set.yaml": "# rules\n"}, SETTINGS, f"set.yaml: error: {WANTED}nothing"),
    "null": ({"a.yaml": GOOD.replace(COPIES, "null")}, "", '"conversions" must be a list, found null'),
}


@pytest.mark.parametrize(
    ("files", "settings_", "told"),
    [
        ({"a.yaml": KCP % "things.acme.example"}, "", ""),
        ({"a.yaml": KCP % "things.acme.example"}, "conversion_rules: [a.yaml]", ""),
        (
            {"a.yaml": KCP % "things.acme.example", "b.yaml": KCP % "v1.things.acme.example"},
            "",
            "found those of things.acme.example at a.yaml:1:1 and b.yaml:1:1 [conversion-rule]",
        ),
        (
            {"a.yaml": KCP % "things.acme.example"},
            f"conversions: {{things.acme.example: {COPIES}}}",
            "found those of things.acme.example at a.yaml:1:1 and protoc-gen-crd.yaml:1:15 [conversion-rule]",
        ),
        *UNHEARD.values(),
    ],
    ids=["one", "one that the settings name", "two files", "settings", *UNHEARD],
)
def test_rule_files_are_heard_or_told_of(
    files: dict[str, str],
    settings_: str,
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    found = {"crd.yaml": yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))), "protoc-gen-crd.yaml": settings_}
    for name, text in {**found, **files}.items():
        Path(name).write_text(text)
    given = [name for name in files if not name.startswith("set")]
    assert main(["convert", "crd.yaml", *given, "--plan"]) == (told not in ("", OFTEN))
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{things.acme.example: v2}", ""),
        ("{things.acme.example: v3}", ':1:16: error: the hub must be a version of the kind, v1, v2, found "v3"'),
        ("{thing.acme.example: v2}", ':1:16: error: "hub_versions" must name CRDs that are there, found "thing.acme'),
        (
            "{things.acme.example: 2}",
            ':1:16: error: the hub of "things.acme.example" must be a version, found the int 2',
        ),
        ("v2", ':1:1: error: "hub_versions" must be a mapping of names of CRDs to their versions, found "v2"'),
    ],
)
def test_hubs_of_kinds_that_come_as_yaml(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crd.yaml").write_text(yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))))
    Path("protoc-gen-crd.yaml").write_text(f"hub_versions: {text}")
    assert main(["convert", "crd.yaml", "--plan"]) == bool(told)
    found = capsys.readouterr()
    assert told in found.err
    assert told or "hub v2\nv1 -> v2\n" in found.out


def test_a_hub_is_said_once() -> None:
    known = Case(FOLDER / "n11-new-field").crd
    problems = Problems()
    rows = {known.name: HubRow(known.versions[0].name, Location("settings.yaml", 2))}
    for hub in (known.versions[0].name, known.versions[1].name):
        with_hubs([known.replace(hub=hub)], Settings(hub_versions=rows), problems)
    assert [one.rule for one in problems.findings] == ["conversion-hub"]
    assert "the hub of a kind must be said once, found " in problems.findings[0].message
