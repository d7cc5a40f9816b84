"""Prometheus metrics of servers by group, version, and RPC. It requires the package prometheus-client."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from .interceptors import Call
from .unknown_fields import COUNTS

_LABELS = ("group", "version", "rpc")


class _UnknownFields(Collector):
    """The number of unknown fields of requests."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the counts of all RPCs."""
        metric = CounterMetricFamily("grpc_group_unknown_fields", "Unknown fields of requests.", labels=_LABELS)
        for rpc, count in sorted(COUNTS.items()):
            metric.add_metric(rpc.split("/"), count)
        yield metric


class Metrics:
    """An observer of calls that counts and times them."""

    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        self._calls = Histogram("grpc_group_call_seconds", "Time of calls.", (*_LABELS, "code"), registry=registry)
        self._deprecated = Counter(
            "grpc_group_deprecated_calls", "Calls of deprecated versions and RPCs.", _LABELS, registry=registry
        )
        registry.register(_UnknownFields())

    def __call__(self, call: Call) -> None:
        """Count a call."""
        labels = call.group, call.version, call.rpc
        self._calls.labels(*labels, call.code).observe(call.seconds)
        if call.is_deprecated:
            self._deprecated.labels(*labels).inc()
