"""One version of a CRD as one class of servers serves it: how an object is read, and how it is stored.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go, pkg/apiserver/conversion.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.crd.held import equal
from protoc_gen_crd.admission.errors import FieldError, message
from protoc_gen_crd.admission.objects import meta
from protoc_gen_crd.admission.objects.correlation import Correlated
from protoc_gen_crd.admission.objects.defaulting import default
from protoc_gen_crd.admission.objects.embedded import Coercion
from protoc_gen_crd.admission.objects.prune import Pruning
from protoc_gen_crd.admission.objects.structural import Structurals
from protoc_gen_crd.admission.objects.values import Values
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import priority_key
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.types import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.cel import Cel
    from protoc_gen_crd.admission.expressions import Expressions
    from protoc_gen_crd.admission.objects.programs import Programs


class Prepared(Record):
    """An object that fits its schema, unknown fields, and why there is none."""

    obj: dict[str, Any]
    unknown: tuple[str, ...] = ()
    refusal: str = ""


class Resource:
    """A version, its schema and the servers' switches."""

    def __init__(self, crd: Crd, version: Version, made: Made) -> None:
        self.crd, self.version, self.switches, self._made = crd, version, made.switches, made
        self.schema = version.schema or Schema({})
        self.node = made.shared.structurals.of(self.schema, resource=True)
        self.values = made.values
        self.kind = crd.names.kind
        self.api_version = f"{crd.group}/{version.name}"
        self.namespaced = crd.scope == "Namespaced"
        self.deprecation = _deprecation(crd, version) if version.deprecated else ""
        self.storage: Resource | None = None  # None where a webhook converts

    def undecodable(self, reason: str) -> str:
        """What is said of a body that cannot be decoded."""
        return f"{self.kind} in version {quote(self.version.name)} cannot be handled as a {self.kind}: {reason}"

    def prepare(
        self, obj: dict[str, Any], *, stored: bool = False, defaults: bool = True, known: bool = False
    ) -> Prepared:
        """An object without what the schema does not know and, with `defaults`, with what it lacks.

        The schema has no say over the object's own metadata, which is read unless it is `known` already. What comes out
        of storage is never refused.
        """
        read = None
        if "metadata" in obj:
            read = (
                meta.Read(dict(obj["metadata"])) if known else meta.read(obj["metadata"], self.switches, stored=stored)
            )
        if read is not None and read.refusal:
            return Prepared({}, (), read.refusal)
        pruning = Pruning(nulls=True)
        made = pruning.of(self.node, obj, "")
        unknown = [f"metadata.{path}" for path in read.unknown] if read else []
        unknown += pruning.unknown
        if self.node.resources:
            coercion = Coercion(self.switches, stored=stored)
            made = coercion.of(made, self.schema, None)
            if coercion.refused is not None:
                return Prepared({}, (), message(coercion.refused, self.switches))
            unknown += coercion.unknown
        if read is not None:
            made["metadata"] = read.members
            if stored and not read.members.get("generation"):
                made["metadata"]["generation"] = 1
        if defaults:
            default(made, self.node)
        return Prepared(made, tuple(unknown))

    def through_storage(self, obj: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], str]:
        """The object as it is stored and as it comes back, and what keeps it from being stored."""
        storage = self.storage
        defaulted = all(key in obj for key, _ in self.node.defaulted)  # its status may have gone since
        settled = self.node.settled and defaulted and "generation" in obj["metadata"]
        if storage is None or (storage is self and settled):
            return obj, obj, ""
        if settled and self._is_stored_alike:
            return {**obj, "apiVersion": storage.api_version}, obj, ""
        stored = storage.prepare({**obj, "apiVersion": storage.api_version}, defaults=False, known=True)
        if stored.refusal:
            return {}, {}, stored.refusal
        back = storage.prepare(stored.obj, stored=True, known=True)
        returned = self.prepare({**back.obj, "apiVersion": self.api_version}, defaults=False, known=True)
        return stored.obj, returned.obj, returned.refusal

    @cached_property
    def _is_stored_alike(self) -> bool:
        """Whether the version that is stored has the same schema, so that an object stays as it is."""
        return self.storage is not None and equal(self.schema, self.storage.schema)

    def run_rules(
        self, obj: dict[str, Any], old: dict[str, Any] | None, correlated: Correlated | None, errors: list[FieldError]
    ) -> list[str]:
        """Add what the rules find to the errors: warnings."""
        from protoc_gen_crd.admission.objects.rules import Walk  # noqa: PLC0415 - not for schemas without rules

        walk = Walk(self._made.programs)
        walk.run(self.node, obj, old, None, correlated, root=True)
        errors += walk.errors
        return walk.warnings


class Shared:
    """What is made of schemas, for all CRDs and versions of a server."""

    def __init__(self, cel: Cel | None) -> None:
        self.structurals = Structurals()
        self._cel = cel

    @cached_property
    def expressions(self) -> Expressions:
        """The rules, compiled: those of admission, if it has been given CEL."""
        from protoc_gen_crd.admission.expressions import Expressions  # noqa: PLC0415 - not for schemas without rules

        return self._cel.expressions if self._cel is not None else Expressions()


class Made:
    """What is made of the schemas of a CRD, for versions that answer its switches alike."""

    def __init__(self, switches: Switches, shared: Shared) -> None:
        self.switches, self.shared = switches, shared
        self.values = Values(switches)

    @cached_property
    def programs(self) -> Programs:
        """The rules."""
        from protoc_gen_crd.admission.objects.programs import Programs  # noqa: PLC0415 - as above

        return Programs(self.shared.expressions, self.switches)


class Resources:
    """The versions of one CRD as one class of servers serves them, made when an object needs them."""

    def __init__(self, crd: Crd, switches: Switches, shared: Shared) -> None:
        self.crd, self.switches = crd, switches
        self._made = Made(switches, shared)
        self._known: dict[str, Resource] = {}

    def of(self, version: Version) -> Resource:
        """A version that has a schema."""
        known = self._known.get(version.name)
        if known is None:
            known = self._known[version.name] = Resource(self.crd, version, self._made)
            known.storage = self._stored()
        return known

    def _stored(self) -> Resource | None:
        conversion = self.crd.conversion
        if conversion is not None and conversion.get("strategy") not in (None, "None"):
            return None
        version = next((version for version in self.crd.versions if version.storage), None)
        return None if version is None or version.schema is None else self.of(version)


def _deprecation(crd: Crd, old: Version) -> str:
    if old.deprecation_warning is not None:
        return old.deprecation_warning
    text = f"{crd.group}/{old.name} {crd.names.kind} is deprecated"
    others = [version.name for version in crd.versions if version.served and not version.deprecated]
    best = min([old.name, *others], key=priority_key)
    return text if best == old.name else f"{text}; use {crd.group}/{best} {crd.names.kind}"
