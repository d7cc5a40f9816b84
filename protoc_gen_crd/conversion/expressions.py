"""CEL expressions of conversions: compiled against the schemas of both versions, run by generated modules.

`self` is the value to convert and `root` the whole object, in the CEL of the newest Kubernetes version. Lists and
maps have more variables: see `plan/expression_variables.py`. Times, durations and bytes are strings: `timestamp(self)`
parses one. The result of an expression must be JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DYN, DeclarationFactory, Type
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.interpreter import program
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.parser.issues import Rejection, find_position
from protoc_gen_crd.cel.values.object_values import SchemaObject, UntypedValue
from protoc_gen_crd.cel.values.runtime_values import MISSING as NOTHING
from protoc_gen_crd.cel.values.runtime_values import List, Map, Optional
from protoc_gen_crd.cel.values.schema_values import ValueReaderFactory
from protoc_gen_crd.conversion.checks.expression_results import find_result_errors, is_optional_result
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, Schema

_SCHEMA_KEYWORDS = ("type", "nullable", INT_OR_STRING, PRESERVE)
SIZE_KEYWORDS = ("maxLength", "maxItems", "maxProperties")
_NAME_LENGTHS = {"name": 253, "namespace": 63}  # maximum lengths of metadata that every object has


class ConversionExpression:
    """A compiled expression, with the schemas of its variables: `self`, `root` and others.

    A generated package has its own runtime, which provides the values for `missing` and `error`.
    """

    def __init__(
        self,
        expression: str,
        schemas: Mapping[str, Mapping[str, Any]],
        missing: Any = MISSING,
        error: type[Exception] = ConversionError,
    ) -> None:
        self.expression = expression
        self._missing, self._error = missing, error
        self._schemas = {name: decode_schema(schema) for name, schema in schemas.items()}
        self._within = environment.get_stored_environment(NEWEST)
        self._declarations = DeclarationFactory(environment.get_sizes(NEWEST))
        self._reader = ValueReaderFactory(self._declarations, Switches(NEWEST))
        self._read = {name: self._reader.make_reader(schema) for name, schema in self._schemas.items()}
        self.checked = compile_text(expression, self._within, {name: self._get_type(name) for name in schemas})
        compiled = (
            program.make_program(self.checked, self._within, tuple(schemas))
            if isinstance(self.checked, CheckedAst)
            else None
        )
        self._program = compiled if isinstance(compiled, program.Program) else None
        self._unfit = compiled.message if isinstance(compiled, program.ProgramError) else ""

    def _get_type(self, name: str) -> Type:
        declared = self._declarations.declare(self._schemas[name])
        return declared.get_type(f"{name}Type") if declared is not None else DYN

    @property
    def is_root_read(self) -> bool:
        """True if the expression reads the whole object."""
        return "root" in self.find_variables()

    def find_variables(self) -> tuple[str, ...]:
        """Return the variables that it reads in addition to `self`; its own variables may shadow them."""
        if not isinstance(self.checked, CheckedAst):
            return ()
        variables = {name: self._get_type(name) for name in self._schemas}
        used = [name for name in variables if name != "self" and self.checked.has_variable(name)]
        without = {name: {other: kind for other, kind in variables.items() if other != name} for name in used}
        return tuple(
            [name for name in used if isinstance(compile_text(self.expression, self._within, without[name]), Rejection)]
        )

    def find_error(self, target: Schema) -> str:
        """Return the reason why it cannot produce values of a schema; empty if it can."""
        if isinstance(self.checked, Rejection):
            issue = self.checked.issues[0]
            line, column = find_position(self.expression, issue.at)
            return f"{issue.message} at {line}:{column + 1}"
        return self._unfit or next(find_result_errors(self.checked, target), "")

    def is_optional(self) -> bool:
        """Return true if it may have no result for some values."""
        nullable = bool(self._schemas["self"].get("nullable"))
        return isinstance(self.checked, CheckedAst) and is_optional_result(
            self.checked, self.checked.ast.root, nullable=nullable
        )

    def estimate_cost(self) -> tuple[int, int]:
        """Return the maximum cost of an evaluation, and the minimum size of its value in an object, in bytes."""
        declared = self._declarations.declare(self._schemas["self"])
        if isinstance(self.checked, Rejection):
            return 0, 1
        return estimate(self.checked, NEWEST, declared)[1], (declared.min_size if declared else 0) + 1

    def __call__(self, value: Any, root: Object, at: str, **around: Any) -> Any:
        """Evaluate the expression; MISSING without a value. Raises ConversionError."""
        if value is self._missing or self._program is None:
            return self._missing
        values = {"self": value, "root": root, **around}
        outcome = self._program.evaluate({name: read(values[name]) for name, read in self._read.items()})
        if outcome.error is not None:
            raise self._error(f"{at.removeprefix('.')}: the expression {self.expression!r} fails: {outcome.error}")
        result = to_json(outcome.value)
        return self._missing if result is MISSING else result


def expression(source: str, missing: Any, error: type[Exception], **schemas: Mapping[str, Any]) -> ConversionExpression:
    """Compile an expression of a generated module."""
    return ConversionExpression(source, schemas, missing, error)


def encode_schema(schema: Schema, more: Sequence[str] = ()) -> dict[str, Any]:
    """Return the parts of a schema that expressions need, as plain data: types and the keywords in `more`."""
    encoded: dict[str, Any] = {name: schema.get(name) for name in (*_SCHEMA_KEYWORDS, *more) if schema.get(name)}
    if schema.properties:
        encoded["properties"] = {name: encode_schema(child, more) for name, child in schema.properties.items()}
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema):
            encoded[keyword] = encode_schema(child, more)
    return encoded


def encode_object_schema(schema: Schema, more: Sequence[str] = ()) -> dict[str, Any]:
    """Encode the schema of an object, with its name and namespace, which schemas may omit."""
    encoded = encode_schema(schema, more)
    properties = encoded.setdefault("properties", {})
    sizes = {name: {"maxLength": most} if "maxLength" in more else {} for name, most in _NAME_LENGTHS.items()}
    names = {name: {"type": "string", **size} for name, size in sizes.items()}
    metadata = properties.get("metadata", {})
    properties["metadata"] = {**metadata, "type": "object", "properties": {**names, **metadata.get("properties", {})}}
    return encoded


def decode_schema(encoded: Mapping[str, Any]) -> Schema:
    """Decode the result of `encode_schema`."""
    decoded = dict(encoded)
    if "properties" in decoded:
        decoded["properties"] = {name: decode_schema(child) for name, child in decoded["properties"].items()}
    for keyword in ("items", "additionalProperties"):
        if keyword in decoded:
            decoded[keyword] = decode_schema(decoded[keyword])
    return Schema(decoded)


def to_json(value: Any) -> Any:
    """Convert a CEL value to JSON; null and the empty optional are MISSING."""
    if value is None or value is NOTHING:
        return MISSING
    if isinstance(value, Optional):
        return to_json(value.value)
    if isinstance(value, SchemaObject | UntypedValue):
        return value.data
    if isinstance(value, Map):
        parts = {str(key): to_json(child) for key, child in value.items()}
        return {key: child for key, child in parts.items() if child is not MISSING}
    if isinstance(value, list):
        items = [to_json(item) for item in (value.list_parts() if isinstance(value, List) else value)]
        return [None if item is MISSING else item for item in items]
    return int(value) if isinstance(value, Uint) else value
