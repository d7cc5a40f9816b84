"""Statistics of expressions: the overloads and macros that they use, their depth, and their outcomes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.literal_validators import list_children
from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.cel.parser.ast import Ast, Call

from .steered import key

WANTED, DEEP = 100, 3


def depth(tree: Ast) -> int:
    """Return the nesting depth of an expression, with macros unexpanded."""
    below, deepest = [(tree.root, 1)], 0
    while below:
        node, level = below.pop()
        parts = list(list_children(tree.calls.get(node.id, node)))
        deepest = max(deepest, level if parts else level - 1)
        below += [(part, level + 1) for part in parts]
    return deepest


class Coverage:
    """Counts."""

    def __init__(self, minor: int) -> None:
        self.known = sorted({key(overload) for overload in get_stored_environment(minor).list_overloads()})
        self.declared = set[str]()  # by the server, if it lists them
        macros = [macro for rows in get_stored_environment(minor).dialect.macros.values() for macro in rows]
        self.macros = sorted({f"{macro.name}/{macro.arity}" for macro in macros if macro.arity is not None})
        self.compiled, self.alone = Counter[str](), Counter[str]()
        self.ran, self.failed = Counter[str](), Counter[str]()
        self.fates, self.depths, self.texts = Counter[str](), Counter[int](), set[str]()

    def add(self, checked: CheckedAst | None, answer: dict[str, Any]) -> None:
        """Count an expression that was answered alike by both."""
        fate = next((key for key in ("compile", "error") if key in answer), "result")
        self.fates[fate] += 1
        self.texts.add(answer.get("compile", answer.get("error", "")))
        if checked is None or fate == "compile":
            return
        overloads = [reference.overloads for reference in checked.references.values() if reference.overloads]
        used = {key(overload) for candidates in overloads for overload in candidates}
        used |= {macro(call) for call in checked.ast.calls.values()}
        self.compiled.update(used)
        self.alone.update({key(candidates[0]) for candidates in overloads if len(candidates) == 1})
        if "cost" in answer or fate == "error":
            (self.failed if fate == "error" else self.ran).update(used)
        self.depths[depth(checked.ast)] += 1

    def table(self) -> str:
        """All counts, a line for each overload and macro."""
        lines = [f"{'compiled':>9} {'alone':>7} {'result':>7} {'error':>7}  overload"]
        for name in sorted([*self.known, *self.macros], key=lambda overload_key: self.compiled[overload_key]):
            counts = self.compiled[name], self.alone[name], self.ran[name], self.failed[name]
            lines.append("{:>9} {:>7} {:>7} {:>7}  {}".format(*counts, name))
        return "\n".join(lines)

    def summary(self) -> str:
        """Return a summary of a few lines."""
        rare = [name for name in [*self.known, *self.macros] if self.compiled[name] < WANTED]
        least = min(self.known, key=lambda name: self.compiled[name])
        ours = {*self.known, *[re.sub(r"<(\w)>", r"\1", name) for name in self.known]}  # older servers print <A> as A
        deep = sum(count for level, count in self.depths.items() if level >= DEEP)
        return (
            f"{self.fates['compile']} do not compile, {self.fates['error']} fail, {self.fates['result']} end well, "
            f"{len(self.texts)} texts of errors; of {self.depths.total()} that run, {deep} are {DEEP} or more deep\n"
            f"{len(self.known)} overloads, {len(self.macros)} macros; in fewer than {WANTED} expressions that compile: "
            f"{', '.join(rare) or 'none'}\nleast used: {least} ({self.compiled[least]})\n"
            f"{len(self.declared)} overloads the server declares; not called by any expression: "
            f"{', '.join(sorted(overload for overload in self.declared if overload not in ours)) or 'none'}"
        )


def macro(call: Call) -> str:
    """The name of a macro with the number of its arguments."""
    return f"{call.function}/{len(call.args)}"
