"""Rules in the settings file: the list of an APIConversion, with the places of its entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.conversion.hub_choice import apply_hub_settings
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import HubEntry, Settings
from protoc_gen_crd.settings.settings_file import read_settings
from tests.support.conversion import FOLDER, LIST_KEYS, crd, fields, get_case
from tests.support.yaml_data import load_yaml

TEXT = {"type": "string"}
RULED = [path.parent.name for path in sorted(FOLDER.glob("*/rules.yaml"))]


def settings(folder: Path, text: str, problems: Problems) -> Settings:
    (folder / "settings.yaml").write_text(text)
    values: dict[str, Any] = read_settings(str(folder / "settings.yaml"), problems)
    return Settings(**values)


@pytest.mark.parametrize("name", RULED)
def test_settings_have_the_effect_of_a_rule_file(name: str, tmp_path: Path) -> None:
    case = get_case(name)
    document = load_yaml((case.folder / "rules.yaml").read_text())
    about = {document["metadata"]["name"]: document["spec"]["conversions"]}
    problems = Problems()
    files = read_rules(settings(tmp_path, yaml.safe_dump({"conversions": about}), problems), problems)
    plan = build_plan(case.silent, problems, files)
    assert {finding.rule for finding in problems.findings} <= {LIST_KEYS}
    assert plan is not None
    ruled = case.ruled(problems)
    assert ruled is not None
    steps = [[step.format() for way in pair.get_directions() for step in way[0].steps] for pair in plan.pairs]
    assert steps == [[step.format() for way in pair.get_directions() for step in way[0].steps] for pair in ruled.pairs]


WRONG = [path.parent.name for path in sorted(FOLDER.glob("*/wrong-rules.yaml"))]


@pytest.mark.parametrize("name", WRONG)
def test_settings_are_rejected_like_a_rule_file(name: str, tmp_path: Path) -> None:
    case = get_case(name)
    document = load_yaml((case.folder / "wrong-rules.yaml").read_text())
    about = {document["metadata"]["name"]: document["spec"]["conversions"]}
    problems = Problems(), Problems()
    files = read_rules(
        settings(tmp_path, yaml.safe_dump({"conversions": about}, sort_keys=False), problems[0]), problems[0]
    )
    build_plan(case.crd, problems[0], files)
    build_plan(case.crd, problems[1], [RuleReader(lambda _: Location("rules.yaml"), problems[1]).read(document)])
    results = [
        sorted((finding.rule, finding.message, finding.hint) for finding in problem.findings) for problem in problems
    ]
    assert results[0] == results[1]


def test_invalid_rules_of_settings_are_reported_with_crds_as_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "crd.yaml").write_text(yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))))
    text = "{things.acme.example: [{from: v1, to: v2, rules: [], presrve: []}]}"
    (tmp_path / "settings.yaml").write_text(f"conversions: {text}")
    arguments = ["convert", str(tmp_path / "crd.yaml"), "--settings", str(tmp_path / "settings.yaml"), "--plan"]
    assert main(arguments) == 1
    assert 'unknown key "presrve" [conversion-rule]' in capsys.readouterr().err


def test_problems_are_reported_at_their_lines(tmp_path: Path) -> None:
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
    command_settings = settings(tmp_path, text, problems)
    build_plan(get_case("new-field").silent, problems, read_rules(command_settings, problems))
    reported = {
        (finding.rule, finding.at.resolve().line)
        for finding in problems.findings
        if finding.at and "settings" in str(finding.at.resolve())
    }
    assert reported == {
        ("option-value", 11), ("conversion-rule", 9), ("conversion-path", 7), ("conversion-version", 10),
        ("conversion-rule", 4),
    }  # fmt: skip


COPIES = "[{from: v1, to: v2, rules: []}, {from: v2, to: v1, rules: []}]"
KCP = "{apiVersion: apis.kcp.io/v1alpha1, kind: APIConversion, metadata: {name: %s}, "
KCP += f"spec: {{conversions: {COPIES}}}}}\n"


GOOD = KCP % "things.acme.example"
TWICE = GOOD.replace("rules: []", "rules: [], rules: []", 1)
DUPLICATE_KEY = 'key "rules" already set in map [document-duplicate]'
WRONG_KIND = "error: the document is not an APIConversion of apis.kcp.io: "
SETTINGS = "conversion_rules: [set.yaml]"
INVALID = {
    "key twice": ({"a.yaml": TWICE}, "", DUPLICATE_KEY),
    "key twice in one of the settings": ({"set.yaml": TWICE}, SETTINGS, DUPLICATE_KEY),
    "kind": ({"a.yaml": GOOD.replace("APIC", "ApiC")}, "", f'{WRONG_KIND}kind "ApiConversion", group "apis.kcp.io"'),
    "group": ({"a.yaml": GOOD.replace("apis.", "api.")}, "", f'{WRONG_KIND}kind "APIConversion", group "api.kcp.io"'),
    "empty": (
        {"set.yaml": "# rules\n"},
        SETTINGS,
        "set.yaml: error: the rule file contains no APIConversion of apis.kcp.io",
    ),
    "null": ({"a.yaml": GOOD.replace(COPIES, "null")}, "", '"conversions" is not a list: null'),
}


@pytest.mark.parametrize(
    ("files", "settings_", "expected"),
    [
        ({"a.yaml": KCP % "things.acme.example"}, "", ""),
        ({"a.yaml": KCP % "things.acme.example"}, "conversion_rules: [a.yaml]", ""),
        (
            {"a.yaml": KCP % "things.acme.example", "b.yaml": KCP % "v1.things.acme.example"},
            "",
            "rules of things.acme.example are in several places: a.yaml:1:1 and b.yaml:1:1 [conversion-rule]",
        ),
        (
            {"a.yaml": KCP % "things.acme.example"},
            f"conversions: {{things.acme.example: {COPIES}}}",
            "are in several places: a.yaml:1:1 and protoc-gen-crd.yaml:1:15 [conversion-rule]",
        ),
        *INVALID.values(),
    ],
    ids=["one", "one that the settings name", "two files", "settings", *INVALID],
)
def test_rule_files_are_read_or_reported(
    files: dict[str, str],
    settings_: str,
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    results = {"crd.yaml": yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))), "protoc-gen-crd.yaml": settings_}
    for name, text in {**results, **files}.items():
        Path(name).write_text(text)
    members = [name for name in files if not name.startswith("set")]
    assert main(["convert", "crd.yaml", *members, "--plan"]) == (expected not in ("", DUPLICATE_KEY))
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{things.acme.example: v2}", ""),
        ("{things.acme.example: v3}", ':1:16: error: unknown hub version "v3": the versions of the kind are v1, v2'),
        ("{thing.acme.example: v2}", ':1:16: error: unknown CRD "thing.acme.example" in "hub_versions"'),
        (
            "{things.acme.example: 2}",
            ':1:16: error: hub version of "things.acme.example" is the number 2, expected the name of a version',
        ),
        (
            "v2",
            (
                ':1:1: error: invalid value for "hub_versions": '
                'expected a mapping of names of CRDs to their versions, got "v2"'
            ),
        ),
    ],
)
def test_hubs_of_crds_in_yaml(
    text: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crd.yaml").write_text(yaml.safe_dump(crd(v1=fields(a=TEXT), v2=fields(a=TEXT))))
    Path("protoc-gen-crd.yaml").write_text(f"hub_versions: {text}")
    assert main(["convert", "crd.yaml", "--plan"]) == bool(expected)
    output = capsys.readouterr()
    assert expected in output.err
    assert expected or "hub v2\nv1 -> v2\n" in output.out


def test_a_hub_is_declared_once() -> None:
    known = get_case("new-field").crd
    problems = Problems()
    rows = {known.name: HubEntry(known.versions[0].name, Location("settings.yaml", 2))}
    for hub in (known.versions[0].name, known.versions[1].name):
        apply_hub_settings([known.replace(hub=hub)], Settings(hub_versions=rows), problems)
    assert [finding.rule for finding in problems.findings] == ["conversion-hub"]
    assert "conflicting hub versions of one kind: " in problems.findings[0].message
