"""Values against schemas: every keyword, with the texts and the choice of branches of the server's validator.

Nothing here prunes, defaults or runs rules. A schema is made into checks once, when a value first meets it.
Source: k8s.io/kube-openapi pkg/validation/validate, k8s.io/apiextensions-apiserver pkg/apiserver/validation.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import Any

from protoc_gen_crd.admission.field_errors import REQUIRED, FieldError
from protoc_gen_crd.admission.objects import keyword_checks as checks
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.keyword_checks import Check
from protoc_gen_crd.admission.objects.logical_junctors import make_junctor_checks
from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.admission.objects.schema_errors import SchemaError, make_invalid_error, make_type_error
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.switches import PROPERTY_COUNTS, Switches
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_TYPE_META = ("apiVersion", "kind")


KindChecks = tuple[int, list[Check]]  # how many passes are certain, and what else there is to check


class NodeValidator:
    """The checks of a schema by the kind of value, made when a value of the kind is met.

    `sure` has the passes of the kinds that are known to pass.

    Shortcut sure-passes: a kind of value without checks has no errors and always the same count, which is all that
    `check` returns.
    """

    __slots__ = ("_found", "_make", "schema", "sure")

    def __init__(self, schema: Schema, make: Callable[[type], KindChecks]) -> None:
        self.schema = schema  # keeps the schema alive, by whose identity this is known
        self._make = make
        self._found: dict[type, KindChecks] = {}
        self.sure: dict[type, int] = {}

    def check(self, value: Any, name: str, faults: list[SchemaError], old: CorrelatedObject | None = None) -> int:
        """Note what is wrong with a value of this name, such as `spec.a[0]`, unless it is unchanged: passes."""
        kind, known = type(value), len(faults)
        count, checks = self._found.get(kind) or self._make_checks(kind)
        for check in checks:
            count += check(value, name, faults, old)
        if old is not None and len(faults) > known and old.unchanged:
            del faults[known:]
        return count

    def _make_checks(self, kind: type) -> KindChecks:
        found = self._found[kind] = self._make(kind)
        if not found[1]:
            self.sure[kind] = found[0]
        return found


class ValueValidator:
    """Checks values as servers of a version do.

    `served` is how objects are checked: formats that the server does not know are no formats, and an int-or-string has
    two types. Defaults in a CRD are checked by the schema as it is written, but below junctors without
    additionalProperties (`closed`), which structural schemas do not carry there.

    Shortcut value-checks: the checks of a schema are a function of the schema and the switches, and keep the schema
    alive, by whose identity they are found.
    """

    def __init__(self, switches: Switches, *, served: bool = True, closed: bool = True) -> None:
        self.switches, self.served, self.closed = switches, served, closed
        self.branch_validator = self if served or not closed else ValueValidator(switches, served=False, closed=False)
        self._nodes: dict[int, NodeValidator] = {}

    def validate_value(
        self, schema: Schema, value: Any, path: str | None = None, old: CorrelatedObject | None = None
    ) -> list[FieldError]:
        """What is wrong with a value that stands at a path, None for a whole object, each text once.

        On an update, what is unchanged is not told.
        """
        faults: list[SchemaError] = []
        self.get_node_validator(schema).check(value, "", faults, old)
        return [fault.to_field_error(path) for fault in {fault.text: fault for fault in reversed(faults)}.values()][
            ::-1
        ]

    def get_node_validator(self, schema: Schema) -> NodeValidator:
        """The checks of a schema."""
        known = self._nodes.get(id(schema))
        if known is None:
            known = self._nodes[id(schema)] = NodeValidator(schema, self._make_check_factory(schema))
        return known

    def _make_check_factory(self, schema: Schema) -> Callable[[type], KindChecks]:
        """What makes the checks of a schema for a kind of value."""
        types, form = self._get_types_and_format(schema)
        choices = normalize_numbers(schema.get("enum")) if self.served else schema.get("enum")
        enum = [checks.make_enum_check(choices, self.switches)] if choices else []
        branches = list(make_junctor_checks(schema, self.branch_validator))
        null = [_make_null_check(types)] if types and "null" not in types and not schema.get("nullable") else []

        def make(kind: type) -> KindChecks:
            if kind is NoneType:
                return 1, null + enum
            passes, typed = self._make_type_checks(types, form, kind)
            more, own = self._make_kind_checks(schema, types, form, kind)
            return passes + 2 + more + 2, [*typed, *branches, *own, *enum]

        return make

    def _get_types_and_format(self, schema: Schema) -> tuple[tuple[str, ...], str]:
        """The types and the format that count."""
        kind, form = schema.type, schema.get("format") or ""
        types: tuple[str, ...] = (kind,) if kind else ()
        if self.served:
            if schema.get(INT_OR_STRING):
                types = ("integer", "string")
            form = form if is_enforced(types[0] if len(types) == 1 else "", form, self.switches) else ""
        return types, form

    def _make_type_checks(self, types: tuple[str, ...], form: str, kind: type) -> KindChecks:
        if not types and not form:
            return 0, []
        if kind is float and "integer" in types:
            return 2, [checks.make_whole_number_check(types, form, self.switches)]
        wanted = checks.find_type_mismatch(types, form, kind, whole=False)
        return 2, [] if wanted is None else [checks.make_mismatch_check(wanted)]

    def _make_kind_checks(self, schema: Schema, types: tuple[str, ...], form: str, kind: type) -> KindChecks:
        """The checks for one kind of value alone."""
        found: list[Check | None] = []
        count = 1
        if kind is str:
            found.append(checks.make_string_check(schema, self.switches))
            if self._is_format(form):
                found.append(checks.make_format_check(schema.get("format"), self.switches))
                count = 2
        elif kind in (int, float):
            found.append(checks.make_number_check(schema, types, form, self.switches, whole=kind is int))
            count = 2
        elif kind is list:
            found.append(self._make_list_check(schema))
            count = 2
        elif kind is dict:
            found.append(self._make_object_check(schema))
        else:
            count = 0
        return count, [check for check in found if check is not None]

    def _is_format(self, form: str) -> bool:
        from protoc_gen_crd.admission.objects.format_checks import is_known  # noqa: PLC0415 - few values have a format

        return bool(form) and is_known(form, self.switches)

    def _make_list_check(self, schema: Schema) -> Check:
        items, switches = schema.items, self.switches
        limited, unique = "minItems" in schema or "maxItems" in schema, schema.get("uniqueItems")

        def check(value: list[Any], name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            count = 0
            if isinstance(items, Schema):
                node = self.get_node_validator(items)
                for index, item in enumerate(value):
                    below = None if old is None else old.get_item(index)
                    count += node.check(item, f"{name}[{index}]", faults, below)
            if limited:
                faults += checks.check_size(schema, len(value), name, "items", switches)
            if unique:
                faults += checks.check_unique_items(value, name)
            return count

        return check

    def _make_object_check(self, schema: Schema) -> Check:
        properties, required = schema.properties, schema.get("required") or ()
        others = self._make_additional_check(schema)
        known: dict[str, NodeValidator] = {}
        limited = "minProperties" in schema or "maxProperties" in schema

        def check(value: dict[str, Any], name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            if limited:
                found = list(checks.check_size(schema, len(value), name, "properties", self.switches))
                if found and PROPERTY_COUNTS not in self.switches:
                    faults.append(found[0])
                    return 0
                faults += found
            count = 0
            for key, member in value.items():
                node = known.get(key)
                if node is None:
                    if key not in properties:
                        count += others(key, member, name, faults, old)
                        continue
                    node = known[key] = self.get_node_validator(properties[key])
                sure = node.sure.get(type(member))
                count += sure if sure is not None else node.check(
                    member, f"{name}.{key}" if name else key, faults, _get_old_member(old, key, name)
                )  # fmt: skip
            faults += [_make_required_error(f"{name}.{key}") for key in required if key not in value]
            return count

        return check

    def _make_additional_check(self, schema: Schema) -> Any:
        """The check of what has no property of its own."""
        additional = schema.additional if self.closed else None

        def check(key: str, value: Any, name: str, faults: list[SchemaError], old: CorrelatedObject | None) -> int:
            if additional is False:
                faults.append(make_invalid_error(name, f"{name}.{key} in body is a forbidden property", key))
            elif isinstance(additional, Schema):
                below = _get_old_member(old, key, name)
                return self.get_node_validator(additional).check(value, f"{name}.{key}", faults, below)
            return 0

        return check


def _get_old_member(old: CorrelatedObject | None, key: str, name: str) -> CorrelatedObject | None:
    """What a member was; servers cannot tell that apiVersion or kind of a whole object is unchanged."""
    return None if old is None or (not name and key in _TYPE_META) else old.get_member(key)


def _make_required_error(name: str) -> SchemaError:
    return SchemaError(REQUIRED, name, f"{name} in body is required")


def _make_null_check(types: tuple[str, ...]) -> Check:
    def check(_value: None, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        faults.append(make_type_error(name, ",".join(types), "null"))
        return -1

    return check
