"""`manifests PATHS`: what a cluster needs to run the webhook that converts and judges the objects of these kinds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.cli.delivery import bring
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.crds import some_crds, with_rules


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "manifests")


def run(arguments: argparse.Namespace) -> int:
    """Write the manifests; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('of which kinds is there a webhook? Give a path, or "inputs" in the settings file')
    if not settings.webhook_service:
        raise UsageError("which service is the webhook? Give --webhook-service NAMESPACE/NAME")
    paths: dict[str, str] = {}
    lines = _lines(given, settings, paths, problems)
    tell(lines, settings)
    return end(conclude(problems.findings, settings.findings, Sources(paths)), settings)


def _lines(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[str]:
    """Make and write; the lines to print."""
    from protoc_gen_crd.emit.manifests.files import manifest_files

    crds = with_rules(given, some_crds(given, settings, paths, problems), settings, problems)
    if failed(problems, settings):
        return ()
    files = manifest_files(crds, settings, problems)
    return bring(settings.manifests, files, settings, problems) if not failed(problems, settings) else ()
