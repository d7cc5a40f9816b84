"""Validation of anyOf, oneOf, allOf, and not, with the server's choice of the branch whose errors are reported.

Unchanged values are validated too. Source: k8s.io/kube-openapi pkg/validation/validate schema_props.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.keyword_checks import Check
from protoc_gen_crd.admission.objects.schema_errors import SchemaError, make_pathless_error
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.value_validator import ValueValidator


def make_logical_checks(schema: Schema, validator: ValueValidator) -> Iterator[Check]:
    """Create the checks of the logical keywords of a schema, in the server's order."""
    for keyword, make_check in (
        ("anyOf", _make_any_of_check),
        ("oneOf", _make_one_of_check),
        ("allOf", _make_all_of_check),
    ):
        if schema.get(keyword):
            yield make_check(_Branches(schema.get(keyword), validator))
    if isinstance(schema.get("not"), Schema):
        yield _make_not_check(_Branches([schema.get("not")], validator))


class _Branches:
    def __init__(self, schemas: Sequence[Schema], validator: ValueValidator) -> None:
        self.schemas, self.values = schemas, validator

    def check_branches(self, value: Any, name: str) -> Iterator[tuple[list[SchemaError], int]]:
        """Return the errors and the number of successful validations of each branch."""
        for schema in self.schemas:
            faults: list[SchemaError] = []
            count = self.values.get_node_validator(schema).check(value, name, faults)
            yield faults, count


def _select_best_match(results: Sequence[tuple[list[SchemaError], int]]) -> tuple[list[SchemaError], int]:
    """Return the first branch with the most successful validations."""
    return max(results, key=lambda result: result[1])


def _make_any_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        results = []
        for errors, count in branches.check_branches(value, name):
            if not errors:
                return count
            results.append((errors, count))
        faults.append(make_pathless_error(f"{quote(name)} must validate at least one schema (anyOf)"))
        errors, count = _select_best_match(results)
        faults += errors
        return count

    return check


def _make_one_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        results = list(branches.check_branches(value, name))
        passed = [count for errors, count in results if not errors]
        if len(passed) == 1:
            return passed[0]
        reason = f"Found {len(passed)} valid alternatives" if passed else "Found none valid"
        faults.append(make_pathless_error(f"{quote(name)} must validate one and only one schema (oneOf). {reason}"))
        if passed:
            return 0
        errors, count = _select_best_match(results)
        faults += errors
        return count

    return check


def _make_all_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        results = list(branches.check_branches(value, name))
        for errors, _ in results:
            faults += errors
        passed = sum(not errors for errors, _ in results)
        if passed != len(results):
            none = "" if passed else ". None validated"
            faults.append(make_pathless_error(f"{quote(name)} must validate all the schemas (allOf){none}"))
        return sum(count for _, count in results)

    return check


def _make_not_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        ((errors, _),) = branches.check_branches(value, name)
        if not errors:
            faults.append(make_pathless_error(f"{quote(name)} must not validate the schema (not)"))
        return 0

    return check
