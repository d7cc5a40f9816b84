"""Random workloads for comparisons: edited CRDs, and branches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random

from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.schemas.schema_numbers import SchemaNumbers
from protoc_gen_crd.comparison.version_differences import find_differences
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.api_side import ApiSide
from tests.fuzz.edits import Editor
from tests.fuzz.random_crds import make_crd
from tests.property.workloads.draws import MINORS, Outcome


def compare_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Changes of random edits for one version of Kubernetes, with their evidence."""
    for random, before, after in _edit_crds(seeds):
        changes = judge_changes([before], [after], (random.choice(MINORS),))
        yield [change.replace(nodes=None) for change in changes]


def compare_schemas(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Changes of random edits without evidence, and differences of versions with these edits."""
    for _, before, after in _edit_crds(seeds):
        numbers, storage = SchemaNumbers(), before.versions[0].schema
        differences = [
            (difference.kind, difference.path, difference.values)
            for version in (*after.versions, *before.versions)
            for difference in (find_differences(version, storage, numbers) if storage else ())
        ]
        yield [*[change.replace(nodes=None) for change in compare_apis([before], [after])], *differences]


def _edit_crds(seeds: Iterable[int]) -> Iterator[tuple[Random, Crd, Crd]]:
    """Yield random CRDs before and after random edits."""
    for seed in seeds:
        random = Random(seed)
        old = new = make_crd(random)
        for _ in range(random.choice((1, 3))):
            new = Editor(random).edit(new)[1]
        before, after = decode(old).crd, decode(new).crd
        if before is not None and after is not None:
            yield random, before, after


def compare_branches(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Changes of random branches, with their evidence."""
    from tests.fuzz.surfaces.branches import Branches, find_changes  # its package imports the shortcuts

    for seed in seeds:
        crds = json.loads(Branches().generate(Random(seed)))
        release, base, branch = (ApiSide("", (crd,)) for name in crds if (crd := decode(crds[name]).crd) is not None)
        yield [change.replace(nodes=None) for change in find_changes(base, release, branch)]
