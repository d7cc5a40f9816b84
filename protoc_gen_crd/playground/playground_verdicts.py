"""The verdicts on a manifest, a CEL rule and a conversion, as plain data: what the page of `explore` shows.

They are computed by the functions of the commands `validate`, `cel` and `convert`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from protoc_gen_crd.conversion.converter_packages import ConverterModules
from protoc_gen_crd.conversion.file_conversion import FileConverter, ignore_losses
from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX, ITSELF
from protoc_gen_crd.conversion.runtime.object_annotations import layers
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.report_order_and_limits import build_report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.supported_versions import format_minors
from protoc_gen_crd.playground.rule_run_output import encode_run, read_value, report_run, run_rule
from protoc_gen_crd.playground.schema_paths import SchemaPathError
from protoc_gen_crd.playground.violations import encode_violation, find_violation
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.case_runner import CaseResult
from protoc_gen_crd.testing.validation_run import Session

MANIFEST = "manifest.yaml"  # the file name of the manifest in findings
_UNSERVED = ("document-kind", "document-version")  # findings on objects that no API server has an API for


class Playground:
    """The CRDs of a session, whose documents were loaded, and their converters."""

    def __init__(self, session: Session, modules: ConverterModules) -> None:
        self._session = session
        session.problems = self._conversion_problems = Problems()
        self._converters = FileConverter(session, modules)
        ignore_losses(self._conversion_problems)

    def validate(self, manifest: str) -> dict[str, Any]:
        """Return the verdict on each object of a manifest, and the findings of `validate`."""
        data, problems = manifest.encode("utf-8", "replace"), Problems()
        cases = read_cases(data, MANIFEST, problems, self._session.minors[-1])
        outcomes = [self._session.runner.validate(case) for case in cases]
        findings = problems.findings
        for number, (case, outcome) in enumerate(zip(cases, outcomes, strict=True)):
            findings += self._add_details(case, outcome, number)
        return {
            "objects": [self._encode_outcome(case, outcome) for case, outcome in zip(cases, outcomes, strict=True)],
            "findings": self._encode_findings(findings, data),
        }

    def _add_details(self, case: DocumentCase, outcome: CaseResult, number: int) -> Iterator[Finding]:
        """Yield the findings of an object with the number of the object and the parts of errors."""
        definition = self._session.definitions.find(case)
        schema = definition.get_schema(case.version) if definition else None
        for finding, cause in zip_longest(outcome.findings, outcome.causes):
            details: dict[str, Any] = {"object": number}
            if cause is not None:
                details["violation"] = find_violation(case, cause, schema)
            yield finding.replace(details=details)

    def _encode_outcome(self, case: DocumentCase, outcome: CaseResult) -> dict[str, Any]:
        """Return the name of an object, and the versions that accept or reject it; a skipped one has neither."""
        minors = {
            accepted: sorted(minor for v in outcome.verdicts if v.accepted == accepted for minor in v.minors)
            for accepted in (True, False)
        }
        if any(finding.rule in _UNSERVED for finding in outcome.findings):
            minors[False] = sorted(self._session.minors)
        versions = {accepted: format_minors(accepting) for accepted, accepting in minors.items()}
        return {
            "name": case.name,
            "line": case.at.line,
            "skipped": outcome.skipped,
            "accepted": versions[True],
            "rejected": versions[False],
            "kind": [case.group, case.kind],
        }

    def list_empty_objects(self) -> list[str]:
        """Return a manifest for each version of each kind. The first verdict on one compiles the rules of the kind."""
        kinds = [
            (definition.crd, version)
            for definition in self._session.definitions
            if definition.crd is not None
            for version in definition.list_served_versions()
        ]
        return [
            json.dumps(
                {
                    "apiVersion": f"{crd.group}/{version}",
                    "kind": crd.names.kind,
                    "metadata": {"name": "empty"},
                    "spec": {},
                }
            )
            for crd, version in kinds
        ]

    def evaluate(self, expression: str, manifest: str, location: str) -> dict[str, Any]:
        """Return the results of a rule on the object of a manifest; see `cel`."""
        data, problems = manifest.encode("utf-8", "replace"), Problems()
        value = read_value(data, MANIFEST, problems)
        answer: dict[str, Any] = {"results": []}
        if value is not None:
            crds = [definition.crd for definition in self._session.definitions if definition.crd is not None]
            minors = tuple(self._session.minors)
            try:
                run = run_rule(expression, value, crds, location, minors)
            except SchemaPathError as error:
                problems.report("document-kind", str(error))
            else:
                report_run(run, minors, problems)
                answer = encode_run(run)
                for result in answer["results"]:
                    result["kubernetes"] = format_minors([int(name[2:]) for name in result["kubernetes"]])
        return {**answer, "findings": self._encode_findings(problems.findings, data)}

    def convert(self, manifest: str) -> dict[str, Any]:
        """Return the object of a manifest in each other version of its kind, and what is kept in its annotations.

        For the first object without a conversion, `reason` explains why, and `problems` are the findings on the
        conversion of the API.
        """
        data, problems = manifest.encode("utf-8", "replace"), Problems()
        cases = read_cases(data, MANIFEST, problems, self._session.minors[-1])
        convertible = next((case for case in cases if self._is_convertible(case)), None)
        other = next((case for case in cases if not self._is_convertible(case)), None)
        answer: dict[str, Any] = {"versions": [], "reason": "", "problems": []}
        if convertible is not None:
            definition = self._session.definitions.find(convertible)
            names = definition.list_served_versions() if definition else ()
            versions = [self._convert(convertible, data, name) for name in names if name != convertible.version]
            reason = "" if versions else f"{convertible.kind} is served in no other version."
            answer |= {"versions": versions, "reason": reason}
        if other is not None and not answer["reason"]:
            answer |= self._explain_no_conversion(other)
            if convertible is not None:
                answer["reason"] = f"{other.kind}: {answer['reason']}"
        return {**answer, "findings": self._encode_findings(problems.findings, data)}

    def _is_convertible(self, case: DocumentCase) -> bool:
        return (case.group, case.kind) in self._converters.converters

    def _explain_no_conversion(self, case: DocumentCase) -> dict[str, Any]:
        """Return the reason why an object is not converted, and the findings on the conversion of the API."""
        definition = self._session.definitions.find(case)
        if definition is None or definition.crd is None:
            return {"reason": f'There is no CRD for kind "{case.kind}".'}
        if len(definition.crd.versions) == 1:
            return {"reason": f"{case.kind} has only one version."}
        findings = self._conversion_problems.findings
        return {
            "reason": "The API declares no complete conversion" + ("" if findings else "."),
            "problems": self._encode_findings(findings, b""),
        }

    def _convert(self, case: DocumentCase, data: bytes, version: str) -> dict[str, Any]:
        problems = Problems()
        converted = self._converters.convert_cases(data, [case], version, problems)
        shown = converted.new_data or b""
        kept = [entry for new in read_cases(shown, MANIFEST, Problems()) for entry in _list_kept_data(new)]
        return {
            "version": version,
            "text": shown.decode("utf-8", "replace"),
            "kept": kept,
            "findings": self._encode_findings(problems.findings, data),
        }

    def _encode_findings(self, findings: Sequence[Finding], data: bytes) -> list[dict[str, Any]]:
        return encode_findings(findings, self._session.settings, SourceFiles(self._session.paths, {MANIFEST: data}))


def encode_findings(findings: Sequence[Finding], settings: Settings, sources: SourceFiles) -> list[dict[str, Any]]:
    """Return findings as plain data: with the line of a manifest, or the place in a file."""
    return [
        {
            "rule": item.rule,
            "severity": item.severity.name.lower(),
            "message": item.message,
            "line": item.at.line if item.at and item.at.file == MANIFEST else 0,
            "place": str(item.at) if item.at and item.at.file != MANIFEST else "",
            "hint": item.hint,
            "excerpt": [item.snippet.text, item.snippet.column] if item.snippet and not item.at else None,
            "object": item.details.get("object", -1),
            "violation": encode_violation(violation, item.message) if violation else None,
        }
        for item in build_report(findings, settings.findings, sources).items
        for violation in [item.details.get("violation")]
    ]


def _list_kept_data(case: DocumentCase) -> Iterator[list[str]]:
    """Yield what the conversion-data annotations of an object keep: the version, the path, and the value as JSON."""
    metadata = case.object.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    for name, annotation in annotations.items() if isinstance(annotations, dict) else ():
        if name.startswith(case.group + ANNOTATION_INFIX):
            for _, data in layers(annotation)[0]:
                version = name.partition(ANNOTATION_INFIX)[2]
                yield from ([version, *entry] for entry in _list_entries(data, ""))


def _list_entries(data: Any, path: str) -> Iterator[list[str]]:
    """Yield the paths and values of conversion data. Entries without a value are for unset fields."""
    if isinstance(data, list):
        yield [path, json.dumps(data[1], ensure_ascii=False) if len(data) > 1 else "unset"]
    for name, part in data.items() if isinstance(data, dict) else ():
        if name != ITSELF:
            yield from _list_entries(part, f"{path}.{name}" if path else name)
