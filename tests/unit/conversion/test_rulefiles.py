"""Rules in the settings file: the list of an APIConversion, with the places of its entries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.rulefiles import read_rules
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.settings_file import read_settings
from tests.support.conversion import FOLDER, Case

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
