"""One schema in its place, `spec.validation` or `spec.versions[i].schema`: the stages in the server's order.

What is structural decides whether defaults are looked at, these decide whether rules are compiled; the rules for every
node always hold. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go
(validateCustomResourceDefinitionValidation).
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.crd.cel import Cel, Schemas, Site
from protoc_gen_crd.admission.crd.held import Part
from protoc_gen_crd.admission.crd.options import Options
from protoc_gen_crd.admission.crd.survey import (
    HAS_DEFAULT,
    HAS_RULE,
    SCHEMA,
    STRUCTURAL,
    UNCONVERTIBLE,
    Position,
    Survey,
    Visit,
    beside,
    of_property,
    of_values,
    said,
)
from protoc_gen_crd.admission.errors import FORBIDDEN, INVALID, FieldError, Typed
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.schema.types import LIST_TYPE, MAP_TYPE, PRESERVE, VALIDATIONS, Schema

_AT_ROOT = (
    "Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength",
    "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties",
    "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations",
)  # fmt: skip
_ROOT_KEYWORDS = frozenset((*(name[0].lower() + name[1:] for name in _AT_ROOT[:-2]), PRESERVE, VALIDATIONS))


class Stages:
    """The stages over one memo, with the CEL that was given in."""

    every = False  # whether rules of nodes that are refused count too

    def __init__(self, survey: Survey, cel: Cel | None = None) -> None:
        self.survey, self.cel = survey, cel

    def schema(self, part: Part, switches: Switches, options: Options, *, status: bool) -> Iterator[FieldError]:
        """All errors of the schema at this place, if there is one."""
        root = part.openapi
        if root is None:
            return
        path = path_of(part)
        errors = list(_at_root(root, path, status=status))
        report = self.survey.of(root)
        runnable = options.structural and not report.bits & UNCONVERTIBLE
        if runnable:
            faults = [found.error(path) for found in said(report, STRUCTURAL, switches, options.eased)]
            if not faults and report.bits & HAS_DEFAULT:
                faults = self._defaults(root, path, switches, options)
            errors += faults
            runnable = not faults
        errors += [found.error(path) for found in said(report, SCHEMA, switches, options.eased)]
        if not errors and options.structural and report.bits & UNCONVERTIBLE:
            errors += _not_convertible(root, path)
        yield from errors
        if runnable and report.bits & HAS_RULE and self.cel is not None:
            era = Era(switches.minor)
            yield from self.cel.compiled(self.rules(part, root, switches, options), era)
            switches.ask(era.holds)

    def rules(self, part: Part, root: Schema, switches: Switches, options: Options) -> Schemas:
        """The rules of the schema at this place, to compile."""
        path = path_of(part)
        sites = tuple(self._sites(root, path, switches, options))
        unlimited = part.version.name in options.unchanged
        return Schemas(root, path, sites, options.stored, unlimited, options.optional)

    def _defaults(self, root: Schema, path: str, switches: Switches, options: Options) -> list[FieldError]:
        from protoc_gen_crd.admission.crd.defaults import Defaults  # noqa: PLC0415 - many schemas have none

        return list(Defaults(switches, self.cel, pruned=options.pruned).errors(root, path))

    def _sites(self, root: Schema, path: str, switches: Switches, options: Options) -> Iterator[Site]:
        sites = _Sites(self.survey, switches, options.eased, every=self.every)
        return sites.below(root, self.survey.position("root"), path, (), None)


def path_of(part: Part) -> str:
    """Where the schema of a part stands."""
    return f"{part.path}.validation.openAPIV3Schema" if part.path == "spec" else f"{part.path}.schema.openAPIV3Schema"


def _at_root(root: Schema, path: str, *, status: bool) -> Iterator[FieldError]:
    if status:
        yield from _with_status(root, path)
    if root.get("nullable"):
        reason = "nullable cannot be true at the root"
        yield FieldError(FORBIDDEN, f"{path}.nullable", reason, origin=root.place("nullable"))


def _with_status(root: Schema, path: str) -> Iterator[FieldError]:
    """Only what survives when the schema of status is taken out of it; the first offender is named."""
    if root.keywords.keys() <= _ROOT_KEYWORDS and root.type in ("object", ""):
        return
    from protoc_gen_crd.schema.keywords import KEYWORDS  # noqa: PLC0415 - nearly all schemas are sound

    under = "at the root of the schema if the status subresource is enabled"
    for row in KEYWORDS.values():
        if row.name not in root.keywords:
            continue
        if row.name == "type":
            if root.type != "object":
                reason = f'only "object" is allowed as the type {under}'
                yield FieldError(INVALID, f"{path}.type", reason, root.type, root.place("type"))
                return
        elif row.field not in _AT_ROOT:
            reason = f"only [{' '.join(_AT_ROOT)}] fields are allowed {under}"
            shown = Typed("apiextensions.JSONSchemaProps", root)
            yield FieldError(INVALID, path, reason, shown, root.place(row.name))
            return


def _not_convertible(root: Schema, path: str) -> Iterator[FieldError]:
    from protoc_gen_crd.admission.crd.convertible import fault  # noqa: PLC0415 - rare

    reason = fault(root)
    if reason is not None:
        yield FieldError(INVALID, path, reason, "", root.origin)


class _Sites:
    """The nodes with rules whose schema is sound, or every one, in walking order."""

    def __init__(self, survey: Survey, switches: Switches, eased: int, *, every: bool) -> None:
        self.survey, self.switches, self.eased, self.every = survey, switches, eased, every

    def below(
        self, node: Schema, at: Position, path: str, above: tuple[tuple[Schema, str], ...], uncorrelatable: str | None
    ) -> Iterator[Site]:
        report = at.memo.get(id(node)) or self.survey.look(node, at)
        if not report.bits & HAS_RULE:
            return
        for step, child, place in self._children(node, at):
            if (place.memo.get(id(child)) or self.survey.look(child, place)).bits & HAS_RULE:
                fixed = uncorrelatable or self._uncorrelatable(node, path, step)
                yield from self.below(child, place, path + step, (*above, (node, step)), fixed)
        if node.get(VALIDATIONS) and (self.every or not any(said(report, SCHEMA, self.switches, self.eased))):
            yield Site(node, path, (*above, (node, "")), uncorrelatable)

    def _children(self, node: Schema, at: Position) -> Iterator[tuple[str, Schema, Position]]:
        visit = Visit(self.survey, node, at)
        for name, child in node.properties.items():
            yield f".properties[{name}]", child, of_property(visit, name, "field")
        if isinstance(node.items, Schema):
            yield ".items", node.items, beside(visit, "item")
        if isinstance(node.additional, Schema):
            yield ".additionalProperties", node.additional, of_values(visit, "field")

    @staticmethod
    def _uncorrelatable(node: Schema, path: str, step: str) -> str | None:
        if step == ".items":
            return None if node.get(LIST_TYPE) == "map" else path
        if step == ".additionalProperties":
            return None
        return None if node.get(MAP_TYPE) in (None, "granular", "atomic") else path
