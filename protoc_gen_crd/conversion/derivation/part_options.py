"""Derivation of strings whose parts are fields of the other version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.default_options import DefaultDerivation
from protoc_gen_crd.conversion.derivation.endpoints import Endpoint
from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.value_steps import Join
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


class PartDerivation(DefaultDerivation):
    """The derivation of strings that are split into parts, or joined from fields."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._parts: dict[tuple[int, Path], list[tuple[ConversionDeclaration, Path]]] = {}

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
