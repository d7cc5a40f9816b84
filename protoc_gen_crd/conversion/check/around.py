"""What an expression of a plan is given, and what it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.derive.fits import OBJECT, shape
from protoc_gen_crd.conversion.expressions import Expression, bare, whole
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.bound import bound
from protoc_gen_crd.conversion.plan.changing import Computed
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.schema.types import Schema

_NONE = Schema({})


def given(way: Way, step: Computed, source: Schema, more: Sequence[str] = ()) -> dict[str, dict[str, Any]]:
    """The schemas of what an expression of a way may look at; `more` bounds may be known of it."""
    known = bound(way, step).schemas(source)
    own = paths.at(source, step.source) or _NONE
    around = {name: bare(each, more) for name, each in known.items()}
    return {"self": bare(own, more), "root": whole(source, more), **around}


def looks_at(way: Way, step: Computed, source: Schema) -> tuple[str, ...]:
    """What an expression looks at beside its value; nothing where it is none."""
    return Expression(step.text, given(way, step, source)).looks_at()


def of_object(step: Computed, source: Schema) -> bool:
    """Whether an expression makes something of an object as a whole, most of which may be beside the point."""
    own = paths.at(source, step.source)
    return own is not None and shape(own) == OBJECT
