"""Alerts and scraping for the Prometheus operator, as a kustomize component, since not every cluster has its kinds.

Source: prometheus-operator pkg/apis/monitoring/v1; the metrics of the command `serve` and those of API servers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.escapes import promql_regexp, promql_string
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload

_API = "monitoring.coreos.com/v1"
_VERSION_PAIR = "{{ $labels.kind }}.{{ $labels.group }} from {{ $labels.from_version }} to {{ $labels.to_version }}"
_GROUPING = "group, kind, from_version, to_version"


class Alert(Record):
    """An alert: its expression, duration, severity, summary and description."""

    name: str
    expression: str
    duration: str
    severity: str
    summary: str
    description: str


def make_monitoring(workload: Workload, crd_names: Sequence[str]) -> dict[str, Manifest]:
    """Generate the objects by file name, for CRDs with these names."""
    return {
        "prometheusrule": workload.make_object(
            _API, "PrometheusRule", {"groups": [_make_rule_group(workload, crd_names)]}
        ),
        "servicemonitor": workload.make_object(_API, "ServiceMonitor", _make_service_monitor(workload)),
    }


def _make_service_monitor(of: Workload) -> Manifest:
    authority = {"secret": {"name": of.secret, "key": "ca.crt"}}
    endpoint = {
        "path": "/metrics",
        "port": "https",
        "scheme": "https",
        "tlsConfig": {"ca": authority, "serverName": of.host},
    }
    return {"endpoints": [endpoint], "selector": {"matchLabels": dict(of.labels)}}


def _make_rule_group(of: Workload, converted: Sequence[str]) -> Manifest:
    return {
        "name": of.name,
        "rules": [
            _make_alert_rule(alert) for alert in (*_make_failure_alerts(of, converted), *_make_warning_alerts(of))
        ],
    }


def _make_alert_rule(alert: Alert) -> Manifest:
    return {
        "alert": alert.name,
        "annotations": {"description": alert.description, "summary": alert.summary},
        "expr": alert.expression,
        "for": alert.duration,
        "labels": {"severity": alert.severity},
    }


def _make_selector(of: Workload) -> str:
    return f"namespace={promql_string(of.namespace)},service={promql_string(of.name)}"


def _make_failure_alerts(of: Workload, converted: Sequence[str]) -> Iterator[Alert]:
    """Yield alerts on failures that block reads and writes of objects."""
    own = _make_selector(of)
    yield Alert(
        "ConversionFailing", f"sum by ({_GROUPING}) (rate(crd_webhook_conversion_failures_total{{{own}}}[5m])) > 0",
        "5m", "critical", "Objects cannot be converted.",
        f"Objects of {_VERSION_PAIR} fail to convert. Reads of such objects fail, and so do lists that contain them.",
    )  # fmt: skip
    if converted:
        yield Alert(
            "ConversionWebhookCallsFailing",
            "sum by (crd_name, from_version, to_version) (rate(apiserver_crd_conversion_webhook_duration_seconds_count"
            f'{{crd_name=~{promql_regexp(*converted)},succeeded="false"}}[5m])) > 0',
            "5m", "critical", "API servers cannot convert objects.",
            "Calls to the conversion webhook fail for {{ $labels.crd_name }} from {{ $labels.from_version }}.",
        )  # fmt: skip
    yield Alert(
        "ConversionWebhookAbsent", f"absent(up{{{own}}} == 1)",
        "3m", "critical", "The conversion webhook is not available.",
        "Objects that are not stored in the requested version can be neither read nor written.",
    )  # fmt: skip


def _make_warning_alerts(of: Workload) -> Iterator[Alert]:
    """Yield alerts that require attention before reads and writes fail."""
    own = _make_selector(of)
    yield Alert(
        "ConversionSlow",
        "histogram_quantile(0.99, sum by (le) (rate("
        f'crd_webhook_request_duration_seconds_bucket{{{own},path="/convert"}}[5m]))) > 0.1',
        "10m", "warning", "Conversions are slow.",
        "The 99th percentile of conversion requests exceeds 100 ms.",
    )  # fmt: skip
    yield Alert(
        "ConversionRequestsRejected", f"sum by (reason) (rate(crd_webhook_requests_rejected_total{{{own}}}[5m])) > 0",
        "10m", "warning", "The conversion webhook rejects requests.",
        "Requests are rejected: {{ $labels.reason }}. If the webhook is busy, add replicas or CPU.",
    )  # fmt: skip
    yield Alert(
        "ConversionDataIgnored",
        f"sum by (group, kind) (increase(crd_webhook_conversion_data_ignored_total{{{own}}}[1h])) > 0",
        "0m", "warning", "The conversion-data annotation of objects cannot be read.",
        "The conversion-data annotation of {{ $labels.kind }}.{{ $labels.group }} objects has been edited.",
    )  # fmt: skip
    yield Alert(
        "ConversionCertificateExpiring",
        f"min(crd_webhook_certificate_expiry_timestamp_seconds{{{own}}}) - time() < 7 * 24 * 3600",
        "1h", "critical", "The certificate of the conversion webhook expires within a week.",
        "API servers reject an expired certificate, and conversions fail.",
    )  # fmt: skip
    yield Alert(
        "ConversionCertificateNotReloaded",
        f'sum(increase(crd_webhook_certificate_reloads_total{{{own},result="failed"}}[1h])) > 0',
        "0m", "warning", "A new certificate of the conversion webhook cannot be read.",
        "The webhook uses the current certificate until it expires.",
    )  # fmt: skip
