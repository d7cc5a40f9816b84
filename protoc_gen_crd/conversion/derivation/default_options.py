"""Derivation of declared defaults, for objects whose version lacks the field or its value."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.value_rejection import find_rejection
from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.conversion.derivation import schema_compatibility
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.endpoints import HUB, Endpoint, has_type, is_interchangeable
from protoc_gen_crd.conversion.derivation.named_fields import NamedFieldDerivation
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, CopyWithDefault, Default


class DefaultDerivation(NamedFieldDerivation):
    """The derivation of fields with a declared default."""

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
