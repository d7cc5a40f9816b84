from __future__ import annotations

import json

from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.renderers.machine_formats import render_github, render_json, render_sarif
from protoc_gen_crd.findings.report import assemble_report
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.source_lines import SourceFiles

FOUND = [
    Finding(
        "policy-rule", 'found "ä"', Location("my api/a,b.proto", 3, 7), "acme.v1.A", "100% sure?", None, Severity.ERROR
    ),
    Finding("policy-unused", "no place", severity=Severity.WARNING),
]
REPORT = assemble_report(FOUND, SourceFiles())


def test_json_holds_every_part() -> None:
    assert json.loads(render_json(REPORT)) == {
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
        "omitted": 0,
        "counts": {"error": 1, "warning": 1, "note": 0},
    }  # fmt: skip


def test_github_commands_are_escaped() -> None:
    assert render_github(REPORT) == (
        "::warning title=policy-unused::no place\n"
        '::error file=my api/a%2Cb.proto,line=3,col=7,title=policy-rule::found "ä"%0Ahint: 100%25 sure?\n'
    )


def test_github_commands_steer_no_terminal() -> None:
    finding = Finding(
        "document-rejected", "two\nlines of \x1b[31m", Location("a\x07b.yaml", 1, 1), severity=Severity.ERROR
    )
    (line,) = render_github(assemble_report([finding], SourceFiles())).splitlines()
    assert line == "::error file=a\\x07b.yaml,line=1,col=1,title=document-rejected::two%0Alines of \\x1b[31m"


def test_github_has_the_number_of_omitted_findings() -> None:
    assert render_github(assemble_report(FOUND, SourceFiles(), cap=1)).endswith("::notice::1 more findings not shown\n")


def test_sarif_describes_the_rules_that_occur() -> None:
    log = json.loads(render_sarif(REPORT, load_rules(), "1.2"))
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
    report = assemble_report([Finding("policy-rule", "m", Location("a.proto"), severity=Severity.NOTE)], SourceFiles())
    (result,) = json.loads(render_sarif(report, load_rules(), "1"))["runs"][0]["results"]
    assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "a.proto"}}}]
