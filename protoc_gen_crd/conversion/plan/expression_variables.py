"""Variables of CEL expressions in list items and map entries, in addition to `self` and `root`.

`key` is that of the entry, of the innermost map around; `i` and `j` are the numbers of the items, from 0, of the outer
and the inner list; `item` is the item or entry itself, as it is in the version that is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.schema.schema import Schema

KEY_VARIABLE, INDEX_VARIABLES, ITEM_VARIABLE = "key", ("i", "j"), "item"
_TYPES = {KEY_VARIABLE: "string", **dict.fromkeys(INDEX_VARIABLES, "integer")}


class ScopeVariables(Record):
    """The variables in a scope: the number of enclosing scopes to skip for each, and the path of `item`."""

    depths: Mapping[str, int]
    item: Path = ()

    def build_schemas(self, root: Schema) -> Mapping[str, Schema]:
        """Return the schema of each variable."""
        schemas = {name: Schema({"type": _TYPES[name]}) for name in self.depths}
        item = paths.find_schema(root, self.item) if self.item else None
        return schemas | ({ITEM_VARIABLE: item} if item is not None else {})


NO_VARIABLES = ScopeVariables({})


def find_scope_variables(direction: Direction, step: Step) -> ScopeVariables:
    """Return the variables in the scope of a step."""
    target_scope = paths.get_scope(step.target)
    inside = next(
        (
            container.source_scope
            for container in direction.steps
            if isinstance(container, ContainerStep) and container.target_scope == target_scope
        ),
        (),
    )
    return build_scope_variables(inside, target_scope)


def build_scope_variables(inside: Path, target_scope: Path) -> ScopeVariables:
    """Return the variables for a scope of the source and a scope of the target."""
    ends = [[step for step in path if step in paths.BRACKETS] for path in (inside, target_scope)]
    levels = [*zip(*ends, strict=False)]
    names: dict[str, int] = {}
    numbers = iter(INDEX_VARIABLES)
    for further, pair in zip(range(len(levels) - 1, -1, -1), levels, strict=True):
        if VALUE in pair:
            names[KEY_VARIABLE] = further
        elif pair == (ITEM, ITEM) and (number := next(numbers, "")):
            names[number] = further
    return ScopeVariables(names, inside) if levels and paths.OBJECT_SCOPE not in levels[-1] else NO_VARIABLES
