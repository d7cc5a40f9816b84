from __future__ import annotations

import pytest

from protoc_gen_crd.findings import rule_catalog
from protoc_gen_crd.findings.finding import Severity

PAGE = """# A topic

Words before the first rule.

## size-limit
Severity: warning

What is demanded,
on two lines.

More.

## size-unknown

Severity: error, fixed
Formerly: size-strange

Nothing else.
"""


def test_a_page_holds_one_rule_per_section() -> None:
    first, second = rule_catalog.parse_topic(PAGE, "sizes")
    assert first == rule_catalog.CatalogRule(
        "size-limit", Severity.WARNING, False, "What is demanded,\non two lines.\n\nMore.", "sizes"
    )
    assert first.summary == "What is demanded, on two lines."
    assert second == rule_catalog.CatalogRule(
        "size-unknown", Severity.ERROR, True, "Nothing else.", "sizes", "size-strange"
    )


@pytest.mark.parametrize(
    "page", ["## size-limit\n\nNo severity.\n", "## size-limit\nSeverity: high, fixed\n\n## x\nText"]
)
def test_a_section_without_a_severity_is_rejected(page: str) -> None:
    with pytest.raises(ValueError, match="does not start with"):
        list(rule_catalog.parse_topic(page, "sizes"))


def test_an_id_stands_once() -> None:
    with pytest.raises(ValueError, match=r'"size-limit" is declared twice, in a\.md and b\.md'):
        rule_catalog.index_rules([*rule_catalog.parse_topic(PAGE, "a"), *rule_catalog.parse_topic(PAGE, "b")])


def test_the_shipped_catalogue_is_well_formed() -> None:
    shipped = rule_catalog.load_rules()
    assert shipped["policy-unused"].severity is Severity.WARNING
    assert all(rule.text for rule in shipped.values())
