"""Random workloads for documents: lines of YAML, similar CRDs, and places that are read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from protoc_gen_crd.documents.document_places import PlaceReader
from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml import reader
from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments
from tests.property.workloads.draws import Outcome, list_more
from tests.unit.yaml.go_yaml.test_similar_documents import KEY, describe, edit, make_crd
from tests.unit.yaml.test_line_decoder import draw_document, list_blocks


@cache
def _load_blocks() -> list[list[str]]:
    return list_blocks()


def read_documents(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Values, errors and places of random documents."""
    for seed in list_more(seeds, 20):
        data = draw_document(Random(seed), _load_blocks())
        yield repr(describe(reader.read(data, past_errors=True)))


def read_similar_documents(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Values, errors and places of edited CRDs that are read after the CRD."""
    for seed in seeds:
        random, similar = Random(seed), SimilarDocuments()
        lines = make_crd(random.choice((5, 9)), random.choice((1, 2, 3)))
        reader.read(b"\n".join(lines), repeated=KEY, similar=similar, past_errors=True)
        edited = b"\n".join(edit(lines, random))
        yield repr(describe(reader.read(edited, repeated=KEY, similar=similar, past_errors=True)))


def locate_values(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Lines and columns of the values of CRDs whose places are read when they are needed."""
    for seed in seeds:
        data = b"\n".join(make_crd(seed % 5, seed % 3))
        with TemporaryDirectory() as folder:
            file = Path(folder) / "crd.yaml"
            file.write_bytes(data)
            (case,) = read_cases(data, str(file), Problems())
            places = PlaceReader(case, data, NEWEST)
            found = [places.get_place(path) for path in (("kind",), ("spec", "group"), ("spec", "versions", 0, "name"))]
        yield [(place.line, place.column) for place in found]
