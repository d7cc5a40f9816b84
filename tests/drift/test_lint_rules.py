"""The tables of lint rules are complete, name what exists, and count what the linter reports."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from docs.reference.lint_rules import BUILT, COUNTS, EXISTS, NOISE, SURVEY
from protoc_gen_crd.comparison.severity_profiles import PROFILES, ProfileChoice
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.lint.all_rules import LINT_RULES
from protoc_gen_crd.lint.linter import Linter
from protoc_gen_crd.lint_loader import load_lint_api
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import CORPORA

IMAGE = CORPORA / "corpora" / "istio-networking" / "image.binpb"
SURVEYED = CORPORA / "reference" / "compatibility-and-lint.md"
MOST = 100  # findings of a rule that is on without an old side


def test_rules_have_pages_and_known_profiles() -> None:
    assert {name for name in load_rules() if name.startswith("lint-")} == LINT_RULES.keys()
    assert {profile for rule in LINT_RULES.values() for profile in rule.severities} <= PROFILES.keys()


def test_every_surveyed_rule_names_what_checks_it_or_the_reason() -> None:
    for rule in SURVEY:
        assert rule.status in (BUILT, EXISTS, NOISE), rule
        assert set(rule.rules) <= (LINT_RULES if rule.status == BUILT else load_rules()).keys(), rule
        assert rule.rules or rule.remark, rule


@pytest.mark.skipif(not SURVEYED.exists(), reason=f"no survey at {SURVEYED}")
def test_every_rule_of_the_survey_is_in_the_table() -> None:
    section = SURVEYED.read_text("utf-8").partition("### 6.5 ")[2].partition("### 6.6 ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    surveyed = {name for row in rows for name in re.findall("`([a-z0-9-]+)`", row)}
    presets = {"name-timestamp", "name-phase", "name-reference", "allow-string"}
    assert surveyed - {rule.name for rule in SURVEY} - presets == set()


@pytest.mark.skipif(not IMAGE.exists(), reason=f"no corpus at {IMAGE}")
def test_the_findings_in_istio_are_counted() -> None:
    entries = [PolicyEntry(name, Severity.NOTE) for name in LINT_RULES]
    api = load_lint_api([str(IMAGE)], Settings(), {}, Problems())
    findings = Linter(ProfileChoice({}), entries).lint(api)
    assert Counter(finding.rule for finding in findings) == COUNTS


def test_a_noisy_rule_is_off_or_for_new_elements() -> None:
    noisy = [LINT_RULES[name] for name, count in COUNTS.items() if count > MOST]
    assert len(noisy) > 2
    assert [rule.id for rule in noisy if not rule.for_new and load_rules()[rule.id].severity] == []
