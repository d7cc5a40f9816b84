"""The estimated cost of an expression, which depends only on the expression and the bounds of the schema.

Source: cel-go v0.12 to v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.version_differences import VARIABLE_SIZES
from protoc_gen_crd.kubernetes.shared_results import Switches

from .estimator_current import CurrentCostEstimator
from .intervals import Interval
from .size_paths import SizedDeclaration


def estimate(
    checked: CheckedAst, minor: int, declared: SizedDeclaration | None, versions: Switches | None = None
) -> Interval:
    """Return the minimum and the maximum cost of one evaluation.

    Args:
        checked: The checked expression.
        minor: The server's version of Kubernetes, 1.`minor`.
        declared: The declaration of self and oldSelf, None if unknown.
        versions: Narrowed to the versions with the same estimate.

    Returns:
        Costs in the units of the limits in `kubernetes.api_server_limits`.

    Source:
        cel-go v0.29 `checker/cost.go`; k8s.io/apiserver pkg/cel/library/cost.go.
    """
    versions = versions or Switches(minor)
    if VARIABLE_SIZES in versions:
        return CurrentCostEstimator(checked, versions, declared).estimate(checked.ast.root)
    from .estimator_1_32 import LegacyCostEstimator  # noqa: PLC0415 - by default, rules are for the newest version

    return LegacyCostEstimator(checked, versions, declared).estimate(checked.ast.root)
