"""Random workloads for the generation of samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.samples.sampler import Sampler
from tests.property.workloads.draws import Outcome, draw_input


def generate_samples(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Samples of random CRDs, with their errors, the omitted nodes, and the budget that remains."""
    for seed in seeds:
        crd, sampler = decode(draw_input(seed)["crd"]).crd, Sampler()
        assert crd is not None
        for version in crd.versions:
            for full in (False, True):
                sample = sampler.make_sample(crd, version, full=full)
                yield sample.object, sample.errors, sampler.validator.remaining_budget
        yield [(node.name, node.nearest, error.message) for node, error in sampler.list_omitted_nodes()]
