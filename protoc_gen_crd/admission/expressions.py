"""Texts of rules compiled, once for all places where the same is declared. Knows no place and no cost.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.ast import Ast
from protoc_gen_crd.cel.check import Checked, check
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.names import called
from protoc_gen_crd.cel.reader import Dialect
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.cel.types import Declarations, Declared, Type, optional

_SELF = "selfType"


class Expressions:
    """What schemas are to expressions, and expressions to servers."""

    def __init__(self) -> None:
        self._declarations: dict[object, Declarations] = {}
        self._kinds: dict[
            int, tuple[Declared, Type]
        ] = {}  # keeps what is declared alive, by whose identity it is known
        self._known: dict[tuple[str, int, int, int, bool], Checked | Refusal] = {}
        self._trees: dict[tuple[object, ...], tuple[Ast | Refusal, list[str]]] = {}
        self._checks: dict[tuple[object, ...], list[tuple[Era, Checked | Refusal]]] = {}
        self._alike: dict[object, Declared] = {}

    def declarations(self, minor: int) -> Declarations:
        """Schemas as the estimates of a server of Kubernetes 1.<minor> have them."""
        sizes = environment.sizes(minor)
        return self._declarations.setdefault(sizes, Declarations(sizes, self._alike))

    def compiled(self, text: str, within: Environment, declared: Declared, *, is_optional: bool) -> Checked | Refusal:
        """A text where self is what is declared, and oldSelf is that or an optional of it."""
        key = text, within.minor, within.level, id(declared), is_optional
        known = self._known.get(key)
        if known is None:
            tree, called = self._parsed(text, within.dialect)
            known = self._known[key] = (
                tree
                if isinstance(tree, Refusal)
                else self._checked(tree, called, within, declared, is_optional=is_optional)
            )
        return known

    def _parsed(self, text: str, dialect: Dialect) -> tuple[Ast | Refusal, list[str]]:
        """A text as a tree, and the functions that it calls."""
        key: tuple[object, ...] = text, dialect.alike(text)
        known = self._trees.get(key) or self._trees.get((*key, dialect.flags))
        if known is None:
            tree = parse(text, dialect)
            if isinstance(tree, Refusal):
                known = self._trees[(*key, dialect.flags)] = tree, []
            else:
                known = self._trees[key] = tree, called(tree)
        return known

    def _checked(
        self, tree: Ast, called: list[str], within: Environment, declared: Declared, *, is_optional: bool
    ) -> Checked | Refusal:
        key = id(tree), id(declared), is_optional, within.alike(tree.text, called)
        answers = self._checks.setdefault(key, [])
        known = next((found for era, found in answers if era.holds(within.minor)), None)
        if known is None:
            _, kind = self._kinds.setdefault(id(declared), (declared, declared.typed(_SELF)))
            variables = {"self": kind, "oldSelf": optional(kind) if is_optional else kind}
            era = Era(within.minor)
            known = check(tree, within, variables, era)
            answers.append((era, known))
        return known
