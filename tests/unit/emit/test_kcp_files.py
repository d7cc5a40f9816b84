"""Schemas of kcp: their conversion back to a CRD is the original CRD, which servers accept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.emit.kcp_files import make_api_resource_schema
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.settings.settings import Settings

ROOT = Path(__file__).parents[3]
WIDGET = str(ROOT / "examples" / "widget" / "proto")
JOBS = str(ROOT / "testdata" / "conversion" / "kcp-forms")


def crd_of(path: str, **settings: Any) -> Crd:
    (crd,) = generate_crds([path], Settings(**settings), {}, Problems())
    return crd


def bound(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the CRD that kcp generates from a bound schema."""
    spec = schema["spec"]
    versions = [
        {**version, "schema": {"openAPIV3Schema": version["schema"]}, "subresources": version["subresources"]}
        for version in spec["versions"]
    ]
    return {**spec, "versions": versions}


@pytest.mark.parametrize("path", [WIDGET, JOBS])
def test_nothing_of_a_crd_is_lost(path: str) -> None:
    crd, problems = crd_of(path), Problems()
    schema = make_api_resource_schema(crd, "today", problems)
    assert problems.findings == []
    assert (schema["apiVersion"], schema["kind"]) == ("apis.kcp.io/v1alpha1", "APIResourceSchema")
    assert schema["metadata"] == {"name": f"today.{crd.name}"}
    encoded = encode(crd)["spec"]
    result = bound(schema)
    assert result.pop("conversion") == {"strategy": "None"}
    for version in result["versions"]:
        version["subresources"] = version["subresources"] or None
    expected = {**encoded, "versions": [{"subresources": None, **version} for version in encoded["versions"]]}
    assert result == expected


@pytest.mark.parametrize("path", [WIDGET, JOBS])
def test_servers_accept_bound_schemas(path: str) -> None:
    crd = crd_of(path)
    manifest = {**encode(crd), "spec": bound(make_api_resource_schema(crd, "", Problems()))}
    again = decode(manifest, lambda _: None).crd
    assert again is not None
    (verdict,) = AdmissionServer((NEWEST,)).admit(again)
    assert verdict.accepted


def test_the_name_tells_of_the_content() -> None:
    crd = crd_of(JOBS)
    name = make_api_resource_schema(crd, "", Problems())["metadata"]["name"]
    assert name == make_api_resource_schema(crd, "", Problems())["metadata"]["name"]
    other = crd.replace(scope="Cluster")
    assert name != make_api_resource_schema(other, "", Problems())["metadata"]["name"]


def test_webhooks_are_reached_by_url_alone() -> None:
    problems = Problems()
    crd = crd_of(JOBS, webhook_url="https://converter.acme.example")
    assert make_api_resource_schema(crd, "", problems)["spec"]["conversion"] == {
        "strategy": "Webhook",
        "webhook": {
            "clientConfig": {"url": "https://converter.acme.example/convert"},
            "conversionReviewVersions": ["v1"],
        },
    }
    assert problems.findings == []
    service = crd_of(JOBS, webhook_service="acme/converter")
    assert make_api_resource_schema(service, "", problems)["spec"]["conversion"] == {"strategy": "None"}
    assert [finding.rule for finding in problems.findings] == ["kcp-webhook"]


def test_one_version_needs_no_conversion() -> None:
    crd = crd_of(JOBS)
    alone = crd.replace(versions=crd.versions[:1])
    assert "conversion" not in make_api_resource_schema(alone, "", Problems())["spec"]
    long = crd.replace(names=crd.names.replace(plural="p" * 250))
    problems = Problems()
    make_api_resource_schema(long, "", problems)
    assert [finding.rule for finding in problems.findings] == ["kcp-name"]
