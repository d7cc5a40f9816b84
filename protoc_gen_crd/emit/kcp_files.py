"""Files of kcp: an APIResourceSchema for each kind, an APIConversion for each plan, and an APIExport for each group.

Source: kcp-dev/kcp staging/src/github.com/kcp-dev/sdk/apis/apis/v1alpha1/types_apiresourceschema.go and
v1alpha2/types_apiexport.go, of 2026.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.conversion.kcp_api_conversion_writer import VERSION, build_api_conversion
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.emit.output_file import OutputFile, format_header
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.writer import dump

_MAX_NAME_LENGTH = 253
_HASH_DIGITS = 8
_EXPORT_VERSION = "v1alpha2"
# Fields that the versions of a CRD and of an APIResourceSchema share.
_COPIED_FIELDS = ("name", "served", "storage", "deprecated", "deprecationWarning", "additionalPrinterColumns")


def make_kcp_files(
    crds: Sequence[Crd], plans: Sequence[Plan], settings: Settings, problems: Problems
) -> tuple[OutputFile, ...]:
    """Generate the files `<kind>-<name>`: `apiresourceschema-<plural>.<group>.yaml`, and `apiexport-<group>.yaml`."""
    plans_by_name = {plan.name: plan for plan in plans}
    files = []
    schema_names: dict[str, list[tuple[Crd, str]]] = {}
    for crd in crds:
        schema = make_api_resource_schema(crd, settings.kcp_prefix, problems)
        schema_names.setdefault(crd.group, []).append((crd, schema["metadata"]["name"]))
        manifests = {"apiresourceschema": schema}
        if crd.name in plans_by_name:
            manifests["apiconversion"] = build_api_conversion(
                plans_by_name[crd.name], schema["metadata"]["name"], problems
            )
        files += [_make_file(f"{kind}-{crd.name}", manifest, settings) for kind, manifest in manifests.items()]
    files += [
        _make_file(f"apiexport-{group}", make_api_export(group, named), settings)
        for group, named in schema_names.items()
    ]
    return tuple(sorted(files, key=lambda file: file.name))


def make_api_export(group: str, schema_names: Sequence[tuple[Crd, str]]) -> dict[str, Any]:
    """Generate the APIExport of a group, which publishes the schemas of its kinds, each given by its name."""
    resources = [
        {"group": group, "name": crd.names.plural, "schema": name, "storage": {"crd": {}}}
        for crd, name in sorted(schema_names, key=lambda named: named[1])
    ]
    metadata = {"name": group}
    return {
        "apiVersion": f"{GROUP}/{_EXPORT_VERSION}",
        "kind": "APIExport",
        "metadata": metadata,
        "spec": {"resources": resources},
    }


def _make_file(stem: str, manifest: Mapping[str, Any], settings: Settings) -> OutputFile:
    folder = settings.kcp
    if settings.format == "json":
        content = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        return OutputFile(f"{folder}/{stem}.json", (content,))
    header = format_header(settings.header)
    return OutputFile(f"{folder}/{stem}.yaml", (f"{header}---\n{dump(manifest)}",))


def make_api_resource_schema(crd: Crd, prefix: str, problems: Problems) -> dict[str, Any]:
    """Generate the APIResourceSchema of a CRD, as kcp does."""
    crd_spec = encode(crd)["spec"]
    spec = {name: crd_spec[name] for name in ("group", "names", "scope")}
    spec["versions"] = [_make_version(version) for version in crd_spec["versions"]]
    if len(crd.versions) > 1:
        spec["conversion"] = _make_conversion(crd, problems)
    for version in crd.versions:
        if version.selectable_fields:
            problem = f"APIResourceSchema of {crd.names.kind} {version.name} omits selectable fields"
            problems.report("kcp-approximate", problem, version.get_place("selectableFields"), path=crd.name)
    name = f"{prefix or _make_prefix(spec)}.{crd.name}"
    if len(name) > _MAX_NAME_LENGTH:
        problem = f"name {name} has {len(name)} characters, kcp allows at most {_MAX_NAME_LENGTH}"
        problems.report("kcp-name", problem, crd.origin, path=crd.name)
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "APIResourceSchema", "metadata": {"name": name}, "spec": spec}


def _make_prefix(spec: Mapping[str, Any]) -> str:
    encoded = json.dumps(spec, sort_keys=True, ensure_ascii=False)
    digest = compute_digest(encoded.encode(errors="backslashreplace"))
    return f"v{digest[:_HASH_DIGITS]}"


def _make_version(version: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: version[name] for name in _COPIED_FIELDS if name in version}
    schema = version.get("schema", {}).get("openAPIV3Schema")
    return {**fields, "schema": schema or {}, "subresources": version.get("subresources", {})}


def _make_conversion(crd: Crd, problems: Problems) -> dict[str, Any]:
    """Generate the conversion strategy, which kcp requires for several versions; it calls webhooks only by URL."""
    conversion = crd.conversion or {}
    webhook = conversion.get("webhook") or {}
    client = webhook.get("clientConfig") or {}
    if conversion.get("strategy") != "Webhook":
        return {"strategy": "None"}
    if not client.get("url"):
        problem = f"CRD of {crd.names.kind} references its webhook by service, but kcp calls webhooks only by URL"
        hint = "the APIResourceSchema has the strategy None, which its APIConversion overrides"
        problems.report("kcp-webhook", problem, crd.origin, path=crd.name, hint=hint)
        return {"strategy": "None"}
    return {"strategy": "Webhook", "webhook": {**webhook, "clientConfig": dict(client)}}
