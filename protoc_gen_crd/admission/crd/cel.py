"""The seam where CEL comes in: what a compiler is given, and what it answers. No CEL is in this package.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go, cel_validation.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.admission.expressions import Expressions
    from protoc_gen_crd.cel.era import Era


class Site(Record):
    """A node with rules, for the CEL that is given in from outside.

    `path` is the node's whole path; `above` are the nodes from the root to it, each with the step that leads on (see
    `Schema.children`), the node itself last with an empty step; `uncorrelatable` is the path of the highest list or map
    above whose items an update cannot match with the old ones, below which oldSelf is forbidden.
    """

    node: Schema
    path: str
    above: tuple[tuple[Schema, str], ...]
    uncorrelatable: str | None


class Schemas(Record):
    """The rules of one schema to compile: root, sites, the paths' common start, and what an update lets be.

    `stored` are texts of rules and messageExpressions that the old CRD had, which compile as stored ones; `unlimited`
    lifts the limit of a single expression's cost, since the schema is unchanged. Without `optional`, optionalOldSelf
    counts as not given.
    """

    root: Schema
    path: str
    sites: tuple[Site, ...]
    stored: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    unlimited: bool = False
    optional: bool = True


class Cel(Protocol):
    """What CEL adds to admission. Without it, nothing is said of what only a compiler sees.

    `expressions` are the texts that have been compiled, which objects are judged by as well.
    """

    expressions: Expressions

    def compiled(self, rules: Schemas, era: Era) -> Sequence[FieldError]:
        """What compiling the rules of a schema and summing up their cost finds in the versions of an era."""

    def evaluated(
        self, node: Schema, value: object, old: object, path: str, minor: int, *, root: bool, budget: int
    ) -> tuple[Sequence[FieldError], int]:
        """What the rules of a node and below say of a value at a path, and what is left of the budget of cost units.

        `old` is the value before, ABSENT for none; `root` tells the schema of a whole resource; less than nothing left
        means that the budget ran out.
        """

    def alike(self, minor: int) -> object:
        """A value that is equal for versions that compile and evaluate alike."""
