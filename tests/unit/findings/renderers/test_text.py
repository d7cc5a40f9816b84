from __future__ import annotations

from pathlib import Path

from protoc_gen_crd.findings.finding import Excerpt, Finding, Location, Severity
from protoc_gen_crd.findings.renderers.text import render, render_response_error
from protoc_gen_crd.findings.report_order_and_limits import Report, assemble_report
from protoc_gen_crd.findings.source_lines import SourceFiles

MARKER = Finding(
    "marker-target", 'MaxItems applies to lists, found "string"', Location("a.proto", 2, 6),
    "acme.v1.A.b", 'did you mean "MaxLength"?', severity=Severity.ERROR,
)  # fmt: skip


def sources(folder: Path, text: str) -> SourceFiles:
    (folder / "a.proto").write_text(text, "utf-8")
    return SourceFiles({"a.proto": str(folder / "a.proto")})


def shown(report: Report, folder: Path) -> str:
    return render(report).replace(f"{folder}/", "")


def test_place_message_line_caret_and_hint(tmp_path: Path) -> None:
    report = assemble_report([MARKER], sources(tmp_path, "message A {\n  // +acme:MaxItems=3\n  string b = 1;\n}\n"))
    assert shown(report, tmp_path) == (
        'a.proto:2:6: error: MaxItems applies to lists, found "string" [marker-target]\n'
        "    2 |   // +acme:MaxItems=3\n"
        "      |      ^\n"
        '  hint: did you mean "MaxLength"?\n'
        "1 error\n"
    )


def test_without_the_file_the_place_stands_alone() -> None:
    assert render(assemble_report([MARKER.replace(hint="")], SourceFiles())) == (
        'a.proto:2:6: error: MaxItems applies to lists, found "string" [marker-target]\n1 error\n'
    )


def test_an_excerpt_is_pointed_at_in_its_source_line(tmp_path: Path) -> None:
    finding = MARKER.replace(excerpt=Excerpt("self.a ++ 1", column=7, width=2), hint="")
    report = assemble_report([finding], sources(tmp_path, '\n  // +acme:rule="self.a ++ 1"\n'))
    assert shown(report, tmp_path).splitlines()[1:3] == [
        '    2 |   // +acme:rule="self.a ++ 1"',
        "      |                         ^~",
    ]


def test_an_excerpt_without_a_source_is_shown_itself() -> None:
    finding = MARKER.replace(excerpt=Excerpt("self.a\n && self.b", column=11, width=6), hint="")
    assert render(assemble_report([finding], SourceFiles())).splitlines()[1:3] == [
        "      |  && self.b",
        "      |     ^~~~~~",
    ]


def test_tabs_and_wide_characters_keep_the_caret_in_place(tmp_path: Path) -> None:
    report = assemble_report([MARKER.replace(excerpt=Excerpt("+x"))], sources(tmp_path, "\n\t// 日本 +x\n"))
    assert shown(report, tmp_path).splitlines()[1:3] == ["    2 | \t// 日本 +x", "      | \t        ^"]


def test_a_long_line_is_cut_around_its_caret(tmp_path: Path) -> None:
    report = assemble_report(
        [MARKER.replace(excerpt=Excerpt("+here", 0, 5))], sources(tmp_path, f"\n{'a' * 5000}+here{'b' * 5000}\n")
    )
    line, caret = shown(report, tmp_path).splitlines()[1:3]
    assert len(line) < 130
    assert line[caret.index("^") :].startswith("+here")
    assert caret.endswith("^~~~~")


def test_control_characters_of_a_source_do_not_reach_the_terminal(tmp_path: Path) -> None:
    finding = MARKER.replace(message="found \x1b[31m\nx", hint="a\u202eb\u2028c")
    text = render(assemble_report([finding], sources(tmp_path, "\n  // \x1b]0;title\x07 +x\n")))
    assert "found \\x1b[31m\\nx" in text
    assert "a\\u202eb\\u2028c" in text
    assert "// \\x1b]0;title\\x07 +x" in text


def test_colors_are_asked_for(tmp_path: Path) -> None:
    report = assemble_report([MARKER], sources(tmp_path, "\n  // +acme:MaxItems=3\n"))
    assert "\x1b[31merror\x1b[0m" in render(report, color=True)
    assert "\x1b" not in render(report)


def test_findings_are_sorted_by_place_and_printed_once() -> None:
    results = [
        Finding("b", "m", Location("b.proto", 1, 1), severity=Severity.NOTE),
        Finding("a", "m", Location("a.proto", 10, 1), severity=Severity.NOTE),
        Finding("a", "m", Location("a.proto", 9, 1), "x.B", severity=Severity.NOTE),
        Finding("a", "m", Location("a.proto", 9, 1), "x.A", severity=Severity.NOTE),
        Finding("a", "no place", severity=Severity.ERROR),
    ]
    report = assemble_report(results, SourceFiles())
    assert [(str(item.at), item.path) for item in report.items] == [
        ("None", ""), ("a.proto:9:1", "x.A"), ("a.proto:10:1", ""), ("b.proto:1:1", ""),
    ]  # fmt: skip
    assert report.heading == "1 error, 3 notes"
    assert report == assemble_report(reversed(results), SourceFiles())


def test_notes_follow_the_errors() -> None:
    results = [
        Finding("note-on-x", "m", Location("a.yaml", 1), "x", severity=Severity.NOTE),
        Finding("error-in-x", "m", Location("a.yaml", 9), "x", severity=Severity.ERROR),
        Finding("warning-in-x", "m", Location("a.yaml", 10), "x", severity=Severity.WARNING),
        Finding("error-in-y", "m", Location("a.yaml", 11), "y", severity=Severity.ERROR),
        Finding("note-on-file", "m", Location("a.yaml"), severity=Severity.NOTE),
        Finding("error-in-b", "m", Location("b.yaml", 1), "x", severity=Severity.ERROR),
    ]
    rules = [item.rule for item in assemble_report(results, SourceFiles()).items]
    assert rules == ["error-in-x", "warning-in-x", "note-on-x", "error-in-y", "error-in-b", "note-on-file"]


def test_past_the_cap_the_least_severe_are_left_out() -> None:
    notes = [Finding("n", "m", Location("a.proto", line), severity=Severity.NOTE) for line in range(1, 200)]
    error = Finding("e", "m", Location("z.proto", 1), severity=Severity.ERROR)
    report = assemble_report([*notes, error], SourceFiles())
    assert (len(report.items), report.omitted) == (100, 100)
    assert report.items[0].rule == "e"
    assert render(report).endswith("100 more not shown\n1 error, 199 notes\n")
    assert report.has_severity(Severity.ERROR)


def _make_change(kind: str, line: int, rule: str = "a", severity: Severity = Severity.ERROR) -> Finding:
    at = Location(f"{kind}.yaml", line)
    return Finding(rule, f"m{line}", at, severity=severity, details={"kind": kind} if kind else {})


def test_past_the_cap_no_kind_hides_another() -> None:
    findings = [_make_change(kind, line) for kind in ("x/A", "x/B") for line in range(1, 100)]
    rejection = _make_change("x/Y", 50, "r").replace(is_first=True)
    findings += [_make_change("x/Y", line) for line in range(1, 50)] + [rejection]
    findings += [_make_change("x/Z", line, severity=Severity.NOTE) for line in range(1, 100)]
    report = assemble_report(findings, SourceFiles(), cap=10)
    shown = [(item.at and item.at.file, item.at and item.at.line) for item in report.items]
    assert shown == [
        ("x/Y.yaml", 50), ("x/A.yaml", 1), ("x/A.yaml", 2), ("x/A.yaml", 3), ("x/B.yaml", 1), ("x/B.yaml", 2),
        ("x/B.yaml", 3), ("x/Y.yaml", 1), ("x/Y.yaml", 2), ("x/Z.yaml", 1),
    ]  # fmt: skip
    assert report.omission == "337 more not shown: 96 of x/A, 96 of x/B, 47 of x/Y, 98 of x/Z"


def test_past_the_cap_rules_of_a_kind_are_in_turn() -> None:
    findings = [_make_change("x/A", line, "a" if line < 90 else "b") for line in range(1, 100)]
    report = assemble_report(findings, SourceFiles(), cap=4)
    assert [item.at and item.at.line for item in report.items] == [1, 2, 90, 91]


def test_the_omitted_findings_of_ten_kinds_are_counted() -> None:
    findings = [_make_change(f"x/K{number:02}", line) for number in range(12) for line in (1, 2)]
    report = assemble_report([*findings, _make_change("", 1), _make_change("", 2)], SourceFiles(), cap=13)
    kinds = ", ".join(f"1 of x/K{number:02}" for number in range(10))
    assert report.omission == f"13 more not shown: {kinds}, 2 more kinds"


def test_nothing_found_prints_nothing() -> None:
    report = assemble_report([], SourceFiles())
    assert (render(report), report.has_severity(Severity.NOTE)) == ("", False)


def test_a_response_names_the_count_first() -> None:
    two = [MARKER, MARKER.replace(at=Location("a.proto", 9, 1), hint="")]
    assert render_response_error(assemble_report(two, SourceFiles())) == (
        "2 errors\n"
        'a.proto:2:6: error: MaxItems applies to lists, found "string" [marker-target]\n'
        '  hint: did you mean "MaxLength"?\n'
        'a.proto:9:1: error: MaxItems applies to lists, found "string" [marker-target]'
    )


def test_a_message_that_is_too_long_keeps_both_ends(tmp_path: Path) -> None:
    long = MARKER.replace(message=f"a list exceeds its maximum: {'x' * 1_000_000}: must be short", hint="")
    text = shown(assemble_report([long], sources(tmp_path, "")), tmp_path)
    assert text.startswith("a.proto:2:6: error: a list exceeds its maximum: xxx")
    assert "x… 998,043 more characters …x" in text
    assert text.endswith("xxx: must be short [marker-target]\n1 error\n")


def test_a_line_that_is_too_long_is_not_shown(tmp_path: Path) -> None:
    text = shown(assemble_report([MARKER], sources(tmp_path, f"\n  // +acme:MaxItems=3{'x' * 10_000}\n")), tmp_path)
    assert text == f"a.proto:2:6: error: {MARKER.message} [marker-target]\n  hint: {MARKER.hint}\n1 error\n"
