"""Guards to CEL over `object`, which has no schema when servers evaluate it and has one when they check its types.

So a name that CEL has to escape is a key, `"a-b" in dyn(object.spec)`: escaped, it is found by the check and by nothing
else. Source: k8s.io/apiserver v0.37.1 pkg/admission/plugin/policy/validating typechecking.go, pkg/admission/plugin/cel.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.channels.guards import FIELD, VALUE, Guard, GuardStep
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable

OBJECT, OLD = "object", "oldObject"


class GuardExpressions:
    """Makes expressions; `declarations` tell what the check knows of a schema.

    With `escapes` they are what an estimate can follow, since nothing is known of the size of what is behind `dyn`.
    """

    def __init__(self, declarations: DeclarationFactory, *, keeps: bool, escapes: bool = False) -> None:
        self._declarations = declarations
        self._keeps = keeps
        self._escapes = escapes

    def format_guard(self, guard: Guard) -> str:
        """True for an object that does not use what is guarded, or, where that is kept, has used it already."""
        return self._format_unless(guard, OBJECT) + (
            f" || {OLD} != null && {self._format_use(guard, OLD)}" if self._keeps else ""
        )

    def format_version_guard(self) -> str:
        """True for no object, or, where what is there is kept, for updates."""
        return f"{OLD} != null" if self._keeps else "false"

    def _format_unless(self, guard: Guard, variable: str) -> str:
        return f"!({self._format_use(guard, variable)})"

    def _format_use(self, guard: Guard, variable: str) -> str:
        return " && ".join(self._format_terms(guard.steps, variable, guard.value, 1))

    def _format_terms(self, steps: Sequence[GuardStep], at: str, value: str, depth: int) -> list[str]:
        """What must hold for there to be something at the end of the steps, or the value."""
        if not steps:
            return [_format_equals(at, value)] if value else []
        step, below = steps[0], steps[1:]
        if step.kind == FIELD:
            has, there = self._format_field(step, at)
            return [has, *self._format_nested(step, below, there, value, depth)]
        name = f"{'k' if step.kind == VALUE else 'i'}{depth}"
        there = f"{at}[{name}]" if step.kind == VALUE else name
        return [f"{at}.exists({name}, {' && '.join(self._format_nested(step, below, there, value, depth + 1))})"]

    def _format_nested(self, step: GuardStep, below: Sequence[GuardStep], at: str, value: str, depth: int) -> list[str]:
        nonnull = [f"dyn({at}) != null"] if below and step.schema.get("nullable") else []
        return nonnull + self._format_terms(below, at, value, depth)

    def _format_field(self, step: GuardStep, at: str) -> tuple[str, str]:
        """Whether a field is there, and the field."""
        name = escape_cel_name(step.name)
        if (
            is_selectable(step.name)
            and (self._escapes or name == step.name)
            and self._declarations.declare(step.schema)
        ):
            return f"has({at}.{name})", f"{at}.{name}"
        key = json.dumps(step.name, ensure_ascii=False)
        return f"{key} in dyn({at})", f"dyn({at})[{key}]"


def _format_equals(at: str, value: str) -> str:
    """Compare a value with one of an enum, by name or number."""
    return f"dyn({at}) == {value if value.lstrip('-').isdigit() else json.dumps(value)}"
