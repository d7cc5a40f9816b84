"""Reviews of testdata/webhook and their answers, checked against the contract by separate code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd.conversion.converter_packages import load_converters
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.emit.converter_package import make_converter_files
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.webhook.admission_review import admit_review
from protoc_gen_crd.webhook.conversion_review import convert_review
from protoc_gen_crd.webhook.review_types import MalformedError, ReviewAnswer, ServedKinds
from protoc_gen_crd.webhook.served_kinds import load_kinds, make_module_kinds
from tests.conftest import ROOT
from tests.support.conversion import Case, bare
from tests.support.conversion import cases as conversion_cases
from tests.support.serving import answered, review
from tests.support.yaml_data import load_yaml

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
def served() -> ServedKinds:
    """The kinds of the API."""
    problems = Problems()
    documents = InputDocuments(Settings(), [str(FOLDER / "api")], problems)
    load_documents(documents)
    kinds = load_kinds(documents, {})
    assert [finding.rule for finding in problems.findings if finding.severity is not Severity.OFF] == []
    return kinds


def cases(name: str) -> list[Json]:
    """The entries of a file."""
    data: list[Json] = load_yaml((FOLDER / name).read_text("utf-8"))
    return data


def _with(function: str, served: ServedKinds) -> ServedKinds:
    if not function:
        return served
    return {**served, MACHINE: served[MACHINE].replace(convert=FUNCTIONS[function])}


@pytest.mark.parametrize("case", cases("conversions.yaml"), ids=lambda case: case["name"])
def test_conversions(case: Json, served: ServedKinds) -> None:
    request = yaml.safe_dump(case["review"])
    if "malformed" in case:
        with pytest.raises(MalformedError) as error:
            answered(convert_review, case["review"], served)
        assert str(error.value) == case["malformed"]
        return
    answer = answered(convert_review, case["review"], _with(case.get("function", ""), served))
    expected = case.get("answer") or _failure(case["review"], case["fails"])
    assert answer.body == expected
    assert [[*failure.labels, failure.reason] for failure in answer.failures] == case.get("failures", [])
    assert [[*labels, count] for labels, count in answer.ignored_data.items()] == case.get("ignored", [])
    assert answer.failures[0].place == case["place"] if "place" in case else True
    assert yaml.safe_dump(case["review"]) == request
    assert list(complaints(case["review"], answer.body)) == []


def _failure(review: Json, message: str) -> Json:
    response = {
        "uid": review["request"]["uid"],
        "result": {"status": "Failure", "message": message},
        "convertedObjects": [],
    }
    return {"apiVersion": review["apiVersion"], "kind": "ConversionReview", "response": response}


def complaints(review: Json, answer: Json) -> Iterator[str]:
    """Return the errors of an API server for an answer, after webhook_converter.go."""
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


def _complaints(old: Json, new: Json, expected: str) -> Iterator[str]:
    if new.get("apiVersion") != expected or new.get("kind") != old["kind"]:
        yield "invalid groupVersion or kind"
    if not isinstance(new.get("metadata"), dict):
        yield "missing metadata in converted object"
        return
    before = old.get("metadata", {})
    for name in {*before, *new["metadata"]} - {"labels", "annotations"}:
        if before.get(name) != new["metadata"].get(name):
            yield f"must have the same {name}"


CASES = [case for case in conversion_cases() if case.listed("objects.yaml")]


def _package(case: Case, folder: Path) -> ServedKinds:
    """The kind of a case from the package that `generate` writes, imported from disk."""
    for file in make_converter_files([case.plan], Settings(converters=case.name)):
        path = folder / file.name
        path.parent.mkdir(exist_ok=True)
        path.write_text(file.text, "utf-8")
        if (case.folder / path.name).exists():  # handwritten functions
            path.write_bytes((case.folder / path.name).read_bytes())
    return make_module_kinds(load_converters([folder / case.name], Problems()))


# Annotations and fields of servers and controllers.
METADATA = {
    "namespace": "ns", "uid": "u", "resourceVersion": "7", "generation": 3, "finalizers": ["a/b"],
    "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-02T00:00:00Z",
    "ownerReferences": [{"apiVersion": "v1", "kind": "Owner", "name": "o", "uid": "v", "controller": True}],
    "managedFields": [{"manager": "m", "operation": "Apply", "apiVersion": "acme.example/v1", "fieldsV1": {}}],
}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_packages_on_disk_convert_like_the_convert_command(case: Case, tmp_path: Path) -> None:
    served = _package(case, tmp_path)
    for old, new, _ in case.conversions():
        source, expected = ({**item, "metadata": {**METADATA, **item["metadata"]}} for item in (old, new))
        request = review(expected["apiVersion"], source)
        answer = answered(convert_review, request, served).body
        assert list(complaints(request, answer)) == []
        assert answer["response"]["result"] == {"status": "Success"}
        (result,) = answer["response"]["convertedObjects"]
        assert result == case.convert(source, expected["apiVersion"].rpartition("/")[2])
        assert bare(result) == expected
        for changes in ({}, {"finalizers": [], "resourceVersion": "8"}):
            changed = {**result, "metadata": {**result["metadata"], **changes}}
            back = answered(convert_review, review(source["apiVersion"], changed), served).body["response"]
            assert back["convertedObjects"] == [{**source, "metadata": {**source["metadata"], **changes}}]


GENERATION = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Machine {{
  option (protoc_gen_crd.v1.resource) = {{group: "acme.example" versions: ["v1", "v2"] storage_version: "v2"}};
  string host = 1 [(protoc_gen_crd.v1.field).until = "v1"];
  repeated string hosts = 2 [(protoc_gen_crd.v1.field) = {{
    since: "v2" conversion: {{renamed_from: "host" one_item: true}}
  }}];
  string note = 3 [(protoc_gen_crd.v1.field) = {{since: "v2" conversion: {{preserved: true}}}}];
  {more}
}}
"""
ADDED = 'string colour = 4 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {preserved: true}}];'


@pytest.fixture(scope="module")
def generations(tmp_path_factory: pytest.TempPathFactory) -> list[ServedKinds]:
    """Modules of one release and of the next, which has an additional field."""
    results = []
    for more in ("", ADDED):
        folder = tmp_path_factory.mktemp("generation")
        (folder / "api.proto").write_text(GENERATION.format(more=more))
        results.append(_package(Case(folder), folder))
    return results


@pytest.mark.parametrize(("reads", "writes"), [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_generations_side_by_side_read_the_conversion_data_of_each_other(
    generations: list[ServedKinds], reads: int, writes: int
) -> None:
    spec = {"hosts": ["a", "b"], "note": "n", **({"colour": "red"} if reads and writes else {})}
    new = {"apiVersion": "acme.example/v2", "kind": "Machine", "metadata": {"name": "x"}, "spec": spec}
    result = answered(convert_review, review("acme.example/v1", new), generations[reads]).body["response"]
    back = answered(convert_review, review("acme.example/v2", *result["convertedObjects"]), generations[writes])
    assert (back.failures, back.ignored_data) == ((), {})
    assert back.body["response"]["convertedObjects"] == [new]


def test_options_of_the_next_generation_are_no_errors(generations: list[ServedKinds]) -> None:
    spec = {"hosts": ["a"], "note": "n", "colour": "red"}
    new = {"apiVersion": "acme.example/v2", "kind": "Machine", "metadata": {"name": "x"}, "spec": spec}
    result = answered(convert_review, review("acme.example/v1", new), generations[1]).body["response"]
    back = answered(convert_review, review("acme.example/v2", *result["convertedObjects"]), generations[0]).body[
        "response"
    ]
    assert back["convertedObjects"] == [{**new, "spec": {"hosts": ["a"], "note": "n"}}]


@pytest.mark.parametrize("case", cases("admissions.yaml"), ids=lambda case: case["name"])
def test_admissions(case: Json, served: ServedKinds) -> None:
    if "malformed" in case:
        with pytest.raises(MalformedError) as error:
            answered(admit_review, case["review"], served)
        assert str(error.value) == case["malformed"]
        return
    review = {"apiVersion": f"admission.k8s.io/{case.get('version', 'v1')}", "kind": "AdmissionReview"}
    answer: ReviewAnswer = answered(admit_review, {**review, "request": {"uid": "u", **case["request"]}}, served)
    assert answer.body == {**review, "response": {"uid": "u", **case["response"]}}
    assert [[*labels, count] for labels, count in answer.counts.items()] == [case["counts"]]
    assert [failure.reason for failure in answer.failures] == case.get("failures", [])
