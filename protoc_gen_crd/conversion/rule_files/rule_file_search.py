"""Rule files among the documents of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.conversion import plan_builder
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP, KIND, RuleFile, RuleReader
from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_files import find_files, is_generated, read_content
from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings


def read_rule_files(inputs: Sequence[str], problems: Problems) -> list[RuleFile]:
    """Return the rule files among the documents. Raises OSError if a path cannot be read."""
    rule_files = []
    for file in find_files(inputs, problems).documents:
        cases = read_cases(read_content(file, problems), file, problems)
        rule_files += [
            RuleReader(case.get_place, problems).read(case.object)
            for case in cases
            if (case.group, case.kind) == (GROUP, KIND)
        ]
    return rule_files


def add_webhook(inputs: Sequence[str], crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Set the webhook of the settings in CRDs with conversions, and report duplicate rules."""
    files = read_rule_files(inputs, Problems())
    handwritten = [file for file in files if not is_generated_for_kcp(file.origin.file)]
    settings_rules = read_rules(settings, Problems())  # the converter reports their errors
    places = {(resolve_links(file.origin.file), file.origin.line): file for file in (*handwritten, *settings_rules)}
    plan_builder.check_duplicate_rules(list(places.values()), crds, problems)
    return plan_builder.add_webhook(crds, settings, problems, files)


def is_generated_for_kcp(file: str) -> bool:
    """Return whether a rule file was generated for kcp."""
    path = Path(file)
    start, _, name = path.name.partition("-")
    return is_generated(file) or (start == KIND.lower() and path.with_name(f"apiresourceschema-{name}").exists())
