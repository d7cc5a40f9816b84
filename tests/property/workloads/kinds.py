"""Random kinds of several versions, most of whose fields are equal or declared to have no counterpart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan_builder import Direct, build_plan
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.schema.schema import CONVERSION, PRESERVE, Schema
from tests.property.declared_kinds import DeclaredKind
from tests.property.workloads.draws import Outcome, list_more, make_crd, make_version

_VERSIONS = ("v1", "v2", "v3", "v4")
_SCALARS: tuple[dict[str, Any], ...] = (
    *({"type": "string"},) * 4, {"type": "integer"}, {"type": "string", "format": "password"},
    {"type": "string", "nullable": True}, {"type": "object", PRESERVE: True},
)  # fmt: skip


class _KindDraw:
    """The schemas of one kind. Versions share the nodes of most fields that they both have."""

    def __init__(self, random: Random) -> None:
        self._random, self._places = random, iter(range(1, 10**6))
        self.hub = random.choice(_VERSIONS)
        self._rarity = random.choice((0.0, 0.0, 0.03))  # the share of fields that convert in another way

    def draw_kind(self) -> Crd:
        """Return a CRD whose versions have declarations."""
        decoded = decode(make_crd(*(make_version(name, {"type": "object"}) for name in _VERSIONS))).crd
        assert decoded is not None
        specs = self._draw_object(_VERSIONS, 2)
        versions = [
            version.replace(
                schema=Schema({"type": "object", "properties": {"spec": specs[version.name]}}),
                storage=version.name == self.hub,
                served=self._random.random() > self._rarity,
            )
            for version in decoded.versions
        ]
        return decoded.replace(versions=tuple(versions))

    def _draw_object(self, versions: tuple[str, ...], depth: int) -> dict[str, Schema]:
        """Return an object of these versions."""
        fields: dict[str, dict[str, Schema]] = {name: {} for name in versions}
        required = [
            name for name in "abcde"[: self._random.randint(1, 5)] if self._draw_field(fields, name, versions, depth)
        ]
        flags = {PRESERVE: True} if self._random.random() < self._rarity else {}
        return {
            version: Schema({"type": "object", "properties": properties, **flags}
                            | ({"required": [name for name in required if name in properties]} if required else {}))
            for version, properties in fields.items()
        }  # fmt: skip

    def _draw_field(
        self, fields: dict[str, dict[str, Schema]], name: str, versions: tuple[str, ...], depth: int
    ) -> bool:
        """Add a field of some of these versions. Return True if it is required."""
        first, last = sorted(self._random.choices(range(len(versions)), k=2))
        having = versions if self._random.random() < 0.4 else versions[first : last + 1]
        nodes = self._draw_nodes(having, depth)
        absence = self._draw_absence() if len(having) < len(versions) else None
        place = Location("a.proto", next(self._places))
        for version in having:
            node = nodes[version]
            facts = {CONVERSION: ((absence, place, "a"),)} if absence else None
            fields[version][name] = Schema(node.keywords, place, None, facts) if facts else node
        if absence and self._random.random() > self._rarity:  # one node for all versions
            for version in having:
                same = next(other for other in having if nodes[other] is nodes[version])
                fields[version][name] = fields[same][name]
        return self._random.random() < (self._rarity if absence else 0.2)

    def _draw_nodes(self, versions: tuple[str, ...], depth: int) -> dict[str, Schema]:
        if depth and self._random.random() < 0.3:
            nodes = self._draw_object(versions, depth - 1)
            if self._random.random() < self._rarity:
                nodes = {name: Schema({"type": "array", "items": node}) for name, node in nodes.items()}
            return nodes
        keywords = self._random.choice(_SCALARS)
        node = Schema(keywords)
        return {name: node if self._random.random() > self._rarity else Schema(dict(keywords)) for name in versions}

    def _draw_absence(self) -> dict[str, Any] | None:
        if self._random.random() < self._rarity:
            return self._random.choice((None, {"preserved": True, "versions": [self.hub]}, {"default": "x"}))
        return {"preserved": True} if self._random.random() < 0.8 else {"dropped": True}


def plan_conversions(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Yield the findings of kinds, and the conversions between their spokes."""
    for seed in list_more(seeds, 4):
        kind = _KindDraw(Random(f"kind {seed}")).draw_kind()
        for direct in (Direct.ALL, Direct.GAPS):
            problems = Problems()
            plan = build_plan(kind, problems, direct=direct)
            assert plan is not None
            findings = [finding.message for finding in problems.findings]
            yield seed, findings, repr(plan.direct) if direct is Direct.ALL else "", repr(plan.gaps)


def convert_objects(seeds: Iterable[int]) -> Iterator[Outcome]:
    """Yield objects that are converted several times, by modules with several hubs."""
    for seed in list_more(seeds, 2):
        random, declared = Random(f"objects {seed}"), DeclaredKind(seed)
        converters = [
            load_converter(plan)
            for name in declared.versions
            for problems in [Problems()]
            if (
                plan := build_plan(
                    declared.crd.replace(hub=random.choice(("", name))), problems, direct=Direct.ON_DEMAND
                )
            )
            is not None
            and not has_error(problems.findings, (), complete=True)
        ]
        for _ in range(4 if converters else 0):
            obj = declared.make_object(random.choice(declared.versions))
            for _ in range(5):
                version = random.choice(declared.versions)
                try:
                    obj = random.choice(converters)(obj, version)
                except ConversionError as error:
                    yield seed, version, str(error)
                    break
                yield seed, version, json.dumps(obj)
