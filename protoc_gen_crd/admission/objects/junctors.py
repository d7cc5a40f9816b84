"""anyOf, oneOf, allOf and not, with the server's choice of the branches whose errors are told.

No branch is spared because a value is unchanged. Source: k8s.io/kube-openapi pkg/validation/validate schema_props.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.objects.checks import Check
from protoc_gen_crd.admission.objects.correlation import Correlated
from protoc_gen_crd.admission.objects.faults import Fault, unplaced
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.schema.types import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.values import Values


def junctors(schema: Schema, values: Values) -> Iterator[Check]:
    """The checks of a schema's junctors, in the server's order."""
    for keyword, made in (("anyOf", _any_of), ("oneOf", _one_of), ("allOf", _all_of)):
        if schema.get(keyword):
            yield made(_Branches(schema.get(keyword), values))
    if isinstance(schema.get("not"), Schema):
        yield _not(_Branches([schema.get("not")], values))


class _Branches:
    def __init__(self, schemas: Sequence[Schema], values: Values) -> None:
        self.schemas, self.values = schemas, values

    def tried(self, value: Any, name: str) -> Iterator[tuple[list[Fault], int]]:
        """The faults and the count of each branch."""
        for schema in self.schemas:
            faults: list[Fault] = []
            count = self.values.node(schema).check(value, name, faults)
            yield faults, count


def _nearest(tried: Sequence[tuple[list[Fault], int]]) -> tuple[list[Fault], int]:
    """The branch of which most passed, the first of them."""
    return max(tried, key=lambda each: each[1])


def _any_of(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        tried = []
        for found, count in branches.tried(value, name):
            if not found:
                return count
            tried.append((found, count))
        faults.append(unplaced(f"{quote(name)} must validate at least one schema (anyOf)"))
        found, count = _nearest(tried)
        faults += found
        return count

    return check


def _one_of(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        tried = list(branches.tried(value, name))
        passed = [count for found, count in tried if not found]
        if len(passed) == 1:
            return passed[0]
        how = f"Found {len(passed)} valid alternatives" if passed else "Found none valid"
        faults.append(unplaced(f"{quote(name)} must validate one and only one schema (oneOf). {how}"))
        if passed:
            return 0
        found, count = _nearest(tried)
        faults += found
        return count

    return check


def _all_of(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        tried = list(branches.tried(value, name))
        for found, _ in tried:
            faults += found
        passed = sum(not found for found, _ in tried)
        if passed != len(tried):
            none = "" if passed else ". None validated"
            faults.append(unplaced(f"{quote(name)} must validate all the schemas (allOf){none}"))
        return sum(count for _, count in tried)

    return check


def _not(branches: _Branches) -> Check:
    def check(value: Any, name: str, faults: list[Fault], _old: Correlated | None) -> int:
        ((found, _),) = branches.tried(value, name)
        if not found:
            faults.append(unplaced(f"{quote(name)} must not validate the schema (not)"))
        return 0

    return check
