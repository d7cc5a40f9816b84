"""Validation of names with the error messages of a Kubernetes version, by `kubernetes.dns_names_and_labels`."""

from __future__ import annotations

from protoc_gen_crd.admission.version_differences import LABEL_DOTS, LABEL_KEYS
from protoc_gen_crd.kubernetes import dns_names_and_labels
from protoc_gen_crd.kubernetes.dns_names_and_labels import (
    mask_trailing_dash,
    validate_dns1035_label,
    validate_dns1123_subdomain,
    validate_path_segment,
)
from protoc_gen_crd.kubernetes.shared_results import Switches

__all__ = [
    "mask_trailing_dash",
    "validate_dns1035_label",
    "validate_dns1123_label",
    "validate_dns1123_subdomain",
    "validate_label_key",
    "validate_label_value",
    "validate_path_segment",
]  # fmt: skip


def validate_dns1123_label(label: str, switches: Switches) -> list[str]:
    """Return the errors of an RFC 1123 label."""
    errors = dns_names_and_labels.validate_dns1123_label(label)
    return (
        dns_names_and_labels.validate_dns1123_label(label, dots=False)
        if errors and LABEL_DOTS not in switches
        else errors
    )


def validate_label_key(key: str, switches: Switches) -> list[str]:
    """Return the errors of a label key, which Kubernetes also calls a qualified name."""
    return dns_names_and_labels.validate_label_key(key, newer=LABEL_KEYS in switches)


def validate_label_value(value: str, switches: Switches) -> list[str]:
    """Return the errors of a label value."""
    return dns_names_and_labels.validate_label_value(value, newer=LABEL_KEYS in switches)
