"""Expansions of the macros in the rules of a run. Rules that differ only in the names of fields share one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.macro_expansion import Budget
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import list_fragments, wrap_lines
from protoc_gen_crd.cel.project_macros import DIALECT_WITH_PROJECT_MACROS, preprocess

_NAME = r"(?a)\bself\.([A-Za-z_]\w*)\b(?!\s*\()"  # a field, not a method
_KEYWORDS = frozenset(["in", "true", "false", "null"])
_LONG = 1000  # characters; longer rules are rare, and some exceed a limit
_PLACEHOLDER = "field__"


class SharedExpansions:
    """Expands the rules of a run. Equal rules are expanded once, and all rules share the limit on copied nodes."""

    def __init__(self) -> None:
        self._budget = Budget()
        self._printed: dict[str, str | Rejection] = {}
        self._shapes: set[tuple[str, ...]] = set()  # most occur once, which needs no template
        self._templates: dict[tuple[str, ...], _Template | None] = {}

    def expand(self, rule: str) -> str | Rejection:
        """Return a rule with the project's macros expanded in canonical form, or the rejection of an invalid rule."""
        printed = self._printed.get(rule)
        if printed is None:
            printed = self._printed[rule] = self._expand_shared(rule) or preprocess(rule, self._budget)
        return printed

    def _expand_shared(self, rule: str) -> str:
        """Return the expansion of a rule that shares it with others, empty if none can.

        Shortcut renamed-fields: the names of fields are copied as they are, and only line ends, which are inserted
        last, depend on their lengths.
        """
        shape = re.split(_NAME, rule)
        names = shape[1::2]
        if not names or len(rule) > _LONG or _PLACEHOLDER in rule or not _KEYWORDS.isdisjoint(names):
            return ""
        key = tuple(shape[::2])
        if key not in self._shapes:
            self._shapes.add(key)
            return ""
        if key not in self._templates:
            self._templates[key] = _make_template(key)
        template = self._templates[key]
        if template is None or template.cost > self._budget.left:
            return ""
        self._budget.left -= template.cost
        return template.insert(names)


class _Template:
    """The parts of a printed rule, with the numbers of its fields, and the number of nodes that its macros copy."""

    __slots__ = ("_parts", "cost")

    def __init__(self, parts: Sequence[str | int], cost: int) -> None:
        self._parts = parts
        self.cost = cost

    def insert(self, names: Sequence[str]) -> str:
        """Return the rule with these names of fields."""
        return wrap_lines([names[part] if isinstance(part, int) else part for part in self._parts])


def _make_template(shape: Sequence[str]) -> _Template | None:
    """Expand a rule with placeholders for the names between these parts. Return None if the expansion depends on them.

    It contains all of them unless one is in a comment, after which a call can follow, or in bytes.
    """
    first, *others = shape
    budget = Budget()
    marked = [f"self.{_PLACEHOLDER}{number}_{part}" for number, part in enumerate(others)]
    tree = parse(f"{first}{''.join(marked)}", DIALECT_WITH_PROJECT_MACROS, budget)
    if isinstance(tree, Rejection):
        return None
    parts: list[str | int] = []
    for fragment in list_fragments(tree):
        pieces = enumerate(re.split(f"{_PLACEHOLDER}([0-9]+)_", fragment))
        parts += [int(piece) if at % 2 else piece for at, piece in pieces if piece]
    is_complete = {*range(len(others))} <= {*parts} and "//" not in "".join(shape)
    return _Template(parts, Budget().left - budget.left) if is_complete else None
