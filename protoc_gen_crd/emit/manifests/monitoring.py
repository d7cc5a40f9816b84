"""Alerts and scraping for the Prometheus operator: a kustomize component, since not every cluster has its kinds.

Source: prometheus-operator pkg/apis/monitoring/v1; the metrics of the command `serve` and those of API servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload

_API = "monitoring.coreos.com/v1"
_PAIR = "{{ $labels.kind }}.{{ $labels.group }} from {{ $labels.from_version }} to {{ $labels.to_version }}"
_BY = "group, kind, from_version, to_version"


class Alert(Record):
    """An alert: when it fires, after which time, and what it says."""

    name: str
    expression: str
    after: str
    severity: str
    summary: str
    description: str


def monitoring(of: Workload, converted: Sequence[str]) -> dict[str, Manifest]:
    """The objects by the name of their file, for CRDs of these names."""
    return {
        "prometheusrule": of.object(_API, "PrometheusRule", {"groups": [_group(of, converted)]}),
        "servicemonitor": of.object(_API, "ServiceMonitor", _monitor(of)),
    }


def _monitor(of: Workload) -> Manifest:
    authority = {"secret": {"name": of.secret, "key": "ca.crt"}}
    endpoint = {
        "path": "/metrics",
        "port": "https",
        "scheme": "https",
        "tlsConfig": {"ca": authority, "serverName": of.host},
    }
    return {"endpoints": [endpoint], "selector": {"matchLabels": dict(of.labels)}}


def _group(of: Workload, converted: Sequence[str]) -> Manifest:
    return {"name": of.name, "rules": [_rule(alert) for alert in (*_failures(of, converted), *_warnings(of))]}


def _rule(alert: Alert) -> Manifest:
    return {
        "alert": alert.name,
        "annotations": {"description": alert.description, "summary": alert.summary},
        "expr": alert.expression,
        "for": alert.after,
        "labels": {"severity": alert.severity},
    }


def _own(of: Workload) -> str:
    return f'namespace="{of.namespace}",service="{of.name}"'


def _failures(of: Workload, converted: Sequence[str]) -> Iterator[Alert]:
    """What keeps objects from being read and written."""
    own = _own(of)
    names = "|".join(re.escape(name).replace("\\", "\\\\") for name in converted)
    yield Alert(
        "ConversionFailing", f"sum by ({_BY}) (rate(crd_webhook_conversion_failures_total{{{own}}}[5m])) > 0",
        "5m", "critical", "Objects cannot be converted.",
        f"Objects of {_PAIR} fail to convert. Reading one that fails fails, and so does a list that holds it.",
    )  # fmt: skip
    if names:
        yield Alert(
            "ConversionWebhookCallsFailing",
            "sum by (crd_name, from_version, to_version) (rate(apiserver_crd_conversion_webhook_duration_seconds_count"
            f'{{crd_name=~"{names}",succeeded="false"}}[5m])) > 0',
            "5m", "critical", "API servers cannot have objects converted.",
            "Calls of a conversion webhook fail for {{ $labels.crd_name }} from {{ $labels.from_version }}.",
        )  # fmt: skip
    yield Alert(
        "ConversionWebhookAbsent", f"absent(up{{{own}}} == 1)",
        "3m", "critical", "No conversion webhook answers.",
        "Objects stored in another version than the one that is asked for can be neither read nor written.",
    )  # fmt: skip


def _warnings(of: Workload) -> Iterator[Alert]:
    """What will keep them from it, or wants looking after."""
    own = _own(of)
    yield Alert(
        "ConversionSlow",
        "histogram_quantile(0.99, sum by (le) (rate("
        f'crd_webhook_request_duration_seconds_bucket{{{own},path="/convert"}}[5m]))) > 0.1',
        "10m", "warning", "Conversions are slow.",
        "One review of a hundred takes longer than 100 ms. Lists ask for their objects one by one.",
    )  # fmt: skip
    yield Alert(
        "ConversionRefusing", f"sum by (reason) (rate(crd_webhook_refused_total{{{own}}}[5m])) > 0",
        "10m", "warning", "The conversion webhook turns requests away.",
        "Requests end without an answer: {{ $labels.reason }}. More replicas, or more CPU, help where it is busy.",
    )  # fmt: skip
    yield Alert(
        "ConversionStashIgnored", f"sum by (group, kind) (increase(crd_webhook_stash_ignored_total{{{own}}}[1h])) > 0",
        "0m", "warning", "What was put aside of objects cannot be read.",
        "Somebody has written annotations of {{ $labels.kind }}.{{ $labels.group }} in which values were kept.",
    )  # fmt: skip
    yield Alert(
        "ConversionCertificateExpiring",
        f"min(crd_webhook_certificate_expiry_timestamp_seconds{{{own}}}) - time() < 7 * 24 * 3600",
        "1h", "critical", "The certificate of the conversion webhook expires within a week.",
        "API servers refuse an expired certificate, and no object is converted.",
    )  # fmt: skip
    yield Alert(
        "ConversionCertificateNotReloaded",
        f'sum(increase(crd_webhook_certificate_reloads_total{{{own},result="failed"}}[1h])) > 0',
        "0m", "warning", "A new certificate of the conversion webhook cannot be read.",
        "The webhook goes on with the one that it has, until that expires.",
    )  # fmt: skip
