"""One version of a CRD in one group of servers: reading, storage, and rules of its objects.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go, pkg/apiserver/conversion.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.crd.versions.internal_version import is_equal
from protoc_gen_crd.admission.field_errors import Cause, format_error
from protoc_gen_crd.admission.objects import metadata_codec
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.embedded_resources import MetadataCoercer
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.kubernetes.shared_results import RequestSwitches, Switches
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
    from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms


class PreparedObject(Record):
    """A pruned and defaulted object, the paths of unknown fields, and the decoding error."""

    obj: dict[str, Any]
    unknown: tuple[str, ...] = ()
    error: str = ""


class VersionHandler:
    """A version of a CRD, its schema, and the switches of the servers."""

    def __init__(self, crd: Crd, version: CrdVersion, validators: CrdValidators) -> None:
        self.crd, self.version, self.switches, self._shared_validators = crd, version, validators.switches, validators
        self.schema = version.schema or Schema({})
        self.node = validators.shared.structural_nodes.get_node(self.schema, resource=True)
        self.validator = validators.validator
        self.kind = crd.names.kind
        self.api_version = f"{crd.group}/{version.name}"
        self.namespaced = crd.scope == "Namespaced"
        self.deprecation = _format_deprecation(crd, version) if version.deprecated else ""
        self.storage: VersionHandler | None = None  # None if a webhook converts

    def format_decode_error(self, reason: str) -> str:
        """Return the error message of a body that cannot be decoded."""
        return f"{self.kind} in version {quote(self.version.name)} cannot be handled as a {self.kind}: {reason}"

    def prepare(
        self, obj: dict[str, Any], *, stored: bool = False, defaults: bool = True, known: bool = False
    ) -> PreparedObject:
        """Prune an object and, with `defaults`, add the defaults.

        The schema does not affect the object's own metadata, which is decoded unless `known` is true. Objects from
        storage (`stored`) are never rejected.
        """
        metadata = None
        if "metadata" in obj:
            metadata = (
                metadata_codec.DecodedMetadata(dict(obj["metadata"]))
                if known
                else metadata_codec.decode_metadata(obj["metadata"], self.switches, stored=stored)
            )
        if metadata is not None and metadata.error:
            return PreparedObject({}, (), metadata.error)
        pruning = Pruner(nulls=True)
        pruned = pruning.prune_value(self.node, obj, "")
        unknown = [f"metadata.{path}" for path in metadata.unknown] if metadata else []
        unknown += pruning.unknown
        if self.node.resources:
            coercion = MetadataCoercer(self.switches, stored=stored)
            pruned = coercion.coerce(pruned, self.schema, None)
            if coercion.error is not None:
                return PreparedObject({}, (), format_error(coercion.error, self.switches))
            unknown += coercion.unknown
        if metadata is not None:
            pruned["metadata"] = metadata.members
            if stored and not metadata.members.get("generation"):
                pruned["metadata"]["generation"] = 1
        if defaults:
            apply_defaults(pruned, self.node)
        return PreparedObject(pruned, tuple(unknown))

    def convert_through_storage(self, obj: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], str]:
        """Return the object as stored, as read back, and the error that prevents it from being stored.

        Shortcut settled-storage: an object that is pruned and defaulted stays as it is when the same schema prunes it
        again, unless a default has nulls or went missing.
        """
        storage = self.storage
        defaulted = all(key in obj for key, _ in self.node.defaulted)  # the status may have been dropped since
        settled = self.node.settled and defaulted and "generation" in obj["metadata"]
        if storage is None or (storage is self and settled):
            return obj, obj, ""
        if settled and self._is_stored_alike:
            return {**obj, "apiVersion": storage.api_version}, obj, ""
        stored = storage.prepare({**obj, "apiVersion": storage.api_version}, defaults=False, known=True)
        if stored.error:
            return {}, {}, stored.error
        reread = storage.prepare(stored.obj, stored=True, known=True)
        returned = self.prepare({**reread.obj, "apiVersion": self.api_version}, defaults=False, known=True)
        return stored.obj, returned.obj, returned.error

    @cached_property
    def _is_stored_alike(self) -> bool:
        """True if the storage version has an equal schema, so that storage does not change objects.

        Shortcut equal-storage: a version whose schema is equal prunes and defaults as this one does.
        """
        return self.storage is not None and is_equal(self.schema, self.storage.schema)

    def run_rules(
        self,
        obj: dict[str, Any],
        old: dict[str, Any] | None,
        correlated: CorrelatedObject | None,
        errors: list[Cause],
    ) -> list[str]:
        """Append the errors of rules, and return their warnings."""
        from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator  # noqa: PLC0415 - not for schemas without rules

        evaluator = RuleEvaluator(self._shared_validators.programs)
        evaluator.run(self.node, obj, old, None, correlated, root=True)
        errors += evaluator.errors
        return evaluator.warnings


class SharedSchemas:
    """The structural nodes and compiled expressions of all CRDs and versions of a server."""

    def __init__(self, cel: CelInterface | None) -> None:
        self.structural_nodes = StructuralNodes()
        self._cel = cel

    @cached_property
    def expressions(self) -> ExpressionCompiler:
        """The compiled expressions, shared with CRD validation if it has a CEL compiler."""
        from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler  # noqa: PLC0415 - not for schemas without rules

        return self._cel.expressions if self._cel is not None else ExpressionCompiler()


class CrdValidators:
    """The validator and programs of a CRD, for versions in which its schemas compile alike."""

    def __init__(self, switches: Switches, shared: SharedSchemas) -> None:
        self.switches, self.shared = switches, shared
        self.validator = ValueValidator(switches)

    @cached_property
    def programs(self) -> RulePrograms:
        """The compiled rules."""
        from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415 - as above

        return RulePrograms(self.shared.expressions, self.switches)


class VersionHandlers:
    """The versions of one CRD in one group of servers, created on first use."""

    def __init__(self, crd: Crd, switches: RequestSwitches, shared: SharedSchemas) -> None:
        self.crd, self.switches = crd, switches
        self._shared_validators = CrdValidators(switches, shared)
        self._known: dict[str, VersionHandler] = {}

    def get_handler(self, version: CrdVersion) -> VersionHandler:
        """Return the handler of a version with a schema."""
        handler = self._known.get(version.name)
        if handler is None:
            handler = self._known[version.name] = VersionHandler(self.crd, version, self._shared_validators)
            handler.storage = self._get_storage_handler()
        return handler

    def _get_storage_handler(self) -> VersionHandler | None:
        conversion = self.crd.conversion
        if conversion is not None and conversion.get("strategy") not in (None, "None"):
            return None
        version = next((version for version in self.crd.versions if version.storage), None)
        return None if version is None or version.schema is None else self.get_handler(version)


def _format_deprecation(crd: Crd, deprecated: CrdVersion) -> str:
    if deprecated.deprecation_warning is not None:
        return deprecated.deprecation_warning
    warning = f"{crd.group}/{deprecated.name} {crd.names.kind} is deprecated"
    others = [version.name for version in crd.versions if version.served and not version.deprecated]
    recommended = min([deprecated.name, *others], key=get_priority_key)
    return warning if recommended == deprecated.name else f"{warning}; use {crd.group}/{recommended} {crd.names.kind}"
