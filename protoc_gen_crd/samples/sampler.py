"""Samples of a kind and version: valid objects, or the best invalid one with its errors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.name_checks import validate_dns1123_subdomain
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.minimization import minimize_value
from protoc_gen_crd.samples.sample_validator import DEFAULT_BUDGET, SampleValidator, copy_value
from protoc_gen_crd.samples.scalar_values import generate_scalars
from protoc_gen_crd.samples.value_generator import GeneratedValue, OmittedNode, ValueGenerator
from protoc_gen_crd.schema.schema import Json, Schema

_MAX_NAMES = 60  # names of an object that are tried


class Sample(Record):
    """An object of a kind and version, minimal or full. `errors` are the messages of servers, empty if it is valid."""

    version: str
    full: bool
    object: dict[str, Any]
    errors: tuple[str, ...] = ()


class Sampler:
    """A generator of samples for CRDs, validated by servers of these minor versions; the newest guides the search.

    Unless `deprecated`, deprecated fields that are optional are omitted.
    """

    def __init__(self, server: AdmissionServer | None = None, *, deprecated: bool = True) -> None:
        self.server = server or AdmissionServer((NEWEST,))
        self.validator = SampleValidator(self.server.switches[-1].minor, self.server.get_shared_schemas())
        self._served: dict[tuple[int, str], tuple[Crd, Crd]] = {}  # the key is the identity of the first CRD
        self._deprecated = deprecated
        self._checked: dict[int, Schema] = {}
        self._reported: dict[tuple[int, str], Schema] = {}
        self.generators = self._make_generators()

    def _make_generators(self) -> dict[bool, ValueGenerator]:
        return {full: ValueGenerator(self.validator, full=full, deprecated=self._deprecated) for full in (False, True)}

    def list_omitted_nodes(self) -> Iterator[tuple[OmittedNode, Cause]]:
        """Yield the nodes that full objects omit, each once, with an error of the best value."""
        nodes, self.generators[True].omitted = self.generators[True].omitted, {}
        for node in nodes.values():
            if (key := (id(node.schema), node.name)) not in self._reported:
                self._reported[key] = node.schema
                yield from ((node, error) for error in self.validator.find_errors(node.schema, node.nearest)[:1])

    def find_bad_examples(self, version: CrdVersion) -> Iterator[tuple[Schema, Json, Cause]]:
        """Yield examples that are invalid in their own nodes, with the first error; each node is checked once."""
        stack = [version.schema] if version.schema else []
        while stack:
            schema = stack.pop()
            if id(schema) in self._checked:
                continue
            self._checked[id(schema)] = schema
            example = schema.get("example")
            if example is not None:
                yield from ((schema, example, error) for error in self.validator.find_errors(schema, example)[:1])
            children = (*schema.properties.values(), schema.items, schema.additional)
            stack += [child for child in reversed(children) if isinstance(child, Schema)]

    def make_sample(self, crd: Crd, version: CrdVersion, *, full: bool) -> Sample:
        """Return the minimal or the full sample of a version, validated as if the version were served."""
        if not version.served:
            version = version.replace(served=True)
            _, crd = self._served.setdefault(
                (id(crd), version.name), (crd, crd.replace(versions=_replace_version(crd, version)))
            )
        obj = self.generate_object(crd, version, full=full)
        return Sample(version.name, full, obj, self.find_errors(crd, obj))

    def generate_object(self, crd: Crd, version: CrdVersion, *, full: bool) -> dict[str, Any]:
        """Return the best object of a version; it may be invalid."""
        if self.validator.remaining_budget <= 0:
            self.generators = self._make_generators()  # a search without result may succeed for another object
        self.validator.remaining_budget = DEFAULT_BUDGET
        schema = version.schema or Schema({})
        if version.status and "status" in schema.properties:
            schema = _drop_property(schema, "status")  # servers drop the status of new objects
        metadata: dict[str, Json] = {"name": self._generate_name(schema)}
        if full and crd.scope == "Namespaced":
            metadata["namespace"] = "default"
        fixed: dict[str, Json] = {
            "apiVersion": f"{crd.group}/{version.name}",
            "kind": crd.names.kind,
            "metadata": metadata,
        }
        with_spec = _require_property(schema, "spec")
        generated = self._generate(with_spec, fixed, full=full)
        if generated.errors and not full:
            generated = self._minimize(with_spec, fixed) or generated
        if generated.errors and not (full and self._has_broken_spec_rules(schema, generated.value)):
            generated = self._generate(schema, fixed, full=full)
        return {**fixed, **copy_value(generated.value)} if isinstance(generated.value, dict) else fixed

    def _minimize(self, schema: Schema, fixed: dict[str, Json]) -> GeneratedValue | None:
        """Minimize the full value, since adding properties satisfies some rules; None if the full value is invalid."""
        self.validator.remaining_budget = DEFAULT_BUDGET
        generated = self._generate(schema, fixed, full=True)
        if generated.errors:
            return None
        return generated.replace(
            value=minimize_value(generated.value, lambda value: self._is_accepted(schema, value), frozenset(fixed))
        )

    def _is_accepted(self, schema: Schema, value: Json) -> bool:
        return self.validator.remaining_budget > 0 and not self.validator.find_errors(schema, value, root=True)

    def _has_broken_spec_rules(self, schema: Schema, value: Json) -> bool:
        """Check whether the spec violates its own rules; an object without a spec would hide that."""
        spec = schema.properties.get("spec")
        return bool(
            spec
            and isinstance(value, dict)
            and "spec" in value
            and self.validator.find_broken_rules(spec, value["spec"])
        )

    def _generate_name(self, schema: Schema) -> Json:
        """Return a name that the schema of metadata accepts; if none is found, the likeliest one."""
        name_schema = (schema.properties.get("metadata") or Schema({})).properties.get("name")
        if name_schema is None:
            return "example"
        likely = self.generators[False].generate(NodeShape((name_schema,)), "name").value
        names = (likely, *islice(generate_scalars(NodeShape((name_schema,)), "name", self.validator), _MAX_NAMES))
        valid_names = (
            name
            for name in names
            if not validate_dns1123_subdomain(str(name)) and not self.validator.find_errors(name_schema, name)
        )
        return next(valid_names, likely)

    def _generate(self, schema: Schema, fixed: dict[str, Json], *, full: bool) -> GeneratedValue:
        return self.generators[full].generate_best(NodeShape((schema,)), "", fixed, root=True)

    def find_errors(self, crd: Crd, obj: dict[str, Any]) -> tuple[str, ...]:
        """Return the errors of an object, unknown fields included."""
        messages: dict[str, None] = {}
        for verdict in self.server.validate(crd, obj):
            messages |= dict.fromkeys(cause.message for cause in (*verdict.unknown_fields, *verdict.causes))
        return tuple(messages)


def _replace_version(crd: Crd, version: CrdVersion) -> tuple[CrdVersion, ...]:
    return tuple(version if other.name == version.name else other for other in crd.versions)


def _drop_property(schema: Schema, name: str) -> Schema:
    properties = {key: child for key, child in schema.properties.items() if key != name}
    required = [key for key in schema.get("required") or () if key != name]
    return schema.with_keywords({"properties": properties, **({"required": required} if required else {})})


def _require_property(schema: Schema, name: str) -> Schema:
    """Require a property that the schema has: a sample without a spec is of no use."""
    required = schema.get("required") or []
    return (
        schema.with_keywords({"required": [*required, name]}) if name in schema.properties.keys() - required else schema
    )
