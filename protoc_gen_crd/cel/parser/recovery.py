"""A parser that recovers from syntax errors, used only for expressions that are rejected.

Follows cel-go's grammar as ANTLR's parser does: a rule that fails reports an error, skips to a token that may follow
it, and leaves an incomplete node. `error_visitor` interprets the nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from . import error_messages
from .antlr_grammar import (
    MODERN,
    PRODUCTS,
    RELATIONS,
    SUMS,
    Alternatives,
    Grammar,
    GrammarElement,
    LeftRecursion,
    OptionalElement,
    Repetition,
    RuleReference,
    TokenMatch,
)
from .error_strategy import ErrorStrategy, RecognitionError, RecoveryLimitError, TerminalNode
from .issues import Issue
from .lexer import TokenStream
from .parser_options_and_limits import DEPTH_LIMIT

_ITEMS = {"listInit": "optExpr", "mapInitializerList": "optExpr", "fieldInitializerList": "optField"}


class ParseTreeNode:
    """The parse tree of a rule: the rule, the alternative, the start offset, and the parts by label."""

    __slots__ = ("alternative", "at", "parts", "rule")

    def __init__(self, rule: str, at: int, alternative: str = "") -> None:
        self.rule, self.at, self.alternative = rule, at, alternative
        self.parts: dict[str, list[ParseTreeNode | TerminalNode]] = {}

    def get_first(self, label: str) -> ParseTreeNode | None:
        """Return the first node under a label."""
        nodes = self.get_nodes(label)
        return nodes[0] if nodes else None

    def get_nodes(self, label: str) -> list[ParseTreeNode]:
        """Return the nodes under a label."""
        return [part for part in self.parts.get(label, ()) if isinstance(part, ParseTreeNode)]

    def get_leaves(self, label: str) -> list[TerminalNode]:
        """Return the tokens under a label."""
        return [part for part in self.parts.get(label, ()) if isinstance(part, TerminalNode)]


class RecoveringParser(ErrorStrategy):
    """ANTLR's parser of one CEL expression. Decisions of the grammar are methods with the same names."""

    grammar: Grammar = MODERN
    items: Mapping[str, str] = _ITEMS  # the rule of the items of each list

    def __init__(self, source: str, tokens: TokenStream) -> None:
        super().__init__(source, tokens)
        self.depths: Counter[str] = Counter()
        self.node = ParseTreeNode("", 0)

    def parse(self) -> ParseTreeNode | None:
        """Return the parse tree, or None if recovery was given up; `issues` has the errors."""
        try:
            self.peek_kind()
            return self.parse_rule("start")
        except RecoveryLimitError as stop:
            self.issues += [Issue(reason) for reason in stop.args]
            return None

    # rules

    def parse_rule(self, name: str) -> ParseTreeNode:
        """Parse a rule. An error inside is reported, and the parser recovers from it."""
        self.depths[name] += 1
        if self.depths[name] > DEPTH_LIMIT:
            raise RecoveryLimitError(error_messages.RECURSION_LIMIT)
        outer, self.node = self.node, ParseTreeNode(name, self.starts[self.pos])
        try:
            self.parse_elements(self.grammar.rules[name])
        except RecognitionError as failure:
            self.report_error(str(failure), failure.token)
            self.recover()
        self.depths[name] -= 1
        node, self.node = self.node, outer
        return node

    def parse_elements(self, elements: Iterable[GrammarElement]) -> None:
        """Parse elements in sequence."""
        for element in elements:
            match element:
                case TokenMatch():
                    self.match_token(element)
                case RuleReference():
                    self.parse_rule_reference(element)
                case OptionalElement():
                    self.parse_option(element)
                case Repetition():
                    self.parse_loop(element)
                case Alternatives():
                    self.parse_alternative(element)
                case _:
                    self.fold_left(element)

    def add_part(self, element: GrammarElement, part: ParseTreeNode | TerminalNode) -> None:
        """Add a part under its label."""
        if element.label:
            self.node.parts.setdefault(element.label, []).append(part)

    def fold_left(self, element: GrammarElement) -> None:
        """Make the current node the first part of a new node."""
        left, self.node = self.node, ParseTreeNode(self.node.rule, self.node.at)
        self.add_part(element, left)

    def parse_rule_reference(self, element: RuleReference) -> None:
        """Parse a rule that another rule refers to."""
        self.state = element.state
        self.frames.append((element.state.way, element.level))
        self.add_part(element, self.parse_rule(element.rule))
        self.frames.pop()

    def match_token(self, element: TokenMatch) -> None:
        """Match a token."""
        self.state = element.state
        if self.peek_kind() not in element.kinds:
            self.add_part(element, self.recover_inline())
            return
        self.end_error_condition()
        self.add_part(element, self.consume())

    def parse_option(self, element: OptionalElement) -> None:
        """Parse optional elements if the next token starts them."""
        self.sync(element.state)
        if self.peek_kind() in element.inside.next_tokens():
            self.parse_elements(element.body)

    def parse_loop(self, element: Repetition) -> None:
        """Parse repeated elements."""
        self.sync(element.state)
        while element.once or self.should_repeat(element):
            self.parse_elements(element.body)
            self.sync(element.back, back=True)
            if element.once and not self.should_repeat(element):
                break

    def should_repeat(self, element: Repetition) -> bool:
        """Check whether a loop has another iteration."""
        if element.decide:
            return bool(getattr(self, element.decide)())
        return self.peek_kind() in element.inside.next_tokens()

    def parse_alternative(self, element: Alternatives) -> None:
        """Parse one of several alternatives."""
        self.sync(element.state)
        name = str(getattr(self, element.decide)())
        body = element.alternatives[name]
        if isinstance(body[0], LeftRecursion):
            self.fold_left(body[0])
            body = body[1:]
        self.node.alternative = name
        self.parse_elements(body)

    # decisions

    def relation(self) -> bool:
        """Check whether another comparison follows on this level."""
        return self.peek_kind() in RELATIONS and self.frames[-1][1] < 2

    def calc(self) -> bool:
        """Check whether another arithmetic operator follows on this level."""
        level = self.frames[-1][1]
        return (self.peek_kind() in PRODUCTS and level < 3) or (self.peek_kind() in SUMS and level < 2)

    def operator(self) -> str:
        """Return the kind of the next arithmetic operator."""
        return "product" if self.peek_kind() in PRODUCTS else "sum"

    def unary(self) -> str:
        """Return the alternative of a unary expression: a sign or a member."""
        kind = self.peek_kind()
        if kind == "!":
            return "logical_not"
        return "negate" if self.peek_member_start() == "-" and not self.is_number() else "member"

    def minus(self) -> bool:
        """Check whether another sign follows; a minus before a number counts as one."""
        return self.peek_member_start() == "-" and self.peek_member_start(1) != ""

    def peek_member_start(self, ahead: int = 0) -> str:
        """Return the kind of the next token. Raises RecognitionError if a member cannot start with it."""
        kind = self.peek_kind(ahead)
        if kind not in self.grammar.start["member"].next_tokens():
            raise self.make_no_viable_alternative(self.pos, self.pos + ahead)
        return kind

    def is_number(self) -> bool:
        """Check whether the next sign is part of a number."""
        return self.peek_member_start(1) in ("int", "float")

    def member(self) -> bool:
        """Check whether another suffix follows."""
        return self.peek_kind() in (".", "[")

    def suffix(self) -> str:
        """Return the kind of the next suffix."""
        if self.peek_kind() == "[":
            return "index"
        following = self.peek_kind(1)
        if following not in ("?", "ident", "escaped"):
            raise self.make_no_viable_alternative(self.pos, self.pos + 1)
        return "call" if following == "ident" and self.peek_kind(2) == "(" else "select"

    def primary(self) -> str:
        """Return the alternative of a primary: after a path of names, a brace or parenthesis decides."""
        kind = self.peek_member_start()
        if kind not in (".", "ident"):
            return BRACKETS.get(kind, "constant")
        ahead = 1 if kind == "ident" else 2
        if self.peek_kind(ahead - 1) != "ident":
            raise self.make_no_viable_alternative(self.pos, self.pos + 1)
        if self.peek_kind(ahead) == "(":
            return "global_call"
        while self.peek_kind(ahead) == "." and self.peek_kind(ahead + 1) == "ident":
            ahead += 2
        return "message" if self.peek_kind(ahead) == "{" else "ident"

    def item(self) -> bool:
        """Check whether another item follows a comma."""
        return (
            self.peek_kind() == ","
            and self.peek_kind(1) in self.grammar.start[self.items[self.node.rule]].next_tokens()
        )

    def name(self) -> str:
        """Return the kind of the next name."""
        kind = self.peek_kind()
        if kind not in ("ident", "escaped"):
            raise self.make_no_viable_alternative(self.pos, self.pos)
        return kind

    def literal(self) -> str:
        """Return the kind of a constant, which follows its sign if it has one."""
        signed = self.peek_kind() == "-"
        kind = self.peek_kind(signed)
        if kind not in (("int", "float") if signed else self.grammar.start["literal"].next_tokens()):
            raise self.make_no_viable_alternative(self.pos, self.pos + signed)
        return kind


BRACKETS = {"(": "nested", "[": "list", "{": "map"}
