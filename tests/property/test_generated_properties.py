"""The values of properties in random documents are those that the generator finds without its fast path."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.samples.value_generator import GeneratedValue, ValueGenerator
from protoc_gen_crd.schema.schema import Schema
from tests.fuzz.random_crds import make_crd


def generate_documents() -> list[dict[str, Any]]:
    """Return random documents of random CRDs, some of them with added properties."""
    random = Random(3)
    documents: list[dict[str, Any]] = []
    for _ in range(20):
        crd = decode(make_crd(random)).crd
        assert crd is not None
        sampler, version = Sampler(), crd.versions[0]
        bases = [sampler.generate_object(crd, version, full=full) for full in (False, True)]
        assert version.schema is not None
        generator = RandomDocumentGenerator(sampler.generators, version.schema, SeededSource(7))
        documents += [generator.generate_document(bases, beyond=False) for _ in range(30)]
    return documents


def test_properties_have_the_values_of_their_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = generate_documents()

    def generate_shared(self: ValueGenerator, schema: Schema, name: str) -> GeneratedValue:
        return self.generate_shared(NodeShape((schema,)), name)

    monkeypatch.setattr(ValueGenerator, "generate_property", generate_shared)
    assert generate_documents() == expected
    monkeypatch.setattr(ValueGenerator, "generate_property", lambda *_: GeneratedValue(None, 0))
    assert generate_documents() != expected
