"""Samples of a kind and version: valid objects, or the best invalid one with its errors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.name_checks import validate_dns1123_subdomain
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.samples.junctor_branches import NodeShape
from protoc_gen_crd.samples.minimization import minimize_value
from protoc_gen_crd.samples.sample_validator import DEFAULT_BUDGET, SampleValidator, copy_value
from protoc_gen_crd.samples.scalar_values import generate_scalars
from protoc_gen_crd.samples.value_generator import GeneratedValue, OmittedNode, ValueGenerator
from protoc_gen_crd.schema.schema import Json, Schema

_NAMES = 60  # of an object that are tried


class Sample(Record):
    """An object of a kind and version. `find_errors` are what servers say of it: none if it serves its purpose."""

    version: str
    full: bool
    object: dict[str, Any]
    errors: tuple[str, ...] = ()


class Sampler:
    """Makes the samples of any CRDs, for servers of these minor versions, the newest of which guides.

    Without `deprecated` fields that are deprecated are left out where they may be.
    """

    def __init__(self, server: AdmissionServer | None = None, *, deprecated: bool = True) -> None:
        self.server = server or AdmissionServer((NEWEST,))
        self.validator = SampleValidator(self.server.switches[-1].minor)
        self._served: dict[tuple[int, str], tuple[Crd, Crd]] = {}  # with what is known by identity
        self._deprecated = deprecated
        self._looked: dict[int, Schema] = {}
        self._told: dict[tuple[int, str], Schema] = {}
        self.generators = self._make_generators()

    def _make_generators(self) -> dict[bool, ValueGenerator]:
        return {full: ValueGenerator(self.validator, full=full, deprecated=self._deprecated) for full in (False, True)}

    def list_omitted_nodes(self) -> Iterator[tuple[OmittedNode, FieldError]]:
        """Nodes that full objects do without, each once, with what is wrong with the nearest value."""
        found, self.generators[True].omitted = self.generators[True].omitted, {}
        for one in found.values():
            if (key := (id(one.schema), one.name)) not in self._told:
                self._told[key] = one.schema
                yield from ((one, error) for error in self.validator.find_errors(one.schema, one.nearest)[:1])

    def find_bad_examples(self, version: CrdVersion) -> Iterator[tuple[Schema, Json, FieldError]]:
        """Examples that their own nodes refuse, with what is wrong first; each node is asked once."""
        stack = [version.schema] if version.schema else []
        while stack:
            schema = stack.pop()
            if id(schema) in self._looked:
                continue
            self._looked[id(schema)] = schema
            example = schema.get("example")
            if example is not None:
                yield from ((schema, example, error) for error in self.validator.find_errors(schema, example)[:1])
            below = (*schema.properties.values(), schema.items, schema.additional)
            stack += [each for each in reversed(below) if isinstance(each, Schema)]

    def make_sample(self, crd: Crd, version: CrdVersion, *, full: bool) -> Sample:
        """The minimal or the full sample of a version, judged as if it were served."""
        if not version.served:
            version = version.replace(served=True)
            _, crd = self._served.setdefault(
                (id(crd), version.name), (crd, crd.replace(versions=_replace_version(crd, version)))
            )
        found = self.generate_object(crd, version, full=full)
        return Sample(version.name, full, found, self.find_errors(crd, found))

    def generate_object(self, crd: Crd, version: CrdVersion, *, full: bool) -> dict[str, Any]:
        """The best object of a version that is found; whether it is accepted is not said."""
        if self.validator.remaining_budget <= 0:
            self.generators = self._make_generators()  # what was given up on for one object may be found for another
        self.validator.remaining_budget = DEFAULT_BUDGET
        schema = version.schema or Schema({})
        if version.status and "status" in schema.properties:
            schema = _drop_property(schema, "status")  # of a new object servers drop it
        metadata: dict[str, Json] = {"name": self._generate_name(schema)}
        if full and crd.scope == "Namespaced":
            metadata["namespace"] = "default"
        fixed: dict[str, Json] = {
            "apiVersion": f"{crd.group}/{version.name}",
            "kind": crd.names.kind,
            "metadata": metadata,
        }
        demanding = _require_property(schema, "spec")
        made = self._generate(demanding, fixed, full=full)
        if made.errors and not full:
            made = self._minimize(demanding, fixed) or made
        if made.errors and not (full and self._has_broken_spec_rules(schema, made.value)):
            made = self._generate(schema, fixed, full=full)
        return copy_value(made.value) if isinstance(made.value, dict) else fixed

    def _minimize(self, schema: Schema, fixed: dict[str, Json]) -> GeneratedValue | None:
        """A full value less what it can go without: some rules are held to by adding, and hard to by what is asked."""
        self.validator.remaining_budget = DEFAULT_BUDGET
        made = self._generate(schema, fixed, full=True)
        if made.errors:
            return None
        return made.replace(
            value=minimize_value(made.value, lambda value: self._is_accepted(schema, value), frozenset(fixed))
        )

    def _is_accepted(self, schema: Schema, value: Json) -> bool:
        return self.validator.remaining_budget > 0 and not self.validator.find_errors(schema, value, root=True)

    def _has_broken_spec_rules(self, schema: Schema, value: Json) -> bool:
        """Check whether a spec breaks its own rules: an object without it would hide that they are not seen through."""
        spec = schema.properties.get("spec")
        return bool(
            spec
            and isinstance(value, dict)
            and "spec" in value
            and self.validator.find_broken_rules(spec, value["spec"])
        )

    def _generate_name(self, schema: Schema) -> Json:
        """A name as the schema of metadata wants it, the one thing that it can say of metadata."""
        of = (schema.properties.get("metadata") or Schema({})).properties.get("name")
        if of is None:
            return "example"
        likely = self.generators[False].generate(NodeShape((of,)), "name").value
        given = (likely, *islice(generate_scalars(NodeShape((of,)), "name", self.validator), _NAMES))
        sound = (
            each
            for each in given
            if not validate_dns1123_subdomain(str(each)) and not self.validator.find_errors(of, each)
        )
        return next(sound, likely)

    def _generate(self, schema: Schema, fixed: dict[str, Json], *, full: bool) -> GeneratedValue:
        return self.generators[full].generate_best(NodeShape((schema,)), "", fixed, root=True)

    def find_errors(self, crd: Crd, obj: dict[str, Any]) -> tuple[str, ...]:
        """Return the errors of an object, unknown fields included."""
        found: dict[str, None] = {}
        for verdict in self.server.validate(crd, obj):
            texts = [
                verdict.decode_error,
                verdict.status_error,
                *verdict.strict_errors,
                *(verdict.format_error(each) for each in verdict.errors),
            ]
            found |= dict.fromkeys(text for text in texts if text)
        return tuple(found)


def _replace_version(crd: Crd, version: CrdVersion) -> tuple[CrdVersion, ...]:
    return tuple(version if each.name == version.name else each for each in crd.versions)


def _drop_property(schema: Schema, name: str) -> Schema:
    properties = {key: child for key, child in schema.properties.items() if key != name}
    required = [key for key in schema.get("required") or () if key != name]
    return schema.with_keywords({"properties": properties, **({"required": required} if required else {})})


def _require_property(schema: Schema, name: str) -> Schema:
    """A schema that asks for a property, if it knows it: a sample without a spec shows nothing."""
    required = schema.get("required") or []
    return (
        schema.with_keywords({"required": [*required, name]}) if name in schema.properties.keys() - required else schema
    )
