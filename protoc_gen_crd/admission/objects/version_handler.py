"""One version of a CRD as one class of servers serves it: how an object is read, and how it is stored.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go, pkg/apiserver/conversion.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.crd.versions.internal_version import is_equal
from protoc_gen_crd.admission.field_errors import FieldError, format_error
from protoc_gen_crd.admission.objects import metadata_codec
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.embedded_resources import MetadataCoercer
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.versions import get_priority_key
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
    from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms


class PreparedObject(Record):
    """An object that fits its schema, unknown fields, and why there is none."""

    obj: dict[str, Any]
    unknown: tuple[str, ...] = ()
    error: str = ""


class VersionHandler:
    """A version, its schema and the servers' switches."""

    def __init__(self, crd: Crd, version: CrdVersion, made: CrdValidators) -> None:
        self.crd, self.version, self.switches, self._shared_validators = crd, version, made.switches, made
        self.schema = version.schema or Schema({})
        self.node = made.shared.structural_nodes.get_node(self.schema, resource=True)
        self.validator = made.validator
        self.kind = crd.names.kind
        self.api_version = f"{crd.group}/{version.name}"
        self.namespaced = crd.scope == "Namespaced"
        self.deprecation = _format_deprecation(crd, version) if version.deprecated else ""
        self.storage: VersionHandler | None = None  # None where a webhook converts

    def format_decode_error(self, reason: str) -> str:
        """What is said of a body that cannot be decoded."""
        return f"{self.kind} in version {quote(self.version.name)} cannot be handled as a {self.kind}: {reason}"

    def prepare(
        self, obj: dict[str, Any], *, stored: bool = False, defaults: bool = True, known: bool = False
    ) -> PreparedObject:
        """An object without what the schema does not know and, with `defaults`, with what it lacks.

        The schema has no say over the object's own metadata, which is read unless it is `known` already. What comes out
        of storage is never refused.
        """
        read = None
        if "metadata" in obj:
            read = (
                metadata_codec.DecodedMetadata(dict(obj["metadata"]))
                if known
                else metadata_codec.decode_metadata(obj["metadata"], self.switches, stored=stored)
            )
        if read is not None and read.error:
            return PreparedObject({}, (), read.error)
        pruning = Pruner(nulls=True)
        made = pruning.prune_value(self.node, obj, "")
        unknown = [f"metadata.{path}" for path in read.unknown] if read else []
        unknown += pruning.unknown
        if self.node.resources:
            coercion = MetadataCoercer(self.switches, stored=stored)
            made = coercion.coerce(made, self.schema, None)
            if coercion.error is not None:
                return PreparedObject({}, (), format_error(coercion.error, self.switches))
            unknown += coercion.unknown
        if read is not None:
            made["metadata"] = read.members
            if stored and not read.members.get("generation"):
                made["metadata"]["generation"] = 1
        if defaults:
            apply_defaults(made, self.node)
        return PreparedObject(made, tuple(unknown))

    def convert_through_storage(self, obj: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], str]:
        """The object as it is stored and as it comes back, and what keeps it from being stored.

        Shortcut settled-storage: an object that is pruned and defaulted stays as it is when the same schema prunes it
        again, unless a default has nulls or went missing.
        """
        storage = self.storage
        defaulted = all(key in obj for key, _ in self.node.defaulted)  # its status may have gone since
        settled = self.node.settled and defaulted and "generation" in obj["metadata"]
        if storage is None or (storage is self and settled):
            return obj, obj, ""
        if settled and self._is_stored_alike:
            return {**obj, "apiVersion": storage.api_version}, obj, ""
        stored = storage.prepare({**obj, "apiVersion": storage.api_version}, defaults=False, known=True)
        if stored.error:
            return {}, {}, stored.error
        back = storage.prepare(stored.obj, stored=True, known=True)
        returned = self.prepare({**back.obj, "apiVersion": self.api_version}, defaults=False, known=True)
        return stored.obj, returned.obj, returned.error

    @cached_property
    def _is_stored_alike(self) -> bool:
        """Whether the version that is stored has the same schema, so that an object stays as it is.

        Shortcut equal-storage: a version whose schema is equal prunes and defaults as this one does.
        """
        return self.storage is not None and is_equal(self.schema, self.storage.schema)

    def run_rules(
        self,
        obj: dict[str, Any],
        old: dict[str, Any] | None,
        correlated: CorrelatedObject | None,
        errors: list[FieldError],
    ) -> list[str]:
        """Add what the rules find to the errors: warnings."""
        from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator  # noqa: PLC0415 - not for schemas without rules

        walk = RuleEvaluator(self._shared_validators.programs)
        walk.run(self.node, obj, old, None, correlated, root=True)
        errors += walk.errors
        return walk.warnings


class SharedSchemas:
    """What is made of schemas, for all CRDs and versions of a server."""

    def __init__(self, cel: CelInterface | None) -> None:
        self.structural_nodes = StructuralNodes()
        self._cel = cel

    @cached_property
    def expressions(self) -> ExpressionCompiler:
        """The rules, compiled: those of admission, if it has been given CEL."""
        from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler  # noqa: PLC0415 - not for schemas without rules

        return self._cel.expressions if self._cel is not None else ExpressionCompiler()


class CrdValidators:
    """What is made of the schemas of a CRD, for versions that answer its switches alike."""

    def __init__(self, switches: Switches, shared: SharedSchemas) -> None:
        self.switches, self.shared = switches, shared
        self.validator = ValueValidator(switches)

    @cached_property
    def programs(self) -> RulePrograms:
        """The rules."""
        from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415 - as above

        return RulePrograms(self.shared.expressions, self.switches)


class VersionHandlers:
    """The versions of one CRD as one class of servers serves them, made when an object needs them."""

    def __init__(self, crd: Crd, switches: Switches, shared: SharedSchemas) -> None:
        self.crd, self.switches = crd, switches
        self._shared_validators = CrdValidators(switches, shared)
        self._known: dict[str, VersionHandler] = {}

    def get_handler(self, version: CrdVersion) -> VersionHandler:
        """A version that has a schema."""
        known = self._known.get(version.name)
        if known is None:
            known = self._known[version.name] = VersionHandler(self.crd, version, self._shared_validators)
            known.storage = self._get_storage_handler()
        return known

    def _get_storage_handler(self) -> VersionHandler | None:
        conversion = self.crd.conversion
        if conversion is not None and conversion.get("strategy") not in (None, "None"):
            return None
        version = next((version for version in self.crd.versions if version.storage), None)
        return None if version is None or version.schema is None else self.get_handler(version)


def _format_deprecation(crd: Crd, old: CrdVersion) -> str:
    if old.deprecation_warning is not None:
        return old.deprecation_warning
    text = f"{crd.group}/{old.name} {crd.names.kind} is deprecated"
    others = [version.name for version in crd.versions if version.served and not version.deprecated]
    best = min([old.name, *others], key=get_priority_key)
    return text if best == old.name else f"{text}; use {crd.group}/{best} {crd.names.kind}"
