"""A report as SARIF 2.1.0. Source: OASIS Static Analysis Results Interchange Format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.findings.fingerprints import make_fingerprints
from protoc_gen_crd.findings.renderers.json_report import dump_json
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem
from protoc_gen_crd.findings.rule_catalog import CatalogRule

_FINGERPRINT = "protocGenCrd/v1"  # the number changes with the computation of fingerprints


def render_sarif(report: Report, rules: Mapping[str, CatalogRule], version: str) -> str:
    """Return one run of one tool, with a description of the rules that occur."""
    order = sorted({item.rule for item in report.items})
    fingerprints = make_fingerprints(report.items)
    driver = {"name": "protoc-gen-crd", "version": version, "rules": [_describe_rule(rule, rules) for rule in order]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            _build_result(item, order.index(item.rule), fingerprint, report.baseline)
            for item, fingerprint in zip(report.items, fingerprints, strict=True)
        ],
        "properties": {"leftOut": report.omitted},
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return dump_json({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _describe_rule(name: str, rules: Mapping[str, CatalogRule]) -> dict[str, Any]:
    rule = rules.get(name)
    if rule is None:
        return {"id": name}
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.text, "markdown": rule.text},
        "defaultConfiguration": {"level": rule.severity.name.lower()},
    }


def _build_result(item: ReportItem, index: int, fingerprint: str, baseline: str) -> dict[str, Any]:
    message = f"{item.message}\n{item.hint}" if item.hint else item.message
    location: dict[str, Any] = {}
    if item.at and item.at != item.related:  # a place in the old API is not in the files of the run
        location["physicalLocation"] = _build_physical_location(item.at)
    if item.path:
        location["logicalLocations"] = [{"fullyQualifiedName": item.path}]
    result = {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": item.severity.name.lower(),
        "message": {"text": message},
        "locations": [location] if location else [],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if item.related:
        place = {"physicalLocation": _build_physical_location(item.related), "message": {"text": "old place"}}
        result["relatedLocations"] = [place]
    return {**result, "baselineState": "new"} if baseline else result


def _build_physical_location(at: Location) -> dict[str, Any]:
    region = {"startLine": at.line, "startColumn": at.column}
    known_positions = {key: value for key, value in region.items() if value}
    uri = quote(at.file.replace("\\", "/"), errors="surrogateescape")  # names of files may be invalid UTF-8
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    return {**physical, "region": known_positions} if known_positions else physical
