"""anyOf, oneOf, allOf and not, with the server's choice of the branches whose errors are told.

No branch is spared because a value is unchanged. Source: k8s.io/kube-openapi pkg/validation/validate schema_props.go.
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


def make_junctor_checks(schema: Schema, validator: ValueValidator) -> Iterator[Check]:
    """The checks of a schema's junctors, in the server's order."""
    for keyword, made in (("anyOf", _make_any_of_check), ("oneOf", _make_one_of_check), ("allOf", _make_all_of_check)):
        if schema.get(keyword):
            yield made(_Branches(schema.get(keyword), validator))
    if isinstance(schema.get("not"), Schema):
        yield _make_not_check(_Branches([schema.get("not")], validator))


class _Branches:
    def __init__(self, schemas: Sequence[Schema], validator: ValueValidator) -> None:
        self.schemas, self.values = schemas, validator

    def check_branches(self, value: Any, name: str) -> Iterator[tuple[list[SchemaError], int]]:
        """The faults and the count of each branch."""
        for schema in self.schemas:
            faults: list[SchemaError] = []
            count = self.values.get_node_validator(schema).check(value, name, faults)
            yield faults, count


def _select_best_match(tried: Sequence[tuple[list[SchemaError], int]]) -> tuple[list[SchemaError], int]:
    """The branch of which most passed, the first of them."""
    return max(tried, key=lambda each: each[1])


def _make_any_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        tried = []
        for found, count in branches.check_branches(value, name):
            if not found:
                return count
            tried.append((found, count))
        faults.append(make_pathless_error(f"{quote(name)} must validate at least one schema (anyOf)"))
        found, count = _select_best_match(tried)
        faults += found
        return count

    return check


def _make_one_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        tried = list(branches.check_branches(value, name))
        passed = [count for found, count in tried if not found]
        if len(passed) == 1:
            return passed[0]
        how = f"Found {len(passed)} valid alternatives" if passed else "Found none valid"
        faults.append(make_pathless_error(f"{quote(name)} must validate one and only one schema (oneOf). {how}"))
        if passed:
            return 0
        found, count = _select_best_match(tried)
        faults += found
        return count

    return check


def _make_all_of_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        tried = list(branches.check_branches(value, name))
        for found, _ in tried:
            faults += found
        passed = sum(not found for found, _ in tried)
        if passed != len(tried):
            none = "" if passed else ". None validated"
            faults.append(make_pathless_error(f"{quote(name)} must validate all the schemas (allOf){none}"))
        return sum(count for _, count in tried)

    return check


def _make_not_check(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[SchemaError], _old: CorrelatedObject | None) -> int:
        ((found, _),) = branches.check_branches(value, name)
        if not found:
            faults.append(make_pathless_error(f"{quote(name)} must not validate the schema (not)"))
        return 0

    return check
