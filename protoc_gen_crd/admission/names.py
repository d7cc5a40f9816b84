"""The name grammars of Kubernetes as a version words what is wrong: `base.namefaults` with switches."""

from __future__ import annotations

from protoc_gen_crd.admission.switches import LABEL_DOTS, LABEL_KEYS, Switches
from protoc_gen_crd.base import namefaults
from protoc_gen_crd.base.namefaults import dns1035_label, dns1123_subdomain, masked, path_segment

__all__ = [
    "dns1035_label", "dns1123_label", "dns1123_subdomain", "label_key", "label_value", "masked", "path_segment",
]  # fmt: skip


def dns1123_label(text: str, switches: Switches) -> list[str]:
    """What is wrong with an RFC 1123 label."""
    return namefaults.dns1123_label(text, dots=LABEL_DOTS in switches)


def label_key(text: str, switches: Switches) -> list[str]:
    """What is wrong with a label key, also called a qualified name."""
    return namefaults.label_key(text, newer=LABEL_KEYS in switches)


def label_value(text: str, switches: Switches) -> list[str]:
    """What is wrong with the value of a label."""
    return namefaults.label_value(text, newer=LABEL_KEYS in switches)
