"""`docs PATHS`: the API reference as Markdown or HTML, one page per group, with release history and samples."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.cli.documented_api import DocumentedApi, load_api
from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_delivery import deliver_files
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Finding, Problems, Severity
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, parse_minors
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.reference.group_page import PageSample, make_pages
from protoc_gen_crd.reference.lifecycle import LifecycleIndex, make_empty_index
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.groups.group_plan import GroupPlan

_LIBRARIES = ("jinja2", "markupsafe", "markdown_it")
_MISSING_LIBRARIES = "HTML pages require additional libraries: run `pip install 'protoc-gen-crd[explorer]'`"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "docs")


def run(arguments: argparse.Namespace) -> int:
    """Write the pages; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.api_inputs
    require_inputs(inputs, settings, "inputs", "documents")
    paths: dict[str, str] = {}
    progress = ProgressLine(quiet=settings.quiet)
    try:
        progress.show_stage(f"generating reference docs of {', '.join(inputs)}")
        lines = _write_pages(inputs, settings, paths, problems)
    finally:
        progress.clear()
    print_delivery(lines, settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)


def _write_pages(inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[str]:
    """Write the pages and return the lines to print."""
    api = load_api(inputs, settings, paths, problems)
    files = make_files(api, settings, paths, problems)
    return deliver_files(settings.docs, files, settings, problems, command="docs") if files else ()


def make_files(
    api: DocumentedApi, settings: Settings, paths: dict[str, str], problems: Problems, *, is_served: bool = False
) -> Sequence[OutputFile]:
    """Return the pages, none if there are errors. Raises OSError, and UsageError if a library is missing.

    `paths` are those of the .proto files. Pages that are served have a playground.
    """
    if has_errors(problems, settings):
        return ()
    lifecycles = _load_lifecycles(settings, problems)
    samples = _make_samples(api.select_channel(settings, problems), settings, problems, paths)
    gc.collect()  # the servers that validated the samples take more memory than the pages
    if settings.html or is_served:
        files = _make_explorer(api, lifecycles, samples, settings, problems, is_served=is_served)
    else:
        files = (*make_pages(api.crds, lifecycles, samples), *_make_group_pages(api.groups.plans))
    return () if has_errors(problems, settings) else files


def _make_group_pages(groups: Sequence[GroupPlan]) -> Sequence[OutputFile]:
    """Return a page for each gRPC API group, with samples of each version."""
    if not groups:
        return ()
    from protoc_gen_crd.groups.rpc_reference_page import make_group_page

    return [OutputFile(f"{plan.group.name}.md", (make_group_page(plan),)) for plan in groups]


def _make_explorer(
    api: DocumentedApi,
    lifecycles: LifecycleIndex,
    samples: Sequence[PageSample],
    settings: Settings,
    problems: Problems,
    *,
    is_served: bool,
) -> Sequence[OutputFile]:
    """Return the HTML pages. Raises UsageError if a library is missing."""
    try:
        from protoc_gen_crd.explorer.kind_page_data import ExplorerInput
        from protoc_gen_crd.explorer.pages import make_explorer
    except ImportError as error:
        if error.name not in _LIBRARIES:
            raise
        raise UsageError(f"{_MISSING_LIBRARIES} ({error})") from None
    from protoc_gen_crd.cli.release_comparison import (
        compare_group_versions,
        compare_releases,
        compare_versions,
        load_release_crds,
    )
    from protoc_gen_crd.conversion.plan_builder import build_all_plans

    crds = api.crds
    minors = parse_minors(settings.kubernetes) if settings.kubernetes else range(OLDEST, NEWEST + 1)
    releases = load_release_crds(settings, problems)
    verdicts = compare_releases(releases, crds, settings)
    version_verdicts = compare_versions(releases, crds, settings) | compare_group_versions(api.groups.api, settings)
    missing: dict[str, Sequence[Finding]] = {}
    plans = build_all_plans(crds, settings, missing)
    reasons = {name: [finding.message for finding in findings] for name, findings in missing.items()}
    sources = ExplorerInput(lifecycles, samples, plans, releases, verdicts, minors, version_verdicts, reasons)
    return make_explorer(crds, sources, api.groups.plans, is_served=is_served)


def _load_lifecycles(settings: Settings, problems: Problems) -> LifecycleIndex:
    """Load the lifecycles of elements from the recorded releases."""
    folder = Path(settings.history)
    if not folder.is_dir():
        if folder.exists():
            problems.report("option-value", f'the history "{folder}" is not a folder', settings.places.get("history"))
        return make_empty_index()
    from protoc_gen_crd.history import release_store
    from protoc_gen_crd.history.lifetimes import compute_lifetimes
    from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy

    releases = release_store.load_releases(folder, problems)
    dates = [(release.name, release.date) for release in releases]
    summaries = (
        (release.name, summary) for release, summary in release_store.load_summaries(folder, releases, problems)
    )
    last = releases[-1].name if releases else ""
    return LifecycleIndex(
        compute_lifetimes(summaries, settings.channels),
        DeprecationPolicy(dates, settings.deprecation_policy, settings.channels),
        settings.release or get_next_release(last),
    )


def _make_samples(
    crds: Sequence[Crd], settings: Settings, problems: Problems, paths: dict[str, str]
) -> Sequence[PageSample]:
    """Return the samples of the preferred version of each kind, different full ones of others, and handwritten ones."""
    from protoc_gen_crd.testing.kind_samples import KindSample, make_samples

    sample_problems = Problems()
    samples: Sequence[KindSample] = make_samples(crds, settings, sample_problems, paths)
    # A missing sample is a warning for docs, but an error for the command `samples`.
    problems.findings += [
        finding.replace(severity=Severity.WARNING) if finding.rule.startswith("sample-") else finding
        for finding in sample_problems.findings
    ]
    order = {(crd.group, crd.names.kind, v.name): n for crd in crds for n, v in enumerate(_list_served_versions(crd))}
    full = {
        (sample.group, sample.kind): _list_value_lines(sample.text)
        for sample in samples
        if sample.form == "full" and not order.get(sample.key)
    }
    samples = sorted(
        samples, key=lambda sample: (sample.kind, not sample.form, order.get(sample.key, 0), sample.form != "minimal")
    )
    return [
        PageSample(
            sample.group,
            sample.kind,
            sample.version,
            _make_title(sample.form, sample.kind, sample.version),
            sample.text,
        )
        for sample in samples
        if not sample.form
        or not order.get(sample.key)
        or (sample.form == "full" and _list_value_lines(sample.text) != full.get((sample.group, sample.kind)))
    ]


def _list_served_versions(crd: Crd) -> Sequence[CrdVersion]:
    """Return the served versions, the preferred one first."""
    return sorted((v for v in crd.versions if v.served), key=lambda version: get_priority_key(version.name))


def _list_value_lines(sample: str) -> Sequence[str]:
    """Return the lines of a sample without comments and apiVersion."""
    return [line for line in sample.splitlines() if not line.lstrip().startswith(("#", "apiVersion:"))]


def _make_title(form: str, kind: str, version: str) -> str:
    return f"{kind} {version}, {form or 'handwritten'}"
