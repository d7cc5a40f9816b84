"""Rules in the settings, and in rule files that the settings name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP, KIND, PlaceLookup, RuleFile, RuleReader
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.reader import read

_KCP_KINDS = ("APIResourceSchema", "APIExport", "APIExportEndpointSlice", "APIBinding")  # with CRDs of their own
_MIN_SIMILARITY = 0.8  # of kinds


def read_rules(settings: Settings, problems: Problems) -> tuple[RuleFile, ...]:
    """The rules of the settings file and of the files that it names; what cannot be read is reported."""
    entries = settings.conversions.items()
    inline_rules = [
        RuleReader(row.places, problems).read_directions(name, row.conversions, ()) for name, row in entries
    ]
    return (*inline_rules, *(rules for name in settings.conversion_rules for rules in _read_rule_file(name, problems)))


def _read_rule_file(name: str, problems: Problems) -> Iterator[RuleFile]:
    try:
        data = read_file(name, pipes=True)
    except OSError as error:
        problem = f"cannot read the rule file: {error.strerror or error}"
        problems.report("conversion-rule", problem, Location(name))
        return
    documents = read(data, name)
    if all(document.value is None and document.error is None for document in documents):
        problems.report("conversion-rule", f"the rule file contains no {KIND} of {GROUP}", Location(name))
    for document in documents:
        value = document.value
        if document.error is not None:
            problem = f"invalid YAML: {document.error}"
            problems.report("conversion-rule", problem, document.error_at or Location(name))
        elif isinstance(value, dict):
            for duplicate in document.find_duplicates():
                problems.report("document-duplicate", duplicate.message, duplicate.at)
            if _get_group_and_kind(value) == (GROUP, KIND):
                yield RuleReader(document.get_place, problems).read(value)
            else:
                report_foreign_document(value, document.get_place, problems)


def _get_group_and_kind(value: Mapping[str, Any]) -> tuple[str, Any]:
    return bounded_json.format_string(value.get("apiVersion", "")).rpartition("/")[0], value.get("kind")


def report_foreign_document(value: Mapping[str, Any], places: PlaceLookup, problems: Problems) -> None:
    """Report a document that should hold rules, and has the group or kind of something else."""
    group, kind = _get_group_and_kind(value)
    problem = f'the document is not an {KIND} of {GROUP}: kind {bounded_json.format_json(kind)}, group "{group}"'
    problems.report(
        "conversion-rule", problem, places(()), hint=f'write "apiVersion: {GROUP}/v1alpha1" and "kind: {KIND}"'
    )


def is_rule_like(value: Mapping[str, Any]) -> bool:
    """Return True if a document of an unknown kind has the form of rules, or a group or kind that is near theirs."""
    group, kind = _get_group_and_kind(value)
    if group == GROUP and kind not in _KCP_KINDS:
        return True
    if isinstance(kind, str) and find_nearest(kind, [KIND], _MIN_SIMILARITY):
        return True
    spec = value.get("spec")
    conversions = spec.get("conversions") if isinstance(spec, dict) else None
    members = {"from", "to", "rules"}
    return (
        isinstance(conversions, list)
        and bool(conversions)
        and all(isinstance(conversion, dict) and members <= {*conversion} for conversion in conversions)
    )
