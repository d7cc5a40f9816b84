"""spec.conversion: the webhook that servers ask, in CRDs that are made, and the patch for those that are installed.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 types.go, cert-manager's CA injection.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings

CONVERT = "/convert"
REVIEWS = ("v1",)
INJECT = "cert-manager.io/inject-ca-from"
PORT = 443
_CLIENT = ("url", "service")


def service_of(settings: Settings) -> tuple[str, str, int]:
    """Namespace, name and port of the service that the settings name."""
    namespace, _, rest = settings.webhook_service.partition("/")
    name, _, port = rest.partition(":")
    return namespace, name, int(port or PORT)


def stanza(settings: Settings, problems: Problems) -> dict[str, Any] | None:
    """spec.conversion with the webhook of the settings; None where they name none."""
    client = client_config(settings, CONVERT, problems)
    if client is None:
        return None
    return {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": [*REVIEWS]}}


def client_config(settings: Settings, path: str, problems: Problems) -> dict[str, Any] | None:
    """How servers reach a path of the webhook; None where the settings name none."""
    client: dict[str, Any]
    if settings.webhook_url:
        client = {"url": settings.webhook_url.rstrip("/") + path}
    elif settings.webhook_service:
        namespace, name, port = service_of(settings)
        client = {"service": {"namespace": namespace, "name": name, "path": path}}
        if port != PORT:
            client["service"]["port"] = port
    else:
        return None
    if settings.webhook_ca:
        client["caBundle"] = _bundle(settings.webhook_ca, problems)
    return client


def _bundle(file: str, problems: Problems) -> str:
    try:
        return base64.b64encode(Path(file).read_bytes()).decode()
    except OSError as error:
        problem = f"a file of certificates must be readable, found {error.strerror or error}"
        problems.report("webhook-ca", problem, Location(file))
        return ""


def injected(settings: Settings) -> dict[str, str]:
    """The annotation by which cert-manager fills caBundle in, where the settings give no certificates."""
    if not settings.webhook_service or settings.webhook_url or settings.webhook_ca:
        return {}
    namespace, name, _ = service_of(settings)
    return {INJECT: f"{namespace}/{name}"}


def served(crds: Sequence[Crd], told: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """The Crds, those of whose conversion something is told with the webhook of the settings."""
    found = stanza(settings, problems)
    names = {crd.name for crd in told if len(crd.versions) > 1 and (crd.conversion or {}).get("strategy") != "Webhook"}
    if found is None:
        return tuple(crds)
    annotations = injected(settings)
    return tuple([
        crd.replace(conversion=found, annotations={**annotations, **crd.annotations}) if crd.name in names else crd
        for crd in crds
    ])  # fmt: skip


def patch(conversion: Mapping[str, Any] | None) -> dict[str, Any]:
    """The JSON merge patch that gives an installed CRD this stanza and touches nothing else.

    What a merge would leave behind of another stanza is taken away, but for certificates that somebody has injected.
    """
    wanted = dict(conversion or {"strategy": "None"})
    if wanted.get("strategy") != "Webhook":
        return {"spec": {"conversion": {**wanted, "webhook": None}}}
    webhook = dict(wanted.get("webhook") or {})
    client = dict(webhook.get("clientConfig") or {})
    if "service" in client:
        client["service"] = {"port": PORT, **client["service"]}
    client |= {name: None for name in _CLIENT if name not in client}
    webhook["clientConfig"] = client
    return {"spec": {"conversion": {**wanted, "webhook": webhook}}}


def patched(given: Any, change: Any) -> Any:
    """What a JSON merge patch makes of a value."""
    if not isinstance(change, Mapping):
        return change
    made = dict(given) if isinstance(given, Mapping) else {}
    for name, value in change.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = patched(made.get(name), value)
    return made


def unstored(crd: Crd, stored: Sequence[str], problems: Problems) -> None:
    """Report versions that are gone from a kind although a cluster may have objects stored in them."""
    known = [version.name for version in crd.versions]
    for version in stored:
        if version not in known:
            problem = f"a version must stay while objects may be stored in it, found {version} of {crd.names.kind} gone"
            at, path = crd.origin, f"{crd.group}/{crd.names.kind}.{version}"
            problems.report("version-stored", problem, at, path=path, hint=UNSTORED)


UNSTORED = "keep it with served: false, run protoc-gen-crd migrate on every cluster, and remove it in a later release"
