"""Random APIs of three or four versions whose fields are added, removed and reshaped, under any storage version."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import Object

NAMES = ("v1alpha1", "v1beta1", "v1", "v2")
_HEAD = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Thing {{
option (protoc_gen_crd.v1.resource) = {{group: "acme.example" versions: [{names}] storage_version: "v1"}};
"""
_NAME = "string name = 1 [(protoc_gen_crd.v1.field).required = true];"
_SAMPLER = Sampler()


class Api:
    """A random API, the same for the same seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret
        self.seed, self._folder, self._count = seed, folder, 0
        self.names = NAMES[: self._random.choice((3, 4))]

    @cached_property
    def _texts(self) -> tuple[str, str]:
        """Return the .proto file, and the same with declarations between two versions next to the first one."""
        self._messages: list[str] = []
        features = (self._ranged, self._renamed, self._joined, self._listed, self._label, self._items, self._scaled)
        lines = [line for _ in range(self._random.randint(2, 4)) for line in self._random.choice(features)()]
        lines += self._apart() if self._random.random() < 0.3 else []
        names = ", ".join(f'"{name}"' for name in self.names)
        text = "\n".join([_HEAD.format(names=names), *lines, "}", *self._messages, ""])
        return re.sub("<<.*?>>", "", text), re.sub("<<|>>", "", text)

    @cached_property
    def crds(self) -> tuple[Crd, ...]:
        """The CRD of each file."""
        crds: list[Crd] = []
        for number, text in enumerate(self._texts):
            path = self._folder / f"api{self.seed}-{number}"
            path.mkdir()
            (path / "api.proto").write_text(text, "utf-8")
            crds += generate_crds([str(path)], Settings(), {}, Problems())
        return tuple(crds)

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """Return the plans without an error, by storage version; the hub is not configured."""
        plans = {name: self._plan(self.crds[1], name) for name in self.names}
        plans |= {name: plan for name in self.names if (plan := self._plan(self.crds[0], name)) is not None}
        return {name: plan for name, plan in plans.items() if plan is not None}

    def _plan(self, crd: Crd, name: str) -> Plan | None:
        problems = Problems()
        versions = [version.replace(storage=version.name == name) for version in crd.versions]
        plan = build_plan(crd.replace(versions=tuple(versions)), problems)
        return None if has_error(problems.findings, (), complete=True) else plan

    @cached_property
    def converters(self) -> dict[str, Convert]:
        """The modules, by storage version."""
        return {name: load_converter(plan) for name, plan in self.plans.items()}

    def objects(self, name: str, count: int) -> Iterator[Object]:
        """A full sample of a version and random objects."""
        crd = self.crds[0]
        version: CrdVersion = next(crd_version for crd_version in crd.versions if crd_version.name == name)
        sample = _SAMPLER.make_sample(crd, version, full=True)
        if sample.errors or version.schema is None:
            return
        yield sample.object
        chance = RandomDocumentGenerator(_SAMPLER.generators, version.schema, SeededSource(self.seed))
        for _ in range(count):
            obj = chance.generate_document([sample.object], beyond=False)
            if not _SAMPLER.find_errors(crd, obj):
                yield obj

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _cut(self) -> tuple[str, str]:
        """The last version with the old form, and the first with the new one."""
        at = self._random.randint(1, len(self.names) - 1)
        return self.names[at - 1], self.names[at]

    def _span(self) -> str:
        """Return some adjacent versions, not all."""
        first, last = sorted(self._random.sample(range(len(self.names) + 1), 2))
        if last - first == len(self.names):
            last -= 1
        return f'since: "{self.names[first]}" until: "{self.names[last - 1]}"'

    def _ranged(self) -> list[str]:
        kind, at = self._random.choice(("string", "int32", "repeated string", "bool")), self._number()
        return [_field(f"{kind} kept{at}", at, f"{self._span()} conversion: {{preserved: true}}")]

    def _renamed(self) -> list[str]:
        (old, new), at, other = self._cut(), self._number(), self._number()
        options = f'since: "{new}" conversion: {{renamed_from: "old{at}"}}'
        return [_field(f"string old{at}", at, f'until: "{old}"'), _field(f"string new{at}", other, options)]

    def _joined(self) -> list[str]:
        (old, new), numbers = self._cut(), [self._number() for _ in range(3)]
        parts = [f"part{number}" for number in numbers[:2]]
        options = f'since: "{new}" conversion: {{join: {{fields: ["{parts[0]}", "{parts[1]}"] separator: "a"}}}}'
        lines = [_field(f"string {part}", at, f'until: "{old}"') for part, at in zip(parts, numbers, strict=False)]
        return [*lines, _field(f"string whole{numbers[2]}", numbers[2], options)]

    def _listed(self) -> list[str]:
        (old, new), at, other = self._cut(), self._number(), self._number()
        options = f'since: "{new}" conversion: {{renamed_from: "host{at}" one_item: true}}'
        forms = [("string", "repeated string"), ("repeated string", "string")]
        first, second = self._random.choice(forms)
        return [_field(f"{first} host{at}", at, f'until: "{old}"'), _field(f"{second} hosts{at}", other, options)]

    def _label(self) -> list[str]:
        at = self._number()
        label = f"metadata.labels['acme.example/l{at}']"
        options = f'until: "{self._cut()[0]}" pattern: "^[a-z]{{0,20}}$" conversion: {{moved_from: "{label}"}}'
        return [_field(f"string team{at}", at, options)]

    def _items(self) -> list[str]:
        at = self._number()
        note = _field("string note", 2, f"{self._span()} conversion: {{preserved: true}}")
        self._messages += [f"message Item{at} {{", _NAME, note, "}"]
        keys = self._random.choice(("", '[(protoc_gen_crd.v1.field) = {list_type: "map" list_map_keys: "name"}]'))
        return [f"repeated Item{at} items{at} = {at} {keys};"]

    def _scaled(self) -> list[str]:
        (old, new), at, other = self._cut(), self._number(), self._number()
        options = f'since: "{new}" conversion: {{renamed_from: "minutes{at}" factor: 60}}'
        return [_field(f"int32 minutes{at}", at, f'until: "{old}"'), _field(f"int32 seconds{at}", other, options)]

    def _apart(self) -> list[str]:
        """Declare two lists as counterparts of the first version, but not of each other."""
        first, last = self.names[0], self.names[-1]
        at, middle_number, last_number = (self._number() for _ in range(3))
        options = f'conversion: {{renamed_from: "end{at}" one_item: true versions: "{first}"}}'
        between = ", ".join(f'"{name}"' for name in self.names[1:-1])
        related = f'<<conversion: {{renamed_from: "ends{at}" versions: [{between}]}}>>'
        middle = f'since: "{self.names[1]}" until: "{self.names[-2]}"'
        return [
            _field(f"string end{at}", at, f'until: "{first}"'),
            _field(f"repeated string ends{at}", middle_number, f"{middle} {options}"),
            _field(f"repeated string all{at}", last_number, f'since: "{last}" {options} {related}'),
        ]


def _field(name: str, number: int, options: str) -> str:
    return f"{name} = {number} [(protoc_gen_crd.v1.field) = {{{options}}}];"
