"""The command `patch` against an API server in memory: what it sends, and when it sends nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.cluster import cluster_client as client
from protoc_gen_crd.cluster.api_server import ApiReply
from protoc_gen_crd.conversion.webhook_config import apply_merge_patch

NAME = "jobs.acme.example"
WEBHOOK = "acme-system/converter"


class Server:
    """One CRD, and what was asked of it."""

    def __init__(self, conversion: Mapping[str, Any] | None, stored: tuple[str, ...] = ("v2",)) -> None:
        self.sent: list[Any] = []
        self.object: Any = None
        if conversion is not None:
            versions = [{"name": name, "served": True, "storage": name == "v2"} for name in ("v1", "v2")]
            names = {"plural": "jobs", "kind": "Job"}
            self.object = {
                "metadata": {"name": NAME, "uid": "1", "resourceVersion": "1", "annotations": {"a": "b"}},
                "spec": {"group": "acme.example", "names": names, "versions": versions, "conversion": conversion},
                "status": {"storedVersions": list(stored), "conditions": []},
            }

    def call(self, method: str, path: str, body: Any = None, **_: str) -> ApiReply:
        """Answer as a server does."""
        assert path == f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{NAME}"
        if self.object is None:
            return ApiReply(404, {})
        if method == "PATCH":
            self.sent.append(body)
            self.object = apply_merge_patch(self.object, json.loads(json.dumps(body)))
        return ApiReply(200, self.object)


def run(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *more: str) -> int:
    monkeypatch.setattr(client, "connect", lambda *_: server)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir(exist_ok=True)
    api = Path(__file__).parents[3] / "testdata" / "patch" / "printed"
    return main(["patch", str(api), "--cluster", *(more or ("--webhook-service", WEBHOOK))])


def make_patch(**client: Any) -> dict[str, Any]:
    return {"strategy": "Webhook", "webhook": {"clientConfig": client, "conversionReviewVersions": ["v1"]}}


SERVICE = {"namespace": "acme-system", "name": "converter", "path": "/convert", "port": 443}


def test_only_the_conversion_is_sent_and_only_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server({"strategy": "None"})
    assert run(server, monkeypatch, tmp_path) == 0
    assert server.object["spec"]["conversion"] == make_patch(service=SERVICE)
    assert [(list(body), list(body["spec"])) for body in server.sent] == [(["spec"], ["conversion"])]
    assert run(server, monkeypatch, tmp_path) == 0
    assert len(server.sent) == 1
    assert capsys.readouterr().out == f"patched {NAME}\n{NAME} is up to date\n"


def test_injected_certificates_stay_and_an_address_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    server = Server(make_patch(url="https://old.example/convert", caBundle="Zm9v"))
    assert run(server, monkeypatch, tmp_path) == 0
    assert server.object["spec"]["conversion"] == make_patch(service=SERVICE, caBundle="Zm9v")
    assert run(server, monkeypatch, tmp_path, "--webhook-url", "https://new.example") == 0
    patch = make_patch(url="https://new.example/convert", caBundle="Zm9v")
    assert server.object["spec"]["conversion"] == patch


def test_nothing_is_sent_while_a_version_that_is_gone_may_be_stored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server({"strategy": "None"}, ("v1alpha1", "v2"))
    assert run(server, monkeypatch, tmp_path) == 1
    assert server.sent == []
    problem = "version v1alpha1 of Job is removed, but objects may be stored in it [version-stored]"
    assert f"jobs.proto:6:1: error: {problem}" in capsys.readouterr().err


def test_missing_crds_are_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(Server(None), monkeypatch, tmp_path) == 1
    assert f"jobs.proto:6:1: error: CRD {NAME} is not installed [patch-missing]" in capsys.readouterr().err
