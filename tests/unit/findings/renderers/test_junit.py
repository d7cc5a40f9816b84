from __future__ import annotations

from xml.etree import ElementTree

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.renderers.junit import render_junit
from protoc_gen_crd.findings.report_order_and_limits import assemble_report
from protoc_gen_crd.findings.source_lines import SourceFiles


class Document(Record):
    name: str
    at: Location
    skipped: str = ""


FINDINGS = [
    Finding("document-rejected", 'found "<a>" & \x07', Location("a.yaml", 7, 3), hint="why", severity=Severity.ERROR),
    Finding("document-unknown-field", "found x", Location("a.yaml", 2, 1), severity=Severity.WARNING),
    Finding("crd-none", "found none", severity=Severity.ERROR),
]
TESTED = [
    Document("one", Location("a.yaml", 1, 1)),
    Document("two", Location("a.yaml", 5, 1)),
    Document("three", Location("b.yaml", 1, 1), "no CRD"),
]


def test_a_finding_belongs_to_the_document_it_stands_in() -> None:
    assert render_junit(assemble_report(FINDINGS, SourceFiles()), TESTED) == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<testsuites name="protoc-gen-crd" tests="4" failures="2" skipped="1">\n'
        '  <testsuite name="" tests="1" failures="1" skipped="0">\n'
        '    <testcase name="crd-none" classname="">\n'
        '      <failure type="crd-none" message="found none">error: found none [crd-none]</failure>\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        '  <testsuite name="a.yaml" tests="2" failures="1" skipped="0">\n'
        '    <testcase name="one" classname="a.yaml" file="a.yaml" line="1">\n'
        "      <system-out>a.yaml:2:1: warning: found x [document-unknown-field]</system-out>\n"
        "    </testcase>\n"
        '    <testcase name="two" classname="a.yaml" file="a.yaml" line="5">\n'
        '      <failure type="document-rejected" message="found &quot;&lt;a&gt;&quot; &amp; \ufffd">'
        "a.yaml:7:3: error: found &quot;&lt;a&gt;&quot; &amp; \ufffd [document-rejected]&#10;hint: why</failure>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        '  <testsuite name="b.yaml" tests="1" failures="0" skipped="1">\n'
        '    <testcase name="three" classname="b.yaml" file="b.yaml" line="1">\n'
        '      <skipped message="no CRD"/>\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )


def test_it_is_xml() -> None:
    root = ElementTree.fromstring(render_junit(assemble_report(FINDINGS, SourceFiles()), TESTED))  # noqa: S314 - it is our own
    assert [case.get("name") for case in root.iter("testcase")] == ["crd-none", "one", "two", "three"]
    assert render_junit(assemble_report([], SourceFiles())).count("<testsuite ") == 0


def test_a_finding_belongs_to_the_document_that_it_names() -> None:
    """Objects of a list may be on one line, and an alias leads to the value of another object."""
    tested = [Document(name, Location("l.json", 1, column)) for name, column in (("a", 9), ("b", 40), ("b", 70))]
    findings = [
        Finding("in-a", "m", Location("l.json", 1, 20), "a", severity=Severity.ERROR),
        Finding("in-first-b", "m", Location("l.json", 1, 50), "b", severity=Severity.ERROR),
        Finding("in-last-b", "m", Location("l.json", 1, 80), "b", severity=Severity.ERROR),
        Finding("alias-of-b", "m", Location("l.json", 1, 21), "b", severity=Severity.ERROR),
        Finding("unnamed", "m", Location("l.json", 1, 22), severity=Severity.ERROR),
    ]
    root = ElementTree.fromstring(render_junit(assemble_report(findings, SourceFiles()), tested))  # noqa: S314
    failures = [[failure.get("type") for failure in case.iter("failure")] for case in root.iter("testcase")]
    assert failures == [["in-a", "unnamed"], ["alias-of-b", "in-first-b"], ["in-last-b"]]
