"""Random documents: equal for equal seeds, mostly valid within the schema, and invalid in every way beyond it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from protoc_gen_crd.admission.objects.format_checks import FORMATS as SERVER_FORMATS
from protoc_gen_crd.admission.objects.format_checks import VERSIONED_FORMATS, is_valid
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.samples.format_examples import FORMAT_EXAMPLES
from protoc_gen_crd.samples.mutations import BEYOND, WITHIN, MutationTarget
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler

SPEC: dict[str, Any] = {
    "type": "object",
    "required": ["size"],
    "properties": {
        "size": {"type": "string", "enum": ["S", "M"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "name": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 9},
        "ports": {"type": "array", "maxItems": 3, "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "x-kubernetes-validations": [{"rule": "self.size != 'S' || !has(self.count) || self.count < 4"}],
}
ROOT = {"type": "object", "properties": {"spec": SPEC}}
CRD = decode(
    {
        "metadata": {"name": "things.example.com"},
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": ROOT}}],
        },
    }
).crd
assert CRD is not None
assert CRD.versions[0].schema is not None
SAMPLER = Sampler()
BASES = [SAMPLER.make_sample(CRD, CRD.versions[0], full=full).object for full in (False, True)]


def generate_documents(seed: int, count: int, *, beyond: bool) -> list[dict[str, Any]]:
    assert CRD is not None
    assert CRD.versions[0].schema is not None
    generator = RandomDocumentGenerator(SAMPLER.generators, CRD.versions[0].schema, SeededSource(seed))
    return [generator.generate_document(BASES, beyond=beyond) for _ in range(count)]


def find_errors(document: dict[str, Any]) -> tuple[str, ...]:
    assert CRD is not None
    return SAMPLER.find_errors(CRD, document)


def test_equal_seeds_give_equal_documents() -> None:
    assert generate_documents(1, 50, beyond=True) == generate_documents(1, 50, beyond=True)
    assert generate_documents(1, 50, beyond=True) != generate_documents(2, 50, beyond=True)


def test_documents_within_are_mostly_accepted_and_others_mostly_not() -> None:
    shares = [
        sum(not find_errors(document) for document in generate_documents(3, 200, beyond=beyond))
        for beyond in (False, True)
    ]
    assert shares[0] > 130 > shares[1]


def test_every_kind_of_error_occurs() -> None:
    messages = Counter(
        message for document in generate_documents(4, 1500, beyond=True) for message in find_errors(document)
    )
    joined = "\n".join(messages)
    for expected in (
        "Unsupported value", "Required value", "should be less than or equal to 9", "greater than or equal to 1",
        "should match", "Too long", "Too many", "Duplicate value", "unknown field", "must be of type", "failed rule",
    ):  # fmt: skip
        assert expected in joined, expected


def test_every_mutation_changes_something() -> None:
    assert CRD is not None
    (schema,) = (version.schema for version in CRD.versions)
    assert schema is not None
    spec = schema.properties["spec"]
    values = {"spec": BASES[1]["spec"], **{f"spec.{key}": value for key, value in BASES[1]["spec"].items()}}
    schemas = {"spec": spec, **{f"spec.{key}": child for key, child in spec.properties.items()}}
    targets = [
        MutationTarget(tuple(path.split(".")), schemas[path], values[path], SAMPLER.generators) for path in values
    ]
    idle = [
        mutation.__name__ for mutation in (*WITHIN, *BEYOND) if not any(list(mutation(target)) for target in targets)
    ]
    assert idle == []


def test_every_format_has_valid_strings() -> None:
    assert set(FORMAT_EXAMPLES) == {*SERVER_FORMATS, *VERSIONED_FORMATS}
    wrong = [(name, string) for name, strings in FORMAT_EXAMPLES.items() for string in strings
             if not is_valid(name, string, Switches.from_minor(NEWEST))]  # fmt: skip
    assert wrong == []
