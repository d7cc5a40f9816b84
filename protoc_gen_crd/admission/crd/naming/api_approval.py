"""Validation of the annotation `api-approved.kubernetes.io`, which CRDs of Kubernetes' own groups require.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation, KEP-1111.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.field_errors import (
    INVALID,
    REQUIRED,
    Cause,
)
from protoc_gen_crd.kubernetes.shared_results import Switches

_APPROVAL = "api-approved.kubernetes.io"
_HINT = "see https://github.com/kubernetes/enhancements/pull/1111"


def validate_approval(internal: InternalCrd, old: InternalCrd | None, switches: Switches) -> Iterator[Cause]:
    """Validate the approval annotation, which protected groups require."""
    group = internal.crd.group
    if group not in ("k8s.io", "kubernetes.io") and not group.endswith((".k8s.io", ".kubernetes.io")):
        return
    state = _get_approval_state(internal.crd.annotations, switches)
    if old is not None and _get_approval_state(old.crd.annotations, switches) == state:
        return
    path, origin = f"metadata.annotations[{_APPROVAL}]", internal.crd.get_place("group")
    if state == "missing":
        reason = f'protected groups must have approval annotation "{_APPROVAL}", {_HINT}'
        yield Cause(REQUIRED, path, reason, place=origin)
    elif state == "invalid":
        reason = f'protected groups must have approval annotation "{_APPROVAL}" with either a URL or a reason '
        reason += f'starting with "unapproved", {_HINT}'
        yield Cause(INVALID, path, reason, internal.crd.annotations[_APPROVAL], origin)


def _get_approval_state(annotations: Mapping[str, str], switches: Switches) -> str:
    approval = annotations.get(_APPROVAL, "")
    if not approval:
        return "missing"
    if approval.startswith("unapproved"):
        return "bypassed"
    from protoc_gen_crd.admission.url_checks import UrlError, parse_request_uri  # noqa: PLC0415 - protected groups alone

    try:
        url = parse_request_uri(approval, switches)
    except UrlError:
        return "invalid"
    return "approved" if url.scheme and url.host else "invalid"
