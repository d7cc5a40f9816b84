"""The results of a CEL rule as findings, as text for people, and as plain data for programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, suggest
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_reader import CRD_KIND
from protoc_gen_crd.findings.finding import Excerpt, Location, Problems
from protoc_gen_crd.kubernetes.api_server_limits import CALL_COST, RULE_COST
from protoc_gen_crd.kubernetes.supported_versions import format_minors
from protoc_gen_crd.playground.rule_run import Evaluation, RuleError, RuleResult, try_rule
from protoc_gen_crd.playground.rule_subjects import MAX_VALUES, find_subject
from protoc_gen_crd.playground.schema_paths import find_nested_path
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.yaml.reader import read

_VARIABLE_END = re.compile(r"\b(?:self|oldSelf)$")
_UNKNOWN = re.compile(r"(?:undefined field|undeclared reference to) '([^']+)'")


class RuleRun(Record):
    """A rule without the macros of this tool, its results, and the schema of `self`."""

    expression: str
    results: tuple[RuleResult, ...]
    schema: Schema


def run_rule(expression: str, value: Any, crds: Sequence[Crd], reference: str, minors: Sequence[int]) -> RuleRun:
    """Evaluate a rule on an object; see `find_subject` and `try_rule`. Raises SchemaPathError."""
    subject = find_subject(value, crds, reference)
    expanded, results = try_rule(expression, subject, minors)
    return RuleRun(expanded, results, subject.schema.node)


def read_value(data: bytes, file: str, problems: Problems) -> Any:
    """Return the only value of a file besides CRDs; None, with a finding, if there is none or if there are several."""
    values = []
    for document in read(data, file):
        if document.error is not None:
            problems.report("document-syntax", f"invalid YAML or JSON: {document.problem}", document.error_at)
            return None
        is_crd = isinstance(document.value, dict) and document.value.get("kind") == CRD_KIND
        if document.value is not None and not is_crd:
            values.append(document.value)
    if len(values) == 1:
        return values[0]
    if values:
        message, hint = f"a rule is evaluated on one object, but there are {len(values)}", "keep one of the objects"
        problems.report("document-syntax", message, Location(file), hint=hint)
    else:
        problems.report("document-none", "no object found", Location(file))
    return None


def report_run(run: RuleRun, minors: Sequence[int], problems: Problems) -> None:
    """Report why versions reject a rule: each error once, with its versions if not all have it."""
    versions: dict[RuleError, list[int]] = {}
    for result in run.results:
        for error in result.errors:
            versions.setdefault(error, []).extend(result.minors)
    for error, rejecting in versions.items():
        suffix = "" if len(rejecting) == len(minors) else f" by Kubernetes {format_minors(sorted(rejecting))}"
        excerpt = Excerpt(run.expression, error.at) if error.at >= 0 else None
        rule = "cel-syntax" if error.message.startswith("Syntax error") else "cel-type" if excerpt else "crd-rejected"
        hint = _suggest_field(run, error)
        problems.report(rule, f"CEL rule is rejected{suffix}: {error.message}", excerpt=excerpt, hint=hint)


def _suggest_field(run: RuleRun, error: RuleError) -> str:
    """Return a hint for an unknown field: the field of that name in an object below `self`, or a similar name."""
    unknown = _UNKNOWN.match(error.message)
    if unknown is None:
        return ""
    name = unknown[1]
    variable = _VARIABLE_END.search(run.expression[: max(error.at, 0)])
    if variable and (path := find_nested_path(run.schema, name)):
        return did_you_mean(f"{variable[0]}.{path}")
    return suggest(name, (*run.schema.properties, "self", "oldSelf"))


def format_run(run: RuleRun) -> Iterator[str]:
    """Yield lines of text: the results of each range of versions, without those that reject the rule."""
    for number, result in enumerate(result for result in run.results if result.type):
        if number:
            yield ""
        for label, value in _list_rows(result):
            yield f"{label:16}{value}"


def _list_rows(result: RuleResult) -> Iterator[tuple[str, str]]:
    yield "Kubernetes", format_minors(result.minors)
    yield "type", result.type + ("" if result.type == "bool" else ", but a rule must be a bool")
    yield "estimated cost", _format_estimate(result)
    for evaluation in result.evaluations:
        where = f" at {evaluation.path}" if evaluation.path else ""
        yield "value", f"{_format_value(evaluation)}{where}"
        yield "actual cost", f"{evaluation.cost:,} of {CALL_COST:,}"
    if not result.count:
        yield "value", "none: the object has no value at this path"
    elif result.count > MAX_VALUES:
        yield "value", f"{result.count - MAX_VALUES:,} more values are not evaluated"


def _format_value(evaluation: Evaluation) -> str:
    return f"error: {evaluation.error}" if evaluation.error else evaluation.value


def _format_estimate(result: RuleResult) -> str:
    product = f" ({result.evaluation_cost:,} per value, {result.times:,} values)" if result.times > 1 else ""
    return f"{result.cost:,} of {RULE_COST:,}{product}"


def encode_run(run: RuleRun) -> dict[str, Any]:
    """Return a run as plain data."""
    return {"expression": run.expression, "results": [_encode_result(result) for result in run.results]}


def _encode_result(result: RuleResult) -> dict[str, Any]:
    return {
        "kubernetes": [f"1.{minor}" for minor in result.minors],
        "type": result.type or None,
        "errors": [{"message": error.message, "at": error.at if error.at >= 0 else None} for error in result.errors],
        "estimated": {
            "evaluation": result.evaluation_cost,
            "times": result.times,
            "cost": result.cost,
            "limit": RULE_COST,
        },
        "values": [
            {
                "path": evaluation.path,
                "value": None if evaluation.error else evaluation.value,
                "error": evaluation.error or None,
                "cost": evaluation.cost,
                "limit": CALL_COST,
            }
            for evaluation in result.evaluations
        ],
        "count": result.count,
    }
