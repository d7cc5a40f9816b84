"""Accepted and rejected requests of the application, without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterator, Sequence
from typing import Any

import pytest
from prometheus_client import REGISTRY

from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.webhook.application import Application
from protoc_gen_crd.webhook.http_bodies import RequestLimits
from protoc_gen_crd.webhook.review_types import Json, ServedKind
from tests.conftest import ROOT
from tests.support.serving import review

NEVER = object()  # a message that does not come
OBJECT = {"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "x"}}


def _convert(source: Json, version: str) -> Json:
    return {**source, "apiVersion": f"g/{version}", "spec": {"from": source["apiVersion"]}}


def _infinite(source: Json, version: str) -> Json:
    return {**source, "apiVersion": f"g/{version}", "spec": float("inf")}


def application(limits: RequestLimits = RequestLimits(1000, 2, 1), convert: Any = _convert) -> Application:  # noqa: B008 - a value
    return Application({("g", "K"): ServedKind("g", "K", ("v1", "v2"), convert)}, limits)


async def ask(server: Application, *chunks: Any, length: int | None = None, path: str = "/convert") -> tuple[int, str]:
    """Return the status and the body of the response to a body that is sent in chunks."""
    waiting, sent = list(chunks), []

    async def receive() -> Json:
        if waiting[0] is NEVER:
            await asyncio.sleep(60)
        chunk = waiting.pop(0)
        if chunk is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": chunk, "more_body": bool(waiting)}

    async def send(message: Json) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    headers = [] if length is None else [(b"content-length", str(length).encode())]
    await server({"path": path, "method": "POST", "headers": headers}, receive, send)
    return (sent[0]["status"], sent[1]["body"].decode()) if sent else (0, "")


def together(*requests: Coroutine[Any, Any, tuple[int, str]]) -> Sequence[tuple[int, str]]:
    async def gathered() -> Sequence[tuple[int, str]]:
        return await asyncio.gather(*requests)

    return asyncio.run(gathered())


BODY = json.dumps(review("g/v2", OBJECT)).encode()


def test_a_body_may_come_in_pieces() -> None:
    ((status, text),) = together(ask(application(), BODY[:50], BODY[50:]))
    converted = {**OBJECT, "apiVersion": "g/v2", "spec": {"from": "g/v1"}}
    assert (status, json.loads(text)["response"]["convertedObjects"]) == (200, [converted])


def test_a_body_that_is_too_long_is_not_kept() -> None:
    """Four times the maximum size is discarded, so that the client sees the response; endless bodies are not read."""
    server, endless = application(), [b"x" * 600] * 8
    bodies = ([NEVER], [b"x" * 600] * 2, [*endless, NEVER])
    responses = together(*[ask(server, *body, length=1001) for body in bodies], ask(server, BODY))
    assert [status for status, _ in responses] == [413, 413, 413, 200]


def test_bodies_that_are_read_at_a_time_are_bounded() -> None:
    """Two bodies of the maximum size fit; their memory is released afterwards."""
    server = application(RequestLimits(1000, 9, 1))
    slow = [ask(server, b" " * 900, NEVER) for _ in range(2)]
    responses = together(*slow, ask(server, b" " * 300, BODY))
    assert [status for status, _ in responses] == [408, 408, 503]
    assert together(ask(server, b" " * 300, BODY))[0][0] == 200


def test_reviews_that_wait_are_bounded() -> None:
    server = application(RequestLimits(1000, 2, 1))
    responses = together(*(ask(server, BODY) for _ in range(5)))
    assert sorted(status for status, _ in responses) == [200, 200, 503, 503, 503]
    assert "too many reviews are waiting\n" in {text for _, text in responses}


def test_a_client_that_leaves_is_not_answered() -> None:
    assert together(ask(application(), b"{", None))[0] == (0, "")


def test_objects_that_are_not_json_fail_the_review_by_name() -> None:
    ((status, text),) = together(ask(application(convert=_infinite), BODY))
    result = json.loads(text)["response"]["result"]
    assert (status, result["status"]) == (200, "Failure")
    assert result["message"] == "item 0, K x from v1 to v2: the converted object is not valid JSON"


def test_a_bug_of_ours_is_an_answer_too(caplog: Any) -> None:
    def broken(_: object) -> Iterator[None]:
        raise KeyError("bug")

    server = application()
    server._reviews["/convert"] = broken
    ((status, _), (healthy, _)) = together(ask(server, BODY), ask(server, BODY, path="/validate"))
    assert (status, healthy) == (500, 400)
    assert [record.message for record in caplog.records] == ["request failed"]


def test_docs_name_every_metric_and_no_other() -> None:
    text = (ROOT / "docs" / "webhook.md").read_text("utf-8")
    known = {row.name for row in REGISTRY.collect() if row.name.startswith("crd_webhook_")}
    named = {
        line.split("`")[1].removesuffix("_total") for line in text.splitlines() if line.startswith("| `crd_webhook")
    }
    assert named == known


def test_ignored_data_is_counted_from_zero_so_that_alerts_see_the_first() -> None:
    Application({("zero", "K"): ServedKind("zero", "K", ("v1", "v2"), _convert)}, RequestLimits(1000, 2, 1))
    for version in ("v1", "v2", "other"):
        labels = {"group": "zero", "kind": "K", "version": version}
        assert REGISTRY.get_sample_value("crd_webhook_conversion_data_ignored_total", labels) == 0


@pytest.mark.parametrize(("group", "label"), [("evil.io", "other"), ("", "other"), ("g", "g")])
@pytest.mark.parametrize("path", ["/convert", "/validate"])
def test_labels_of_unknown_groups_and_kinds(path: str, group: str, label: str) -> None:
    obj = {"apiVersion": f"{group}/v1".lstrip("/"), "kind": "Evil", "metadata": {"name": "x"}}
    labels = {"group": label, "kind": "other", "reason": "kind"}
    if path == "/convert":
        name, body = "crd_webhook_conversion_failures_total", review("g/v2", obj)
        labels |= {"from_version": "other", "to_version": "other"}
    else:
        name, labels = "crd_webhook_admission_failures_total", {**labels, "operation": "CREATE"}
        request = {"uid": "1", "operation": "CREATE", "object": obj}
        body = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}
    before = REGISTRY.get_sample_value(name, labels) or 0
    ((status, _),) = together(ask(application(), json.dumps(body).encode(), path=path))
    assert status == 200
    assert REGISTRY.get_sample_value(name, labels) == before + 1


@pytest.mark.parametrize("error", [RuntimeError, RecursionError, MemoryError, AttributeError])
def test_errors_of_functions_have_their_own_reason(error: type[Exception]) -> None:
    def function(source: Json) -> None:
        raise error(source)

    def convert(source: Json, version: str) -> Json:
        try:
            function(source)
        except error as cause:
            raise ConversionError("spec.a: the function f fails") from cause
        return source

    before = failures()
    ((_, text),) = together(ask(application(convert=convert), BODY))
    assert "spec.a: the function f fails" in json.loads(text)["response"]["result"]["message"]
    assert failures() == before + 1


def failures() -> float:
    names = {"group": "g", "kind": "K", "from_version": "v1", "to_version": "v2"}
    labels = {**names, "reason": "function"}
    return REGISTRY.get_sample_value("crd_webhook_conversion_failures_total", labels) or 0
