from __future__ import annotations

import json

from protoc_gen_crd.base.catalogue import rules
from protoc_gen_crd.base.diagnostics import Finding, Location, Severity
from protoc_gen_crd.base.render.machine import as_github, as_json, as_sarif
from protoc_gen_crd.base.render.report import make_report
from protoc_gen_crd.base.render.sources import Sources

FOUND = [
    Finding(
        "policy-rule", 'found "ä"', Location("my api/a,b.proto", 3, 7), "acme.v1.A", "100% sure?", None, Severity.ERROR
    ),
    Finding("policy-unused", "no place", severity=Severity.WARNING),
]
REPORT = make_report(FOUND, Sources())


def test_json_holds_every_part() -> None:
    assert json.loads(as_json(REPORT)) == {
        "findings": [
            {
                "rule": "policy-unused", "severity": "warning", "message": "no place",
                "file": "", "line": 0, "column": 0, "path": "", "hint": "",
            },
            {
                "rule": "policy-rule", "severity": "error", "message": 'found "ä"', "file": "my api/a,b.proto",
                "line": 3, "column": 7, "path": "acme.v1.A", "hint": "100% sure?",
            },
        ],
        "left_out": 0,
        "counts": {"error": 1, "warning": 1, "note": 0},
    }  # fmt: skip


def test_github_commands_are_escaped() -> None:
    assert as_github(REPORT) == (
        "::warning title=policy-unused::no place\n"
        '::error file=my api/a%2Cb.proto,line=3,col=7,title=policy-rule::found "ä"%0Ahint: 100%25 sure?\n'
    )


def test_github_commands_steer_no_terminal() -> None:
    finding = Finding(
        "document-refused", "two\nlines of \x1b[31m", Location("a\x07b.yaml", 1, 1), severity=Severity.ERROR
    )
    (line,) = as_github(make_report([finding], Sources())).splitlines()
    assert line == "::error file=a\\x07b.yaml,line=1,col=1,title=document-refused::two%0Alines of \\x1b[31m"


def test_github_is_told_what_is_left_out() -> None:
    assert as_github(make_report(FOUND, Sources(), cap=1)).endswith("::notice::1 more findings not shown\n")


def test_sarif_describes_the_rules_that_occur() -> None:
    log = json.loads(as_sarif(REPORT, rules(), "1.2"))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["policy-rule", "policy-unused"]
    assert run["tool"]["driver"]["rules"][0]["defaultConfiguration"] == {"level": "error"}
    unplaced, placed = run["results"]
    assert (unplaced["ruleIndex"], unplaced["locations"]) == (1, [])
    assert placed["ruleId"] == "policy-rule"
    assert placed["level"] == "error"
    assert placed["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my%20api/a%2Cb.proto"},
                "region": {"startLine": 3, "startColumn": 7},
            },
            "logicalLocations": [{"fullyQualifiedName": "acme.v1.A"}],
        }
    ]


def test_sarif_leaves_out_a_line_that_is_not_known() -> None:
    report = make_report([Finding("policy-rule", "m", Location("a.proto"), severity=Severity.NOTE)], Sources())
    (result,) = json.loads(as_sarif(report, rules(), "1"))["runs"][0]["results"]
    assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "a.proto"}}}]
