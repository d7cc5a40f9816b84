"""What a server lets be, on a creation or, more of it, on an update; `update` works out the latter."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.crd.held import Held
from protoc_gen_crd.admission.crd.survey import HAS_OPTIONAL, Survey
from protoc_gen_crd.admission.switches import FIELD_SELECTORS, RATCHETING, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import Schema


class Options(Record):
    """What is let be. On a creation, nothing is.

    `eased` are faults of the old CRD that may stay, `structural` whether schemas must be structural, `required` whether
    every version must have one, `pruned` whether defaults must hold no unknown fields; `many` are paths that may keep
    more than eight selectable fields; `stored` are texts of rules and of messageExpressions that the old CRD had;
    `unchanged` are the versions whose schema is the same; `optional` and `selectable` are whether optionalOldSelf and
    selectableFields are kept, which are dropped where their gate is closed.
    """

    eased: int = 0
    structural: bool = True
    required: bool = True
    pruned: bool = True
    recognized: bool = True
    bundles: bool = False
    many: frozenset[str] = frozenset()
    stored: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    unchanged: frozenset[str] = frozenset()
    optional: bool = True
    selectable: bool = True


def of_creation(held: Held, survey: Survey, switches: Switches) -> Options:
    """The options for a new CRD."""
    optional, selectable = uses(held, survey)
    return Options(
        bundles=True,
        optional=not optional or RATCHETING in switches,
        selectable=not selectable or FIELD_SELECTORS in switches,
    )


def uses(held: Held, survey: Survey) -> tuple[bool, bool]:
    """Whether a CRD has optionalOldSelf and selectableFields at all; else nobody need ask whether they are kept."""
    parts = (part for part in (held.top, *held.versions) if part is not None)
    return bool(bits(held, survey) & HAS_OPTIONAL), any(part.selectable_fields is not None for part in parts)


def schemas(held: Held) -> Iterator[Schema]:
    """Every schema of a CRD, the shared one once."""
    for part in (held.top, *held.versions):
        if part is not None and part.openapi is not None:
            yield part.openapi


def bits(held: Held, survey: Survey) -> int:
    """What the schemas of a CRD hold, taken together."""
    found = 0
    for schema in schemas(held):
        found |= survey.of(schema).bits
    return found
