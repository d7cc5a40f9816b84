"""Files of the webhook's manifests: a base, a monitoring component, a production overlay, README and Dockerfile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.conversion.webhook_config import build_ca_injection, build_client_config, parse_service
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.manifests.certificates import make_certificates
from protoc_gen_crd.emit.manifests.deployment import make_deployment
from protoc_gen_crd.emit.manifests.dockerfile import format_dockerfile
from protoc_gen_crd.emit.manifests.monitoring import make_monitoring
from protoc_gen_crd.emit.manifests.production_overlay import KUSTOMIZE, add_default_tag, make_production_overlay
from protoc_gen_crd.emit.manifests.rbac import make_roles
from protoc_gen_crd.emit.manifests.readme import format_readme
from protoc_gen_crd.emit.manifests.service_and_network_policy import make_network
from protoc_gen_crd.emit.manifests.validating_webhook import make_validating_webhook
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.writer import dump

_VALIDATE = "/validate"
_RESTRICTED = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("audit", "enforce", "warn")}


def make_manifest_files(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """Generate all files, by name."""
    of = make_workload(settings)
    inside = settings.replace(webhook_url="")
    client = build_client_config(inside, _VALIDATE, problems) or {}
    objects = make_deployment(of) | make_network(of)
    base: dict[str, Sequence[Manifest]] = {name: [manifest] for name, manifest in objects.items()}
    if of.has_own_namespace:
        base["namespace"] = [_make_namespace(of)]
    base["certificates"] = make_certificates(of)
    base["clusterrole"] = make_roles(of, crds)
    base["validatingwebhookconfiguration"] = [make_validating_webhook(of, crds, client, build_ca_injection(inside))]
    converted = [crd.name for crd in crds if (crd.conversion or {}).get("strategy") == "Webhook"]
    alerts = {name: [manifest] for name, manifest in make_monitoring(of, converted).items()}
    files = {
        **_make_folder("base", base, "v1beta1", "Kustomization"),
        **_make_folder("monitoring", alerts, "v1alpha1", "Component"),
        "overlays/production/kustomization.yaml": [make_production_overlay(of)],
    }
    texts = {name: "".join(f"---\n{dump(document)}" for document in documents) for name, documents in files.items()}
    texts["README.md"] = format_readme(of, crds, settings.manifests, settings.out)
    texts["Dockerfile"] = format_dockerfile(of, settings.out)
    return tuple([OutputFile(name, (text,)) for name, text in sorted(texts.items())])


def make_workload(settings: Settings) -> Workload:
    """Create the workload from the settings."""
    namespace, name, port = parse_service(settings)
    image = add_default_tag(settings.image or name)
    oldest = parse_minors(settings.kubernetes)[0]
    tls, drain = settings.certificates, settings.drain
    return Workload(namespace, name, port, settings.port, image, tls, drain, oldest, settings.converters)


def _make_folder(
    folder: str, documents: Mapping[str, Sequence[Manifest]], version: str, kind: str
) -> dict[str, Sequence[Manifest]]:
    resources = [f"{name}.yaml" for name in sorted(documents)]
    kustomization = {"apiVersion": f"{KUSTOMIZE}/{version}", "kind": kind, "resources": resources}
    named = {f"{folder}/{name}.yaml": document for name, document in documents.items()}
    return {**named, f"{folder}/kustomization.yaml": [kustomization]}


def _make_namespace(of: Workload) -> Manifest:
    labels = {**of.labels, **_RESTRICTED}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": of.namespace, "labels": labels}}
