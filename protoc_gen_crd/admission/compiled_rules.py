"""Texts of rules compiled, once for all places where the same is declared. Knows no place and no cost.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, check
from protoc_gen_crd.cel.checker.scopes import list_called_functions
from protoc_gen_crd.cel.checker.types import Declaration, DeclarationFactory, Type, make_optional_type
from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.version_key import AnswerCache, Environments, filter_functions, find_marks
from protoc_gen_crd.cel.version_range import MinorRange

_SELF = "selfType"
_CompileResult = CheckedAst | Rejection


class ExpressionCompiler:
    """What schemas are to expressions, and expressions to servers.

    Shortcut compiled-texts: what compiles is a function of the text, the environment, the declaration, and whether
    oldSelf is optional, and all of these are in the keys.
    """

    def __init__(self) -> None:
        self._declarations: dict[object, DeclarationFactory] = {}
        self._by_minor: dict[int, DeclarationFactory] = {}
        self._kinds: dict[
            int, tuple[Declaration, Type]
        ] = {}  # keeps what is declared alive, by whose identity it is known
        self._known: dict[tuple[str, Environments, int, bool], list[tuple[MinorRange, _CompileResult]]] = {}
        self._trees: dict[tuple[str, object], Ast | Rejection] = {}
        self._traits: dict[str, str] = {}
        self._called: dict[int, tuple[str, ...]] = {}
        self._checks: dict[tuple[object, ...], list[tuple[MinorRange, _CompileResult]]] = {}
        self._alike: dict[object, Declaration] = {}
        self._questions = AnswerCache()

    def get_declarations(self, minor: int) -> DeclarationFactory:
        """Schemas as the estimates of a server of Kubernetes 1.<minor> have them."""
        known = self._by_minor.get(minor)
        if known is None:
            sizes = environment.get_sizes(minor)
            made = self._declarations.setdefault(sizes, DeclarationFactory(sizes, self._alike))
            known = self._by_minor[minor] = made
        return known

    def compile_expression(
        self, text: str, environments: Environments, declared: Declaration, versions: MinorRange, *, is_optional: bool
    ) -> _CompileResult:
        """A text where self is what is declared, and oldSelf is that or an optional of it.

        `environments` says what texts are compiled with by version, `era` for which versions what is found holds.
        """
        answers = self._known.setdefault((text, environments, id(declared), is_optional), [])
        for known, found in answers:
            if known.contains(versions.minor):
                versions.intersect(known)
                return found
        own = MinorRange(versions.minor)
        found = self._compile_uncached(text, environments, declared, own, is_optional=is_optional)
        answers.append((own, found))
        versions.intersect(own)
        return found

    def _compile_uncached(
        self, text: str, environments: Environments, declared: Declaration, versions: MinorRange, *, is_optional: bool
    ) -> _CompileResult:
        marks = self._traits.get(text)
        if marks is None:
            marks = self._traits[text] = find_marks(text)
        tree = self._parse_expression(text, marks, environments, versions)
        if isinstance(tree, Rejection):
            return tree
        alike = versions.evaluate(self._questions.get_for_checking(environments, marks, self._called[id(tree)]))
        answers = self._checks.setdefault((id(tree), id(declared), is_optional, alike), [])
        for known, found in answers:
            if known.contains(versions.minor):
                versions.intersect(known)
                return found
        own = MinorRange(versions.minor)
        _, kind = self._kinds.setdefault(id(declared), (declared, declared.get_type(_SELF)))
        variables = {"self": kind, "oldSelf": make_optional_type(kind) if is_optional else kind}
        found = check(tree, environments(versions.minor), variables, own)
        answers.append((own, found))
        versions.intersect(own)
        return found

    def _parse_expression(
        self, text: str, marks: str, environments: Environments, versions: MinorRange
    ) -> Ast | Rejection:
        """A text as a tree."""
        alike = versions.evaluate(self._questions.get_for_parsing(environments, marks))
        known = self._trees.get((text, alike))
        if known is not None:
            return known
        refusing = self._questions.get_for_rejection(environments, marks)
        known = self._trees.get((text, refusing(versions.minor)))
        if known is None:
            known = parse(text, environments(versions.minor).dialect)
        if isinstance(known, Rejection):
            self._trees[text, versions.evaluate(refusing)] = known
        else:
            self._trees[text, alike] = known
            self._called[id(known)] = filter_functions(list_called_functions(known))
        return known
