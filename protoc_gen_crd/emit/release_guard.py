"""A ValidatingAdmissionPolicy for CRDs, which rejects an older release and the loss of a served or stored version.

CRDs get the annotation `<group>/release`, which the policy compares by number. Without it, servers check the update of
a CRD only for stored versions.

Source: k8s.io/api v0.37.0 admissionregistration/v1; the functions are those of Kubernetes 1.30.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import OutputFile, format_header
from protoc_gen_crd.kubernetes.api_server_limits import MAX_NAME_LENGTH
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.writer import dump

API = "admissionregistration.k8s.io/v1"
_RELEASE = '"^[0-9]{1,9}[.][0-9]{1,9}$"'
_IS_NEWER = (
    f"!variables.oldRelease.matches({_RELEASE}) || (variables.release.matches({_RELEASE}) && "
    '(int(variables.release.split(".")[0]) > int(variables.oldRelease.split(".")[0]) || '
    '(int(variables.release.split(".")[0]) == int(variables.oldRelease.split(".")[0]) && '
    'int(variables.release.split(".")[1]) >= int(variables.oldRelease.split(".")[1]))))'
)
_KEEPS_SERVED = (
    "oldObject.spec.versions.all(old, !old.served || "
    "object.spec.versions.exists(new, new.name == old.name && new.served))"
)
_KEEPS_STORED = (
    "!has(oldObject.status) || !has(oldObject.status.storedVersions) || "
    "oldObject.status.storedVersions.all(stored, object.spec.versions.exists(new, new.name == stored))"
)


Manifest = dict[str, Any]


def get_annotation(group: str) -> str:
    """Return the name of the annotation with the release of the CRDs of a group."""
    return f"{group}/release"


def annotate_release(crds: Sequence[Crd], release: str) -> tuple[Crd, ...]:
    """Return the CRDs with the annotation of their release."""
    return tuple([crd.replace(annotations={**crd.annotations, get_annotation(crd.group): release}) for crd in crds])


def make_guard_file(crds: Sequence[Crd], settings: Settings) -> OutputFile:
    """Return the file of the policies of all groups, and their bindings."""
    groups = sorted({crd.group for crd in crds})
    manifests = [manifest for group in groups for manifest in build_guard(group, _list_names(crds, group))]
    if settings.format == "json":
        content = json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests}, indent=2, sort_keys=True) + "\n"
    else:
        content = format_header(settings.header) + "".join([f"---\n{dump(manifest)}" for manifest in manifests])
    return OutputFile(settings.release_guard, (content,))


def _list_names(crds: Sequence[Crd], group: str) -> list[str]:
    return sorted({crd.name for crd in crds if crd.group == group})


def build_guard(group: str, names: Sequence[str]) -> Iterator[Manifest]:
    """Build the policy for the CRDs with these names, and its binding."""
    policy = _format_name(group)
    metadata = {"name": policy}
    yield {
        "apiVersion": API,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": metadata,
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [_build_resource_rule(names)]},
            "variables": [
                {"name": "release", "expression": _format_release("object", group)},
                {"name": "oldRelease", "expression": _format_release("oldObject", group)},
            ],
            "validations": _build_validations(group, policy),
        },
    }
    spec = {"policyName": policy, "validationActions": ["Deny"]}
    yield {"apiVersion": API, "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata, "spec": spec}


def _format_name(group: str) -> str:
    """Return the name of a policy; a group that is too long for it is replaced by its digest."""
    name = f"release-guard.{group}"
    return name if len(name) <= MAX_NAME_LENGTH else f"release-guard.{compute_digest(group.encode())[:32]}"


def _build_resource_rule(names: Sequence[str]) -> Manifest:
    return {
        "apiGroups": ["apiextensions.k8s.io"],
        "apiVersions": ["v1"],
        "operations": ["UPDATE"],
        "resourceNames": list(names),
        "resources": ["customresourcedefinitions"],
    }


def _format_release(variable: str, group: str) -> str:
    """Return the expression of the release of a CRD, empty if it has none."""
    annotations, key = f"{variable}.metadata.annotations", json.dumps(get_annotation(group))
    return f'has({annotations}) && {key} in {annotations} ? {annotations}[{key}] : ""'


def _build_validations(group: str, policy: str) -> list[Manifest]:
    remedy = f'to do it anyway, delete the ValidatingAdmissionPolicyBinding "{policy}"'
    messages = (
        (_IS_NEWER, f'a newer release is installed: annotation "{get_annotation(group)}" is lower or missing'),
        (_KEEPS_SERVED, "a served version is removed or no longer served"),
        (_KEEPS_STORED, "a version is removed in which objects are stored"),
    )
    return [
        {"expression": expression, "message": f"{message}; {remedy}", "reason": "Forbidden"}
        for expression, message in messages
    ]
