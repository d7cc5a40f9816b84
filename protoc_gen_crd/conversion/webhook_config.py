"""The conversion webhook of CRDs (spec.conversion), and the patch for installed CRDs.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 types.go, cert-manager's CA injection.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings

CONVERT_PATH = "/convert"
REVIEW_VERSIONS = ("v1",)
INJECT_CA_ANNOTATION = "cert-manager.io/inject-ca-from"
DEFAULT_PORT = 443
_CLIENT_MEMBERS = ("url", "service")


def parse_service(settings: Settings) -> tuple[str, str, int]:
    """Return namespace, name and port of the webhook's service."""
    namespace, _, rest = settings.webhook_service.partition("/")
    name, _, port = rest.partition(":")
    return namespace, name, int(port or DEFAULT_PORT)


def build_webhook_conversion(settings: Settings, problems: Problems) -> dict[str, Any] | None:
    """Return spec.conversion with the webhook of the settings; None without a webhook."""
    client = build_client_config(settings, CONVERT_PATH, problems)
    if client is None:
        return None
    return {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": [*REVIEW_VERSIONS]}}


def build_client_config(settings: Settings, path: str, problems: Problems) -> dict[str, Any] | None:
    """Return the client config for a path of the webhook; None without a webhook."""
    client: dict[str, Any]
    if settings.webhook_url:
        client = {"url": settings.webhook_url.rstrip("/") + path}
    elif settings.webhook_service:
        namespace, name, port = parse_service(settings)
        client = {"service": {"namespace": namespace, "name": name, "path": path}}
        if port != DEFAULT_PORT:
            client["service"]["port"] = port
    else:
        return None
    if settings.webhook_ca:
        client["caBundle"] = _read_ca_bundle(settings.webhook_ca, problems)
    return client


def _read_ca_bundle(file: str, problems: Problems) -> str:
    try:
        bundle = base64.b64encode(read_file(file, pipes=True)).decode()
    except OSError as error:
        problem = f"cannot read the CA certificate file: {error.strerror or error}"
        problems.report("webhook-ca", problem, Location(file))
        return ""
    from protoc_gen_crd.admission.crd.versions.ca_bundles import find_bundle_error  # noqa: PLC0415 - few settings have a CA

    if error_text := find_bundle_error(bundle):
        hint = "write at least one certificate in PEM, which begins with -----BEGIN CERTIFICATE-----"
        problems.report("webhook-ca", f"invalid CA certificate file: {error_text}", Location(file), hint=hint)
    return bundle


def build_ca_injection(settings: Settings) -> dict[str, str]:
    """Return the annotation for cert-manager's CA injection, unless the settings have a CA file."""
    if not settings.webhook_service or settings.webhook_url or settings.webhook_ca:
        return {}
    namespace, name, _ = parse_service(settings)
    return {INJECT_CA_ANNOTATION: f"{namespace}/{name}"}


def add_conversion_webhook(
    crds: Sequence[Crd], declared: Sequence[Crd], settings: Settings, problems: Problems
) -> tuple[Crd, ...]:
    """Set the webhook of the settings in the CRDs with conversions."""
    conversion = build_webhook_conversion(settings, problems)
    names = {
        crd.name for crd in declared if len(crd.versions) > 1 and (crd.conversion or {}).get("strategy") != "Webhook"
    }
    if conversion is None:
        return tuple(crds)
    annotations = build_ca_injection(settings)
    return tuple([
        crd.replace(conversion=conversion, annotations={**annotations, **crd.annotations}) if crd.name in names else crd
        for crd in crds
    ])  # fmt: skip


def build_patch(conversion: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the JSON merge patch that sets spec.conversion of an installed CRD and changes nothing else.

    The patch removes fields that a merge would leave, except an injected CA bundle.
    """
    desired = dict(conversion or {"strategy": "None"})
    if desired.get("strategy") != "Webhook":
        return {"spec": {"conversion": {**desired, "webhook": None}}}
    webhook = dict(desired.get("webhook") or {})
    client = dict(webhook.get("clientConfig") or {})
    if "service" in client:
        client["service"] = {"port": DEFAULT_PORT, **client["service"]}
    client |= {name: None for name in _CLIENT_MEMBERS if name not in client}
    webhook["clientConfig"] = client
    return {"spec": {"conversion": {**desired, "webhook": webhook}}}


def apply_merge_patch(target: Any, change: Any) -> Any:
    """Apply a JSON merge patch to a value."""
    if not isinstance(change, Mapping):
        return change
    result = dict(target) if isinstance(target, Mapping) else {}
    for name, value in change.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = apply_merge_patch(result.get(name), value)
    return result
