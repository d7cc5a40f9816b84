"""Crds and plans to kcp's resources: an APIResourceSchema of each kind, an APIConversion of those that have a plan.

Source: kcp-dev/kcp staging/src/github.com/kcp-dev/sdk/apis/apis/v1alpha1/types_apiresourceschema.go, of 2026.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.sums import digest
from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.conversion.kcp import VERSION, api_conversion
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.rules.rules import GROUP
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings

_LONGEST = 253
_DIGITS = 8
# Members of a version of a CRD that a version of a schema has, too.
_SAME = ("name", "served", "storage", "deprecated", "deprecationWarning", "additionalPrinterColumns")


def kcp_files(
    crds: Sequence[Crd], plans: Sequence[Plan], settings: Settings, problems: Problems
) -> tuple[OutputFile, ...]:
    """The files: `apiresourceschema-<plural>.<group>.yaml` and `apiconversion-<plural>.<group>.yaml`."""
    known = {plan.name: plan for plan in plans}
    files = []
    for crd in crds:
        schema = api_resource_schema(crd, settings.kcp_prefix, problems)
        made = {"apiresourceschema": schema}
        if crd.name in known:
            made["apiconversion"] = api_conversion(known[crd.name], schema["metadata"]["name"], problems)
        files += [_file(f"{kind}-{crd.name}", manifest, settings) for kind, manifest in made.items()]
    return tuple(sorted(files, key=lambda file: file.name))


def _file(stem: str, manifest: Mapping[str, Any], settings: Settings) -> OutputFile:
    folder = settings.kcp
    if settings.format == "json":
        text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        return OutputFile(f"{folder}/{stem}.json", text)
    header = "".join(f"# {line}".rstrip() + "\n" for line in settings.header.splitlines())
    return OutputFile(f"{folder}/{stem}.yaml", f"{header}---\n{dump(manifest)}")


def api_resource_schema(crd: Crd, prefix: str, problems: Problems) -> dict[str, Any]:
    """The schema of a kind, as kcp makes it of the CRD."""
    given = encode(crd)["spec"]
    spec = {name: given[name] for name in ("group", "names", "scope")}
    spec["versions"] = [_version(version) for version in given["versions"]]
    if len(crd.versions) > 1:
        spec["conversion"] = _conversion(crd, problems)
    for version in crd.versions:
        if version.selectable_fields:
            problem = f"a schema of kcp has no selectable fields, found them in {crd.names.kind} {version.name}"
            problems.report("kcp-nearest", problem, version.place("selectableFields"), path=crd.name)
    name = f"{prefix or _prefix(spec)}.{crd.name}"
    if len(name) > _LONGEST:
        problem = f"a name must have at most {_LONGEST} characters for kcp, found {len(name)} in {name}"
        problems.report("kcp-name", problem, crd.origin, path=crd.name)
    return {"apiVersion": f"{GROUP}/{VERSION}", "kind": "APIResourceSchema", "metadata": {"name": name}, "spec": spec}


def _prefix(spec: Mapping[str, Any]) -> str:
    text = json.dumps(spec, sort_keys=True, ensure_ascii=False)
    return f"v{digest(text.encode())[:_DIGITS]}"


def _version(given: Mapping[str, Any]) -> dict[str, Any]:
    made = {name: given[name] for name in _SAME if name in given}
    schema = given.get("schema", {}).get("openAPIV3Schema")
    return {**made, "schema": schema or {}, "subresources": given.get("subresources", {})}


def _conversion(crd: Crd, problems: Problems) -> dict[str, Any]:
    """The strategy, which kcp asks for where there are several versions; it reaches webhooks by URL alone."""
    given = crd.conversion or {}
    webhook = given.get("webhook") or {}
    client = webhook.get("clientConfig") or {}
    if given.get("strategy") != "Webhook":
        return {"strategy": "None"}
    if not client.get("url"):
        problem = f"kcp reaches webhooks by URL alone, found a service in the CRD of {crd.names.kind}"
        hint = "the schema of kcp has the strategy None, which its APIConversion stands over"
        problems.report("kcp-webhook", problem, crd.origin, path=crd.name, hint=hint)
        return {"strategy": "None"}
    return {"strategy": "Webhook", "webhook": {**webhook, "clientConfig": dict(client)}}
