from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.renderers.github import render_github
from protoc_gen_crd.findings.renderers.gitlab import render_gitlab
from protoc_gen_crd.findings.renderers.json_report import render_json
from protoc_gen_crd.findings.renderers.sarif import render_sarif
from protoc_gen_crd.findings.report_order_and_limits import assemble_report
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
        '::error file=my api/a%2Cb.proto,line=3,col=7,title=policy-rule::found "ä"%0Ahint: 100%25 sure?\n'
        "::warning title=policy-unused::no place\n"
    )


def test_github_commands_steer_no_terminal() -> None:
    finding = Finding(
        "document-rejected", "two\nlines of \x1b[31m", Location("a\x07b.yaml", 1, 1), severity=Severity.ERROR
    )
    (line,) = render_github(assemble_report([finding], SourceFiles())).splitlines()
    assert line == "::error file=a\\x07b.yaml,line=1,col=1,title=document-rejected::two%0Alines of \\x1b[31m"


def test_sarif_has_the_bytes_of_a_file_name_that_is_invalid_utf8() -> None:
    finding = Finding("document-syntax", "m", Location(os.fsdecode(b"a\xff b.yaml"), 1, 1), severity=Severity.ERROR)
    report = json.loads(render_sarif(assemble_report([finding], SourceFiles()), {}, "1"))
    (result,) = report["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "a%FF%20b.yaml"}


def test_github_has_the_number_of_omitted_findings() -> None:
    assert render_github(assemble_report(FOUND, SourceFiles(), cap=1)).endswith("::notice::1 more not shown\n")


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


def test_sarif_has_the_old_place_of_removed_elements() -> None:
    """A finding on a kind that is gone has no place in the files of the run."""
    old = Location("v1:a.proto", 7, 3)
    places = [Location("a.proto", 5, 1), old]
    findings = [Finding("policy-rule", "m", at, f"a.{at.line}", severity=Severity.ERROR, related=old) for at in places]
    report = assemble_report(findings, SourceFiles()).replace(baseline="v1")
    results = json.loads(render_sarif(report, load_rules(), "1"))["runs"][0]["results"]
    related = {"artifactLocation": {"uri": "v1%3Aa.proto"}, "region": {"startLine": 7, "startColumn": 3}}
    assert [result["relatedLocations"][0]["physicalLocation"] for result in results] == [related, related]
    assert ["physicalLocation" in result["locations"][0] for result in results] == [True, False]
    assert [result["baselineState"] for result in results] == ["new", "new"]


def fingerprints(findings: list[Finding], sources: SourceFiles | None = None) -> list[str]:
    report = assemble_report(findings, sources or SourceFiles())
    results = json.loads(render_sarif(report, load_rules(), "1"))["runs"][0]["results"]
    output = [result["partialFingerprints"]["protocGenCrd/v1"] for result in results]
    assert output == [violation["fingerprint"] for violation in json.loads(render_gitlab(report))]
    return output


def test_fingerprints_survive_moves_and_new_words() -> None:
    first = Finding("policy-rule", "2 of 3", Location("a.proto", 3, 7), "acme.v1.A", severity=Severity.ERROR)
    moved = first.replace(message="2 of 4", at=Location("b.proto", 99))
    assert fingerprints([first]) == fingerprints([moved])
    other = first.replace(path="acme.v1.B")
    assert (
        len({*fingerprints([first]), *fingerprints([other]), *fingerprints([first.replace(rule="policy-unused")])}) == 3
    )
    text = {"a.proto": b"x\n  y = 1;\n", "moved": b"\n\ny = 1;\n", "changed": b"x\n  y = 2;\n"}
    lines = [Location("a.proto", 2, 3), Location("moved", 3, 1), Location("changed", 2, 3)]
    results = [
        fingerprints(
            [Finding("policy-rule", "m", at.replace(file="a.proto"), severity=Severity.ERROR)],
            SourceFiles(texts={"a.proto": text[at.file]}),
        )[0]
        for at in lines
    ]
    assert results[0] == results[1] != results[2]


def test_fingerprints_of_several_findings_on_one_element_differ() -> None:
    findings = [
        Finding("policy-rule", f"m{at}", Location("a", at), "acme.v1.A", severity=Severity.ERROR) for at in range(3)
    ]
    assert len(set(fingerprints(findings))) == 3


def test_gitlab_has_the_form_that_buf_writes(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text('syntax = "proto3";\nmessage a {}\n')
    command = [str(Path(sys.executable).parent / "buf"), "lint", "--error-format=gitlab-code-quality"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    expected = json.loads(done.stdout)[0]
    at = Location("./api/a.proto", 3, 7)
    report = assemble_report([FOUND[0].replace(at=at), FOUND[1]], SourceFiles())
    unplaced, placed = json.loads(render_gitlab(report))
    assert placed["location"] == {"path": "api/a.proto", "lines": {"begin": 3}}
    del expected["location"]["positions"], placed["location"]["lines"]["begin"]
    assert shape(placed) == shape({**expected, "location": {**expected["location"], "lines": {}}})
    assert (placed["severity"], placed["description"]) == ("major", 'found "ä" (100% sure?)')
    assert (unplaced["severity"], unplaced["location"]) == ("minor", {"path": ".", "lines": {"begin": 1}})


def shape(value: object) -> object:
    return {key: shape(member) for key, member in value.items()} if isinstance(value, dict) else type(value).__name__
