"""The seam where CEL comes in: what a compiler is given, and what it answers. No CEL is in this package.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go, cel_validation.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
    from protoc_gen_crd.cel.version_range import MinorRange


class RuleSite(Record):
    """A node with rules, for the CEL that is given in from outside.

    `path` is the node's whole path; `ancestors` are the nodes from the root to it, each with the step that leads on
    (see `Schema.children`), the node itself last with an empty step; `uncorrelatable_path` is the path of the highest
    list or map above whose items an update cannot match with the old ones, below which oldSelf is forbidden.
    """

    node: Schema
    path: str
    ancestors: tuple[tuple[Schema, str], ...]
    uncorrelatable_path: str | None


class SchemaRules(Record):
    """The rules of one schema to compile: root, sites, the paths' common start, and what an update lets be.

    `stored_expressions` are texts of rules and messageExpressions that the old CRD had, which compile as stored
    ones; `suppresses_cost`
    lifts the limit of a single expression's cost, since the schema is unchanged. Without `keeps_optional_old_self`,
    optionalOldSelf counts as not given.
    """

    root: Schema
    path: str
    sites: tuple[RuleSite, ...]
    stored_expressions: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    suppresses_cost: bool = False
    keeps_optional_old_self: bool = True


class CelInterface(Protocol):
    """What CEL adds to admission. Without it, nothing is said of what only a compiler sees.

    `expressions` are the texts that have been compiled, which objects are judged by as well.
    """

    expressions: ExpressionCompiler

    def compile_rules(self, rules: SchemaRules, versions: MinorRange) -> Sequence[FieldError]:
        """What compiling the rules of a schema and summing up their cost finds in the versions of an era."""

    def evaluate_rules(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[FieldError], int]:
        """What the rules of a node and below say of a value at a path, and what is left of the budget of cost units.

        `old` is the value before, ABSENT for none; `root` tells the schema of a whole resource; less than nothing left
        means that the budget ran out.
        """

    def get_equivalence_key(self, minor: int) -> object:
        """A value that is equal for versions that compile and evaluate alike."""
