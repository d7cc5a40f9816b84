"""Validation of values against schemas: every keyword, with the messages of the server's validator.

Nothing here prunes, defaults, or runs rules. The checks of a schema are created once, on first use.
Source: k8s.io/kube-openapi pkg/validation/validate, k8s.io/apiextensions-apiserver pkg/apiserver/validation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import NoneType
from typing import Any

from protoc_gen_crd.admission.field_errors import REQUIRED, Cause
from protoc_gen_crd.admission.objects import keyword_checks as checks
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.keyword_checks import Check
from protoc_gen_crd.admission.objects.logical_keywords import make_logical_checks
from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.admission.objects.schema_errors import SchemaError, make_invalid_error, make_type_error
from protoc_gen_crd.admission.supported_formats import is_enforced, is_numeric_format
from protoc_gen_crd.admission.version_differences import NUMERIC_FORMATS, PROPERTY_COUNTS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_TYPE_META = ("apiVersion", "kind")


KindChecks = tuple[int, list[Check]]  # the number of validations that cannot fail, and the checks of the others


class NodeValidator:
    """The checks of a schema by the type of the value, created on first use.

    `sure` has the number of validations for the types without checks.

    Shortcut sure-passes: a kind of value without checks has no errors and always the same count, which is all that
    `check` returns.
    """

    __slots__ = ("_found", "_make", "schema", "sure")

    def __init__(self, schema: Schema, make: Callable[[type], KindChecks]) -> None:
        self.schema = schema  # keeps the schema alive, whose identity is the key of this validator
        self._make = make
        self._found: dict[type, KindChecks] = {}
        self.sure: dict[type, int] = {}

    def check(self, value: Any, name: str, faults: list[SchemaError], old: CorrelatedObject | None = None) -> int:
        """Validate a value with a name such as `spec.a[0]`: append errors and return the successful validations.

        An unchanged value of an update has no errors.
        """
        kind, error_count = type(value), len(faults)
        count, checks = self._found.get(kind) or self._make_checks(kind)
        for check in checks:
            count += check(value, name, faults, old)
        if old is not None and len(faults) > error_count and old.unchanged:
            del faults[error_count:]
        return count

    def _make_checks(self, kind: type) -> KindChecks:
        kind_checks = self._found[kind] = self._make(kind)
        if not kind_checks[1]:
            self.sure[kind] = kind_checks[0]
        return kind_checks


class ValueValidator:
    """Validates values as servers of a version do.

    `served` selects the validation of objects: unknown formats are ignored, and an int-or-string has two types. The
    defaults of a CRD are validated against the schema as written, except that additionalProperties does not apply
    below logical keywords (`closed` is false), since structural schemas do not have it there.

    Shortcut value-checks: the checks of a schema are a function of the schema and the switches, and keep the schema
    alive, whose identity is the key.
    """

    def __init__(self, switches: Switches, *, served: bool = True, closed: bool = True) -> None:
        self.switches, self.served, self.closed = switches, served, closed
        self.branch_validator = self if served or not closed else ValueValidator(switches, served=False, closed=False)
        self._nodes: dict[int, NodeValidator] = {}

    def validate_value(
        self, schema: Schema, value: Any, path: str | None = None, old: CorrelatedObject | None = None
    ) -> list[Cause]:
        """Validate a value at a path, None for a whole object, and return its errors with distinct messages.

        On an update, the errors of unchanged values are omitted.
        """
        faults: list[SchemaError] = []
        self.get_node_validator(schema).check(value, "", faults, old)
        return make_causes(faults, path)

    def get_node_validator(self, schema: Schema) -> NodeValidator:
        """Return the checks of a schema."""
        validator = self._nodes.get(id(schema))
        if validator is None:
            validator = self._nodes[id(schema)] = self._make_node_validator(schema)
        return validator

    def _make_node_validator(self, schema: Schema) -> NodeValidator:
        return NodeValidator(schema, self._make_check_factory(schema))

    def _make_check_factory(self, schema: Schema) -> Callable[[type], KindChecks]:
        """Return a function that creates the checks of a schema for a type of value."""
        types, format_name = self._get_types_and_format(schema)
        choices = normalize_numbers(schema.get("enum")) if self.served else schema.get("enum")
        enum = [checks.make_enum_check(choices, self.switches)] if choices else []
        branches = list(make_logical_checks(schema, self.branch_validator))
        null = [_make_null_check(types)] if types and "null" not in types and not schema.get("nullable") else []

        def make(kind: type) -> KindChecks:
            if kind is NoneType:
                return 1, null + enum
            passes, typed = self._make_type_checks(types, format_name, kind)
            own_passes, own_checks = self._make_kind_checks(schema, types, format_name, kind)
            return passes + 2 + own_passes + 2, [*typed, *branches, *own_checks, *enum]

        return make

    def _get_types_and_format(self, schema: Schema) -> tuple[tuple[str, ...], str]:
        """Return the types and the format that apply; a numeric format also where only newer servers enforce it."""
        kind, format_name = schema.type, schema.get("format") or ""
        types: tuple[str, ...] = (kind,) if kind else ()
        if self.served:
            if schema.get(INT_OR_STRING):
                types = ("integer", "string")
            only = types[0] if len(types) == 1 else ""
            if not is_numeric_format(only, format_name) and not is_enforced(only, format_name, self.switches.lasting):
                format_name = ""
        return types, format_name

    def _get_enforced_format(self, types: tuple[str, ...], format_name: str, switches: Switches) -> str:
        """Return the format that these servers enforce."""
        is_numeric = self.served and len(types) == 1 and is_numeric_format(types[0], format_name)
        return "" if is_numeric and NUMERIC_FORMATS not in switches else format_name

    def _make_type_checks(self, types: tuple[str, ...], format_name: str, kind: type) -> KindChecks:
        if not types and not format_name:
            return 0, []
        if kind is float and "integer" in types:
            get_format = partial(self._get_enforced_format, types, format_name, self.switches)
            return 2, [checks.make_whole_number_check(types, get_format, self.switches)]
        if checks.find_type_mismatch(types, format_name, kind) is None:
            return 2, []
        enforced = self._get_enforced_format(types, format_name, self.switches.lasting)
        mismatch = checks.find_type_mismatch(types, enforced, kind)
        return 2, [] if mismatch is None else [checks.make_mismatch_check(mismatch)]

    def _make_kind_checks(self, schema: Schema, types: tuple[str, ...], format_name: str, kind: type) -> KindChecks:
        """Create the checks that apply to one type of value only."""
        candidates: list[Check | None] = []
        count = 1
        if kind is str:
            candidates.append(checks.make_string_check(schema, self.switches))
            if self._is_format(format_name):
                candidates.append(checks.make_format_check(schema.get("format"), self.switches))
                count = 2
        elif kind in (int, float):
            candidates.append(checks.make_number_check(schema, types, format_name, self.switches, whole=kind is int))
            count = 2
        elif kind is list:
            candidates.append(self._make_list_check(schema))
            count = 2
        elif kind is dict:
            candidates.append(self._make_object_check(schema))
        else:
            count = 0
        return count, [check for check in candidates if check is not None]

    def _is_format(self, format_name: str) -> bool:
        from protoc_gen_crd.admission.objects.format_checks import is_known  # noqa: PLC0415 - few values have a format

        return bool(format_name) and is_known(format_name, self.switches.lasting)

    def _make_list_check(self, schema: Schema) -> Check:
        items, switches = schema.items, self.switches
        limited, unique = "minItems" in schema or "maxItems" in schema, schema.get("uniqueItems")

        def check(value: list[Any], name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            count = 0
            if isinstance(items, Schema):
                node = self.get_node_validator(items)
                for index, item in enumerate(value):
                    correlated = None if old is None else old.get_item(index)
                    count += node.check(item, f"{name}[{index}]", faults, correlated)
            if limited:
                faults += checks.check_size(schema, len(value), name, "items", switches)
            if unique:
                faults += checks.check_unique_items(value, name)
            return count

        return check

    def _make_object_check(self, schema: Schema) -> Check:
        properties, required = schema.properties, schema.get("required") or ()
        check_additional = self._make_additional_check(schema)
        validators: dict[str, NodeValidator] = {}
        limited = "minProperties" in schema or "maxProperties" in schema

        def check(value: dict[str, Any], name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            if limited:
                errors = list(checks.check_size(schema, len(value), name, "properties", self.switches))
                if errors and PROPERTY_COUNTS not in self.switches:
                    faults.append(errors[0])
                    return 0
                faults += errors
            count = 0
            for key, member in value.items():
                node = validators.get(key)
                if node is None:
                    if key not in properties:
                        count += check_additional(key, member, name, faults, old)
                        continue
                    node = validators[key] = self.get_node_validator(properties[key])
                sure = node.sure.get(type(member))
                count += sure if sure is not None else node.check(
                    member, f"{name}.{key}" if name else key, faults, _get_old_member(old, key, name)
                )  # fmt: skip
            faults += [_make_required_error(f"{name}.{key}") for key in required if key not in value]
            return count

        return check

    def _make_additional_check(self, schema: Schema) -> Any:
        """Return the check of the fields without a property of their own."""
        additional = schema.additional if self.closed else None

        def check(key: str, value: Any, name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            if additional is False:
                faults.append(make_invalid_error(name, f"{name}.{key} in body is a forbidden property", key))
            elif isinstance(additional, Schema):
                correlated = _get_old_member(old, key, name)
                return self.get_node_validator(additional).check(value, f"{name}.{key}", faults, correlated)
            return 0

        return check


def make_causes(faults: Sequence[SchemaError], path: str | None) -> list[Cause]:
    """Return the errors of a value at a path, None for a whole object, with distinct messages."""
    return [fault.to_cause(path) for fault in {fault.text: fault for fault in reversed(faults)}.values()][::-1]


def _get_old_member(old: CorrelatedObject | None, key: str, name: str) -> CorrelatedObject | None:
    """Return the correlation of a field; servers do not correlate apiVersion and kind of a whole object."""
    return None if old is None or (not name and key in _TYPE_META) else old.get_member(key)


def _make_required_error(name: str) -> SchemaError:
    return SchemaError(REQUIRED, name, f"{name} in body is required")


def _make_null_check(types: tuple[str, ...]) -> Check:
    def check(_value: None, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        faults.append(make_type_error(name, ",".join(types), "null"))
        return -1

    return check
