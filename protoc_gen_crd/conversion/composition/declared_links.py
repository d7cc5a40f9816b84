"""Versions that a declaration or a rule can link a field to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.conversion.derivation.conversion_options import (
    ABSENCE_MEMBERS,
    ConversionDeclaration,
    has_plurals,
)
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile
from protoc_gen_crd.schema.schema import Schema

_ABSENCE_MEMBERS = {*ABSENCE_MEMBERS, "versions"}


class DeclaredLinks:
    """The versions that a field can have a declared counterpart in, so that no other pairs are derived for its traces.

    A declaration without a counterpart is only about its own field. Any other can be about any field of both versions.
    """

    def __init__(
        self,
        schemas: Mapping[str, Schema],
        declarations: Mapping[str, Sequence[tuple[Path, ConversionDeclaration]]],
        rules: RuleFile | None,
    ) -> None:
        """Take the declarations of the versions, with the paths of their fields."""
        self._declaring = {
            name
            for name, declared in declarations.items()
            if has_plurals(schemas[name]) or not all(_is_absence(declaration) for _, declaration in declared)
        }
        self._declared_paths = {name: {path for path, _ in declared} for name, declared in declarations.items()}
        self._ruled: dict[str, set[str]] = {}
        for direction in rules.directions if rules is not None else ():
            self._ruled.setdefault(direction.source, set()).add(direction.target)
            self._ruled.setdefault(direction.target, set()).add(direction.source)

    def select_versions(self, version: str, path: Path, names: Sequence[str]) -> Sequence[str]:
        """Return those of several versions that can have a declared counterpart of a field, and the last one."""
        if version in self._declaring or path in self._declared_paths[version]:
            return names
        others = self._declaring | self._ruled.get(version, set())
        return [*(name for name in names[:-1] if name in others), *names[-1:]] if others else names[-1:]


def _is_absence(declaration: ConversionDeclaration) -> bool:
    """Return True if a declaration is about a field without a counterpart."""
    return declaration.values.keys() <= _ABSENCE_MEMBERS
