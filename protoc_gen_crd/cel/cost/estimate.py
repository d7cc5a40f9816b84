"""The estimate of an expression's cost, before anything is known of values but the schema's bounds.

Source: cel-go v0.12 to v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.era import Era

from .intervals import Interval
from .newer import Newer
from .older import Older
from .paths import Sized

_NEWER = 33  # servers: variables and items have sizes of their own (cel-go 0.23)


def estimate(checked: Checked, minor: int, declared: Sized | None, era: Era | None = None) -> Interval:
    """The least and the most that one evaluation costs by the server of a version; `era` tells for which that holds.

    `declared` is what self and oldSelf are, None if unknown.
    """
    era = era or Era(minor)
    walk = Newer if era.since(_NEWER) else Older
    return walk(checked, era, declared).cost(checked.ast.root)
