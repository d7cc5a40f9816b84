"""`explore PATHS`: the API explorer with a playground, on a local server that reloads changed files."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Sequence

from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.cli.docs import make_files
from protoc_gen_crd.cli.documented_api import load_api
from protoc_gen_crd.cli.findings_output import make_report, print_lines, print_report
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.conversion.converter_packages import find_packages, load_converters
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.playground.http_server import ADDRESS, LocalServer, ServerLimits
from protoc_gen_crd.playground.live_site import LiveSite, LoadedSite
from protoc_gen_crd.playground.playground_verdicts import Playground, encode_findings
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.validation_run import Session


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="file or folder of CRDs, or what generate reads")
    add_flags(parser, "explore")


def run(arguments: argparse.Namespace) -> int:
    """Serve until it is interrupted; exit status 1 if a finding prevents the start. Raises OSError."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.api_inputs
    require_inputs(inputs, settings, "inputs", "documents")
    server = _open_server(settings)  # first, so that a port in use is reported early
    with server:
        try:
            site = _load(inputs, settings, problems)
        except ImportError as error:
            raise UsageError(str(error)) from None
        report = make_report(problems.findings, settings.replace(format_findings="text"), SourceFiles())
        print_report(report, settings)
        if not site.pages:
            return 1
        live = LiveSite(site, lambda: _reload(inputs, settings, Problems()), _list_watched(inputs, settings))
        server.routes = live.routes
        threading.Thread(target=live.warm_up, daemon=True).start()
        print_lines([f"serving {server.address}", "press Ctrl+C to stop"], settings, now=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def _open_server(settings: Settings) -> LocalServer:
    """Open the port. Raises UsageError if it cannot be used."""
    limits = ServerLimits(settings.body_limit, settings.concurrency, settings.read_timeout)
    try:
        return LocalServer(settings.port, limits)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot listen on port {settings.port} of {ADDRESS}: {reason}; pass --port 0 to use a free port"
        ) from None


def _load(inputs: Sequence[str], settings: Settings, problems: Problems) -> LoadedSite:
    """Load the pages and the playground; without pages if there are errors. Raises OSError and ImportError."""
    paths: dict[str, str] = {}
    api = load_api(inputs, settings, paths, problems)
    pages = {file.name: file.text for file in make_files(api, settings, paths, problems, is_served=True)}
    playground = _load_playground(inputs, api.generated, paths, settings, problems) if pages else None
    return LoadedSite(pages, playground, encode_findings(problems.findings, settings, SourceFiles(paths)))


def _reload(inputs: Sequence[str], settings: Settings, problems: Problems) -> LoadedSite:
    """Load the pages and the playground again; without pages if there are errors."""
    try:
        return _load(inputs, settings, problems)
    except OSError as error:
        place = Location(str(error.filename)) if error.filename else None
        problems.report("document-file", f"cannot read the file: {error.strerror or error}", place)
    except ImportError as error:
        problems.report("document-file", f"cannot read the files: {error}")
    return LoadedSite({}, None, encode_findings(problems.findings, settings, SourceFiles()))


def _load_playground(
    inputs: Sequence[str], generated: Sequence[Crd], proto_paths: dict[str, str], settings: Settings, problems: Problems
) -> Playground:
    kubernetes = settings.kubernetes or f"1.{OLDEST}..1.{NEWEST}"
    folders = find_packages(inputs, settings)
    paths = [path for path in inputs if resolve_links(path) not in folders]
    session = Session(settings.replace(kubernetes=kubernetes), paths, Problems())
    session.paths.update(proto_paths)
    load_documents(session, generated=generated)
    problems.findings += session.problems.findings
    return Playground(session, load_converters(folders, problems))


def _list_watched(inputs: Sequence[str], settings: Settings) -> Sequence[str]:
    """Return the paths of the files that the pages and the playground depend on."""
    folders = (settings.settings, settings.history, settings.samples, settings.converters)
    others = (*settings.import_paths, *settings.conversion_rules, *settings.converter_packages)
    return [path for path in (*inputs, *folders, *others) if path]
