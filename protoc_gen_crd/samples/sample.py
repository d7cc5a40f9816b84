"""The samples of a kind and version: objects that servers accept, or what they say of the nearest that was found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.names import dns1123_subdomain
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.samples.judge import PATIENCE, Judge, copied
from protoc_gen_crd.samples.leaves import leaves
from protoc_gen_crd.samples.maker import Dropped, Made, Maker
from protoc_gen_crd.samples.pruned import pruned
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.schema.types import Json, Schema

_NAMES = 60  # of an object that are tried


class Sample(Record):
    """An object of a kind and version. `errors` are what servers say of it: none if it serves its purpose."""

    version: str
    full: bool
    object: dict[str, Any]
    errors: tuple[str, ...] = ()


class Sampler:
    """Makes the samples of any CRDs, for servers of these minor versions, the newest of which guides.

    Without `deprecated` fields that are deprecated are left out where they may be.
    """

    def __init__(self, server: Server | None = None, *, deprecated: bool = True) -> None:
        self.server = server or Server((NEWEST,))
        self.judge = Judge(self.server.switches[-1].minor)
        self._served: dict[tuple[int, str], tuple[Crd, Crd]] = {}  # with what is known by identity
        self._deprecated = deprecated
        self._looked: dict[int, Schema] = {}
        self._told: dict[tuple[int, str], Schema] = {}
        self.makers = self._fresh()

    def _fresh(self) -> dict[bool, Maker]:
        return {full: Maker(self.judge, full=full, deprecated=self._deprecated) for full in (False, True)}

    def dropped(self) -> Iterator[tuple[Dropped, FieldError]]:
        """Nodes that full objects do without, each once, with what is wrong with the nearest value."""
        found, self.makers[True].dropped = self.makers[True].dropped, {}
        for one in found.values():
            if (key := (id(one.schema), one.name)) not in self._told:
                self._told[key] = one.schema
                yield from ((one, error) for error in self.judge.errors(one.schema, one.nearest)[:1])

    def bad_examples(self, version: Version) -> Iterator[tuple[Schema, Json, FieldError]]:
        """Examples that their own nodes refuse, with what is wrong first; each node is asked once."""
        stack = [version.schema] if version.schema else []
        while stack:
            schema = stack.pop()
            if id(schema) in self._looked:
                continue
            self._looked[id(schema)] = schema
            example = schema.get("example")
            if example is not None:
                yield from ((schema, example, error) for error in self.judge.errors(schema, example)[:1])
            below = (*schema.properties.values(), schema.items, schema.additional)
            stack += [each for each in reversed(below) if isinstance(each, Schema)]

    def sample(self, crd: Crd, version: Version, *, full: bool) -> Sample:
        """The minimal or the full sample of a version, judged as if it were served."""
        if not version.served:
            version = version.replace(served=True)
            _, crd = self._served.setdefault((id(crd), version.name), (crd, crd.replace(versions=_with(crd, version))))
        found = self.object(crd, version, full=full)
        return Sample(version.name, full, found, self.errors(crd, found))

    def object(self, crd: Crd, version: Version, *, full: bool) -> dict[str, Any]:
        """The best object of a version that is found; whether it is accepted is not said."""
        if self.judge.patience <= 0:
            self.makers = self._fresh()  # what was given up on for one object may be found for another
        self.judge.patience = PATIENCE
        schema = version.schema or Schema({})
        if version.status and "status" in schema.properties:
            schema = _without(schema, "status")  # of a new object servers drop it
        metadata: dict[str, Json] = {"name": self._name(schema)}
        if full and crd.scope == "Namespaced":
            metadata["namespace"] = "default"
        fixed: dict[str, Json] = {
            "apiVersion": f"{crd.group}/{version.name}",
            "kind": crd.names.kind,
            "metadata": metadata,
        }
        demanding = _demanding(schema, "spec")
        made = self._made(demanding, fixed, full=full)
        if made.errors and not full:
            made = self._less(demanding, fixed) or made
        if made.errors and not (full and self._asks_in_vain(schema, made.value)):
            made = self._made(schema, fixed, full=full)
        return copied(made.value) if isinstance(made.value, dict) else fixed

    def _less(self, schema: Schema, fixed: dict[str, Json]) -> Made | None:
        """A full value less what it can go without: some rules are held to by adding, and hard to by what is asked."""
        self.judge.patience = PATIENCE
        made = self._made(schema, fixed, full=True)
        if made.errors:
            return None
        return made.replace(value=pruned(made.value, lambda value: self._takes(schema, value), frozenset(fixed)))

    def _takes(self, schema: Schema, value: Json) -> bool:
        return self.judge.patience > 0 and not self.judge.errors(schema, value, root=True)

    def _asks_in_vain(self, schema: Schema, value: Json) -> bool:
        """Whether a spec breaks its own rules: an object without it would hide that they are not seen through."""
        spec = schema.properties.get("spec")
        return bool(spec and isinstance(value, dict) and "spec" in value and self.judge.broken(spec, value["spec"]))

    def _name(self, schema: Schema) -> Json:
        """A name as the schema of metadata wants it, the one thing that it can say of metadata."""
        of = (schema.properties.get("metadata") or Schema({})).properties.get("name")
        if of is None:
            return "example"
        likely = self.makers[False].of(Shape((of,)), "name").value
        given = (likely, *islice(leaves(Shape((of,)), "name", self.judge), _NAMES))
        sound = (each for each in given if not dns1123_subdomain(str(each)) and not self.judge.errors(of, each))
        return next(sound, likely)

    def _made(self, schema: Schema, fixed: dict[str, Json], *, full: bool) -> Made:
        return self.makers[full].best(Shape((schema,)), "", fixed, root=True)

    def errors(self, crd: Crd, obj: dict[str, Any]) -> tuple[str, ...]:
        """What the servers say of an object, unknown fields included."""
        found: dict[str, None] = {}
        for verdict in self.server.validate(crd, obj):
            texts = [verdict.decode, verdict.status, *verdict.strict, *(verdict.text(each) for each in verdict.errors)]
            found |= dict.fromkeys(text for text in texts if text)
        return tuple(found)


def _with(crd: Crd, version: Version) -> tuple[Version, ...]:
    return tuple(version if each.name == version.name else each for each in crd.versions)


def _without(schema: Schema, name: str) -> Schema:
    properties = {key: child for key, child in schema.properties.items() if key != name}
    required = [key for key in schema.get("required") or () if key != name]
    return schema.having({"properties": properties, **({"required": required} if required else {})})


def _demanding(schema: Schema, name: str) -> Schema:
    """A schema that asks for a property, if it knows it: a sample without a spec shows nothing."""
    required = schema.get("required") or []
    return schema.having({"required": [*required, name]}) if name in schema.properties.keys() - required else schema
