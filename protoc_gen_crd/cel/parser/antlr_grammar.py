"""CEL's grammar as data, for reporting syntax errors: cel-go's `parser/gen/CEL.g4` as ANTLR compiles it.

A rule is a list of elements, each linked into a network of states. Left-recursive rules are loops, as in ANTLR.
Error recovery is in `recovery` and `error_strategy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy

_SYMBOLS = "== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null"
# Tokens in ANTLR's order, with their names in messages.
SHOWN = {
    "end": "<EOF>",
    **{symbol: f"'{symbol}'" for symbol in _SYMBOLS.split()},
    "float": "NUM_FLOAT",
    "int": "NUM_INT",
    "uint": "NUM_UINT",
    "string": "STRING",
    "bytes": "BYTES",
    "ident": "IDENTIFIER",
    "escaped": "ESC_IDENTIFIER",
}
RULE_END = ""  # among next tokens: the rule may end here
RELATIONS = ("==", "!=", "in", "<", "<=", ">=", ">")
PRODUCTS = ("*", "/", "%")
SUMS = ("+", "-")


class GrammarState:
    """A place in a rule with its transitions: epsilon (`free`), or over tokens or a rule to the state `way`.

    `inner` is the first state of the rule.
    """

    __slots__ = ("cached_tokens", "free", "inner", "tokens", "way")

    def __init__(self, *free: GrammarState) -> None:
        self.free = list(free)
        self.tokens: tuple[str, ...] = ()
        self.inner: GrammarState | None = None
        self.way = self
        self.cached_tokens: frozenset[str] | None = None

    def next_tokens(self) -> frozenset[str]:
        """Return the tokens that may follow, with RULE_END. No rule of CEL is empty, so none behind a rule count."""
        if self.cached_tokens is None:
            tokens: set[str] = set()
            for state in self.collect_epsilon_states():
                tokens.update(state.inner.next_tokens() if state.inner else state.tokens)
                if not (state.inner or state.tokens or state.free):
                    tokens.add(RULE_END)
            self.cached_tokens = frozenset(tokens)
        return self.cached_tokens

    def collect_epsilon_states(self) -> list[GrammarState]:
        """Return this state and all states that epsilon transitions lead to."""
        states = [self]
        for state in states:
            states += [behind for behind in state.free if behind not in states]
        return states


class GrammarElement:
    """An element of a rule. `state` is the state before it, `label` the field that it fills."""

    __slots__ = ("label", "state")

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.state = GrammarState()

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.state.free.append(behind)
        return self.state

    def iterate_parts(self) -> Iterator[GrammarElement]:
        """Yield the elements inside this one."""
        yield from ()


class LeftRecursion(GrammarElement):
    """The left recursion: the parsed node becomes the first part of a new node."""


class TokenMatch(GrammarElement):
    """One token of one of these kinds."""

    __slots__ = ("kinds",)

    def __init__(self, *kinds: str, label: str = "") -> None:
        super().__init__(label)
        self.kinds = kinds

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.state.tokens, self.state.way = self.kinds, behind
        return self.state


class RuleReference(GrammarElement):
    """A reference to a rule; `level` is the minimum precedence of its operators."""

    __slots__ = ("level", "rule")

    def __init__(self, rule: str, label: str = "", level: int = 0) -> None:
        super().__init__(label)
        self.rule, self.level = rule, level

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.state.way = behind
        return self.state


class OptionalElement(GrammarElement):
    """Optional elements; `inside` is the state before the first of them."""

    __slots__ = ("body", "inside")

    def __init__(self, *body: GrammarElement) -> None:
        super().__init__()
        self.body = body

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.inside = _link_elements(self.body, behind)
        self.state.free += [self.inside, behind]
        return self.state

    def iterate_parts(self) -> Iterator[GrammarElement]:
        """Yield the elements inside this one."""
        yield from self.body


class Repetition(GrammarElement):
    """Repeated elements, with `once` at least one time; `back` is the state after each iteration.

    `decide` names a decision that needs more than the next token.
    """

    __slots__ = ("back", "body", "decide", "inside", "once")

    def __init__(self, *body: GrammarElement, decide: str = "", once: bool = False) -> None:
        super().__init__()
        self.body, self.decide, self.once = body, decide, once
        self.back = GrammarState()

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.inside = _link_elements(self.body, self.back)
        self.back.free += [self.inside, behind]
        self.state.free += [self.inside] if self.once else [self.inside, behind]
        return self.state

    def iterate_parts(self) -> Iterator[GrammarElement]:
        """Yield the elements inside this one."""
        yield from self.body


class Alternatives(GrammarElement):
    """One of several alternatives by name; `decide` names the decision that selects it."""

    __slots__ = ("alternatives", "decide")

    def __init__(self, decide: str, **alternatives: tuple[GrammarElement, ...]) -> None:
        super().__init__()
        self.decide, self.alternatives = decide, alternatives

    def link(self, behind: GrammarState) -> GrammarState:
        """Connect the element to the state behind it and return the state before it."""
        self.state.free += [_link_elements(body, behind) for body in self.alternatives.values()]
        return self.state

    def iterate_parts(self) -> Iterator[GrammarElement]:
        """Yield the elements inside this one."""
        for body in self.alternatives.values():
            yield from body


def _link_elements(elements: tuple[GrammarElement, ...], behind: GrammarState) -> GrammarState:
    for element in reversed(elements):
        behind = element.link(behind)
    return behind


Rules = Mapping[str, tuple[GrammarElement, ...]]


class Grammar:
    """Rules by name, copied and linked; `start` has the first state of each."""

    def __init__(self, rules: Rules) -> None:
        self.rules = deepcopy(dict(rules))
        self.start = {name: _link_elements(elements, GrammarState()) for name, elements in self.rules.items()}
        for element in [element for elements in self.rules.values() for element in _list_elements(elements)]:
            if isinstance(element, RuleReference):
                element.state.inner = self.start[element.rule]


def _list_elements(elements: tuple[GrammarElement, ...]) -> list[GrammarElement]:
    all_elements = list(elements)
    for element in all_elements:
        all_elements += element.iterate_parts()
    return all_elements


def _make_operation(*operators: str, right: str, level: int) -> tuple[GrammarElement, ...]:
    return LeftRecursion("left"), TokenMatch(*operators, label="op"), RuleReference(right, "right", level)


def _make_path(*elements: GrammarElement) -> tuple[GrammarElement, ...]:
    return OptionalElement(TokenMatch(".", label="dot")), TokenMatch("ident", label="id"), *elements


def make_bracketed(opening: str, content: str, closing: str) -> tuple[GrammarElement, ...]:
    """Return the elements of a literal in brackets with an optional trailing comma."""
    return (
        TokenMatch(opening, label="op"),
        OptionalElement(RuleReference(content, "items")),
        OptionalElement(TokenMatch(",")),
        TokenMatch(closing),
    )


def make_arguments() -> tuple[GrammarElement, ...]:
    """Return the elements that follow the name of a function in a call."""
    return TokenMatch("(", label="open"), OptionalElement(RuleReference("exprList", "args")), TokenMatch(")")


def _make_pair(key: str) -> tuple[GrammarElement, ...]:
    return RuleReference(key, "keys"), TokenMatch(":", label="colons"), RuleReference("expr", "values")


RULES: Rules = {
    "start": (RuleReference("expr", "e"), TokenMatch("end")),
    "expr": (
        RuleReference("conditionalOr", "e"),
        OptionalElement(
            TokenMatch("?", label="op"),
            RuleReference("conditionalOr", "then"),
            TokenMatch(":"),
            RuleReference("expr", "otherwise"),
        ),
    ),
    "conditionalOr": (
        RuleReference("conditionalAnd", "e"),
        Repetition(TokenMatch("||", label="ops"), RuleReference("conditionalAnd", "more")),
    ),
    "conditionalAnd": (
        RuleReference("relation", "e"),
        Repetition(TokenMatch("&&", label="ops"), RuleReference("relation", "more")),
    ),
    "relation": (
        RuleReference("calc", "e"),
        Repetition(*_make_operation(*RELATIONS, right="relation", level=2), decide="relation"),
    ),
    "calc": (
        RuleReference("unary", "e"),
        Repetition(
            Alternatives(
                "operator",
                product=_make_operation(*PRODUCTS, right="calc", level=3),
                sum=_make_operation(*SUMS, right="calc", level=2),
            ),
            decide="calc",
        ),
    ),
    "unary": (
        Alternatives(
            "unary",
            member=(RuleReference("member", "e"),),
            logical_not=(Repetition(TokenMatch("!", label="ops"), once=True), RuleReference("member", "operand")),
            negate=(
                Repetition(TokenMatch("-", label="ops"), decide="minus", once=True),
                RuleReference("member", "operand"),
            ),
        ),
    ),
    "member": (
        RuleReference("primary", "e"),
        Repetition(
            Alternatives(
                "suffix",
                select=(
                    LeftRecursion("left"),
                    TokenMatch(".", label="op"),
                    OptionalElement(TokenMatch("?", label="opt")),
                    RuleReference("escapeIdent", "id"),
                ),
                call=(LeftRecursion("left"), TokenMatch("."), TokenMatch("ident", label="id"), *make_arguments()),
                index=(
                    LeftRecursion("left"),
                    TokenMatch("[", label="op"),
                    OptionalElement(TokenMatch("?", label="opt")),
                    RuleReference("expr", "right"),
                    TokenMatch("]"),
                ),
            ),
            decide="member",
        ),
    ),
    "primary": (
        Alternatives(
            "primary",
            ident=_make_path(),
            global_call=_make_path(*make_arguments()),
            nested=(TokenMatch("("), RuleReference("expr", "e"), TokenMatch(")")),
            list=make_bracketed("[", "listInit", "]"),
            map=make_bracketed("{", "mapInitializerList", "}"),
            message=_make_path(
                Repetition(TokenMatch("."), TokenMatch("ident", label="id")),
                *make_bracketed("{", "fieldInitializerList", "}"),
            ),
            constant=(RuleReference("literal", "e"),),
        ),
    ),
    "exprList": (RuleReference("expr", "values"), Repetition(TokenMatch(","), RuleReference("expr", "values"))),
    "listInit": (
        RuleReference("optExpr", "values"),
        Repetition(TokenMatch(","), RuleReference("optExpr", "values"), decide="item"),
    ),
    "fieldInitializerList": (
        *_make_pair("optField"),
        Repetition(TokenMatch(","), *_make_pair("optField"), decide="item"),
    ),
    "optField": (OptionalElement(TokenMatch("?", label="opt")), RuleReference("escapeIdent", "id")),
    "mapInitializerList": (*_make_pair("optExpr"), Repetition(TokenMatch(","), *_make_pair("optExpr"), decide="item")),
    "escapeIdent": (
        Alternatives("name", ident=(TokenMatch("ident", label="id"),), escaped=(TokenMatch("escaped", label="id"),)),
    ),
    "optExpr": (OptionalElement(TokenMatch("?", label="opt")), RuleReference("expr", "e")),
    "literal": (
        Alternatives(
            "literal",
            int=(OptionalElement(TokenMatch("-", label="sign")), TokenMatch("int", label="token")),
            uint=(TokenMatch("uint", label="token"),),
            float=(OptionalElement(TokenMatch("-", label="sign")), TokenMatch("float", label="token")),
            **{kind: (TokenMatch(kind, label="token"),) for kind in ("string", "bytes", "true", "false", "null")},
        ),
    ),
}
MODERN = Grammar(RULES)
