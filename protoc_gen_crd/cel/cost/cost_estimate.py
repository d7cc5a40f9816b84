"""The estimate of an expression's cost, before anything is known of values but the schema's bounds.

Source: cel-go v0.12 to v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.version_range import MinorRange
from protoc_gen_crd.cel.versions import VARIABLE_SIZES

from .estimator_1_32 import LegacyCostEstimator
from .estimator_current import CurrentCostEstimator
from .intervals import Interval
from .size_paths import SizedDeclaration


def estimate(
    checked: CheckedAst, minor: int, declared: SizedDeclaration | None, versions: MinorRange | None = None
) -> Interval:
    """The least and the most that one evaluation costs by the server of a version; `era` tells for which that holds.

    `declared` is what self and oldSelf are, None if unknown.
    """
    versions = versions or MinorRange(minor)
    walk = CurrentCostEstimator if versions.has(VARIABLE_SIZES) else LegacyCostEstimator
    return walk(checked, versions, declared).estimate(checked.ast.root)
