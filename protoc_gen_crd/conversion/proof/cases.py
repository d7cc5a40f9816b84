"""What a plan says of one way, as laws go by it: what is put aside, what is lost on purpose, what is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.conversion.code.codegen import WayWriter
from protoc_gen_crd.conversion.code.kinds import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.alternatives import alternatives
from protoc_gen_crd.conversion.plan.changing import Cel, Computed
from protoc_gen_crd.conversion.plan.containers import ByHand, Items, Own, ToList
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Drop, Fields, Keep
from protoc_gen_crd.conversion.proof.comparing import plain
from protoc_gen_crd.conversion.proof.laws import Convert, Kept, Keyed, Told
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.types import LIST_MAP_KEYS


class Case:
    """One way of a plan, ready to be tried."""

    def __init__(self, plan: Plan, served: Crd, way: Way, back: Way, convert: Convert) -> None:
        self.plan, self.served, self.way, self.back, self.convert = plan, served, way, back, convert
        self.api_version = f"{plan.crd.group}/{way.source}"

    def version(self, name: str) -> Version:
        """A version of the kind."""
        return next(version for version in self.served.versions if version.name == name)

    def told(self) -> Told:
        """What the plan says of the way."""
        ways = self.way, self.back
        dropped, back = (
            tuple([paths.bare(step.source) for step in way.steps if isinstance(step, Drop)]) for way in ways
        )
        ends = self.way.source, self.way.target
        given = (*self._defaults(), *self._emptied())
        group, one_way = self.plan.crd.group, tuple(self._one_way())
        kept, keyed, around = tuple(self._kept()), tuple(self._keyed()), tuple(self._around())
        return Told(group, ends, kept, dropped, back, one_way, given, keyed, around)

    def _defaults(self) -> Iterator[tuple[Path, Any]]:
        """What fields that are missing come back with."""
        yield from ((paths.bare(step.source), step.value) for step in self.back.steps if isinstance(step, Defaulted))

    def _emptied(self) -> Iterator[tuple[Path, Any]]:
        """The objects that come of defaults on the way back, and that nothing is in on the way here again."""
        held = [step for step in self.way.steps if type(step) is Fields]
        read = [step.source for step in self.way.steps if isinstance(step, Defaulted)]
        for step in held:
            if any(path[: len(step.source)] == step.source for path in read):
                yield paths.bare(step.target), {}

    def _around(self) -> Iterator[tuple[Path, str]]:
        """What the way back makes with a look at the whole object, but in lists whose order comes back."""
        writer = WayWriter(self.plan, self.back, self.way, Tables())
        lists = [step.made for step in self.back.steps if type(step) is ToList]
        for step in self.back.steps:
            if any(step.target[: len(made)] == made for made in lists):
                continue
            if isinstance(step, Cel) and writer.looks_around(step, back=False):
                yield paths.bare(step.target), step.text
            elif isinstance(step, Own):
                yield paths.bare(step.target), " ".join(self._given(step))

    def _given(self, own: Own) -> Iterator[str]:
        """The fields of the object of which a function of the way back makes one."""
        for step in self.back.steps:
            if isinstance(step, ByHand) and step.target == own.target[: len(step.target)]:
                around = paths.at(self.plan.schema(self.way.target), step.source)
                yield from around.properties if around else ()

    def _one_way(self) -> Iterator[Path]:
        """The fields of the target that are made of others and that nothing reads on the way back."""
        read = {path for step in self.back.steps if not isinstance(step, Keep) for path in step.reads()}
        for step in self.way.steps:
            if not isinstance(step, Fields | Default | Own) and step.writes() and step.target not in read:
                yield paths.bare(step.target)

    def _kept(self) -> Iterator[Kept]:
        """The values that are put aside, outside lists and maps, but for what more than one value tells of."""
        writer = WayWriter(self.plan, self.way, self.back, Tables())
        back = WayWriter(self.plan, self.back, self.way, Tables())
        root = self.plan.schema(self.way.source)
        for each in writer.aside:
            path, around = paths.bare(each.path), isinstance(each.back, Own)
            around |= isinstance(each.back, Computed) and writer.looks_around(each.back, back=True)
            if plain(path) and not (each.empty or each.made or around):
                seen = tuple(map(paths.bare, each.counterparts()))
                yield Kept(path, back.held(path), alternatives(root, path), seen, each.back is not None)

    def _keyed(self) -> Iterator[Keyed]:
        """The lists whose items are known by keys that go both ways, where something of them is put aside."""
        alone = [
            each.path
            for each in WayWriter(self.plan, self.way, self.back, Tables()).aside
            if each.back is None and not (each.empty or each.made)
        ]
        for step in self.way.steps:
            if type(step) is Items and plain(step.source) and plain(step.target):
                below = [path[len(step.inside) :] for path in alone if path[: len(step.inside)] == step.inside]
                kept = tuple([path for path in below if plain(paths.bare(path)) and paths.WITHIN not in path])
                keys = self._keys(step)
                if kept and keys:
                    yield Keyed(step.source, step.target, keys, kept)

    def _keys(self, step: Items) -> tuple[tuple[str, str], ...]:
        """The keys of the items of a step, read and written; none where they do not go both ways."""
        undone = {(one.target, one.source) for one in self.back.steps if type(one) is Copy}
        copies = [one for one in self.way.steps if type(one) is Copy and (one.source, one.target) in undone]
        made = {one.source: one.target for one in copies}
        listed = paths.at(self.plan.schema(self.way.source), step.source)
        names = (listed.get(LIST_MAP_KEYS) or ()) if listed else ()
        ends = [(name, made.get((*step.inside, name), ())) for name in names]
        return (
            tuple([(name, path[-1]) for name, path in ends]) if all(path[:-1] == step.made for _, path in ends) else ()
        )
