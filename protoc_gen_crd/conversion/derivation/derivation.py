"""Derivation of the steps between two versions from declarations, and from equal names and types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.value_rejection import find_rejection
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.conversion.derivation import declaration_checks, schema_compatibility
from protoc_gen_crd.conversion.derivation.conversion_options import (
    ABSENCE_MEMBERS,
    SOURCE_MEMBERS,
    ConversionDeclaration,
    get_declarations,
    get_plural_declaration,
)
from protoc_gen_crd.conversion.derivation.endpoints import (
    HUB,
    SPOKE,
    Endpoint,
    Endpoints,
    find_reserved_path_error,
    has_type,
    is_carriable,
    is_interchangeable,
)
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.derivation.shape_options import ReshapingDerivation
from protoc_gen_crd.conversion.derivation.value_options import CHANGE_BUILDERS, describe_type_mismatch
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import Gather, Spread, UnwrapObject, WrapObject
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.steps import (
    Copy,
    CopyNonNull,
    CopyWithDefault,
    Default,
    Drop,
    Duplicate,
    Keep,
    Step,
)
from protoc_gen_crd.conversion.plan.value_steps import Join, Wrap
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


class DeclarationDerivation(ReshapingDerivation):
    """The derivation of a pair of versions with the declarations of their fields."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._parts: dict[tuple[int, Path], list[tuple[ConversionDeclaration, Path]]] = {}
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
        """Return a step between an object and its only item as a copy inside the object, other steps unchanged."""
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
                for declaration in get_declarations(field.schema):
                    if declaration.is_applicable(
                        self.names[side], self.names[1 - side], other.schema.properties.get(name)
                    ):
                        self.claimed[side].add(field.path)
                        self._derive_declaration(side, field, other, declaration)
                plural = get_plural_declaration(field.schema)
                if plural and name not in other.schema.properties and field.path not in self.claimed[side]:
                    self.claimed[side].add(field.path)
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
            declarations = [
                declaration
                for declaration in get_declarations(schema)
                if declaration.is_applicable(self.names[side], self.names[1 - side], None)
            ]
            for declaration in declarations:
                self.claimed[side].add(field.path)
                self._derive_declaration(side, field, self._find_start(side, other, declaration), declaration)
            if not declarations:
                self.derive_unpaired(side, field, other)

    def _find_start(self, side: int, other: Endpoint, declaration: ConversionDeclaration) -> Endpoint:
        """Return the object that the names of a declaration refer to: the enclosing object or the root."""
        named = declaration.values.get("renamed_from") or declaration.values.get("part", {}).get("of")
        named = named or next(iter(declaration.values.get("join", {}).get("fields", ())), "")
        first, root = str(named).partition(".")[0], Endpoint(((), self.roots[1 - side]))
        return root if first in root.schema.properties and first not in other.schema.properties else other

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

    def _add_default(self, side: int, field: Endpoint, declaration: ConversionDeclaration) -> None:
        value = self._parse_default(field, declaration)
        if value is not None:
            self.steps[1 - side].append(Default((), field.path, declaration.origin, value=value))

    def _parse_default(self, field: Endpoint, declaration: ConversionDeclaration) -> Any:
        """Return the declared default. Report a default that does not fit the field, and return None."""
        string = declaration.values["default"]
        try:
            value = string if field.schema.type == "string" else bounded_json.parse_json(string)
        except ValueError:
            value = None
        if value is None or not has_type(field.schema, value):
            shape = schema_compatibility.get_shape(field.schema)
            problem = f'default "{string}" is not JSON of type {shape}'
            hint = f"write the value as JSON{schema_compatibility.format_example(shape)}"
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner, hint=hint)
            return None
        self._check_default(field, value, declaration)
        return value

    def _check_default(self, field: Endpoint, value: Any, declaration: ConversionDeclaration) -> None:
        """Report a default that the field rejects."""
        if fault := find_rejection(field.schema, value):
            problem = f"invalid default {bounded_json.format_json(value)}: {fault}"
            hint = "write a value that the field accepts"
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner, hint=hint)

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

    def _is_lookup_only(self, side: int, path: Path, declaration: ConversionDeclaration) -> bool:
        """Return True if a declaration only reads a field that is also copied."""
        expressions = declaration.values.get("cel") or declaration.values.get("function") or {}
        field, counterpart = paths.find_schema(self.roots[side], path), paths.find_schema(self.roots[1 - side], path)
        if not expressions.get("from") or expressions.get("to") or field is None or counterpart is None:
            return False
        return not get_declarations(field) and is_carriable(field, counterpart)

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

    def _derive_with_default(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a moved field with a default for objects without a value."""
        value = self._parse_default(field, declaration)
        if value is None:
            return
        if not is_interchangeable(source.schema, field.schema):
            self.report_type((source, field) if side == HUB else (field, source), declaration.origin)
        back = CopyNonNull if schema_compatibility.is_null_dropped(field.schema, source.schema) else Copy
        self.steps[1 - side].append(CopyWithDefault(source.path, field.path, declaration.origin, value=value))
        self.steps[side].append(back(field.path, source.path, declaration.origin))

    def _find_source(
        self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration
    ) -> Endpoint | None:
        values = declaration.values
        if "moved_from" in values:
            return self._find_field(1 - side, (), values["moved_from"], declaration)
        return self._find_field(
            1 - side, other.path, values.get("renamed_from") or paths.format_path(field.path[-1:]), declaration
        )

    def _parse_path(self, string: str, declaration: ConversionDeclaration) -> Path | None:
        if problem := control_fault("the path", string):
            self.problems.report("name-control", problem, declaration.origin, path=declaration.owner)
        try:
            return paths.parse_path(string)
        except paths.PathSyntaxError as error:
            self.problems.report("conversion-path", str(error), declaration.origin, path=declaration.owner)
            return None

    def _find_field(self, side: int, start: Path, string: str, declaration: ConversionDeclaration) -> Endpoint | None:
        """Return the field that a declaration names in the version of a side; None if it has none."""
        path = self._parse_path(string, declaration)
        if path is None:
            return None
        schema = self.roots[side]
        is_name = path in paths.NAME_PATHS and _is_plain_move(declaration)
        if not start and not is_name and (problem := find_reserved_path_error(path)):
            self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner)
            return None
        if not start and (is_name or paths.is_metadata_entry(path)):
            return Endpoint((path, paths.find_schema(schema, path) or schema))
        for depth, step in enumerate((*start, *path)):
            below = paths.get_child(schema, step)
            if below is None:
                problem = paths.describe_missing_field((*start, *path), depth, self.names[side])
                if start and depth == len(start) and len(path) > 1:
                    problem = f'path "{string}" is relative to "{paths.format_path(start)}": {problem}'
                hint = self._suggest_field(side, start, path, depth, schema, declaration)
                self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner, hint=hint)
                return None
            schema = below
        return Endpoint(((*start, *path), schema))

    def _suggest_field(
        self, side: int, start: Path, path: Path, depth: int, around: Schema, declaration: ConversionDeclaration
    ) -> str:
        """Suggest the field that an invalid path may mean, and skip later findings about that field."""
        whole, root = (*start, *path), self.roots[side]
        elsewhere = path if paths.find_schema(root, path) is not None else paths.find_nearest_path(root, whole)
        sibling = self.problems.nearest(whole[depth], around.properties) if depth or elsewhere is None else None
        suggested = elsewhere if sibling is None else (*whole[:depth], sibling)
        if suggested is not None:
            self.hinted_fields.append((self.names[side], suggested))
        if sibling is not None:
            return paths.format_path_hint((sibling,))
        if elsewhere is None or elsewhere[: len(start)] == start:
            return paths.format_path_hint(elsewhere and elsewhere[len(start) :])
        is_rename = "renamed_from" in declaration.values
        return f'did you mean moved_from: "{paths.format_path(elsewhere)}"?' if is_rename else ""

    def _add_part(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        whole = self._find_field(1 - side, other.path, declaration.values["part"].get("of", ""), declaration)
        if whole is not None:
            self.claimed[1 - side].add(whole.path)
            self._parts.setdefault((side, whole.path), []).append((declaration, field.path))

    def _join_parts(self, side: int, whole: Path, parts: list[tuple[ConversionDeclaration, Path]]) -> None:
        """Join the parts of a string that fields of a side declare."""
        ordered = sorted(parts, key=lambda part: part[0].values["part"].get("index", 0))
        first = ordered[0][0]
        problem, hint = _find_parts_error([declaration.values["part"] for declaration, _ in ordered])
        if problem:
            self.reported_fields += [(self.names[1 - side], whole), *((self.names[side], path) for _, path in ordered)]
            self.problems.report("conversion-value", problem, first.origin, path=first.owner, hint=hint)
            return
        separator = first.values["part"]["separator"]
        read = [path for _, path in ordered]
        endpoints = [Endpoint((path, paths.find_schema(self.roots[at], path) or Schema({})))
                for at, path in ((1 - side, whole), *((side, path) for path in read))]  # fmt: skip
        if not self._check_strings(side, endpoints[1:], endpoints[:1], first, "part"):
            return
        step = Join(read[0], whole, first.origin, separator=separator, more=tuple(read[1:]))
        self.steps[side].append(step)
        inverse_steps = zip(step.invert(), ordered, strict=True)
        self.steps[1 - side].extend(step.replace(origin=declaration.origin) for step, (declaration, _) in inverse_steps)

    def _derive_join(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        join = declaration.values["join"]
        fields = [self._find_field(1 - side, other.path, name, declaration) for name in join.get("fields", ())]
        endpoints = [endpoint for endpoint in fields if endpoint is not None]
        if not endpoints or len(endpoints) < len(fields):
            return
        parts = [endpoint.path for endpoint in endpoints]
        self.claimed[1 - side].update(parts)
        if self._check_strings(side, [field], endpoints, declaration, "join"):
            separator = join["separator"]
            self.add_step_with_inverse(
                side, Join(parts[0], field.path, declaration.origin, separator=separator, more=tuple(parts[1:]))
            )

    def _derive_plural(self, side: int, plural: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a list from the source of the singular field beside it.

        The list is kept, and restored only if the singular field is unchanged: its first item must equal the field.
        """
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

    def _check_strings(
        self,
        side: int,
        here: Sequence[Endpoint],
        there: Sequence[Endpoint],
        declaration: ConversionDeclaration,
        name: str,
    ) -> bool:
        """Return True if all fields are strings; report the first that is not."""
        mismatch = next((endpoint for endpoint in (*there, *here) if get_shape(endpoint.schema) != "string"), None)
        if mismatch is not None:
            self.reported_fields += [(self.names[1 - side], endpoint.path) for endpoint in there]
            self.reported_fields += [(self.names[side], endpoint.path) for endpoint in here]
            problem = (
                f'"{name}" requires strings, but "{paths.format_path(mismatch.path)}" is {get_shape(mismatch.schema)}'
            )
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner)
        return mismatch is None


def _enter(path: Path, containers: tuple[Path, Path]) -> Path:
    """Return the path of a field in the scope of an object or list; empty if it is not in there."""
    around, scope = containers
    if path[: len(scope)] == scope:
        return path if len(path) > len(scope) else ()
    is_inside = len(path) > len(around) and path[: len(around)] == around and ITEM not in path[len(around) :]
    return (*scope, *path[len(around) :]) if is_inside and scope[-1] == paths.OBJECT_SCOPE else ()


def _find_parts_error(parts: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the problem and hint of invalid parts of a string."""
    numbers = [part.get("index", 0) for part in parts]
    separators = {part["separator"] for part in parts}
    if numbers != list(range(len(parts))):
        return f"part indexes are not consecutive from 0: {', '.join(map(str, numbers))}", "number the parts from 0"
    if len(separators) > 1:
        quoted = " and ".join(f'"{separator}"' for separator in sorted(separators))
        return f"parts have different separators: {quoted}", "give all of them the same separator"
    if len(parts) == 1:
        return "the string has only one part", "use renamed_from for a whole string"
    return "", ""


def _is_object_here_only(schema: Schema, there: Schema) -> bool:
    """Return True if only the version of `schema` has an object of this name."""
    return get_shape(schema) == OBJECT != get_shape(there)


def _is_plain_move(declaration: ConversionDeclaration) -> bool:
    """Return True if a declaration only moves a value."""
    return "moved_from" in declaration.values and declaration.values.keys() <= {
        "moved_from",
        "preserved",
        "dropped",
        "versions",
    }


def _has_source(values: Mapping[str, Any]) -> bool:
    """Return True if a declaration names a source or a change."""
    return any(name in values for name in (*SOURCE_MEMBERS, *CHANGE_BUILDERS, "key", "value", "cel", "function"))
