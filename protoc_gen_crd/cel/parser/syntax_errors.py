"""The errors that cel-go reports for an expression with syntax errors, by version.

ANTLR reports its own errors and recovers a parse tree; cel-go's visitor reports the errors of that tree. Source: cel-go
`parser/parser.go`.
"""

from __future__ import annotations

from protoc_gen_crd.golang.fmt import format_without_values

from . import error_messages
from .ast import ensure_recursion_depth
from .error_visitor import TooManyLevelsError, _ErrorVisitor
from .issues import Issue
from .lexer import TokenStream
from .macro_expansion import Budget, TooLargeError
from .parser_options_and_limits import ParserOptions
from .recovery import RecoveringParser

_FRAMES_EACH = 10  # frames of the visitor per frame that `ensure_recursion_depth` assumes


def collect_issues(source: str, tokens: TokenStream, dialect: ParserOptions, budget: Budget) -> tuple[Issue, ...]:
    """Return all errors that cel-go reports for an expression with syntax errors."""
    ensure_recursion_depth(len(tokens.kinds) * _FRAMES_EACH)
    recovery, visitor = _make_tools(source, tokens, dialect)
    visitor.budget = budget
    root = recovery.parse()
    issues = recovery.issues if dialect.modern else [_to_legacy_issue(issue) for issue in recovery.issues]
    if root is not None:
        try:
            visitor.visit(root.get_first("e"))
        except TooManyLevelsError:
            visitor.issues.append(Issue(error_messages.TOO_MANY_LEVELS))
        except TooLargeError as error:
            visitor.issues.append(Issue(str(error)))
        issues += visitor.issues
    return tuple(issues)


def _make_tools(source: str, tokens: TokenStream, dialect: ParserOptions) -> tuple[RecoveringParser, _ErrorVisitor]:
    if dialect.modern:
        return RecoveringParser(source, tokens), _ErrorVisitor(dialect)
    if dialect.current:
        from .error_visitor_1_32 import make_tools  # noqa: PLC0415 - rarely needed
    else:
        from .error_visitor_1_27 import make_tools  # noqa: PLC0415

    return make_tools(source, tokens, dialect)


def _to_legacy_issue(issue: Issue) -> Issue:
    """Return the error of an older server, which has no names in backticks and formats its own messages."""
    message = issue.message.replace("{IDENTIFIER, ESC_IDENTIFIER}", "IDENTIFIER").replace(", ESC_IDENTIFIER}", "}")
    return issue.replace(message=format_without_values(message))
