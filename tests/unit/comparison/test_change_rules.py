"""The table of change rules, the catalog, and the claims of the comparison."""

from __future__ import annotations

from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.crd_checklist import OPEN_RULE
from protoc_gen_crd.comparison.crd_comparison import CRD_RULES, UNCOMPARED, VERSION_RULES
from protoc_gen_crd.comparison.schemas.keyword_changes import NODE_RULES
from protoc_gen_crd.comparison.schemas.node_pair import CHILD_KEYWORDS
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.versioning.branch_changes import UNRELEASED

# Keywords that a server rejects in every schema of a CRD: they are unclassified.
REJECTED = {"$ref", "patternProperties", "dependencies", "additionalItems", "definitions"}
OTHERS = (OPEN_RULE, UNRELEASED)  # which are about no change
SEVERITIES = {
    ChangeClass.NONE: {Severity.OFF, Severity.NOTE},
    ChangeClass.ADDITIVE: {Severity.NOTE},
    ChangeClass.LOOSEN: {Severity.NOTE},
    ChangeClass.SEMANTIC: {Severity.WARNING},
    ChangeClass.TIGHTEN: {Severity.ERROR},
    ChangeClass.BREAK: {Severity.ERROR},
}


def test_every_rule_has_a_page_with_the_severity_of_its_class() -> None:
    rules = {name: rule for name, rule in load_rules().items() if name.startswith("change-") and name not in OTHERS}
    assert rules.keys() == CHANGE_RULES.keys()
    wrong = {name for name, rule in rules.items() if rule.severity not in SEVERITIES[CHANGE_RULES[name].change_class]}
    assert wrong == set()


def test_every_mirror_is_a_rule_that_mirrors_back() -> None:
    for rule in CHANGE_RULES.values():
        assert all(rule.id in CHANGE_RULES[mirror].mirrors for mirror in rule.mirrors), rule


def test_every_keyword_is_claimed_once() -> None:
    claimed = [keyword for rule in NODE_RULES for keyword in rule.keywords]
    assert len(claimed) == len(set(claimed))
    assert {*claimed, *CHILD_KEYWORDS} == KEYWORDS.keys() - REJECTED


def test_every_member_is_claimed() -> None:
    for kind, rules, children in ((Crd, CRD_RULES, ()), (CrdVersion, VERSION_RULES, ("name", "schema", "storage"))):
        claimed = {member for rule in rules for member in rule.members}
        assert {*claimed, *children, *UNCOMPARED} >= set(kind._fields)
