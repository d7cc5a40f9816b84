from __future__ import annotations

from protoc_gen_crd.base.catalogue import Rule, rules
from protoc_gen_crd.base.diagnostics import Finding, Location, Severity
from protoc_gen_crd.base.policy import Entry, fails, resolve

RULES = {
    **{name: rule for name, rule in rules().items() if name.startswith("policy-")},
    "size": Rule("size", Severity.WARNING, False, "Text.", "sizes"),
    "broken": Rule("broken", Severity.ERROR, True, "Text.", "sizes"),
}
AT = Location("protoc-gen-crd.yaml", 3, 5)


def outcome(findings: list[Finding], *entries: Entry) -> list[tuple[str, str, Severity | None]]:
    return [(found.rule, found.path, found.severity) for found in resolve(findings, entries, RULES)]


def test_without_entries_a_rule_has_its_own_severity() -> None:
    assert outcome([Finding("size", "m", path="a.B")]) == [("size", "a.B", Severity.WARNING)]


def test_a_severity_given_by_the_code_stands() -> None:
    assert outcome([Finding("size", "m", severity=Severity.NOTE)]) == [("size", "", Severity.NOTE)]


def test_an_entry_sets_the_severity_everywhere() -> None:
    found = [Finding("size", "m", path="a.B", severity=Severity.NOTE)]
    assert outcome(found, Entry("size", Severity.ERROR)) == [("size", "a.B", Severity.ERROR)]


def test_the_longest_path_decides_and_a_star_covers_it_and_what_is_below() -> None:
    entries = (
        Entry("size", Severity.NOTE, "a.*", "r"),
        Entry("size", Severity.OFF, "a.B.c", "r"),
        Entry("size", Severity.ERROR),
    )
    found = [Finding("size", "m", path=path) for path in ("a.B", "a.B.c", "a", "ab.C")]
    assert outcome(found, *entries) == [
        ("size", "a.B", Severity.NOTE),
        ("size", "a", Severity.NOTE),
        ("size", "ab.C", Severity.ERROR),
    ]


def test_an_entry_that_accepts_nothing_is_a_finding() -> None:
    (found,) = resolve([], [Entry("size", Severity.OFF, "a.B", "r", AT)], RULES)
    assert found.message == 'an entry must match a finding, found none of "size" at "a.B"'
    assert (found.rule, found.severity, found.at, found.path) == ("policy-unused", Severity.WARNING, AT, "size")


def test_an_entry_that_only_makes_a_rule_stricter_need_not_match() -> None:
    assert outcome([], Entry("size", Severity.ERROR)) == []


def test_the_second_of_two_equal_entries_matches_nothing() -> None:
    equal = [Entry("size", Severity.NOTE, "a.B", "r"), Entry("size", Severity.OFF, "a.B", "r")]
    assert outcome([Finding("size", "m", path="a.B")], *equal) == [
        ("size", "a.B", Severity.NOTE),
        ("policy-unused", "size", Severity.WARNING),
    ]


def test_the_policy_applies_to_its_own_findings() -> None:
    entries = [Entry("size", Severity.OFF), Entry("policy-unused", Severity.OFF, "size", "one file for two runs")]
    assert outcome([], *entries) == []


def test_an_unknown_rule_is_a_finding_with_the_nearest_name() -> None:
    (found,) = resolve([], [Entry("sise", Severity.OFF)], RULES)
    assert (found.rule, found.message) == ("policy-rule", 'a rule must exist, found "sise"')
    assert found.hint == 'did you mean "size"?'


def test_a_fixed_error_cannot_be_softened() -> None:
    assert outcome([Finding("broken", "m")], Entry("broken", Severity.OFF)) == [
        ("broken", "", Severity.ERROR),
        ("policy-fixed", "broken", Severity.ERROR),
    ]


def test_what_servers_say_of_a_marker_that_is_reported_is_left_out() -> None:
    cause = Finding("marker-field", "m", AT, "a.B")
    found = [cause, Finding("crd-refused", "m", AT, "a.B"), Finding("crd-refused", "m", Location("a.proto", 9), "a.B")]
    assert [(one.rule, one.at) for one in resolve(found, [], rules())] == [
        ("marker-field", AT),
        ("crd-refused", Location("a.proto", 9)),
    ]


def test_a_marker_that_is_accepted_hides_nothing() -> None:
    found = [Finding("marker-field", "m", AT, "a.B"), Finding("crd-refused", "m", AT, "a.B")]
    for severity in (Severity.OFF, Severity.WARNING):
        entries = [Entry("marker-field", severity, "a.B", "r")]
        assert "crd-refused" in [one.rule for one in resolve(found, entries, rules())]


def test_a_run_of_some_packages_tells_entries_about_these() -> None:
    entries = [Entry("size", Severity.OFF, path, "r") for path in ("a.B", "a.*", "ab.C", "b.c.D", "")]
    unused = resolve([], entries, RULES, packages=["a", "b"])
    assert sorted(one.message.split('"')[3] for one in unused) == ["a.*", "a.B", "b.c.D"]
    assert resolve([], entries, RULES, packages=[]) == []


def test_stars_in_unused_paths_are_explained() -> None:
    found = {
        path: resolve([], [Entry("size", Severity.OFF, path, "r")], RULES)[0].hint for path in ("a.*", "a.B*", "*")
    }
    assert [path for path, hint in found.items() if "a star is the end of a path alone" in hint] == ["a.B*", "*"]


def test_only_complete_findings_tell_which_entries_are_unused() -> None:
    entries = (Entry("policy-unused", Severity.ERROR, at=AT), Entry("marker-target", Severity.OFF, "a.B", "r", AT))
    assert not fails((), entries, complete=False)
    assert fails((), entries, complete=True)
    assert not fails([Finding("marker-target", "m", path="a.B")], entries, complete=True)


def test_an_error_of_the_policy_itself_fails_at_once() -> None:
    assert fails((), [Entry("no-rule", Severity.OFF, at=AT)], complete=False)
    assert fails([Finding("marker-target", "m")], (), complete=False)
    assert not fails((), (), complete=True)
