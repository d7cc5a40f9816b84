"""The interface between admission and a CEL compiler.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go, cel_validation.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler
    from protoc_gen_crd.kubernetes.shared_results import Switches


class RuleSite(Record):
    """A node with rules.

    `path` is the node's full path. `ancestors` are the nodes from the root to it, each with the step to the next one
    (see `Schema.iterate_children`), the node itself last with an empty step. `containers` are the lists and maps above,
    each with its number of ancestors. `uncorrelatable_path` is the path of the
    highest list or map above whose items cannot be correlated with the old ones; oldSelf is forbidden below it.
    """

    node: Schema
    path: str
    ancestors: tuple[tuple[Schema, str], ...]
    containers: tuple[tuple[int, Schema], ...]
    uncorrelatable_path: str | None


def is_container(node: Schema) -> bool:
    """Check whether an object can have several values for each node below."""
    return node.type == "array" or (node.type == "object" and node.additional is not None)


class SchemaRules(Record):
    """The rules of one schema to compile: its root, the common prefix of paths, the sites, and the update options.

    `stored_expressions` are the rules and messageExpressions of the old CRD, which compile in the environment of stored
    expressions. `suppresses_cost` lifts the cost limit of single expressions, since the schema is unchanged. Without
    `keeps_optional_old_self`, optionalOldSelf is ignored.
    """

    root: Schema
    path: str
    sites: tuple[RuleSite, ...]
    stored_expressions: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    suppresses_cost: bool = False
    keeps_optional_old_self: bool = True


class CelInterface(Protocol):
    """A CEL compiler for admission. Without one, rules are not compiled.

    `expressions` caches the compiled expressions, which the validation of objects shares.
    """

    expressions: ExpressionCompiler

    def compile_rules(self, rules: SchemaRules, versions: Switches) -> Sequence[Cause]:
        """Compile the rules of a schema, and return the errors of compilation and cost in a range of versions."""

    def evaluate_rules(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[Cause], int]:
        """Evaluate the rules of a node and of the nodes below it on a value.

        Args:
            node: The schema.
            value: The value of the node.
            old: The old value, ABSENT if the object is created.
            path: The path of the value in error messages.
            minor: The minor version of Kubernetes.
            root: Whether the node is the schema of a whole resource.
            budget: The remaining budget in cost units; a negative one is exhausted.

        Returns:
            The errors, and the budget that remains.
        """

    def get_equivalence_key(self, minor: int) -> object:
        """Return a value that is equal for versions that compile and evaluate in the same way."""
