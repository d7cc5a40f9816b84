"""Reviews of testdata/webhook and their answers, held to the contract by a reading of it that is the tests' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.session import Session
from protoc_gen_crd.webhook.admissions import admit_review
from protoc_gen_crd.webhook.conversions import convert_review
from protoc_gen_crd.webhook.kinds import kinds
from protoc_gen_crd.webhook.review import Answer, Kinds, MalformedError
from tests.conftest import ROOT

FOLDER = ROOT / "testdata" / "webhook"
Json = dict[str, Any]
MACHINE = ("acme.example", "Machine")


def _decorates(source: Json, version: str) -> Json:
    metadata = {"name": "a", "namespace": "ns", "uid": "1", "generation": 9, "labels": {"new": "1"}}
    return {**source, "apiVersion": f"acme.example/{version}", "metadata": metadata}


def _counts(source: Json, version: str) -> Json:
    return {**source, "apiVersion": f"acme.example/{version}", "metadata": {**source["metadata"], "labels": {"n": 1}}}


def _digs(source: Json, version: str) -> Json:
    raise RecursionError


FUNCTIONS: dict[str, Callable[[Json, str], Any]] = {
    "decorates": _decorates,
    "renames": lambda source, version: {**_decorates(source, version), "metadata": {"name": "b"}},
    "forgets": lambda source, _: source,
    "counts": _counts,
    "breaks": lambda source, _: source["what is not there"],
    "digs": _digs,
}


@pytest.fixture(scope="module")
def served() -> Kinds:
    """The kinds of the API."""
    problems = Problems()
    session = Session(Settings(), [str(FOLDER / "api")], problems)
    session.load()
    found = kinds(session, {})
    assert [finding.rule for finding in problems.findings if finding.severity is not Severity.OFF] == []
    return found


def cases(name: str) -> list[Json]:
    """The entries of a file."""
    found: list[Json] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return found


def _with(function: str, served: Kinds) -> Kinds:
    if not function:
        return served
    return {**served, MACHINE: served[MACHINE].replace(convert=FUNCTIONS[function])}


@pytest.mark.parametrize("case", cases("conversions.yaml"), ids=lambda case: case["what"])
def test_conversions(case: Json, served: Kinds) -> None:
    asked = yaml.safe_dump(case["review"])
    if "malformed" in case:
        with pytest.raises(MalformedError) as error:
            convert_review(case["review"], served)
        assert str(error.value) == case["malformed"]
        return
    found = convert_review(case["review"], _with(case.get("function", ""), served))
    wanted = case.get("answer") or _failure(case["review"], case["fails"])
    assert found.body == wanted
    assert [[*failure.labels, failure.reason] for failure in found.failures] == case.get("failures", [])
    assert [[*labels, count] for labels, count in found.ignored.items()] == case.get("ignored", [])
    assert found.failures[0].place == case["place"] if "place" in case else True
    assert yaml.safe_dump(case["review"]) == asked
    assert list(complaints(case["review"], found.body)) == []


def _failure(review: Json, message: str) -> Json:
    response = {
        "uid": review["request"]["uid"],
        "result": {"status": "Failure", "message": message},
        "convertedObjects": [],
    }
    return {"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response}


def complaints(review: Json, answer: Json) -> Iterator[str]:
    """What an API server would say of an answer: webhook_converter.go, read anew."""
    request, response = review["request"], answer["response"]
    if (answer["apiVersion"], answer["kind"]) != (review["apiVersion"], "ConversionReview"):
        yield "expected webhook response of another version"
    if response["uid"] != request["uid"]:
        yield "expected response.uid"
    if response["result"]["status"] != "Success":
        if not response["result"].get("message"):
            yield "response.result.status was not Success"
        return
    sent = request.get("objects") or []
    if len(response["convertedObjects"]) != len(sent):
        yield f"returned {len(response['convertedObjects'])} objects, expected {len(sent)}"
    for old, new in zip(sent, response["convertedObjects"], strict=True):
        if old["apiVersion"] != request["desiredAPIVersion"]:  # others are never sent
            yield from _complaints(old, new, request["desiredAPIVersion"])


def _complaints(old: Json, new: Json, wanted: str) -> Iterator[str]:
    if new.get("apiVersion") != wanted or new.get("kind") != old["kind"]:
        yield "invalid groupVersion or kind"
    if not isinstance(new.get("metadata"), dict):
        yield "missing metadata in converted object"
        return
    before = old.get("metadata", {})
    for name in {*before, *new["metadata"]} - {"labels", "annotations"}:
        if before.get(name) != new["metadata"].get(name):
            yield f"must have the same {name}"


@pytest.mark.parametrize("case", cases("admissions.yaml"), ids=lambda case: case["what"])
def test_admissions(case: Json, served: Kinds) -> None:
    if "malformed" in case:
        with pytest.raises(MalformedError) as error:
            admit_review(case["review"], served)
        assert str(error.value) == case["malformed"]
        return
    review = {"apiVersion": f"admission.k8s.io/{case.get('version', 'v1')}", "kind": "AdmissionReview"}
    found: Answer = admit_review({**review, "request": {"uid": "u", **case["request"]}}, served)
    assert found.body == {**review, "response": {"uid": "u", **case["response"]}}
    assert [[*labels, count] for labels, count in found.counts.items()] == [case["counts"]]
    assert [failure.reason for failure in found.failures] == case.get("failures", [])
