"""Changes of defaults and of nullability: what servers store for nulls and for absent values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import normalize_numbers
from protoc_gen_crd.comparison.change import EXPLAINED, ChangeClass, Difference
from protoc_gen_crd.comparison.schemas.defaults_and_nulls import (
    Outcome,
    get_absent_outcome,
    get_null_outcomes,
    is_observed,
    is_rejecting,
)
from protoc_gen_crd.comparison.schemas.implicit_fields import is_required_type
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.comparison.schemas.node_pair import ANYTHING, PROPERTY, PRUNED, NodePair
from protoc_gen_crd.comparison.schemas.scale_restrictions import is_null_rejected, is_value_rejected
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.samples.sample_validator import SampleValidator
from protoc_gen_crd.schema.schema import Schema


def compare_defaults_and_nulls(pair: NodePair, switches: Switches, changed: list[str]) -> Iterator[Difference]:
    """Compare what servers store for a null and for an absent value."""
    for keyword in changed:
        if keyword == "nullable" and is_unrestricted(pair):
            yield EXPLAINED  # the type that is added or removed
            continue
        old, new = pair.get_values(keyword)
        if keyword == "default" and None not in (old, new) and _is_same_default(pair, switches):
            yield Difference("change-no-effect", keyword, old, new)
            continue
        suffix = "removed" if _is_unset(keyword, new) else "added" if _is_unset(keyword, old) else ""
        rule = "-".join(filter(None, ("change", keyword, suffix)))
        find_class = _find_default_class if keyword == "default" else _find_nullable_class
        yield Difference(rule, keyword, old, new, find_class(pair, switches, is_added=suffix == "added"))


def _is_same_default(pair: NodePair, switches: Switches) -> bool:
    """Report whether servers store the same value for both defaults, with the defaults below them."""
    validator = SampleValidator(switches.minor)
    old, new = (
        to_key(validator.apply_defaults(schema, normalize_numbers(schema.get("default"))))
        for schema in (pair.old, pair.new)
    )
    return old == new


def _find_default_class(pair: NodePair, switches: Switches, *, is_added: bool) -> ChangeClass | None:
    """Return the class of a changed default, None for that of the rule."""
    if is_added and _was_required(pair) and _is_required_by_others(pair):
        return ChangeClass.LOOSEN  # servers rejected the objects that get the default
    is_rejected = is_treatment_rejecting(pair, "default") or _is_empty_rejected(pair, switches)
    return ChangeClass.TIGHTEN if is_rejected or is_default_invalid(pair, switches) else None


def _find_nullable_class(pair: NodePair, switches: Switches, *, is_added: bool) -> ChangeClass | None:
    """Return the class of changed nullability, None for that of the rule."""
    old, new = get_null_outcomes(pair)
    is_rejected = is_treatment_rejecting(pair, "nullable") or _is_empty_rejected(pair, switches)
    if is_added:
        is_rejected |= is_null_rejected(pair)
    else:
        is_set = new is Outcome.DEFAULT and not is_null_rejected(pair)
        is_rejected |= (is_set and is_default_invalid(pair, switches)) or _is_null_in_default_rejected(pair, switches)
    if is_rejected:
        return ChangeClass.TIGHTEN
    is_default_lost = is_added and old is Outcome.DEFAULT
    return ChangeClass.SEMANTIC if is_default_lost else None


def _was_required(pair: NodePair) -> bool:
    """Report whether the old API rejects objects without a property."""
    if pair.position != PROPERTY:
        return False
    required = pair.get_parent().get_effective_values("required")[0] or ()
    return pair.old_name in required or is_required_type(pair)


def _is_required_by_others(pair: NodePair) -> bool:
    """Report whether the other served versions reject objects without a property, or have no such objects.

    Servers store the objects of other versions as the storage version, and set its defaults when they read them.
    Source: k8s.io/apimachinery pkg/runtime/serializer/versioning versioning.go (Decode).
    """
    owner = pair.get_parent()
    return all(
        parent is PRUNED or pair.old_name in {*(parent.get("required") or ()), *owner.list_present_fields(parent)}
        for parent in owner.find_others()
    )


def is_unrestricted(pair: NodePair) -> bool:
    """Report whether the values of additionalProperties: true, null included, get a schema, or the reverse."""
    return pair.old is ANYTHING or pair.new is ANYTHING


def _is_unset(keyword: str, value: Any) -> bool:
    return value is None or (keyword == "nullable" and not value)


def _is_empty_rejected(pair: NodePair, switches: Switches) -> bool:
    """Report whether the new API rejects {}, which servers now store for a null."""
    old, new = get_null_outcomes(pair)
    if new is not Outcome.EMPTY or old is new or _was_required(pair):
        return False
    validator = SampleValidator(switches.minor)
    return bool(validator.find_errors(pair.new, validator.apply_defaults(pair.new, {})))


def is_treatment_rejecting(pair: NodePair, keyword: str) -> bool:
    """Report whether the treatment of nulls, absent values and defaults can reject objects."""
    outcomes = [get_null_outcomes(pair)]
    if keyword == "default":
        outcomes.append((get_absent_outcome(pair.old, pair.position), get_absent_outcome(pair.new, pair.position)))
        if None not in pair.get_values(keyword) and is_observed(pair):
            return True
        if is_required_type(pair) and Outcome.DEFAULT in outcomes[-1]:
            return outcomes[-1][1] is Outcome.ABSENT
    return any(is_rejecting(pair, *treatments) for treatments in outcomes)


def is_default_invalid(pair: NodePair, switches: Switches) -> bool:
    """Report whether servers reject a default: the admission of CRDs does not validate all of it."""
    default = pair.new.get("default")
    if default is None:
        return False
    validator = SampleValidator(switches.minor)
    defaulted = validator.apply_defaults(pair.new, normalize_numbers(default))
    return _has_invalid_default(pair.new, validator) or is_value_rejected(pair, defaulted)


def _is_null_in_default_rejected(pair: NodePair, switches: Switches) -> bool:
    """Report whether the new API rejects the default of a parent that the old one accepts: servers keep its nulls."""
    validator = SampleValidator(switches.minor)
    return any(
        _has_invalid_default(node.new, validator) and not _has_invalid_default(node.old, validator)
        for node in pair.iterate_ancestors()
    )


def _has_invalid_default(schema: Schema, validator: SampleValidator) -> bool:
    default = schema.get("default")
    return default is not None and bool(validator.find_errors(schema, normalize_numbers(default)))
