"""The walk of rules over an object: their order and budgets, what they see of the old object, and what they say.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel validation.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.errors import ABSENT, DUPLICATE, FORBIDDEN, INVALID, REQUIRED, FieldError, message
from protoc_gen_crd.admission.objects.correlation import Correlated, Items
from protoc_gen_crd.admission.objects.programs import Programs, Ruled, Runnable
from protoc_gen_crd.admission.objects.structural import Structural
from protoc_gen_crd.admission.switches import LEAKING_PATHS, VALUES_SHOWN
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.limits import PER_OBJECT
from protoc_gen_crd.cel.evaluate import EXCEEDED, Outcome, Program
from protoc_gen_crd.cel.values import NONE, Optional

_LONGEST_MESSAGE = 5120  # bytes
_END = "no further validation rules will be run"
_OUT_OF_BUDGET = f"failed due to running out of cost budget, {_END}"
_DEAR = f"{_END} due to call cost exceeds limit for"


class _End(Exception):  # noqa: N818 - no error of ours
    """No further rule is run."""


class Before(Record):
    """What is known of the old object at a node: its own correlation and that of the nearest node above with one."""

    current: Correlated | None = None
    nearest: Correlated | None = None

    def key(self, key: str) -> Before:
        """The same for a member."""
        if self.current is None:
            return self
        if self.nearest is None and key in ("apiVersion", "kind"):
            return NOTHING
        return Before(self.current.key(key), self.current)

    def index(self, index: int) -> Before:
        """The same for an item."""
        return self if self.current is None else Before(self.current.index(index), self.current)

    @property
    def unchanged(self) -> bool:
        """Whether the node, or where nothing tells what it was, the nearest above, is what it was."""
        found = self.current or self.nearest
        return found is not None and found.unchanged


NOTHING = Before()


class Walk:
    """One walk over one object. Less than nothing left of the budget means that it ended early."""

    def __init__(self, programs: Programs, budget: int = PER_OBJECT) -> None:
        self.programs, self.switches, self.left = programs, programs.switches, budget
        self.errors: list[FieldError] = []
        self.warnings: list[str] = []

    def run(
        self, node: Structural, value: Any, old: Any, path: str | None, correlated: Correlated | None, *, root: bool
    ) -> None:
        """Run all rules of a schema on a value; a whole object has no path."""
        ruled = self.programs.of(node, root=root)
        if ruled is None:
            return
        try:
            self._visit(ruled, value, old, path, NOTHING if correlated is None else Before(correlated))
        except _End:
            self.left = -1

    def _visit(self, ruled: Ruled, value: Any, old: Any, path: str | None, before: Before) -> None:
        if value is None:
            return
        if ruled.rules:
            _AtNode(self, ruled, value, old, path, before).run()
        if type(value) is dict:
            self._members(ruled, value, old, path, before)
        elif type(value) is list and ruled.items is not None:
            items = Items(ruled.node, old if type(old) is list else [])
            for index, item in enumerate(value):
                self._visit(ruled.items, item, items.like(item), f"{path or ''}[{index}]", before.index(index))

    def _members(self, ruled: Ruled, value: dict[str, Any], old: Any, path: str | None, before: Before) -> None:
        was = old if type(old) is dict and ruled.node.correlatable else {}
        if ruled.additional is not None:
            for key, member in value.items():
                self._visit(ruled.additional, member, was.get(key), f"{path or ''}[{key}]", before.key(key))
        for key, child in ruled.properties.items():
            if value.get(key) is not None:
                self._visit(child, value[key], was.get(key), f"{path}.{key}" if path else key, before.key(key))

    def pay(self, cost: int) -> bool:
        """Take a cost out of the budget; False where it is not in there."""
        if cost > self.left:
            return False
        self.left -= cost
        return True


class _AtNode:
    """The rules of one node on one value."""

    def __init__(self, walk: Walk, ruled: Ruled, value: Any, old: Any, path: str | None, before: Before) -> None:
        self.walk, self.ruled, self.value, self.old, self.before = walk, ruled, value, old, before
        self.path = path
        self.kind = ruled.node.schema.type

    def run(self) -> None:
        """Run them in order."""
        if self.walk.left <= 0:
            self._fail(f"validation {_OUT_OF_BUDGET}")
            raise _End
        values = {"self": self.ruled.read(self.value)}
        optional = values
        if self.ruled.uses_old:
            optional = {**values, "oldSelf": NONE}
            if self.old is not None:
                values["oldSelf"] = was = self.ruled.read(self.old)
                optional["oldSelf"] = Optional(was)
        for rule in self.ruled.rules:
            if rule.program is None:
                self._fail(f"rule compile error: {rule.fault}", rule)
            elif self.old is not None or not rule.uses_old or rule.optional:
                self._run(rule, rule.program, optional if rule.optional else values, values)

    def _run(self, rule: Runnable, program: Program, values: dict[str, Any], plain: dict[str, Any]) -> None:
        outcome = program.run(values)
        if not self.walk.pay(outcome.cost):
            self._fail(f"validation {_OUT_OF_BUDGET}", rule)
            raise _End
        if outcome.error is not None:
            self._failed(rule, outcome.error)
        elif outcome.value is not True:
            self._refused(rule, plain)

    def _failed(self, rule: Runnable, error: str) -> None:
        if error.startswith("no such overload"):
            words = "call arguments did not match a supported operator, function or macro signature for rule"
            self._fail(f"'{error}': {words}: {rule.shown}", rule)
        elif error.startswith(EXCEEDED):
            self._fail(f"'{error}': {_DEAR} rule: {rule.shown}", rule)
            raise _End
        else:
            self._fail(f"{error} evaluating rule: {rule.shown}", rule)

    def _fail(self, detail: str, rule: Runnable | None = None) -> None:
        origin = rule.origin if rule else None
        self.walk.errors.append(FieldError(INVALID, self._where(), detail, self.kind, origin))

    def _where(self) -> str:
        return "<nil>" if self.path is None else self.path

    def _refused(self, rule: Runnable, values: dict[str, Any]) -> None:
        """The rule says no."""
        base = self.path
        if rule.path:
            self.path = rule.path if base is None else f"{base}.{rule.path}"
        where = self._where()
        if LEAKING_PATHS not in self.walk.switches:
            self.path = base
        detail = rule.detail
        if rule.message is not None:
            outcome = rule.message.run(values)
            fatal = self._too_dear(rule, outcome)
            if fatal:
                self._say(FieldError(INVALID, where, fatal, self.kind, rule.origin), rule)
                raise _End
            detail = _usable(outcome) or detail
        self._say(self._error(rule, where, detail), rule)

    def _too_dear(self, rule: Runnable, outcome: Outcome) -> str:
        if not self.walk.pay(outcome.cost):
            return f"messageExpression evaluation {_OUT_OF_BUDGET}"
        if outcome.error is not None and outcome.error.startswith(EXCEEDED):
            return f"{_DEAR} messageExpression: {quote(rule.message_text)}"
        return ""

    def _say(self, error: FieldError, rule: Runnable) -> None:
        if not rule.uses_old and self.before.unchanged:
            self.walk.warnings.append(message(error, self.walk.switches))
        else:
            self.walk.errors.append(error)

    def _error(self, rule: Runnable, where: str, detail: str) -> FieldError:
        shown: object = self.kind
        if VALUES_SHOWN in self.walk.switches:
            shown = ABSENT if self.kind in ("object", "array") else self.value
        if rule.reason in (FORBIDDEN, REQUIRED):
            return FieldError(rule.reason, where, detail, origin=rule.origin)
        if rule.reason == DUPLICATE:
            return FieldError(DUPLICATE, where, "", shown, rule.origin)
        return FieldError(INVALID, where, detail, shown, rule.origin)


def _usable(outcome: Outcome) -> str:
    """The text that a messageExpression gave, empty where it is not to be used."""
    if outcome.error is not None or not isinstance(outcome.value, str):
        return ""
    text = outcome.value.strip()
    return "" if len(text.encode()) > _LONGEST_MESSAGE or "\n" in text else text
