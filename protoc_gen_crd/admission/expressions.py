"""Texts of rules compiled, once for all places where the same is declared. Knows no place and no cost.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.ast import Ast
from protoc_gen_crd.cel.check import Checked, check
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.names import called
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.cel.traits import Environments, Questions, functions_of, marks_of
from protoc_gen_crd.cel.types import Declarations, Declared, Type, optional

_SELF = "selfType"
_Found = Checked | Refusal


class Expressions:
    """What schemas are to expressions, and expressions to servers."""

    def __init__(self) -> None:
        self._declarations: dict[object, Declarations] = {}
        self._by_minor: dict[int, Declarations] = {}
        self._kinds: dict[
            int, tuple[Declared, Type]
        ] = {}  # keeps what is declared alive, by whose identity it is known
        self._known: dict[tuple[str, Environments, int, bool], list[tuple[Era, _Found]]] = {}
        self._trees: dict[tuple[str, object], Ast | Refusal] = {}
        self._traits: dict[str, str] = {}
        self._called: dict[int, tuple[str, ...]] = {}
        self._checks: dict[tuple[object, ...], list[tuple[Era, _Found]]] = {}
        self._alike: dict[object, Declared] = {}
        self._questions = Questions()

    def declarations(self, minor: int) -> Declarations:
        """Schemas as the estimates of a server of Kubernetes 1.<minor> have them."""
        known = self._by_minor.get(minor)
        if known is None:
            sizes = environment.sizes(minor)
            made = self._declarations.setdefault(sizes, Declarations(sizes, self._alike))
            known = self._by_minor[minor] = made
        return known

    def compiled(
        self, text: str, environments: Environments, declared: Declared, era: Era, *, is_optional: bool
    ) -> _Found:
        """A text where self is what is declared, and oldSelf is that or an optional of it.

        `environments` says what texts are compiled with by version, `era` for which versions what is found holds.
        """
        answers = self._known.setdefault((text, environments, id(declared), is_optional), [])
        for known, found in answers:
            if known.holds(era.minor):
                era.join(known)
                return found
        own = Era(era.minor)
        found = self._compiled(text, environments, declared, own, is_optional=is_optional)
        answers.append((own, found))
        era.join(own)
        return found

    def _compiled(
        self, text: str, environments: Environments, declared: Declared, era: Era, *, is_optional: bool
    ) -> _Found:
        marks = self._traits.get(text)
        if marks is None:
            marks = self._traits[text] = marks_of(text)
        tree = self._parsed(text, marks, environments, era)
        if isinstance(tree, Refusal):
            return tree
        alike = era.ask(self._questions.checking(environments, marks, self._called[id(tree)]))
        answers = self._checks.setdefault((id(tree), id(declared), is_optional, alike), [])
        for known, found in answers:
            if known.holds(era.minor):
                era.join(known)
                return found
        own = Era(era.minor)
        _, kind = self._kinds.setdefault(id(declared), (declared, declared.typed(_SELF)))
        variables = {"self": kind, "oldSelf": optional(kind) if is_optional else kind}
        found = check(tree, environments(era.minor), variables, own)
        answers.append((own, found))
        era.join(own)
        return found

    def _parsed(self, text: str, marks: str, environments: Environments, era: Era) -> Ast | Refusal:
        """A text as a tree."""
        alike = era.ask(self._questions.reading(environments, marks))
        known = self._trees.get((text, alike))
        if known is not None:
            return known
        refusing = self._questions.refusing(environments, marks)
        known = self._trees.get((text, refusing(era.minor)))
        if known is None:
            known = parse(text, environments(era.minor).dialect)
        if isinstance(known, Refusal):
            self._trees[text, era.ask(refusing)] = known
        else:
            self._trees[text, alike] = known
            self._called[id(known)] = functions_of(called(known))
        return known
