"""Validation of one schema, `spec.validation` or `spec.versions[i].schema`, in the stages of the server.

Defaults are validated only if the schema is structural, and rules are compiled only if the defaults are valid. The
checks of every node always apply. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation
validation.go (validateCustomResourceDefinitionValidation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_DEFAULT,
    HAS_RULE,
    SCHEMA,
    STRUCTURAL,
    UNCONVERTIBLE,
    NodeVisit,
    Position,
    SchemaVisitor,
    get_property_position,
    get_sibling_position,
    get_values_position,
    select_findings,
)
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart
from protoc_gen_crd.admission.field_errors import FORBIDDEN, INVALID, Cause
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import LIST_TYPE, MAP_TYPE, PRESERVE, VALIDATIONS, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface, RuleSite, SchemaRules

_ALLOWED_AT_ROOT = (
    "Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength",
    "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties",
    "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations",
)  # fmt: skip
# Shortcut root-keywords: the search for the first forbidden field finds none where all keywords are allowed and the
# type is object.
_ROOT_KEYWORDS = frozenset((*(name[0].lower() + name[1:] for name in _ALLOWED_AT_ROOT[:-2]), PRESERVE, VALIDATIONS))


class SchemaValidator:
    """The stages of the validation, with a shared visitor and a CEL compiler."""

    includes_rejected = False  # if true, rules of rejected nodes are collected too

    def __init__(self, visitor: SchemaVisitor, cel: CelInterface | None = None) -> None:
        self.visitor, self.cel = visitor, cel

    def validate_schema(
        self, part: CrdPart, switches: Switches, options: ValidationOptions, *, status: bool
    ) -> Iterator[Cause]:
        """Validate the schema of a part, if it has one."""
        root = part.openapi
        if root is None:
            return
        path = get_schema_path(part)
        errors = list(_validate_root(root, path, status=status))
        report = self.visitor.visit_root(root)
        runnable = options.requires_structural and not report.flags & UNCONVERTIBLE
        if runnable:
            stage_errors = [
                finding.to_cause(path) for finding in select_findings(report, STRUCTURAL, switches, options.ratcheted)
            ]
            if not stage_errors and report.flags & HAS_DEFAULT:
                stage_errors = self._validate_defaults(root, path, switches, options)
            errors += stage_errors
            runnable = not stage_errors
        errors += [finding.to_cause(path) for finding in select_findings(report, SCHEMA, switches, options.ratcheted)]
        if not errors and options.requires_structural and report.flags & UNCONVERTIBLE:
            errors += _validate_convertible(root, path)
        yield from errors
        if runnable and report.flags & HAS_RULE and self.cel is not None:
            yield from self.cel.compile_rules(self.collect_rules(part, root, switches, options), switches)

    def collect_rules(self, part: CrdPart, root: Schema, switches: Switches, options: ValidationOptions) -> SchemaRules:
        """Collect the rules of the schema of a part for compilation."""
        from protoc_gen_crd.admission.crd.rules.cel_interface import SchemaRules  # noqa: PLC0415 - many APIs have no rules

        path = get_schema_path(part)
        sites = tuple(self._find_rule_sites(root, path, switches, options))
        unlimited = part.version.name in options.unchanged_versions
        return SchemaRules(root, path, sites, options.stored_expressions, unlimited, options.keeps_optional_old_self)

    def _validate_defaults(
        self, root: Schema, path: str, switches: Switches, options: ValidationOptions
    ) -> list[Cause]:
        from protoc_gen_crd.admission.crd.structure.default_values import DefaultValidator  # noqa: PLC0415 - many schemas have none

        return list(
            DefaultValidator(switches, self.cel, pruned=options.requires_pruned_defaults).validate_defaults(root, path)
        )

    def _find_rule_sites(
        self, root: Schema, path: str, switches: Switches, options: ValidationOptions
    ) -> Sequence[RuleSite]:
        finder = _RuleSiteFinder(self.visitor, switches, options.ratcheted, every=self.includes_rejected)
        finder.find_sites(root, self.visitor.get_position("root"), path, (), (), None)
        return finder.sites


def get_schema_path(part: CrdPart) -> str:
    """Return the path of the schema of a part."""
    return f"{part.path}.validation.openAPIV3Schema" if part.path == "spec" else f"{part.path}.schema.openAPIV3Schema"


def _validate_root(root: Schema, path: str, *, status: bool) -> Iterator[Cause]:
    if status:
        yield from _validate_root_with_status(root, path)
    if root.get("nullable"):
        reason = "nullable cannot be true at the root"
        yield Cause(FORBIDDEN, f"{path}.nullable", reason, place=root.get_place("nullable"))


def _validate_root_with_status(root: Schema, path: str) -> Iterator[Cause]:
    """Report the first keyword that the server cannot keep at the root when it extracts the schema of status."""
    if root.keywords.keys() <= _ROOT_KEYWORDS and root.type in ("object", ""):
        return
    from protoc_gen_crd.schema.keywords import KEYWORDS  # noqa: PLC0415 - nearly all schemas are sound

    condition = "at the root of the schema if the status subresource is enabled"
    for row in KEYWORDS.values():
        if row.name not in root.keywords:
            continue
        if row.name == "type":
            if root.type != "object":
                reason = f'only "object" is allowed as the type {condition}'
                yield Cause(INVALID, f"{path}.type", reason, root.type, root.get_place("type"))
                return
        elif row.field not in _ALLOWED_AT_ROOT:
            reason = f"only [{' '.join(_ALLOWED_AT_ROOT)}] fields are allowed {condition}"
            shown = GoTypedValue("apiextensions.JSONSchemaProps", root)
            yield Cause(INVALID, path, reason, shown, root.get_place(row.name))
            return


def _validate_convertible(root: Schema, path: str) -> Iterator[Cause]:
    from protoc_gen_crd.admission.crd.structure.structural_conversion_errors import find_structural_error  # noqa: PLC0415 - rare

    reason = find_structural_error(root)
    if reason is not None:
        yield Cause(INVALID, path, reason, "", root.origin)


class _RuleSiteFinder:
    """Adds the nodes with rules to `sites`, without rejected ones unless requested, children first."""

    def __init__(self, visitor: SchemaVisitor, switches: Switches, ratcheted: int, *, every: bool) -> None:
        self.visitor, self.switches, self.ratcheted, self.includes_rejected = visitor, switches, ratcheted, every
        self.sites: list[RuleSite] = []

    def find_sites(
        self,
        node: Schema,
        position: Position,
        path: str,
        ancestors: tuple[tuple[Schema, str], ...],
        containers: tuple[tuple[int, Schema], ...],
        uncorrelatable: str | None,
    ) -> None:
        """Add the node and the nodes below it that have rules."""
        from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite, is_container  # noqa: PLC0415 - many APIs have no rules

        report = position.memo.get(id(node)) or self.visitor.visit_node(node, position)
        if not report.flags & HAS_RULE:
            return
        inner = (*containers, (len(ancestors), node)) if is_container(node) else containers
        for step, child, child_position in self._iterate_children(node, position):
            if (child_position.memo.get(id(child)) or self.visitor.visit_node(child, child_position)).flags & HAS_RULE:
                uncorrelatable_path = uncorrelatable or self._find_uncorrelatable_path(node, path, step)
                self.find_sites(
                    child, child_position, path + step, (*ancestors, (node, step)), inner, uncorrelatable_path
                )
        if node.get(VALIDATIONS) and (
            self.includes_rejected or not any(select_findings(report, SCHEMA, self.switches, self.ratcheted))
        ):
            self.sites.append(RuleSite(node, path, (*ancestors, (node, "")), containers, uncorrelatable))

    def _iterate_children(self, node: Schema, position: Position) -> Iterator[tuple[str, Schema, Position]]:
        visit = NodeVisit(self.visitor, node, position)
        for name, child in node.properties.items():
            yield f".properties[{name}]", child, get_property_position(visit, name, "field")
        if isinstance(node.items, Schema):
            yield ".items", node.items, get_sibling_position(visit, "item")
        if isinstance(node.additional, Schema):
            yield ".additionalProperties", node.additional, get_values_position(visit, "field")

    @staticmethod
    def _find_uncorrelatable_path(node: Schema, path: str, step: str) -> str | None:
        if step == ".items":
            return None if node.get(LIST_TYPE) == "map" else path
        if step == ".additionalProperties":
            return None
        return None if node.get(MAP_TYPE) in (None, "granular", "atomic") else path
