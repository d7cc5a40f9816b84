"""What Prometheus may read. With several workers each writes files, and what is read is their sum."""

from __future__ import annotations

import os

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # must be set before this module is imported
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_PAIR = ("group", "kind", "from_version", "to_version")
_SECONDS = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.0, 2.0, 4.0, 8.0, 30.0)

disable_created_metrics()  # type: ignore[no-untyped-call] # a series more for each, which nobody asks for

CONVERSIONS = Counter("crd_webhook_conversions", "Objects converted.", _PAIR)
CONVERSION_FAILURES = Counter("crd_webhook_conversion_failures", "Objects not converted.", (*_PAIR, "reason"))
STASHES_IGNORED = Counter(
    "crd_webhook_stash_ignored", "Stashes that could not be read.", ("group", "kind", "version")
)  # fmt: skip
ADMISSIONS = Counter("crd_webhook_admissions", "Objects judged.", ("group", "kind", "operation", "allowed"))
ADMISSION_FAILURES = Counter(
    "crd_webhook_admission_failures", "Requests refused because they could not be judged.",
    ("group", "kind", "operation", "reason"),
)  # fmt: skip
REQUESTS = Counter("crd_webhook_requests", "Requests answered.", ("path", "code"))
SECONDS = Histogram(
    "crd_webhook_request_duration_seconds", "From the end of a review's headers to its answer.", ("path",),
    buckets=_SECONDS,
)  # fmt: skip
IN_FLIGHT = Gauge("crd_webhook_requests_in_flight", "Reviews read or worked at.", multiprocess_mode="livesum")
REFUSED = Counter("crd_webhook_refused", "Requests and connections ended without an answer to them.", ("reason",))
EXPIRY = Gauge(
    "crd_webhook_certificate_expiry_timestamp_seconds", "When the certificate in use expires.",
    multiprocess_mode="livemin",
)  # fmt: skip
RELOADS = Counter("crd_webhook_certificate_reloads", "Changes of the certificate's files.", ("result",))


def page() -> bytes:
    """All values, in the text format."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def forget(pid: int) -> None:
    """Take out of sums what only a living worker has."""
    if FOLDER in os.environ:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
