"""Parse CEL expressions as the servers of a version do: `parse` returns the tree or all syntax errors.

The language is that of cel-go v0.29 (`parser/gen/CEL.g4`, `parser/parser.go`) with its default limits, which
Kubernetes does not change: 100,000 code points, 250 levels.
"""

from __future__ import annotations

from . import error_messages
from .ast import Ast, ensure_recursion_depth
from .expression_parser import _ExprParser
from .issues import Issue, Rejection
from .lexer import UnexpectedTokenError
from .macro_expansion import Budget, TooLargeError
from .parser_options_and_limits import DEFAULT, DEPTH_LIMIT, SIZE_LIMIT, ParserOptions, TooDeepError


def parse(source: str, dialect: ParserOptions = DEFAULT, budget: Budget | None = None) -> Ast | Rejection:
    """Parse an expression and expand its macros.

    Args:
        source: The expression.
        dialect: The syntax and the macros of an environment.
        budget: The limit on nodes that macros copy; several expressions may share it.

    Returns:
        The tree, or all errors with the messages of the server.

    Source:
        cel-go v0.29 `parser/parser.go`; for Kubernetes 1.25 to 1.27, cel-go 0.12.
    """
    if len(source) > SIZE_LIMIT:
        return Rejection(source, (Issue(error_messages.format_size_limit(len(source), SIZE_LIMIT)),))
    parser = _ExprParser(source, dialect) if dialect.current else _make_legacy_parser(source, dialect)
    parser.budget = budget or parser.budget
    try:
        root = parser.parse_whole()
    except UnexpectedTokenError:
        from . import syntax_errors  # noqa: PLC0415 - loaded only for syntax errors

        return Rejection(source, syntax_errors.collect_issues(source, parser.tokens, dialect, parser.budget))
    except TooDeepError:
        return Rejection(source, (Issue(error_messages.RECURSION_LIMIT),))
    except TooLargeError as error:
        return Rejection(source, (Issue(str(error)),))
    ensure_recursion_depth(parser.next_id)
    if parser.height > DEPTH_LIMIT:
        return Rejection(source, (Issue(error_messages.TOO_MANY_LEVELS),))
    return Rejection(source, tuple(parser.issues)) if parser.issues else Ast(source, root, parser.calls)


def _make_legacy_parser(source: str, dialect: ParserOptions) -> _ExprParser:
    from .parser_1_27 import make_parser  # noqa: PLC0415 - rarely needed

    return make_parser(source, dialect)
