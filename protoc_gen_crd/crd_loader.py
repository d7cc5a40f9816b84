"""Loader of CRDs that are generated from .proto files and descriptors, or read from documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.conversion.rule_files.rule_file import GROUP, KIND, RuleFile, RuleReader
from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.document_cases import DocumentCase, read_cases
from protoc_gen_crd.documents.document_files import find_files, is_generated, read_content
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

RULE_FILE_TYPE = GROUP, KIND


def load_crds(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems, generator_problems: Problems
) -> Iterator[Crd]:
    """Yield the CRDs of .proto files and descriptors, then those of documents.

    `generator_problems` receives the findings of the generator, `paths` the locations of the .proto files. Raises
    OSError if a path cannot be read.
    """
    files = find_files(inputs, problems, settings.output_folders)
    if files.generator_inputs:
        from protoc_gen_crd.documents.proto_crds import generate_crds  # noqa: PLC0415 - it loads the generator

        yield from generate_crds(files.generator_inputs, settings, paths, generator_problems)
    for file in files.documents:
        for case in read_cases(read_content(file, problems), file, problems):
            if case.is_crd:
                yield from _decode_crd(case, problems)


def require_crds(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems
) -> tuple[Crd, ...]:
    """Return the CRDs of paths, and report if there are none. Raises OSError if a path cannot be read."""
    crds = tuple(load_crds(inputs, settings, paths, problems, problems))
    if not crds and not problems.findings:
        problems.report("crd-none", "no CRDs found")
    return crds


def read_rule_files(inputs: Sequence[str], problems: Problems) -> list[RuleFile]:
    """Return the rule files among the documents. Raises OSError if a path cannot be read."""
    rule_files = []
    for file in find_files(inputs, problems).documents:
        cases = read_cases(read_content(file, problems), file, problems)
        rule_files += [
            RuleReader(case.get_place, problems).read(case.object)
            for case in cases
            if (case.group, case.kind) == RULE_FILE_TYPE
        ]
    return rule_files


def add_webhook(inputs: Sequence[str], crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Set the webhook of the settings in CRDs with conversions, and report duplicate rules."""
    from protoc_gen_crd.conversion.plan_builder import add_webhook, check_duplicate_rules  # noqa: PLC0415 - it loads the planner

    files = read_rule_files(inputs, Problems())
    handwritten = [file for file in files if not is_generated_for_kcp(file.origin.file)]
    settings_rules = read_rules(settings, Problems())  # the converter reports their errors
    places = {(Path(file.origin.file).resolve(), file.origin.line): file for file in (*handwritten, *settings_rules)}
    check_duplicate_rules(list(places.values()), crds, problems)
    return add_webhook(crds, settings, problems, files)


def is_generated_for_kcp(file: str) -> bool:
    """Return whether a rule file was generated for kcp."""
    path = Path(file)
    start, _, name = path.name.partition("-")
    return is_generated(file) or (start == KIND.lower() and path.with_name(f"apiresourceschema-{name}").exists())


def _decode_crd(case: DocumentCase, problems: Problems) -> Iterator[Crd]:
    decoded = decode(case.object, case.get_place)
    if decoded.crd is not None:
        yield decoded.crd
    else:
        message = f"{case.name} is rejected: {decoded.format_rejection(nested=True)}"
        problems.report("crd-rejected", message, case.at, path=case.name)
