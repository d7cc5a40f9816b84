"""`patch PATHS`: set spec.conversion of installed CRDs, or print the commands that do."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Sequence

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_lines, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.conversion.rule_files.rule_file_search import add_webhook
from protoc_gen_crd.conversion.webhook_config import apply_merge_patch, build_patch
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import require_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.history.storage_changes import check_stored_versions
from protoc_gen_crd.settings.settings import Settings

_CONVERSION_HINT = (
    "also pass the .proto files or the rule file that declare the conversions; without conversions, no patch is needed"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "patch")


def run(arguments: argparse.Namespace) -> int:
    """Patch, or print the commands; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.inputs
    require_inputs(inputs, settings, "inputs")
    paths: dict[str, str] = {}
    crds = add_webhook(inputs, require_crds(inputs, settings, paths, problems), settings, problems)
    converted = tuple([crd for crd in crds if (crd.conversion or {}).get("strategy") == "Webhook"])
    if crds and not converted:
        named = settings.webhook_service or settings.webhook_url
        hint = _CONVERSION_HINT if named else "set webhook_service or webhook_url in the settings"
        problems.report("patch-none", "no CRD with a conversion webhook found", hint=hint)
    lines: Iterator[str] = iter(())
    if not has_errors(problems, settings):
        lines = _patch_crds(converted, settings, problems) if settings.cluster else _format_commands(converted)
    print_lines(lines, settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)


def _format_commands(crds: Sequence[Crd]) -> Iterator[str]:
    """Yield a shell command for each CRD."""
    for crd in crds:
        body = json.dumps(build_patch(crd.conversion), sort_keys=True, ensure_ascii=False)
        yield f"kubectl patch customresourcedefinition {crd.name} --type=merge --patch={shlex.quote(body)}"


def _patch_crds(crds: Sequence[Crd], settings: Settings, problems: Problems) -> Iterator[str]:
    """Patch the installed CRDs, unless objects may be stored in a removed version."""
    from protoc_gen_crd.cluster.api_server import ClusterError
    from protoc_gen_crd.cluster.cluster_client import connect
    from protoc_gen_crd.cluster.installed_crds import patch_conversion, read_crd

    try:
        api = connect(settings.kubeconfig, settings.context)
        pairs = [(crd, read_crd(api, crd.name)) for crd in crds]
        for crd, installed in pairs:
            if installed is None:
                problem = f"CRD {crd.name} is not installed"
                problems.report("patch-missing", problem, crd.origin, path=crd.name)
            else:
                check_stored_versions(crd, installed.stored_versions, problems)
        if has_errors(problems, settings):
            return
        for crd, installed in pairs:
            conversion = build_patch(crd.conversion)["spec"]["conversion"]
            if installed is not None and apply_merge_patch(installed.conversion, conversion) != installed.conversion:
                patch_conversion(api, crd.name, conversion)
                yield f"patched {crd.name}"
            elif installed is not None:
                yield f"{crd.name} is up to date"
    except ClusterError as error:
        raise UsageError(str(error)) from None
