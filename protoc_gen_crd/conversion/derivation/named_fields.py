"""Fields of the other version that a declaration names: their paths, and errors of paths."""

from __future__ import annotations

from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration, get_declarations
from protoc_gen_crd.conversion.derivation.endpoints import Endpoint, find_reserved_path_error, is_carriable
from protoc_gen_crd.conversion.derivation.shape_options import ReshapingDerivation
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.schema.schema import Schema


class NamedFieldDerivation(ReshapingDerivation):
    """The derivation of the field of the other version that a declaration names."""

    def _find_start(self, side: int, other: Endpoint, declaration: ConversionDeclaration) -> Endpoint:
        """Return the object that the names of a declaration refer to: the enclosing object or the root."""
        named = declaration.values.get("renamed_from") or declaration.values.get("part", {}).get("of")
        named = named or next(iter(declaration.values.get("join", {}).get("fields", ())), "")
        first, root = str(named).partition(".")[0], Endpoint(((), self.roots[1 - side]))
        return root if first in root.schema.properties and first not in other.schema.properties else other

    def _is_lookup_only(self, side: int, path: Path, declaration: ConversionDeclaration) -> bool:
        """Return True if a declaration only reads a field that is also copied."""
        expressions = declaration.values.get("cel") or declaration.values.get("function") or {}
        field, counterpart = paths.find_schema(self.roots[side], path), paths.find_schema(self.roots[1 - side], path)
        if not expressions.get("from") or expressions.get("to") or field is None or counterpart is None:
            return False
        return not get_declarations(field) and is_carriable(field, counterpart)

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


def _is_plain_move(declaration: ConversionDeclaration) -> bool:
    """Return True if a declaration only moves a value."""
    return "moved_from" in declaration.values and declaration.values.keys() <= {
        "moved_from",
        "preserved",
        "dropped",
        "versions",
    }
