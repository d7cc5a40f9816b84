"""JSON facts about Kubernetes' own messages that their .proto files, generated from Go types, do not contain.

Source: k8s.io/api and k8s.io/apimachinery v0.37.0, and what controller-gen v0.23.0 writes for their Go types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.kubernetes.name_conversion import make_json_name
from protoc_gen_crd.markers.override_place import OverridePlace
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, Schema

_KUBERNETES = "k8s.io."
_META = f"{_KUBERNETES}apimachinery.pkg.apis.meta.v1."

# What controller-gen knows of these although their .proto may come without comments.
_OVERLAYS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    f"{_META}Condition": {
        "": {"required": ["lastTransitionTime", "message", "reason", "status", "type"]},
        "message": {"maxLength": 32768},
        "observedGeneration": {"minimum": 0},
        "reason": {"maxLength": 1024, "minLength": 1, "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"},
        "status": {"enum": ["True", "False", "Unknown"]},
        "type": {
            "maxLength": 316,
            "pattern": r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
            r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        },
    },
    f"{_META}LabelSelector": {
        "": {"x-kubernetes-map-type": "atomic"},
        "matchExpressions": {"x-kubernetes-list-type": "atomic"},
    },
    f"{_META}LabelSelectorRequirement": {
        "": {"required": ["key", "operator"]},
        "values": {"x-kubernetes-list-type": "atomic"},
    },
    f"{_META}OwnerReference": {
        "": {"required": ["apiVersion", "kind", "name", "uid"], "x-kubernetes-map-type": "atomic"},
    },
}

# Fields of Kubernetes' own messages whose fields stand in the object itself: Go embeds them, a .proto cannot.
# Source: k8s.io/api v0.37.0; every version of a group is alike.
_INLINED: Mapping[str, Mapping[str, str]] = {
    f"{_KUBERNETES}api.admissionregistration.": {
        "NamedRuleWithOperations": "ruleWithOperations",
        "RuleWithOperations": "rule",
    },
    f"{_KUBERNETES}api.core.": {
        "ConfigMapEnvSource": "localObjectReference",
        "ConfigMapKeySelector": "localObjectReference",
        "ConfigMapProjection": "localObjectReference",
        "ConfigMapVolumeSource": "localObjectReference",
        "EphemeralContainer": "ephemeralContainerCommon",
        "PersistentVolumeSpec": "persistentVolumeSource",
        "Probe": "handler",
        "SecretEnvSource": "localObjectReference",
        "SecretKeySelector": "localObjectReference",
        "SecretProjection": "localObjectReference",
        "Volume": "volumeSource",
    },
    f"{_KUBERNETES}api.extensions.": {"IngressRule": "ingressRuleValue"},
    f"{_KUBERNETES}api.networking.": {"IngressRule": "ingressRuleValue"},
    f"{_KUBERNETES}api.resource.": {
        "DeviceAllocationConfiguration": "deviceConfiguration",
        "DeviceClaimConfiguration": "deviceConfiguration",
        "DeviceClassConfiguration": "deviceConfiguration",
    },
}


# JSON names that Go's tags give and their .proto files do not, by group: message.field.
_JSON_NAMES: Mapping[str, Mapping[str, str]] = {
    "admissionregistration": {
        "MutatingWebhookConfiguration.Webhooks": "webhooks",
        "ValidatingWebhookConfiguration.Webhooks": "webhooks",
        "Validation.Expression": "expression",
        "Variable.Expression": "expression",
        "Variable.Name": "name",
    },
    "authentication": {"BoundObjectReference.uID": "uid"},
    "networking": {"IngressClassParametersReference.aPIGroup": "apiGroup"},
}


def is_required_by_kubernetes(field: Field) -> bool:
    """Report whether the Go type of a message requires a field without a marker in its comment."""
    if not field.full_name.startswith(_KUBERNETES):
        return False
    from protoc_gen_crd.generation.kubernetes_required_fields import REQUIRED  # noqa: PLC0415 - few APIs use these messages

    group, version, message, _ = field.full_name.split(".")[-4:]
    rows = (f"{group}.{message}", f"{group}.{version}.{message}")
    return any(get_json_name(field) in REQUIRED.get(row, ()) for row in rows)


def get_json_name(field: Field) -> str:
    """The JSON name of a field."""
    if not field.full_name.startswith(_KUBERNETES):
        return field.json_name
    parts = field.full_name.split(".")
    known = _JSON_NAMES.get(parts[-4], {}) if len(parts) > 5 else {}
    renamed = field.json_name != make_json_name(field.name)  # by an override
    return field.json_name if renamed else known.get(".".join(parts[-2:]), field.json_name)


def drop_kubernetes_findings(findings: Iterable[Finding], api: ApiSet) -> list[Finding]:
    """Drop findings about markers in the files of Kubernetes, which users cannot change; those of overrides stay."""
    if any(file.package.startswith(_KUBERNETES) for file in api.list_targets()):
        return list(findings)
    return [one for one in findings if not _is_of_kubernetes(one)]


def _is_of_kubernetes(finding: Finding) -> bool:
    overridden = isinstance(finding.at, OverridePlace)
    return finding.path.startswith(_KUBERNETES) and finding.rule.startswith("marker-") and not overridden


def trim_description(text: str, full_name: str) -> str:
    """A description less the notes that Kubernetes keeps out of what it publishes: TODO lines, and all behind `---`."""
    if not full_name.startswith(_KUBERNETES):
        return text
    lines = takewhile(lambda line: not line.startswith("---"), text.split("\n"))
    return "\n".join([line for line in lines if not line.startswith("TODO")]).strip()


def get_inlined_field(full_name: str) -> str:
    """The field of a message whose fields stand in the message itself; empty if there is none."""
    if not full_name.startswith(_KUBERNETES):
        return ""
    package, _, name = full_name.rpartition(".")
    return _INLINED.get(package[: package.rfind(".") + 1], {}).get(name, "")


def apply_overlay(schema: Schema, full_name: str) -> Schema:
    """The schema of a message with what its Go type says."""
    overlay = _OVERLAYS.get(full_name)
    if overlay is None:
        return schema
    properties = {name: child.with_keywords(overlay.get(name, {})) for name, child in schema.properties.items()}
    return schema.with_keywords({**overlay.get("", {}), "properties": properties})


def require_list_map_keys(schema: Schema, full_name: str) -> Schema:
    """A field's schema where the keys of a list of type map must be there: the Go types of the items say so."""
    if not full_name.startswith(_KUBERNETES):
        return schema
    items, keys = schema.items, schema.get(LIST_MAP_KEYS)
    if items is None or not keys:
        return schema
    required = {*(items.get("required") or ())}
    required.update(key for key in keys if "default" not in items.properties.get(key, {"default": ""}))
    return schema.with_keywords({"items": items.with_keywords({"required": sorted(required)})})
