"""The table of the guides' rules is complete and names what exists."""

from __future__ import annotations

import re

import pytest

from docs.reference.change_guides import COMMAND, GUIDES, ITEM, LINTER, PEOPLE, PROFILE, RULE
from protoc_gen_crd.comparison.severity_profiles import PROFILES
from protoc_gen_crd.findings.rule_catalog import load_rules
from tests.conftest import ROOT

NUMBERS = {"open-cluster-management": ("O", 21), "istio": ("I", 46), "immutable": ("S", 20), "microversion": ("C", 18)}
SOURCES = ("comparison/crd_checklist.py", "versioning/project_checklist.py", "versioning/conversion_proofs.py")
# Names of items in calls of ChecklistItem, and those passed to the check of documents.
ITEMS = {
    name
    for source in SOURCES
    for call in re.findall(
        r'(?:ChecklistItem|_check_documents)\(\s*"([a-z-]+)"', (ROOT / "protoc_gen_crd" / source).read_text("utf-8")
    )
    for name in (call,)
}
KNOWN = {RULE: load_rules().keys(), PROFILE: PROFILES.keys(), ITEM: ITEMS}


@pytest.mark.parametrize("guide", GUIDES)
def test_every_rule_of_a_guide_is_in_the_table_once(guide: str) -> None:
    letter, count = NUMBERS[guide]
    assert [rule.number for rule in GUIDES[guide]] == [f"{letter}{number}" for number in range(1, count + 1)]


@pytest.mark.parametrize("guide", GUIDES)
def test_every_rule_names_what_checks_it_or_the_reason(guide: str) -> None:
    for rule in GUIDES[guide]:
        assert rule.check in (RULE, PROFILE, ITEM, COMMAND, LINTER, PEOPLE), rule
        assert set(rule.names) <= set(KNOWN.get(rule.check, ())), rule
        assert rule.names or rule.remark or rule.check == LINTER, rule


def test_the_items_of_the_checklist_are_found() -> None:
    documented = set(re.findall(r"`([a-z-]+)`", (ROOT / "docs" / "changes.md").read_text("utf-8")))
    assert len(ITEMS) == 13
    assert documented >= ITEMS
