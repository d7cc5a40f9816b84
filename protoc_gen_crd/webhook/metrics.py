"""Prometheus metrics. With several workers, each writes files, and the sum is exposed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

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

disable_created_metrics()  # type: ignore[no-untyped-call] # an additional series for each metric

CONVERSIONS = Counter("crd_webhook_conversions", "Total converted objects.", _PAIR)
CONVERSION_FAILURES = Counter(
    "crd_webhook_conversion_failures", "Total objects that could not be converted.", (*_PAIR, "reason")
)
IGNORED_CONVERSION_DATA = Counter(
    "crd_webhook_conversion_data_ignored", "Total conversion-data annotations that could not be read.",
    ("group", "kind", "version"),
)  # fmt: skip
ADMISSIONS = Counter("crd_webhook_admissions", "Total validated objects.", ("group", "kind", "operation", "allowed"))
ADMISSION_FAILURES = Counter(
    "crd_webhook_admission_failures", "Total requests rejected because they could not be validated.",
    ("group", "kind", "operation", "reason"),
)  # fmt: skip
REQUESTS = Counter("crd_webhook_requests", "Total HTTP requests with a response.", ("path", "code"))
SECONDS = Histogram(
    "crd_webhook_request_duration_seconds", "Time from the end of the headers of a review to its response.", ("path",),
    buckets=_SECONDS,
)  # fmt: skip
IN_FLIGHT = Gauge(
    "crd_webhook_requests_in_flight", "Number of reviews being read or processed.", multiprocess_mode="livesum"
)
REJECTED = Counter(
    "crd_webhook_requests_rejected", "Total requests and connections that ended without a response.", ("reason",)
)
EXPIRY = Gauge(
    "crd_webhook_certificate_expiry_timestamp_seconds", "Expiry time of the certificate in use.",
    multiprocess_mode="livemin",
)  # fmt: skip
RELOADS = Counter("crd_webhook_certificate_reloads", "Total reloads of the certificate files.", ("result",))


def add_series(counter: Counter, labels: Iterable[Sequence[str]]) -> None:
    """Add series with the value 0. Otherwise, PromQL's increase() of the first event would be 0."""
    for values in labels:
        counter.labels(*values)


def render_metrics() -> bytes:
    """Return all values in the Prometheus text format."""
    if FOLDER not in os.environ:
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def remove_worker(pid: int) -> None:
    """Remove the values of gauges of a worker that has ended."""
    if FOLDER in os.environ:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
