from __future__ import annotations

from collections.abc import Iterator

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


SHIPPED = list(rule_catalog.RuleCatalog().values())


def test_a_rule_that_is_looked_up_is_that_of_the_whole_catalog() -> None:
    for rule in SHIPPED:
        assert rule_catalog.RuleCatalog()[rule.id] == rule
    assert list(rule_catalog.RuleCatalog()) == [rule.id for rule in SHIPPED]


def test_a_look_up_reads_one_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = rule_catalog.parse_topic

    def record_topic(text: str, topic: str) -> Iterator[rule_catalog.CatalogRule]:
        read.append(topic)
        return parse(text, topic)

    monkeypatch.setattr(rule_catalog, "parse_topic", record_topic)
    catalog = rule_catalog.RuleCatalog()
    for rule in ("crd-size", "cel-field", "resource-kind", "resource-shape", "map-keys"):
        assert rule in catalog
    assert read == ["crd", "cel", "schema"]


@pytest.mark.parametrize("name", ["", "crd", "crd-", "../crd-size", "no-such-rule"])
def test_an_unknown_rule_is_not_in_the_catalog(name: str) -> None:
    assert name not in rule_catalog.RuleCatalog()


def test_prefixes_with_a_topic_are_those_of_its_rules() -> None:
    for prefix, topic in rule_catalog._TOPICS.items():
        assert {rule.topic for rule in SHIPPED if rule.id.startswith(f"{prefix}-")} == {topic}
