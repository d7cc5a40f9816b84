"""Derivation of the steps between two versions from declarations, and from equal names and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.conversion.derivation import declaration_checks
from protoc_gen_crd.conversion.derivation.conversion_options import (
    ABSENCE_MEMBERS,
    SOURCE_MEMBERS,
    ConversionDeclaration,
    get_declarations,
    get_plural_declaration,
)
from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, Endpoint, Endpoints, is_interchangeable
from protoc_gen_crd.conversion.derivation.part_options import PartDerivation
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.derivation.value_options import CHANGE_BUILDERS, describe_type_mismatch
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import Gather, GatherFirst, Spread, UnwrapObject, WrapObject
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Default, Drop, Duplicate, Keep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import Wrap
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


class DeclarationDerivation(PartDerivation):
    """The derivation of a pair of versions with the declarations of their fields."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._plurals: list[tuple[int, Endpoint, ConversionDeclaration]] = []

    def run(self) -> None:
        """Derive all steps."""
        for side in (SPOKE, HUB):
            self._claim_moved(side, (), self.roots[side])
        self.derive_object((Endpoint(((), self.roots[SPOKE])), Endpoint(((), self.roots[HUB]))))
        for (side, whole), parts in self._parts.items():
            self._join_parts(side, whole, parts)
        for side, plural, declaration in self._plurals:
            self._derive_plural(side, plural, declaration)
        for side in (SPOKE, HUB):
            self.steps[side][:] = [self._enter_single_item(side, step) for step in self.steps[side]]
        self.keep_unread_values()
        self.set_item_keys()

    def _enter_single_item(self, side: int, step: Step) -> Step:
        """Return a step between an object and its only item as a copy inside the object, other steps unchanged.

        A value that is not inside the object is that of the item.
        """
        for outer in self.steps[side] if isinstance(step, Spread) or type(step) is Gather else ():
            if not isinstance(outer, WrapObject | UnwrapObject):
                continue
            source, target = (
                _enter(path, (around, scope))
                for path, around, scope in (
                    (step.source, outer.source, outer.source_scope),
                    (step.target, outer.target, outer.target_scope),
                )
            )
            if source and target:
                return Copy(source, target, step.origin)
            if source and type(step) is Gather and isinstance(outer, UnwrapObject):
                return GatherFirst(step.source, step.target, step.origin)
        return step

    def _claim_moved(self, side: int, path: Path, schema: Schema) -> None:
        """Claim moved fields, so that they are not copied by name."""
        stack = [(path, schema)]
        while stack:
            current, node = stack.pop()
            for declaration in get_declarations(node):
                counterpart = paths.find_schema(self.roots[1 - side], current)
                if "moved_from" in declaration.values and declaration.is_applicable(
                    self.names[side], self.names[1 - side], counterpart
                ):
                    source = self._parse_path(declaration.values["moved_from"], declaration) or ()
                    if not declaration.named_versions and paths.find_schema(self.roots[1 - side], source) is None:
                        continue  # an object around it may be converted to one that has the field
                    self.claimed[side].add(current)
                    if not self._is_lookup_only(side, source, declaration):
                        self.claimed[1 - side].add(source)
            below = {ITEM: node.items, VALUE: node.additional, **node.properties}
            stack += [((*current, step), child) for step, child in below.items() if isinstance(child, Schema)]

    def derive_declared(self, sides: Endpoints) -> None:
        """Derive the declared steps of the fields of an object."""
        for side in (HUB, SPOKE):
            own, other = sides[side], sides[1 - side]
            for name in own.schema.properties:
                field = Endpoint(((*own.path, name), own.schema.properties[name]))
                there = other.schema.properties.get(name)
                declarations = self._list_applicable(side, field.schema, there)
                for declaration in declarations:
                    self.claimed[side].add(field.path)
                    self._derive_declaration(side, field, other, declaration)
                plural = get_plural_declaration(field.schema)
                if plural and there is None and not declarations:
                    self._plurals.append((side, field, plural))
        for side in (HUB, SPOKE):
            own, other = sides[side], sides[1 - side]
            for name, schema in own.schema.properties.items():
                field = Endpoint(((*own.path, name), schema))
                there = other.schema.properties.get(name)
                apart = (
                    there is None
                    or (*other.path, name) in self.claimed[1 - side]
                    or _is_object_here_only(schema, there)
                )
                if apart and not get_declarations(schema):
                    self.derive_unpaired(side, field, other)

    def derive_unpaired(self, side: int, around: Endpoint, other: Endpoint | None = None) -> None:
        """Derive declared conversions of an object without counterpart; `other` is around it in the other version."""
        other = other or Endpoint(((), self.roots[1 - side]))
        if around.path in self.claimed[side]:
            return  # its conversion is declared
        for name, schema in around.schema.properties.items():
            field = Endpoint(((*around.path, name), schema))
            declarations = self._list_applicable(side, schema, None)
            for declaration in declarations:
                self.claimed[side].add(field.path)
                self._derive_declaration(side, field, self._find_start(side, other, declaration), declaration)
            if not declarations:
                self.derive_unpaired(side, field, other)

    def _list_applicable(self, side: int, schema: Schema, there: Schema | None) -> list[ConversionDeclaration]:
        """Return the declarations of a field that apply to the other version, which may have a field of its name."""
        names = self.names[side], self.names[1 - side]
        return [declaration for declaration in get_declarations(schema) if declaration.is_applicable(*names, there)]

    def _derive_declaration(
        self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive the steps of one declaration on a field of a side."""
        values, away = declaration.values, self.steps[side]
        self.used_declarations.add(declaration.origin)
        if self._report_malformed(declaration):
            self._mark_malformed(side, field, other, declaration)
            return
        if values.get("dropped"):
            away.append(Drop(field.path, (), declaration.origin))
        elif values.get("preserved") or ("default" in values and not _has_source(values)):
            away.append(Keep(field.path, (), declaration.origin))
        if "default" in values and not _has_source(values):
            self._add_default(side, field, declaration)
        if "part" in values:
            self._add_part(side, field, other, declaration)
        elif "join" in values:
            self._derive_join(side, field, other, declaration)
        elif _has_source(values) or not any(name in values for name in ABSENCE_MEMBERS):
            self._derive_from_source(side, field, other, declaration)

    def _report_malformed(self, declaration: ConversionDeclaration) -> bool:
        """Report errors of a declaration that are not reported yet; return True if it has any."""
        if declaration.invalid_text:
            return True
        errors = list(declaration_checks.find_declaration_errors(declaration.values))
        for problem, hint in errors:
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner, hint=hint)
        return bool(errors)

    def _mark_malformed(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        """Mark the fields of an invalid declaration as reported."""
        problems, self.problems = self.problems, Problems()
        whole = declaration.values.get("part", {}).get("of")
        source = self._find_source(
            side, field, other, declaration.replace(values={"renamed_from": whole}) if whole else declaration
        )
        self.problems = problems
        self.reported_fields.append((self.names[side], field.path))
        if source is not None:
            self.mark_reported(side, source, field)

    def _derive_from_source(
        self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a field whose value is moved or changed."""
        source = self._find_source(side, field, other, declaration)
        if source is None:
            return
        if source.path in paths.NAME_PATHS:
            self._derive_object_name(side, source, field, declaration)
            return
        if not self._is_lookup_only(side, source.path, declaration):
            self.claimed[1 - side].add(source.path)
        derivations = {
            "cel": self._derive_computed,
            "function": self.derive_handwritten,
            "key": self._derive_keyed,
            "value": self._derive_wrapped_values,
            "default": self._derive_with_default,
        }
        kind = next((name for name in (*CHANGE_BUILDERS, *derivations) if name in declaration.values), "")
        scopes = paths.get_scope(source.path), paths.get_scope(field.path)
        if kind in CHANGE_BUILDERS:
            self._derive_change(side, source, field, declaration, kind)
        elif kind:
            derivations[kind](side, source, field, declaration)
        elif scopes[0] != scopes[1] and (
            () in scopes or len({len(paths.list_containers(scope)) for scope in scopes}) > 1
        ):
            self._derive_spread(side, source, field, declaration)
        else:
            sides = (source, field) if side == HUB else (field, source)
            self.derive_value(sides, declaration.origin, declared_=True)

    def _derive_object_name(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a copy of the name or namespace of the object, which has no inverse."""
        if any(declaration.values.get(name) for name in ("preserved", "dropped")) and is_interchangeable(
            source.schema, field.schema
        ):
            step = Spread if paths.get_scope(field.path) else Duplicate
            self.steps[1 - side].append(step(source.path, field.path, declaration.origin))
            return
        self.mark_reported(side, source, field)
        problem = (
            f'"{paths.format_path(source.path)}" can only be copied to a string field that is preserved or dropped '
        )
        problem += "in the other direction"
        hint = f'declare conversion {{moved_from: "{paths.format_path(source.path)}" preserved: true}}'
        self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner, hint=hint)

    def _derive_change(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration, kind: str
    ) -> None:
        """Derive a field whose value changes."""
        step = CHANGE_BUILDERS[kind](source, field, declaration)
        if step is not None:
            self.add_step_with_inverse(side, step)
            return
        if kind == "one_item" and self.derive_single_item(side, source, field, declaration):
            return
        self.mark_reported(side, source, field)
        problem, hint = describe_type_mismatch(source, field, declaration, kind)
        self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)

    def _derive_plural(self, side: int, plural: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a list from the source of the singular field beside it.

        The list is kept, and restored only if the singular field is unchanged: its first item must equal the field.
        """
        rival = next((step for step in self.steps[1 - side] if plural.path in step.get_writes()), None)
        if rival is not None:
            self._check_rival(side, plural, declaration, rival)
        if plural.path in self.claimed[side]:
            return
        self.claimed[side].add(plural.path)
        singular = (*plural.path[:-1], declaration.values["renamed_from"])
        written = next((step for step in self.steps[1 - side] if singular in step.get_writes()), None)
        self.steps[side].append(Keep(plural.path, (), declaration.origin))
        if written is None or isinstance(written, Default):
            return  # the other version lacks both fields
        source = paths.find_schema(self.roots[1 - side], written.source)
        items = plural.schema.items
        if isinstance(written, Copy) and source and items and is_interchangeable(source, items):
            self.steps[1 - side].append(Wrap(written.source, plural.path, declaration.origin))
            return
        self.reported_fields.append((self.names[side], plural.path))
        problem = f'"plural_of" cannot convert to a list: "{paths.format_path(singular)}" changes between the versions'
        hint = f"declare a conversion of the list from {self.names[1 - side]}"
        self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)

    def _check_rival(self, side: int, plural: Endpoint, declaration: ConversionDeclaration, rival: Step) -> None:
        """Report a list with `plural_of` that another declaration writes too. Rules take precedence."""
        schema = paths.find_schema(self.roots[1 - side], rival.source)
        declarations = [other for other in get_declarations(schema) if other.origin == rival.origin] if schema else ()
        for option, owner in [(name, other.owner) for other in declarations for name in other.values][:1]:
            self.reported_fields += [(self.names[1 - side], rival.source), (self.names[side], plural.path)]
            problem = f'field "{paths.format_path(plural.path)}" of {self.names[side]} is converted by two options: '
            problem += f'"plural_of" and "{option}" of {owner}'
            self.problems.report(
                "conversion-overlap", problem, declaration.origin, path=declaration.owner, hint="remove one of them"
            )


def _enter(path: Path, containers: tuple[Path, Path]) -> Path:
    """Return the path of a field in the scope of an object or list; empty if it is not in there."""
    around, scope = containers
    if path[: len(scope)] == scope:
        return path if len(path) > len(scope) else ()
    is_inside = len(path) > len(around) and path[: len(around)] == around and ITEM not in path[len(around) :]
    return (*scope, *path[len(around) :]) if is_inside and scope[-1] == paths.OBJECT_SCOPE else ()


def _is_object_here_only(schema: Schema, there: Schema) -> bool:
    """Return True if only the version of `schema` has an object of this name."""
    return get_shape(schema) == OBJECT != get_shape(there)


def _has_source(values: Mapping[str, Any]) -> bool:
    """Return True if a declaration names a source or a change."""
    return any(name in values for name in (*SOURCE_MEMBERS, *CHANGE_BUILDERS, "key", "value", "cel", "function"))
