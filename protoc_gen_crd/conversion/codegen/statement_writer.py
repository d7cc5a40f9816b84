"""The interface between the statements of a function and the writer of its direction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from protoc_gen_crd.conversion.codegen.python_types import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep, HandwrittenObject, MapToList
from protoc_gen_crd.conversion.plan.conversion_data_entries import ConversionDataEntry
from protoc_gen_crd.conversion.plan.expression_variables import ITEM_VARIABLE, find_scope_variables
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep
from protoc_gen_crd.schema.schema import Schema


class StatementContext(Protocol):
    """The methods that a function body needs of its direction."""

    direction: Direction
    reverse: Direction
    tables: Tables
    kept_entries: tuple[ConversionDataEntry, ...]
    restored_entries: tuple[ConversionDataEntry, ...]
    complex_scopes: set[Path]
    source: Schema
    target: Schema
    has_deferred_entries: bool  # true if witnesses wait for the whole object

    def is_table_row(self, step: Step) -> bool:
        """Return true if a table row implements the step."""

    def drops_null(self, step: Step) -> bool:
        """Return true if a step omits null in place of an object, list or map, which conversion data keeps."""

    def emit_transform(self, step: Step) -> str | None:
        """Return the conversion of a copied value as Python."""

    def count_carried_parents(self, path: Path) -> int:
        """Return the number of objects around a path of the target that are only copied, never created."""

    def count_required_parents(self, path: Path) -> int:
        """Return the number of objects around a path of the target that a default or a restored value requires."""

    def count_created_parents(self, path: Path) -> int:
        """Return the number of objects around a path of the source that the reverse direction creates."""

    def define_expression(self, step: ComputedStep, *, back: bool) -> str:
        """Return the name of the conversion of a step, in this or in the reverse direction."""

    def find_variables(self, step: ComputedStep, *, back: bool) -> tuple[str, ...]:
        """Return the variables that the expression of a step reads in addition to its value."""

    def has_extra_inputs(self, step: ComputedStep, *, back: bool) -> bool:
        """Return true if a step reads more than one value: its result is then its witness."""

    def has_item_context(self, target: Path) -> bool:
        """Return true if the function for items at a path receives their place."""

    def write_item_function(self, step: ContainerStep) -> str:
        """Return the name of the function for the items of a step."""

    def define_caller(self, step: HandwrittenObject, *, back: bool) -> str:
        """Return the name of the call of a step's function, or of the reverse one."""

    def get_inverse_function(self, step: HandwrittenObject) -> str:
        """Return the name of the derived conversion of an object in the reverse direction."""


def find_contextual_items(writer: StatementContext) -> Iterator[Path]:
    """Return the items of the target whose functions need their place, or the place of the items around."""
    lists = {step.target_scope for step in writer.direction.steps if type(step) is MapToList}
    for back, way in enumerate((writer.direction, writer.reverse)):
        inside = {step.target_scope: step.source_scope for step in way.steps if isinstance(step, ContainerStep)}
        for step in way.steps:
            if not isinstance(step, CelExpression):
                continue
            scope = paths.get_scope(step.target)
            here = inside.get(scope, ()) if back else scope
            looks, names = writer.find_variables(step, back=bool(back)), find_scope_variables(way, step).depths
            levels = [names[name] for name in looks if name in names]
            if back and here in lists and (ITEM_VARIABLE in looks or step.source == here):
                levels.append(0)  # an item receives its key only in its list
            around = [here[:cut] for cut, name in enumerate(here, 1) if name in paths.BRACKETS]
            yield from (path for level in levels for path in around[len(around) - 1 - level :])
