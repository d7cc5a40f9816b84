"""`serve PATHS`: the webhook that converts objects between the versions of their kinds and judges them, over TLS."""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import failed, reached, show
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.session import Session

if TYPE_CHECKING:
    from protoc_gen_crd.webhook.review import Kinds
    from protoc_gen_crd.webhook.server import Listener

_LIBRARIES = ("httptools", "prometheus_client", "uvicorn")
_INSTALL = "serve needs libraries of its own: pip install 'protoc-gen-crd[serve]'"

_CERTIFY = (
    "--certificates names the folder, which cert-manager fills in a cluster; docs/webhook.md has one made by openssl"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "folder that generate wrote, with CRDs and converters; other files and folders of CRDs, .proto files, rules"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "serve")


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to end; exit status 1 where a finding keeps it from starting."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('what is to be served? Give a path, or "inputs" in the settings file')
    metrics_folder = _share_metrics(settings.workers)
    try:
        listener = _listener(settings)  # first, so that a port that is taken is told early
        kinds = _kinds(settings, given, problems)
        if kinds is None:
            return 1
        _serve(settings, kinds, listener)
    except ImportError as error:
        raise UsageError(f"{_INSTALL} ({error})" if error.name in _LIBRARIES else str(error)) from None
    finally:
        if metrics_folder is not None:
            metrics_folder.cleanup()
    return 0


def _share_metrics(workers: int) -> tempfile.TemporaryDirectory[str] | None:
    """Where workers keep what they count, so that any of them can tell the sum."""
    if workers == 1:
        return None
    folder = tempfile.TemporaryDirectory(prefix="protoc-gen-crd-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder.name
    return folder


def _listener(settings: Settings) -> Listener:
    from protoc_gen_crd.webhook.server import listen

    try:
        return listen(settings.address, settings.port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"port {settings.port} of {settings.address or 'this machine'}: {error}") from None


def _kinds(settings: Settings, given: Sequence[str], problems: Problems) -> Kinds | None:
    """What is served; None with findings where that is in question."""
    from protoc_gen_crd.testing.packages import converters, packages
    from protoc_gen_crd.webhook.kinds import kinds

    folders = packages(given)
    documents = [path for path in given if Path(path).resolve() not in folders]
    session = Session(settings, documents, problems)
    session.load()
    found = {}
    if not failed(problems, settings):
        found = kinds(session, converters(folders, problems))
        if not found:
            problems.report("crd-none", "the paths must hold a CRD or generated converters, found none")
    report = conclude(problems.findings, settings.findings, session.sources())
    show(report, "text")
    return None if reached(report, settings) else found


def _serve(settings: Settings, kinds: Kinds, listener: Listener) -> None:
    from protoc_gen_crd.webhook import logs
    from protoc_gen_crd.webhook.application import Application
    from protoc_gen_crd.webhook.bodies import Limits
    from protoc_gen_crd.webhook.certificates import Certificates, fault
    from protoc_gen_crd.webhook.server import Server, Times
    from protoc_gen_crd.webhook.workers import Workers

    logs.start()
    try:
        certificates = Certificates(Path(settings.certificates))
    except (OSError, ValueError) as error:
        raise UsageError(f"{settings.certificates} must hold tls.crt and tls.key, {fault(error)}; {_CERTIFY}") from None
    limits = Limits(settings.body_limit, settings.concurrency, settings.read_timeout)
    times = Times(settings.read_timeout, settings.idle_timeout, settings.drain)

    def work() -> None:
        gc.freeze()  # what is served stays: looking through it for garbage would take longer than an answer may
        gc.set_threshold(20_000, 10, 10)
        certificates.begin()
        Server(Application(kinds, limits), certificates, times).run([listener])

    if settings.workers == 1:
        work()
    else:
        Workers(settings.workers, work).run()
