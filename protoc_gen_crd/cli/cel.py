"""`cel EXPRESSION --on FILE`: the value, type and cost of a CEL rule on an object, for each Kubernetes version."""

from __future__ import annotations

import argparse
import json
from typing import Any

from protoc_gen_crd.cli.findings_output import MACHINE_FORMATS, has_errors, make_report, print_lines, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.document_files import STDIN, STDIN_NAME, read_content
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, parse_minors
from protoc_gen_crd.playground.rule_run_output import RuleRun, encode_run, format_run, read_value, report_run, run_rule
from protoc_gen_crd.playground.schema_paths import SchemaPathError
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("expression", metavar="EXPRESSION", help="CEL expression, such as 'self.replicas > 1'")
    parser.add_argument(
        "paths", nargs="*", default=[], metavar="PATH", help="file or folder of CRDs, or what generate reads"
    )
    add_flags(parser, "cel")


def run(arguments: argparse.Namespace) -> int:
    """Evaluate; exit status 1 if a version rejects the rule or cannot evaluate it."""
    settings = read_command_settings(arguments, problems := Problems())
    if not settings.on:
        raise UsageError("no object: pass --on FILE, or --on - for standard input")
    if settings.json and settings.format_findings in MACHINE_FORMATS:
        form = settings.format_findings
        raise UsageError(f"cannot print both --json results and {form} findings to standard output: omit one")
    file = STDIN_NAME if settings.on == STDIN else settings.on
    documents = InputDocuments(settings, arguments.paths or settings.inputs, problems)
    load_documents(documents)
    documents.contents[file] = data = read_content(file, problems)
    value = None if has_errors(problems, settings) else read_value(data, file, problems)
    run = None if value is None else _run_rule(arguments.expression, value, documents)
    report = make_report(problems.findings, settings, documents.make_sources())
    if run is not None:
        _print_run(run, settings)
    has_failed = run is not None and any(value.error for result in run.results for value in result.evaluations)
    return int(bool(report_findings(report, settings)) or has_failed)


def _run_rule(expression: str, value: Any, documents: InputDocuments) -> RuleRun:
    """Evaluate the rule, and report why versions reject it. Raises UsageError for an unknown kind or path."""
    settings = documents.settings
    minors = parse_minors(settings.kubernetes) if settings.kubernetes else range(OLDEST, NEWEST + 1)
    crds = [definition.crd for definition in documents.definitions if definition.crd is not None]
    try:
        run = run_rule(expression, value, crds, settings.schema, minors)
    except SchemaPathError as error:
        raise UsageError(str(error)) from None
    report_run(run, minors, documents.problems)
    return run


def _print_run(run: RuleRun, settings: Settings) -> None:
    if settings.json:
        print(json.dumps(encode_run(run), indent=2, ensure_ascii=False))
    else:
        print_lines(format_run(run), settings)
