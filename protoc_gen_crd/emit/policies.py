"""Policies to files, one for each kind that has any; as Helm templates where the option says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.channels.policies import Policies
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings


def policy_files(found: Sequence[Policies], settings: Settings) -> tuple[OutputFile, ...]:
    """The files, named after those of the CRDs and the channel, or the one that the option `bundle` goes with."""
    header = "".join(f"# {line}".rstrip() + "\n" for line in settings.header.splitlines())
    header = "" if settings.format == "json" else _escaped(header) if settings.policy_switch else header
    if settings.bundle and found:
        stem, dot, end = settings.bundle.rpartition(".")
        name = f"{stem}.{settings.channel}{dot}{end}" if dot else f"{end}.{settings.channel}"
        return (OutputFile(name, header + _text([manifest for one in found for manifest in one.manifests], settings)),)
    return tuple([
        OutputFile(
            f"{one.crd.group}_{one.crd.names.plural}.{settings.channel}.{settings.format}",
            header + _text(one.manifests, settings),
        )
        for one in found
    ])  # fmt: skip


def _text(manifests: Sequence[dict[str, Any]], settings: Settings) -> str:
    """Manifests as documents of YAML, or as one List in JSON."""
    if settings.format == "json":
        listed = {"apiVersion": "v1", "kind": "List", "items": list(manifests)}
        text = json.dumps(listed, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    else:
        text = "".join([f"---\n{dump(one)}" for one in manifests])
    return _switched(text, settings.policy_switch)


def _switched(text: str, switch: str) -> str:
    """The text as a template that is there unless the value is true; values above it may be missing."""
    if not switch:
        return text
    value = ".Values"
    for name in switch.split("."):
        value = f"({value}).{name}" if value != ".Values" else f".Values.{name}"
    return f"{{{{- if not {value} }}}}\n{_escaped(text)}{{{{- end }}}}\n"


def _escaped(text: str) -> str:
    return text.replace("{{", '{{ "{{" }}')
