"""A pair of versions to the steps between them: what fields declare, and what follows from equal names and types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.conversion.derivation import declaration_checks, schema_compatibility
from protoc_gen_crd.conversion.derivation.conversion_options import (
    ABSENCE_MEMBERS,
    SOURCE_MEMBERS,
    ConversionDeclaration,
    get_declarations,
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
from protoc_gen_crd.conversion.derivation.shape_changes import ReshapingDerivation
from protoc_gen_crd.conversion.derivation.value_changes import CHANGE_BUILDERS, describe_type_mismatch
from protoc_gen_crd.conversion.derivation.value_validation import find_rejection
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import Spread
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.steps import CopyWithDefault, Default, Drop, Duplicate, Keep
from protoc_gen_crd.conversion.plan.value_steps import Join
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


class DeclarationDerivation(ReshapingDerivation):
    """One pair of versions, with what their fields declare."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._parts: dict[tuple[int, Path], list[tuple[ConversionDeclaration, Path]]] = {}

    def run(self) -> None:
        """Derive all steps."""
        for side in (SPOKE, HUB):
            self._claim_moved(side, (), self.roots[side])
        self.derive_object((Endpoint(((), self.roots[SPOKE])), Endpoint(((), self.roots[HUB]))))
        for (side, whole), parts in self._parts.items():
            self._join_parts(side, whole, parts)
        self.keep_unread_values()
        self.set_item_keys()

    def _claim_moved(self, side: int, path: Path, schema: Schema) -> None:
        """Claim moved fields, so that they are not copied by name."""
        stack = [(path, schema)]
        while stack:
            here, node = stack.pop()
            for declaration in get_declarations(node):
                known = paths.find_schema(self.roots[1 - side], here)
                if "moved_from" in declaration.values and declaration.is_applicable(
                    self.names[side], self.names[1 - side], known
                ):
                    self.claimed[side].add(here)
                    there = self._parse_path(declaration.values["moved_from"], declaration) or ()
                    if not self._is_lookup_only(side, there, declaration):
                        self.claimed[1 - side].add(there)
            below = {ITEM: node.items, VALUE: node.additional, **node.properties}
            stack += [((*here, step), child) for step, child in below.items() if isinstance(child, Schema)]

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
            known = [
                declaration
                for declaration in get_declarations(schema)
                if declaration.is_applicable(self.names[side], self.names[1 - side], None)
            ]
            for declaration in known:
                self.claimed[side].add(field.path)
                self._derive_declaration(side, field, self._find_start(side, other, declaration), declaration)
            if not known:
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
        """The steps of one declaration on a field of a side."""
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
        found = list(declaration_checks.find_declaration_errors(declaration.values))
        for problem in found:
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner)
        return bool(found)

    def _mark_malformed(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        """Mark the fields of an invalid declaration as reported."""
        known, self.problems = self.problems, Problems()
        named = declaration.values.get("part", {}).get("of")
        found = self._find_source(
            side, field, other, declaration.replace(values={"renamed_from": named}) if named else declaration
        )
        self.problems = known
        self.reported_fields.append((self.names[side], field.path))
        if found is not None:
            self.mark_reported(side, found, field)

    def _add_default(self, side: int, field: Endpoint, declaration: ConversionDeclaration) -> None:
        value = self._parse_default(field, declaration)
        if value is not None:
            self.steps[1 - side].append(Default((), field.path, declaration.origin, value=value))

    def _parse_default(self, field: Endpoint, declaration: ConversionDeclaration) -> Any:
        """The default that is declared; None, with a finding, for one that does not fit the field."""
        text = declaration.values["default"]
        try:
            value = text if field.schema.type == "string" else bounded_json.parse_json(text)
        except ValueError:
            value = None
        if value is None or not has_type(field.schema, value):
            problem = f'default "{text}" is not JSON of type {schema_compatibility.get_shape(field.schema)}'
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner)
            return None
        self._check_default(field, value, declaration)
        return value

    def _check_default(self, field: Endpoint, value: Any, declaration: ConversionDeclaration) -> None:
        """Report a default that the field rejects."""
        if fault := find_rejection(field.schema, value):
            problem = f"invalid default {bounded_json.format_json(value)}: {fault}"
            self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner)

    def _derive_from_source(
        self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a field whose value is moved or changed."""
        found = self._find_source(side, field, other, declaration)
        if found is None:
            return
        if found.path in paths.NAME_PATHS:
            self._derive_object_name(side, found, field, declaration)
            return
        if not self._is_lookup_only(side, found.path, declaration):
            self.claimed[1 - side].add(found.path)
        ways = {
            "cel": self._derive_computed,
            "function": self.derive_handwritten,
            "key": self._derive_keyed,
            "value": self._derive_wrapped_values,
            "default": self._derive_with_default,
        }
        kind = next((name for name in (*CHANGE_BUILDERS, *ways) if name in declaration.values), "")
        scopes = paths.get_scope(found.path), paths.get_scope(field.path)
        if kind in CHANGE_BUILDERS:
            self._derive_change(side, found, field, declaration, kind)
        elif kind:
            ways[kind](side, found, field, declaration)
        elif scopes[0] != scopes[1] and (
            () in scopes or len({len(paths.list_containers(scope)) for scope in scopes}) > 1
        ):
            self._derive_spread(side, found, field, declaration)
        else:
            sides = (found, field) if side == HUB else (field, found)
            self.derive_value(sides, declaration.origin, declared_=True)

    def _is_lookup_only(self, side: int, path: Path, declaration: ConversionDeclaration) -> bool:
        """Return True if a declaration only reads a field that is also copied."""
        made = declaration.values.get("cel") or declaration.values.get("function") or {}
        own, found = paths.find_schema(self.roots[side], path), paths.find_schema(self.roots[1 - side], path)
        if not made.get("from") or made.get("to") or own is None or found is None:
            return False
        return not get_declarations(own) and is_carriable(own, found)

    def _derive_object_name(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """The name or namespace of objects, from which nothing leads back."""
        if any(declaration.values.get(name) for name in ("preserved", "dropped")) and is_interchangeable(
            found.schema, field.schema
        ):
            step = Spread if paths.get_scope(field.path) else Duplicate
            self.steps[1 - side].append(step(found.path, field.path, declaration.origin))
            return
        self.mark_reported(side, found, field)
        problem = (
            f'"{paths.format_path(found.path)}" can only be copied to a string field that is preserved or dropped '
        )
        problem += "in the other direction"
        hint = f'declare conversion {{moved_from: "{paths.format_path(found.path)}" preserved: true}}'
        self.problems.report("conversion-value", problem, declaration.origin, path=declaration.owner, hint=hint)

    def _derive_change(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration, kind: str
    ) -> None:
        """Derive a field whose value changes."""
        step = CHANGE_BUILDERS[kind](found, field, declaration)
        if step is not None:
            self.add_step_with_inverse(side, step)
            return
        if kind == "one_item" and self.derive_single_item(side, found, field, declaration):
            return
        self.mark_reported(side, found, field)
        problem, hint = describe_type_mismatch(found, field, declaration, kind)
        self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)

    def _derive_with_default(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """A field that is elsewhere there, with a value for objects that have none."""
        value = self._parse_default(field, declaration)
        if value is None:
            return
        if not is_interchangeable(found.schema, field.schema):
            self.report_type((found, field) if side == HUB else (field, found), declaration.origin)
        self.add_step_with_inverse(side, CopyWithDefault(found.path, field.path, declaration.origin, value=value))

    def _find_source(
        self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration
    ) -> Endpoint | None:
        values = declaration.values
        if "moved_from" in values:
            return self._find_field(1 - side, (), values["moved_from"], declaration)
        return self._find_field(
            1 - side, other.path, values.get("renamed_from") or paths.format_path(field.path[-1:]), declaration
        )

    def _parse_path(self, text: str, declaration: ConversionDeclaration) -> Path | None:
        if problem := control_fault("the path", text):
            self.problems.report("name-control", problem, declaration.origin, path=declaration.owner)
        try:
            return paths.parse_path(text)
        except paths.PathSyntaxError as error:
            self.problems.report("conversion-path", str(error), declaration.origin, path=declaration.owner)
            return None

    def _find_field(self, side: int, start: Path, text: str, declaration: ConversionDeclaration) -> Endpoint | None:
        """The field that a declaration names in the version of a side."""
        path = self._parse_path(text, declaration)
        if path is None:
            return None
        schema = self.roots[side]
        known = path in paths.NAME_PATHS and _is_plain_move(declaration)
        if not start and not known and (problem := find_reserved_path_error(path)):
            self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner)
            return None
        if not start and (known or paths.is_metadata_entry(path)):
            return Endpoint((path, paths.find_schema(schema, path) or schema))
        for depth, step in enumerate((*start, *path)):
            below = paths.get_child(schema, step)
            if below is None:
                problem = paths.describe_missing_field((*start, *path), depth, self.names[side])
                hint = self._suggest_field(side, (*start, *path), depth, schema)
                self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner, hint=hint)
                return None
            schema = below
        return Endpoint(((*start, *path), schema))

    def _suggest_field(self, side: int, path: Path, depth: int, around: Schema) -> str:
        """Suggest the field that an invalid path may mean, and skip later findings about that field."""
        elsewhere = paths.find_nearest_path(self.roots[side], path)
        beside = self.problems.nearest(path[depth], around.properties) if depth or elsewhere is None else None
        meant = elsewhere if beside is None else (*path[:depth], beside)
        if meant is not None:
            self.hinted_fields.append((self.names[side], meant))
        return paths.format_path_hint(meant if beside is None else (beside,))

    def _add_part(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        whole = self._find_field(1 - side, other.path, declaration.values["part"].get("of", ""), declaration)
        if whole is not None:
            self.claimed[1 - side].add(whole.path)
            self._parts.setdefault((side, whole.path), []).append((declaration, field.path))

    def _join_parts(self, side: int, whole: Path, parts: list[tuple[ConversionDeclaration, Path]]) -> None:
        """Join the parts of a string that fields of a side declare."""
        ordered = sorted(parts, key=lambda each: each[0].values["part"].get("index", 0))
        first = ordered[0][0]
        problem, hint = _find_parts_error([declaration.values["part"] for declaration, _ in ordered])
        if problem:
            self.reported_fields += [(self.names[1 - side], whole), *((self.names[side], path) for _, path in ordered)]
            self.problems.report("conversion-value", problem, first.origin, path=first.owner, hint=hint)
            return
        separator = first.values["part"]["separator"]
        read = [path for _, path in ordered]
        ends = [Endpoint((path, paths.find_schema(self.roots[at], path) or Schema({})))
                for at, path in ((1 - side, whole), *((side, path) for path in read))]  # fmt: skip
        if not self._check_strings(side, ends[1:], ends[:1], first, "part"):
            return
        step = Join(read[0], whole, first.origin, separator=separator, more=tuple(read[1:]))
        self.steps[side].append(step)
        known = zip(step.invert(), ordered, strict=True)
        self.steps[1 - side].extend(each.replace(origin=declaration.origin) for each, (declaration, _) in known)

    def _derive_join(self, side: int, field: Endpoint, other: Endpoint, declaration: ConversionDeclaration) -> None:
        given = declaration.values["join"]
        found = [self._find_field(1 - side, other.path, name, declaration) for name in given.get("fields", ())]
        ends = [each for each in found if each is not None]
        if not ends or len(ends) < len(found):
            return
        known = [each.path for each in ends]
        self.claimed[1 - side].update(known)
        if self._check_strings(side, [field], ends, declaration, "join"):
            separator = given["separator"]
            self.add_step_with_inverse(
                side, Join(known[0], field.path, declaration.origin, separator=separator, more=tuple(known[1:]))
            )

    def _check_strings(
        self,
        side: int,
        here: Sequence[Endpoint],
        there: Sequence[Endpoint],
        declaration: ConversionDeclaration,
        name: str,
    ) -> bool:
        """Return True if all fields are strings; report the first that is not."""
        wrong = next((each for each in (*there, *here) if get_shape(each.schema) != "string"), None)
        if wrong is not None:
            self.reported_fields += [(self.names[1 - side], each.path) for each in there]
            self.reported_fields += [(self.names[side], each.path) for each in here]
            problem = f'"{name}" requires strings, but "{paths.format_path(wrong.path)}" is {get_shape(wrong.schema)}'
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner)
        return wrong is None


def _find_parts_error(parts: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the problem and hint of invalid parts of a string."""
    numbers = [part.get("index", 0) for part in parts]
    separators = {part["separator"] for part in parts}
    if numbers != list(range(len(parts))):
        return f"part indexes are not consecutive from 0: {', '.join(map(str, numbers))}", ""
    if len(separators) > 1:
        found = " and ".join(f'"{each}"' for each in sorted(separators))
        return f"parts have different separators: {found}", ""
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
