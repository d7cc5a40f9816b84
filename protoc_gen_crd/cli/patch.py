"""`patch PATHS`: sets spec.conversion of installed CRDs and nothing else; without --cluster it prints how."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.conversion.stanza import patch, patched, unstored
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.crds import some_crds, with_rules

_UNSAID = "give the .proto files or the rule file, too, that say how objects are converted; without, they need none"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "patch")


def run(arguments: argparse.Namespace) -> int:
    """Patch, or print how to; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('which CRDs are to be patched? Give a path, or "inputs" in the settings file')
    paths: dict[str, str] = {}
    crds = with_rules(given, some_crds(given, settings, paths, problems), settings, problems)
    told = tuple([crd for crd in crds if (crd.conversion or {}).get("strategy") == "Webhook"])
    if crds and not told:
        named = settings.webhook_service or settings.webhook_url
        hint = _UNSAID if named else "name one in the settings: webhook_service, or webhook_url"
        problems.report("patch-none", "the paths must hold a CRD with a webhook, found none", hint=hint)
    lines: Iterator[str] = iter(())
    if not failed(problems, settings):
        lines = _patched(told, settings, problems) if settings.cluster else _commands(told)
    tell(lines, settings)
    return end(conclude(problems.findings, settings.findings, Sources(paths)), settings)


def _commands(crds: Sequence[Crd]) -> Iterator[str]:
    """A line for a shell for each CRD."""
    for crd in crds:
        body = json.dumps(patch(crd.conversion), sort_keys=True, ensure_ascii=False)
        yield f"kubectl patch customresourcedefinition {crd.name} --type=merge --patch={shlex.quote(body)}"


def _patched(crds: Sequence[Crd], settings: Settings, problems: Problems) -> Iterator[str]:
    """Patch what is installed, but nothing where a version that is gone may still be stored."""
    from protoc_gen_crd.cluster.api import ClusterError
    from protoc_gen_crd.cluster.client import connect
    from protoc_gen_crd.cluster.crds import patch_conversion, read

    try:
        api = connect(settings.kubeconfig, settings.context)
        found = [(crd, read(api, crd.name)) for crd in crds]
        for crd, installed in found:
            if installed is None:
                problem = f"a CRD must be installed to be patched, found no {crd.name}"
                problems.report("patch-missing", problem, crd.origin, path=crd.name)
            else:
                unstored(crd, installed.stored, problems)
        if failed(problems, settings):
            return
        for crd, installed in found:
            wanted = patch(crd.conversion)["spec"]["conversion"]
            if installed is not None and patched(installed.conversion, wanted) != installed.conversion:
                patch_conversion(api, crd.name, wanted)
                yield f"patched {crd.name}"
            elif installed is not None:
                yield f"{crd.name} is up to date"
    except ClusterError as error:
        raise UsageError(str(error)) from None
