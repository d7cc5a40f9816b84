from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.rule_catalog import CatalogRule, load_rules
from protoc_gen_crd.findings.severity_policy import _COMMANDS, PolicyEntry, apply_policy, has_error

RULES = {
    **{name: rule for name, rule in load_rules().items() if name.startswith("policy-")},
    "size": CatalogRule("size", Severity.WARNING, False, "Text.", "sizes"),
    "broken": CatalogRule("broken", Severity.ERROR, True, "Text.", "sizes"),
}
AT = Location("protoc-gen-crd.yaml", 3, 5)


def outcome(findings: list[Finding], *entries: PolicyEntry) -> list[tuple[str, str, Severity | None]]:
    return [(item.rule, item.path, item.severity) for item in apply_policy(findings, entries, RULES)]


def test_without_entries_a_rule_has_its_own_severity() -> None:
    assert outcome([Finding("size", "m", path="a.B")]) == [("size", "a.B", Severity.WARNING)]


def test_a_severity_given_by_the_code_stands() -> None:
    assert outcome([Finding("size", "m", severity=Severity.NOTE)]) == [("size", "", Severity.NOTE)]


def test_an_entry_sets_the_severity_everywhere() -> None:
    results = [Finding("size", "m", path="a.B", severity=Severity.NOTE)]
    assert outcome(results, PolicyEntry("size", Severity.ERROR)) == [("size", "a.B", Severity.ERROR)]


def test_the_longest_path_decides_and_a_star_covers_it_and_what_is_below() -> None:
    entries = (
        PolicyEntry("size", Severity.NOTE, "a.*", "r"),
        PolicyEntry("size", Severity.OFF, "a.B.c", "r"),
        PolicyEntry("size", Severity.ERROR),
    )
    results = [Finding("size", "m", path=path) for path in ("a.B", "a.B.c", "a", "ab.C")]
    assert outcome(results, *entries) == [
        ("size", "a.B", Severity.NOTE),
        ("size", "a", Severity.NOTE),
        ("size", "ab.C", Severity.ERROR),
    ]


def test_an_entry_that_accepts_nothing_is_a_finding() -> None:
    (result,) = apply_policy([], [PolicyEntry("size", Severity.OFF, "a.B", "r", AT)], RULES)
    assert result.message == 'unused suppression: no "size" finding at "a.B"'
    assert (result.rule, result.severity, result.at, result.path) == ("policy-unused", Severity.WARNING, AT, "size")


def test_an_entry_that_only_makes_a_rule_stricter_need_not_match() -> None:
    assert outcome([], PolicyEntry("size", Severity.ERROR)) == []


def test_the_second_of_two_equal_entries_matches_nothing() -> None:
    equal = [PolicyEntry("size", Severity.NOTE, "a.B", "r"), PolicyEntry("size", Severity.OFF, "a.B", "r")]
    assert outcome([Finding("size", "m", path="a.B")], *equal) == [
        ("size", "a.B", Severity.NOTE),
        ("policy-unused", "size", Severity.WARNING),
    ]


def test_the_policy_applies_to_its_own_findings() -> None:
    entries = [
        PolicyEntry("size", Severity.OFF),
        PolicyEntry("policy-unused", Severity.OFF, "size", "one file for two runs"),
    ]
    assert outcome([], *entries) == []


def test_an_unknown_rule_is_a_finding_with_the_nearest_name() -> None:
    (result,) = apply_policy([], [PolicyEntry("sise", Severity.OFF)], RULES)
    assert (result.rule, result.message) == ("policy-rule", 'unknown rule "sise"')
    assert result.hint == 'did you mean "size"?'


def test_a_former_rule_id_has_its_effect_and_is_reported() -> None:
    renamed = {"extent": CatalogRule("extent", Severity.ERROR, False, "Text.", "sizes", "size")}
    rules_with_renamed = {**{key: rule for key, rule in load_rules().items() if key.startswith("policy-")}, **renamed}
    result = apply_policy(
        [Finding("extent", "m", AT, "a.B")], [PolicyEntry("size", Severity.NOTE, "a.B", "r")], rules_with_renamed
    )
    assert [(item.rule, item.severity) for item in result] == [
        ("extent", Severity.NOTE),
        ("policy-renamed", Severity.WARNING),
    ]
    assert result[1].hint == 'replace "size" with "extent"'


def test_former_rule_ids_are_free_for_no_other_rule() -> None:
    former = [rule.former for rule in load_rules().values() if rule.former]
    assert len(former) == len(set(former))
    assert not set(former) & set(load_rules())


def test_a_fixed_error_cannot_be_softened() -> None:
    assert outcome([Finding("broken", "m")], PolicyEntry("broken", Severity.OFF)) == [
        ("broken", "", Severity.ERROR),
        ("policy-severity", "broken", Severity.ERROR),
    ]


def test_server_errors_on_reported_markers_are_omitted() -> None:
    cause = Finding("marker-field", "m", AT, "a.B")
    results = [
        cause,
        Finding("crd-rejected", "m", AT, "a.B"),
        Finding("crd-rejected", "m", Location("a.proto", 9), "a.B"),
    ]
    assert [(item.rule, item.at) for item in apply_policy(results, [], load_rules())] == [
        ("marker-field", AT),
        ("crd-rejected", Location("a.proto", 9)),
    ]


def test_a_marker_that_is_accepted_hides_nothing() -> None:
    results = [Finding("marker-field", "m", AT, "a.B"), Finding("crd-rejected", "m", AT, "a.B")]
    for severity in (Severity.OFF, Severity.WARNING):
        entries = [PolicyEntry("marker-field", severity, "a.B", "r")]
        assert "crd-rejected" in [item.rule for item in apply_policy(results, entries, load_rules())]


def test_a_run_of_some_packages_tells_entries_about_these() -> None:
    entries = [PolicyEntry("size", Severity.OFF, path, "r") for path in ("a.B", "a.*", "ab.C", "b.c.D", "")]
    unused = apply_policy([], entries, RULES, packages=["a", "b"])
    assert sorted(item.message.split('"')[3] for item in unused) == ["a.*", "a.B", "b.c.D"]
    assert apply_policy([], entries, RULES, packages=[]) == []


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("marker-target", "generate"),
        ("output-leftover", "generate"),
        ("history-removal", "history"),
        ("version-stored", "history"),
        ("document-rejected", "validate"),
        ("sample-unsolved", "samples"),
        ("output-stale", ""),
        ("migrate-loss", ""),
    ],
)
def test_an_unused_entry_is_reported_by_one_command(rule: str, command: str) -> None:
    entries = [PolicyEntry(rule, Severity.OFF, "a.B", "r")]
    commands = ("generate", "history", "validate", "samples", "cost", "")
    reporting = [name for name in commands if apply_policy([], entries, load_rules(), command=name)]
    assert reporting == ([command] if command else [])


def test_commands_are_declared_for_rules_that_exist() -> None:
    assert [prefix for prefix in _COMMANDS if not any(rule.startswith(prefix) for rule in load_rules())] == []


def test_a_rule_that_the_catalog_lacks_is_an_error() -> None:
    assert outcome([Finding("unlisted", "m", path="a.B")]) == [("unlisted", "a.B", Severity.ERROR)]


def test_stars_in_unused_paths_are_explained() -> None:
    by_name = {
        path: apply_policy([], [PolicyEntry("size", Severity.OFF, path, "r")], RULES)[0].hint
        for path in ("a.*", "a.B*", "*")
    }
    assert [path for path, hint in by_name.items() if "only as the last part of a path" in hint] == ["a.B*", "*"]


def test_only_complete_findings_tell_which_entries_are_unused() -> None:
    entries = (
        PolicyEntry("policy-unused", Severity.ERROR, at=AT),
        PolicyEntry("marker-target", Severity.OFF, "a.B", "r", AT),
    )
    assert not has_error((), entries, complete=False)
    assert has_error((), entries, complete=True)
    assert not has_error([Finding("marker-target", "m", path="a.B")], entries, complete=True)


def test_an_error_of_the_policy_itself_fails_at_once() -> None:
    assert has_error((), [PolicyEntry("no-rule", Severity.OFF, at=AT)], complete=False)
    assert has_error([Finding("marker-target", "m")], (), complete=False)
    assert not has_error((), (), complete=True)
