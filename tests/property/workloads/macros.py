"""Random workloads for rules with this project's macros."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from protoc_gen_crd.cel.shared_expansions import SharedExpansions
from tests.property.workloads.draws import Outcome

_FIELDS = (
    "a",
    "b",
    "name",
    "oneof",
    "size",
    "in",
    "true",
    "exists",
    "unrollmap",
    "index",
    "a_name_that_is_longer",
    "_",
)
_RULES = (
    "oneof({}, {})", "default({}, []).exists(k, k == {})", "{} && {} && default({}, '') == ''", "{}.size() > 0",
    "{}(1)", "{} (1)", "{} // {}\n(0, 1)", "'{}'", "b'{}'", "r'{}\\d' == {}", "{{'{}': {}}}", "{}{{a: {}}}", "{}[0].{}",
    "{} && {} && {} && {} && {} == 1",
    "self.index(0, a, b) == {}", "{}é", "é{}", "{}\n + {}", "has({}) ? 1 : 0", "{}.unrollmap(0, 2, i, i.a)", "{} == ",
    "{} in {}", "default({}, 1) + default({}, 2)", "({}) || {}", "{}.{}", "`{}`", "size({}) < 9 // {}",
)  # fmt: skip


def expand_rules(seeds: Iterable[int]) -> Iterator[Outcome]:
    """The expansions of random rules, of which many differ only in the names of fields."""
    expansions = SharedExpansions()
    for seed in seeds:
        random = Random(seed)
        for rule in random.choices(_RULES, k=50):
            fields = [f"self.{random.choice(_FIELDS)}" for _ in range(rule.count("{}"))]
            yield str(expansions.expand(rule.format(*fields)))
