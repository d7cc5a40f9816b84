"""CEL expressions of guards over `object`, which has a schema for the type check of servers, but not for evaluation.

So a name that has to be escaped in CEL is used as a key, `"a-b" in dyn(object.spec)`: the escaped name exists only for
the type check. Source: k8s.io/apiserver v0.37.1 pkg/admission/plugin/policy/validating typechecking.go,
pkg/admission/plugin/cel.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.channels.guards import FIELD, VALUE, Guard, GuardStep
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable

OBJECT, OLD = "object", "oldObject"


class GuardExpressions:
    """A formatter of expressions; `declarations` are the types of schemas for the type check.

    With `keeps`, existing elements are allowed in updates. With `escapes`, names are escaped for cost estimates, since
    the sizes of values behind `dyn` are unknown.
    """

    def __init__(self, declarations: DeclarationFactory, *, keeps: bool, escapes: bool = False) -> None:
        self._declarations = declarations
        self._keeps = keeps
        self._escapes = escapes

    def format_guard(self, guard: Guard) -> str:
        """Format an expression that is true if an object does not use the guarded element.

        With `keeps`, it is also true if the old object uses it already.
        """
        return self._format_unless(guard, OBJECT) + (
            f" || {OLD} != null && {self._format_use(guard, OLD)}" if self._keeps else ""
        )

    def format_version_guard(self) -> str:
        """Format an expression that is false, or with `keeps` true for updates."""
        return f"{OLD} != null" if self._keeps else "false"

    def _format_unless(self, guard: Guard, variable: str) -> str:
        return f"!({self._format_use(guard, variable)})"

    def _format_use(self, guard: Guard, variable: str) -> str:
        return " && ".join(self._format_terms(guard.steps, variable, guard.value, 1))

    def _format_terms(self, steps: Sequence[GuardStep], at: str, value: str, depth: int) -> list[str]:
        """Return the conditions that the field at the end of the steps exists, or that it is equal to `value`."""
        if not steps:
            return [_format_equals(at, value)] if value else []
        step, rest = steps[0], steps[1:]
        if step.kind == FIELD:
            has, child = self._format_field(step, at)
            return [has, *self._format_nested(step, rest, child, value, depth)]
        name = f"{'k' if step.kind == VALUE else 'i'}{depth}"
        child = f"{at}[{name}]" if step.kind == VALUE else name
        return [f"{at}.exists({name}, {' && '.join(self._format_nested(step, rest, child, value, depth + 1))})"]

    def _format_nested(self, step: GuardStep, rest: Sequence[GuardStep], at: str, value: str, depth: int) -> list[str]:
        nonnull = [f"dyn({at}) != null"] if rest and step.schema.get("nullable") else []
        return nonnull + self._format_terms(rest, at, value, depth)

    def _format_field(self, step: GuardStep, at: str) -> tuple[str, str]:
        """Return the expressions for the existence of a field and for its value."""
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
