"""Files of admission policies, one for each kind, optionally as Helm templates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.channels.admission_policies import AdmissionPolicies
from protoc_gen_crd.emit.output_file import OutputFile, format_header
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.writer import dump


def make_policy_files(policies: Sequence[AdmissionPolicies], settings: Settings) -> tuple[OutputFile, ...]:
    """Format the policy files, named after the CRDs and the channel, or after the option `bundle`."""
    header = format_header(settings.header)
    header = "" if settings.format == "json" else _escape(header) if settings.policy_switch else header
    if settings.bundle and policies:
        stem, dot, end = settings.bundle.rpartition(".")
        name = f"{stem}.{settings.channel}{dot}{end}" if dot else f"{end}.{settings.channel}"
        return (
            OutputFile(
                name,
                (
                    header
                    + _format_manifests([manifest for policy in policies for manifest in policy.manifests], settings),
                ),
            ),
        )
    return tuple([
        OutputFile(
            f"{policy.crd.group}_{policy.crd.names.plural}.{settings.channel}.{settings.format}",
            (header + _format_manifests(policy.manifests, settings),),
        )
        for policy in policies
    ])  # fmt: skip


def _format_manifests(manifests: Sequence[dict[str, Any]], settings: Settings) -> str:
    """Format manifests as YAML documents, or as one List in JSON."""
    if settings.format == "json":
        listed = {"apiVersion": "v1", "kind": "List", "items": list(manifests)}
        content = json.dumps(listed, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    else:
        content = "".join([f"---\n{dump(manifest)}" for manifest in manifests])
    return _wrap_in_switch(content, settings.policy_switch)


def _wrap_in_switch(content: str, switch: str) -> str:
    """Wrap manifests in a Helm condition on a value, whose parents may be missing."""
    if not switch:
        return content
    value = ".Values"
    for name in switch.split("."):
        value = f"({value}).{name}" if value != ".Values" else f".Values.{name}"
    return f"{{{{- if not {value} }}}}\n{_escape(content)}{{{{- end }}}}\n"


def _escape(content: str) -> str:
    return content.replace("{{", '{{ "{{" }}')
