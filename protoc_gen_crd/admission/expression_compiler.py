"""Compilation of CEL expressions, cached for all schema nodes with the same declaration.

Costs and positions in the schema are computed elsewhere.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go.
"""

from __future__ import annotations

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, check, describe_result
from protoc_gen_crd.cel.checker.scopes import list_called_functions
from protoc_gen_crd.cel.checker.types import Declaration, DeclarationFactory, Type, make_optional_type
from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.shared_answers import AnswerCache, Environments, filter_functions, find_marks
from protoc_gen_crd.kubernetes.shared_results import SharedResults, Switches

_SELF = "selfType"
_CompileResult = CheckedAst | Rejection


class ExpressionCompiler:
    """A compiler of CEL expressions that caches declarations, parsed trees, and compiled results.

    Shortcut compiled-texts: what compiles is a function of the text, the environment, the declaration, and whether
    oldSelf is optional, and all of these are in the keys.
    Shortcut version-ranges: what compiles is used for no version with other answers to what was read to compile it.
    Shortcut described-results: a description is a function of the result, which is kept alive and does not change.
    """

    def __init__(self) -> None:
        self._declarations: dict[object, DeclarationFactory] = {}
        self._by_minor: dict[int, DeclarationFactory] = {}
        self._kinds: dict[
            int, tuple[Declaration, Type]
        ] = {}  # keeps the declarations alive, which are the keys of other caches by identity
        self._known: SharedResults[_CompileResult] = SharedResults()
        self._trees: dict[tuple[str, object], Ast | Rejection] = {}
        self._marks: dict[str, str] = {}
        self._called: dict[int, tuple[str, ...]] = {}
        self._checks: SharedResults[_CompileResult] = SharedResults()
        self._alike: dict[object, Declaration] = {}
        self._questions = AnswerCache()
        self._descriptions: dict[int, tuple[_CompileResult, object]] = {}

    def is_same(self, left: _CompileResult, right: _CompileResult) -> bool:
        """Return true if two results for one expression are equal, apart from the name of the variable of macros."""
        return left is right or self._describe(left) == self._describe(right)

    def _describe(self, result: _CompileResult) -> object:
        described = self._descriptions.get(id(result))
        if described is None:
            described = self._descriptions[id(result)] = result, describe_result(result)
        return described[1]

    def get_declarations(self, minor: int) -> DeclarationFactory:
        """Return the factory of CEL declarations with the size limits of Kubernetes 1.<minor>."""
        factory = self._by_minor.get(minor)
        if factory is None:
            sizes = environment.get_sizes(minor)
            shared = self._declarations.setdefault(sizes, DeclarationFactory(sizes, self._alike))
            factory = self._by_minor[minor] = shared
        return factory

    def compile_expression(
        self,
        expression: str,
        environments: Environments,
        declared: Declaration,
        versions: Switches,
        *,
        is_optional: bool,
    ) -> _CompileResult:
        """Compile an expression in which self has the declared type.

        oldSelf has the same type, or an optional of it if `is_optional`. `environments` returns the CEL environment of
        a minor version. `versions` records what the result depends on.
        """
        return self._known.get(
            (expression, environments, id(declared), is_optional),
            versions,
            lambda own: self._compile_uncached(expression, environments, declared, own, is_optional=is_optional),
        )

    def _compile_uncached(
        self,
        expression: str,
        environments: Environments,
        declared: Declaration,
        versions: Switches,
        *,
        is_optional: bool,
    ) -> _CompileResult:
        tree = self.parse_expression(expression, environments, versions)
        if isinstance(tree, Rejection):
            return tree
        marks, called = self._marks[expression], self._called[id(tree)]
        check_key = versions.evaluate(self._questions.get_for_checking(environments, marks, called))
        _, self_type = self._kinds.setdefault(id(declared), (declared, declared.get_type(_SELF)))
        variables = {"self": self_type, "oldSelf": make_optional_type(self_type) if is_optional else self_type}
        within = environments(versions.minor)
        return self._checks.get(
            (id(tree), id(declared), is_optional, check_key), versions, lambda own: check(tree, within, variables, own)
        )

    def parse_expression(self, expression: str, environments: Environments, versions: Switches) -> Ast | Rejection:
        """Parse an expression, once for all versions that parse it alike."""
        marks = self._marks.get(expression)
        if marks is None:
            marks = self._marks[expression] = find_marks(expression)
        parse_key = versions.evaluate(self._questions.get_for_parsing(environments, marks))
        result = self._trees.get((expression, parse_key))
        if result is not None:
            return result
        rejection_key = self._questions.get_for_rejection(environments, marks)
        result = self._trees.get((expression, rejection_key(versions.minor)))
        if result is None:
            result = parse(expression, environments(versions.minor).dialect)
        if isinstance(result, Rejection):
            self._trees[expression, versions.evaluate(rejection_key)] = result
        else:
            self._trees[expression, parse_key] = result
            self._called[id(result)] = filter_functions(list_called_functions(result))
        return result
