"""Bodies of conversion and admission reviews, through the functions that the webhook calls."""

from __future__ import annotations

import json
from collections import deque
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.webhook.admission_review import admit_review
from protoc_gen_crd.webhook.conversion_review import convert_review
from protoc_gen_crd.webhook.review_json import read_members
from protoc_gen_crd.webhook.review_types import MalformedError, ServedKinds
from protoc_gen_crd.webhook.served_kinds import load_kinds
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.mutations import mutated_bytes, mutated_data


@cache
def _kinds() -> ServedKinds:
    """The kinds of testdata/webhook with the converters that are generated of them."""
    documents = InputDocuments(Settings(), [str(corpus.TESTDATA / "webhook" / "api")], Problems())
    load_documents(documents)
    crds = {
        (crd.group, crd.names.kind): crd for definition in documents.definitions if (crd := definition.crd) is not None
    }
    plans = {key: build_plan(crd, Problems()) for key, crd in crds.items() if len(crd.versions) > 1}
    return {
        key: kind.replace(convert=load_converter(plan)) if (plan := plans.get(key)) else kind
        for key, kind in load_kinds(documents, {}).items()
    }


@cache
def _reviews(name: str) -> tuple[Any, ...]:
    (rows,) = corpus.documents(f"webhook/{name}.yaml")
    head = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    return tuple(row.get("review") or {**head, "request": {"uid": "1", **row["request"]}} for row in rows)


class Reviews(Fuzzer):
    """Mutated bodies; the first byte selects conversion or admission."""

    name, slice = "reviews", 150

    def generate(self, random: Random) -> bytes:
        name = random.choice(("conversions", "admissions"))
        review = random.choice(_reviews(name))
        data = json.dumps(mutated_data(review, random)).encode()
        if random.random() < 0.4:
            data = mutated_bytes(data, random)
        return name[:1].encode() + data

    def run(self, data: bytes) -> str:
        body = data[1:]
        answer = convert_review if data[:1] == b"c" else admit_review
        try:
            (last_answer,) = deque(answer(lambda: read_members(body), _kinds()), 1)
        except MalformedError as error:
            return str(error)
        if last_answer is None:
            raise PropertyError("a review without an answer")
        text = json.dumps(last_answer.body, allow_nan=False)
        if last_answer.converted_objects is not None:
            json.loads(f"[{last_answer.converted_objects.decode()}]")
        return f"{text}{last_answer.converted_objects!r}{last_answer.counts}{last_answer.failures}"
