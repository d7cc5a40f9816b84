"""`serve PATHS`: the conversion and admission webhook, over TLS."""

from __future__ import annotations

import argparse
import gc
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.base.temporary_files import temporary_folder
from protoc_gen_crd.cli.findings_output import has_errors, is_failing, make_report, print_report
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from protoc_gen_crd.webhook.https_server import Listener
    from protoc_gen_crd.webhook.review_types import ServedKinds

_LIBRARIES = ("httptools", "prometheus_client", "uvicorn")
_MISSING_LIBRARIES = "serve requires additional packages: pip install 'protoc-gen-crd[serve]'"

_CERTIFICATES_HINT = (
    "set the folder with --certificates; docs/webhook.md shows how to create certificates with cert-manager or openssl"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "output folder of generate, or other files and folders of CRDs, .proto files and conversion rules"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "serve")


def run(arguments: argparse.Namespace) -> int:
    """Serve until SIGTERM; exit status 1 if a finding prevents the start."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.inputs
    require_inputs(inputs, settings, "inputs")
    metrics_folder = _share_metrics(settings.workers)
    try:
        listener = _open_listener(settings)  # first, so that a port in use is reported early
        kinds = _load_kinds(settings, inputs, problems)
        if kinds is None:
            return 1
        _serve(settings, kinds, listener)
    except ImportError as error:
        raise UsageError(f"{_MISSING_LIBRARIES} ({error})" if error.name in _LIBRARIES else str(error)) from None
    finally:
        if metrics_folder is not None:
            metrics_folder.cleanup()
    return 0


def _share_metrics(workers: int) -> TemporaryDirectory[str] | None:
    """Create a folder for the metrics of all workers, so that each of them can report the sums."""
    if workers == 1:
        return None
    folder = temporary_folder()
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder.name
    return folder


def _open_listener(settings: Settings) -> Listener:
    from protoc_gen_crd.webhook.https_server import listen

    try:
        return listen(settings.address, settings.port)
    except (OSError, OverflowError) as error:
        raise UsageError(
            f"cannot listen on port {settings.port} of {settings.address or 'this machine'}: {error}"
        ) from None


def _load_kinds(settings: Settings, inputs: Sequence[str], problems: Problems) -> ServedKinds | None:
    """Load the served kinds; None, with findings, if there are errors."""
    from protoc_gen_crd.conversion.converter_packages import find_packages, load_converters
    from protoc_gen_crd.webhook import logs
    from protoc_gen_crd.webhook.served_kinds import load_kinds

    folders = find_packages(inputs, settings)
    paths = [path for path in inputs if resolve_links(path) not in folders]
    documents = InputDocuments(settings, paths, problems)
    load_documents(documents)
    kinds = {}
    if not has_errors(problems, settings):
        logs.configure_logging()
        if folders:
            logs.log(logging.INFO, "importing converters", packages=[str(folder) for folder in folders])
        kinds = load_kinds(documents, load_converters(folders, problems))
        if not kinds:
            problems.report("crd-none", "no CRDs or generated converters found")
    settings = settings.replace(format_findings="text")
    report = make_report(problems.findings, settings, documents.make_sources())
    print_report(report, settings)
    return None if is_failing(report, settings) else kinds


def _serve(settings: Settings, kinds: ServedKinds, listener: Listener) -> None:
    from protoc_gen_crd.webhook.application import Application
    from protoc_gen_crd.webhook.http_bodies import RequestLimits
    from protoc_gen_crd.webhook.https_server import HttpsServer, Timeouts
    from protoc_gen_crd.webhook.tls_context import Certificates, describe_error
    from protoc_gen_crd.webhook.workers import WorkerPool

    try:
        certificates = Certificates(Path(settings.certificates))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot read tls.crt and tls.key in {settings.certificates}: {describe_error(error)}; {_CERTIFICATES_HINT}"
        ) from None
    limits = RequestLimits(settings.body_limit, settings.concurrency, settings.read_timeout)
    times = Timeouts(settings.read_timeout, settings.idle_timeout, settings.drain)
    supervisor = os.getpid() if settings.workers > 1 else 0

    def run_server() -> None:
        gc.freeze()  # the served kinds are permanent, and collecting them would exceed the time limit of a request
        gc.set_threshold(20_000, 10, 10)
        certificates.start()
        HttpsServer(Application(kinds, limits), certificates, times, supervisor).run([listener])

    if settings.workers == 1:
        run_server()
    else:
        WorkerPool(settings.workers, run_server).run()
