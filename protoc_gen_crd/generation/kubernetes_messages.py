"""Facts about Kubernetes' messages that only their Go types contain, not the .proto files generated from these.

Source: k8s.io/api and k8s.io/apimachinery v0.37.0, and the output of controller-gen v0.23.0 for their Go types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.markers.override_place import OverridePlace
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Field, Message
from protoc_gen_crd.proto.json_names import make_json_name
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, Schema

_KUBERNETES = "k8s.io."
_META = f"{_KUBERNETES}apimachinery.pkg.apis.meta.v1."

# Keywords that controller-gen writes for these messages. Their .proto files can be without comments.
_OVERLAYS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    f"{_META}Condition": {
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
        "values": {"x-kubernetes-list-type": "atomic"},
    },
    f"{_META}OwnerReference": {"": {"x-kubernetes-map-type": "atomic"}},
}

# Fields of Kubernetes' messages that are inlined into the object: Go embeds them, which a .proto cannot.
# Source: k8s.io/api v0.37.0. All versions of a group are the same.
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


# JSON names that only Go's tags contain: group -> message.field -> name.
_JSON_NAMES: Mapping[str, Mapping[str, str]] = {
    "admissionregistration": {
        "MutatingWebhookConfiguration.Webhooks": "webhooks",
        "ValidatingWebhookConfiguration.Webhooks": "webhooks",
        "Validation.Expression": "expression",
        "Variable.Expression": "expression",
        "Variable.Name": "name",
    },
    "apiextensions": {
        "JSONSchemaProps.ref": "$ref",
        "JSONSchemaProps.schema": "$schema",
        "JSONSchemaProps.xKubernetesEmbeddedResource": "x-kubernetes-embedded-resource",
        "JSONSchemaProps.xKubernetesIntOrString": "x-kubernetes-int-or-string",
        "JSONSchemaProps.xKubernetesListMapKeys": "x-kubernetes-list-map-keys",
        "JSONSchemaProps.xKubernetesListType": "x-kubernetes-list-type",
        "JSONSchemaProps.xKubernetesMapType": "x-kubernetes-map-type",
        "JSONSchemaProps.xKubernetesPreserveUnknownFields": "x-kubernetes-preserve-unknown-fields",
        "JSONSchemaProps.xKubernetesValidations": "x-kubernetes-validations",
    },
    "authentication": {"BoundObjectReference.uID": "uid"},
    "networking": {"IngressClassParametersReference.aPIGroup": "apiGroup"},
}


# Messages without apiVersion and kind in JSON although they have metadata, and the opposite.
_TEMPLATES = frozenset(
    ["JobTemplateSpec", "PersistentVolumeClaimTemplate", "PodTemplateSpec", "ResourceClaimTemplateSpec"]
)
# GROUP.MESSAGE, in all versions.
_TYPED_WITHOUT_METADATA = frozenset((
    "admission.AdmissionReview", "apiextensions.ConversionReview", "apps.DeploymentRollback",
    "extensions.DeploymentRollback", "core.NodeProxyOptions", "core.PodAttachOptions", "core.PodExecOptions",
    "core.PodLogOptions", "core.PodPortForwardOptions", "core.PodProxyOptions", "core.SerializedReference",
    "core.ServiceProxyOptions", "meta.APIGroup", "meta.APIGroupList", "meta.APIResourceList", "meta.APIVersions",
    "meta.ApplyOptions", "meta.CreateOptions", "meta.DeleteOptions", "meta.GetOptions", "meta.ListOptions",
    "meta.PatchOptions", "meta.TableOptions", "meta.UpdateOptions",
))  # fmt: skip
TYPE_META = f"{_META}TypeMeta"

# Values of fields whose Go types list them: group -> message.field -> values. For a list, the values of its items.
_PREEMPTION = ("Never", "PreemptLowerPriority")
_SKIPPED = ("*", "NodePrepareResources", "NodeUnprepareResources")
_ENUMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "core": {"VolumeHealthCondition.status": ("DataLoss", "Degraded", "Inaccessible")},
    "lifecycle": {
        "EvictionRequestSpec.intent": ("Eviction", "Withdrawn"),
        "Requester.intent": ("Eviction", "Withdrawn"),
        "TargetResponder.state": ("Active", "Canceled", "Completed", "Inactive", "Interrupted"),
    },
    "resource": {
        "DeviceRequestAllocationResult.skipNodeOperations": _SKIPPED,
        "ResourceSliceSpec.skipNodeOperations": _SKIPPED,
    },
    "scheduling": {
        "CompositePodGroupSpec.preemptionPolicy": _PREEMPTION,
        "CompositePodGroupTemplate.preemptionPolicy": _PREEMPTION,
        "PodGroupSpec.preemptionPolicy": _PREEMPTION,
        "PodGroupTemplate.preemptionPolicy": _PREEMPTION,
    },
}


def has_type_meta(message: Message) -> bool:
    """Return whether the Go type of a message embeds TypeMeta, which its .proto file omits."""
    if not message.full_name.startswith(_KUBERNETES):
        return False
    *_, group, _, name = message.full_name.split(".")
    if f"{group}.{name}" in _TYPED_WITHOUT_METADATA:
        return True
    if name in _TEMPLATES:
        return False
    return any(
        field.name == "metadata" and field.type_name in (f"{_META}ListMeta", f"{_META}ObjectMeta")
        for field in message.fields
    )


def is_required_by_kubernetes(field: Field) -> bool:
    """Return whether the Go type of a message requires a field."""
    if not field.full_name.startswith(_KUBERNETES):
        return False
    from protoc_gen_crd.generation.kubernetes_required_fields import REQUIRED  # noqa: PLC0415 - few APIs use these messages

    group, version, message, _ = field.full_name.split(".")[-4:]
    rows = (f"{group}.{message}", f"{group}.{version}.{message}")
    return any(get_json_name(field) in REQUIRED.get(row, ()) for row in rows)


def get_json_name(field: Field) -> str:
    """Return the JSON name of a field."""
    if not field.full_name.startswith(_KUBERNETES):
        return field.json_name
    parts = field.full_name.split(".")
    names = _JSON_NAMES.get(parts[-4], {}) if len(parts) > 5 else {}
    renamed = field.json_name != make_json_name(field.name)  # by an override
    return field.json_name if renamed else names.get(".".join(parts[-2:]), field.json_name)


def drop_kubernetes_findings(findings: Iterable[Finding], api: ApiSet) -> list[Finding]:
    """Drop findings about markers in the files of Kubernetes, which users cannot change, except about overrides."""
    if any(file.package.startswith(_KUBERNETES) for file in api.list_targets()):
        return list(findings)
    return [finding for finding in findings if not _is_of_kubernetes(finding)]


def _is_of_kubernetes(finding: Finding) -> bool:
    overridden = isinstance(finding.at, OverridePlace)
    return finding.path.startswith(_KUBERNETES) and finding.rule.startswith("marker-") and not overridden


def trim_description(description: str, full_name: str) -> str:
    """Return a description as Kubernetes publishes it: without TODO and `+` lines, and without the part after `---`."""
    if not full_name.startswith(_KUBERNETES):
        return description
    lines = takewhile(lambda line: not line.startswith("---"), description.split("\n"))
    return "\n".join([line for line in lines if not line.startswith(("TODO", "+"))]).strip()


def get_inlined_field(full_name: str) -> str:
    """Return the name of the field of a message that is inlined; empty if there is none."""
    if not full_name.startswith(_KUBERNETES):
        return ""
    package, _, name = full_name.rpartition(".")
    return _INLINED.get(package[: package.rfind(".") + 1], {}).get(name, "")


def apply_overlay(schema: Schema, full_name: str) -> Schema:
    """Return the schema of a message with the keywords of its Go type."""
    overlay = _OVERLAYS.get(full_name)
    if overlay is None:
        return schema
    properties = {name: child.with_keywords(overlay.get(name, {})) for name, child in schema.properties.items()}
    return schema.with_keywords({**overlay.get("", {}), "properties": properties})


def apply_field_overlay(schema: Schema, full_name: str) -> Schema:
    """Return the schema of a field with the keywords of its Go type."""
    if not full_name.startswith(_KUBERNETES):
        return schema
    return _require_list_map_keys(_add_enum(schema, full_name))


def _add_enum(schema: Schema, full_name: str) -> Schema:
    group, _, message, field = full_name.split(".")[-4:]
    values = _ENUMS.get(group, {}).get(f"{message}.{field}")
    if values is None:
        return schema
    items = schema.items
    enum = {"enum": list(values)}
    return schema.with_keywords(enum if items is None else {"items": items.with_keywords(enum)})


def _require_list_map_keys(schema: Schema) -> Schema:
    """Require the keys of a list of type map. API servers reject optional keys without a default."""
    items, keys = schema.items, schema.get(LIST_MAP_KEYS)
    if items is None or not keys:
        return schema
    required = {*(items.get("required") or ())}
    keys = {key for key in keys if "default" not in items.properties.get(key, {"default": ""})}
    if keys <= required:
        return schema
    required |= keys
    return schema.with_keywords({"items": items.with_keywords({"required": sorted(required)})})
