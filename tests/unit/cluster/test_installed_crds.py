"""Reading and patching of installed CRDs."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cluster.api_server import MERGE, ApiReply, ClusterError, Json
from protoc_gen_crd.cluster.installed_crds import list_manifests, patch_conversion, read_crd, set_stored_versions
from tests.support.apiserver import NAME, FakeServer, Fault, failed


class Recorded:
    """A server that records its requests."""

    def __init__(self, server: FakeServer) -> None:
        self.server, self.sent = server, [("", "", None, "")]

    def call(self, method: str, path: str, body: object = None, *, content: str = "", accept: str = "") -> ApiReply:
        self.sent.append((method, path, body, content))  # type: ignore[arg-type]
        return self.server.call(method, path, body, content=content, accept=accept)


def test_fields_of_a_crd() -> None:
    crd = read_crd(FakeServer(), NAME)
    assert crd is not None
    assert (crd.storage, crd.served_versions, crd.stored_versions, crd.is_ready) == (
        "v1",
        ("v1alpha1", "v1"),
        ("v1alpha1", "v1"),
        True,
    )
    assert crd.age == 3_600


def test_none_is_none() -> None:
    assert read_crd(FakeServer(), "gadgets.acme.example") is None


@pytest.mark.parametrize("reply", [failed(403, "user cannot get"), ApiReply(200, {"message": "<html>"})])
def test_replies_other_than_crds_are_errors(reply: ApiReply) -> None:
    server = FakeServer()
    server.faults = [Fault("GET", NAME, reply)]
    with pytest.raises(ClusterError, match=r"user cannot get|<html>"):
        read_crd(server, NAME)


def test_the_conversion_is_all_that_is_patched() -> None:
    api = Recorded(FakeServer())
    webhook = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"]}}
    assert patch_conversion(api, NAME, webhook).conversion == webhook
    assert patch_conversion(api, NAME, {"strategy": "None"}).conversion["strategy"] == "None"
    path = f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{NAME}"
    assert api.sent[1:] == [
        ("PATCH", path, {"spec": {"conversion": webhook}}, MERGE),
        ("PATCH", path, {"spec": {"conversion": {"strategy": "None", "webhook": None}}}, MERGE),
    ]


def test_a_crd_that_has_changed_is_not_trimmed() -> None:
    server = FakeServer()
    crd = read_crd(server, NAME)
    assert crd is not None
    server.touch()
    assert set_stored_versions(server, crd, ("v1",)) is None
    assert server.stored_versions == ["v1alpha1", "v1"]


def test_a_list_of_crds_has_pages() -> None:
    """A page ends with a token; items have neither a type nor, for comparisons, managedFields."""
    server = FakeServer()
    item: Json = {"metadata": {"name": "a", "managedFields": [{}]}, "spec": {}}
    pages: list[Json] = [{"metadata": {"continue": "t&1"}, "items": [item]}, {"metadata": {}, "items": []}]
    server.faults = [Fault("GET", "customresourcedefinitions", ApiReply(200, page)) for page in pages]
    (manifest,) = list_manifests(server)
    assert manifest["kind"] == "CustomResourceDefinition"
    assert manifest["metadata"] == {"name": "a"}
    assert [path.partition("?")[2] for _, path in server.requests] == ["limit=50", "limit=50&continue=t%261"]
    server.faults = [Fault("GET", "customresourcedefinitions", ApiReply(200, {"login": "please"}))]
    with pytest.raises(ClusterError, match="the response is not a list"):
        list_manifests(server)
