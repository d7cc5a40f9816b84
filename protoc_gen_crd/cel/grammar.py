"""CEL's grammar as data, for saying what is wrong with a text: cel-go's `parser/gen/CEL.g4` as ANTLR compiles it.

A rule is a list of elements, each linked into a net of states. Left-recursive rules are loops, as ANTLR makes them.
Knows nothing of recovery.
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


class State:
    """A place in a rule, and the ways on: over nothing (`free`), or over tokens or a rule to the place `way`.

    `inner` is the place before the rule.
    """

    __slots__ = ("free", "inner", "known", "tokens", "way")

    def __init__(self, *free: State) -> None:
        self.free = list(free)
        self.tokens: tuple[str, ...] = ()
        self.inner: State | None = None
        self.way = self
        self.known: frozenset[str] | None = None

    def next_tokens(self) -> frozenset[str]:
        """What may stand here, RULE_END included. No rule of CEL is empty, so a rule hides what is behind it."""
        if self.known is None:
            found: set[str] = set()
            for state in self.reached():
                found.update(state.inner.next_tokens() if state.inner else state.tokens)
                if not (state.inner or state.tokens or state.free):
                    found.add(RULE_END)
            self.known = frozenset(found)
        return self.known

    def reached(self) -> list[State]:
        """This place and all places that lie behind nothing."""
        found = [self]
        for state in found:
            found += [behind for behind in state.free if behind not in found]
        return found


class Element:
    """A part of a rule. `state` is the place before it, `label` the field that it fills."""

    __slots__ = ("label", "state")

    def __init__(self, label: str = "") -> None:
        self.label = label
        self.state = State()

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.state.free.append(behind)
        return self.state

    def parts(self) -> Iterator[Element]:
        """The elements within."""
        yield from ()


class Fold(Element):
    """What was read becomes the first part of a new node: the recursion on the left."""


class Match(Element):
    """One token, of one of these kinds."""

    __slots__ = ("kinds",)

    def __init__(self, *kinds: str, label: str = "") -> None:
        super().__init__(label)
        self.kinds = kinds

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.state.tokens, self.state.way = self.kinds, behind
        return self.state


class Use(Element):
    """A rule; `level` is the precedence that its operators must have."""

    __slots__ = ("level", "rule")

    def __init__(self, rule: str, label: str = "", level: int = 0) -> None:
        super().__init__(label)
        self.rule, self.level = rule, level

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.state.way = behind
        return self.state


class Option(Element):
    """Elements that may be missing; `inside` is the place before the first of them."""

    __slots__ = ("body", "inside")

    def __init__(self, *body: Element) -> None:
        super().__init__()
        self.body = body

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.inside = _chain(self.body, behind)
        self.state.free += [self.inside, behind]
        return self.state

    def parts(self) -> Iterator[Element]:
        """The elements within."""
        yield from self.body


class Loop(Element):
    """Elements any number of times, or with `once` at least once; `back` is the place after each time.

    `decide` names a decision that takes more than a look at the next token.
    """

    __slots__ = ("back", "body", "decide", "inside", "once")

    def __init__(self, *body: Element, decide: str = "", once: bool = False) -> None:
        super().__init__()
        self.body, self.decide, self.once = body, decide, once
        self.back = State()

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.inside = _chain(self.body, self.back)
        self.back.free += [self.inside, behind]
        self.state.free += [self.inside] if self.once else [self.inside, behind]
        return self.state

    def parts(self) -> Iterator[Element]:
        """The elements within."""
        yield from self.body


class Choice(Element):
    """One of several alternatives, by name; `decide` names the decision which."""

    __slots__ = ("alternatives", "decide")

    def __init__(self, decide: str, **alternatives: tuple[Element, ...]) -> None:
        super().__init__()
        self.decide, self.alternatives = decide, alternatives

    def link(self, behind: State) -> State:
        """Join it to what is behind; the place before it."""
        self.state.free += [_chain(body, behind) for body in self.alternatives.values()]
        return self.state

    def parts(self) -> Iterator[Element]:
        """The elements within."""
        for body in self.alternatives.values():
            yield from body


def _chain(elements: tuple[Element, ...], behind: State) -> State:
    for element in reversed(elements):
        behind = element.link(behind)
    return behind


Rules = Mapping[str, tuple[Element, ...]]


class Grammar:
    """Rules by name, a copy of those given, linked: `start` has the place before each."""

    def __init__(self, rules: Rules) -> None:
        self.rules = deepcopy(dict(rules))
        self.start = {name: _chain(elements, State()) for name, elements in self.rules.items()}
        for element in [element for elements in self.rules.values() for element in _every(elements)]:
            if isinstance(element, Use):
                element.state.inner = self.start[element.rule]


def _every(elements: tuple[Element, ...]) -> list[Element]:
    found = list(elements)
    for element in found:
        found += element.parts()
    return found


def _operation(*operators: str, right: str, level: int) -> tuple[Element, ...]:
    return Fold("left"), Match(*operators, label="op"), Use(right, "right", level)


def _path(*elements: Element) -> tuple[Element, ...]:
    return Option(Match(".", label="dot")), Match("ident", label="id"), *elements


def between(opening: str, content: str, closing: str) -> tuple[Element, ...]:
    """A literal in brackets, with a comma at its end if one likes."""
    return Match(opening, label="op"), Option(Use(content, "items")), Option(Match(",")), Match(closing)


def arguments() -> tuple[Element, ...]:
    """What a call has behind its name."""
    return Match("(", label="open"), Option(Use("exprList", "args")), Match(")")


def _pair(key: str) -> tuple[Element, ...]:
    return Use(key, "keys"), Match(":", label="colons"), Use("expr", "values")


RULES: Rules = {
    "start": (Use("expr", "e"), Match("end")),
    "expr": (
        Use("conditionalOr", "e"),
        Option(Match("?", label="op"), Use("conditionalOr", "then"), Match(":"), Use("expr", "otherwise")),
    ),
    "conditionalOr": (
        Use("conditionalAnd", "e"),
        Loop(Match("||", label="ops"), Use("conditionalAnd", "more")),
    ),
    "conditionalAnd": (Use("relation", "e"), Loop(Match("&&", label="ops"), Use("relation", "more"))),
    "relation": (Use("calc", "e"), Loop(*_operation(*RELATIONS, right="relation", level=2), decide="relation")),
    "calc": (
        Use("unary", "e"),
        Loop(
            Choice(
                "operator",
                product=_operation(*PRODUCTS, right="calc", level=3),
                sum=_operation(*SUMS, right="calc", level=2),
            ),
            decide="calc",
        ),
    ),
    "unary": (
        Choice(
            "unary",
            member=(Use("member", "e"),),
            logical_not=(Loop(Match("!", label="ops"), once=True), Use("member", "operand")),
            negate=(Loop(Match("-", label="ops"), decide="minus", once=True), Use("member", "operand")),
        ),
    ),
    "member": (
        Use("primary", "e"),
        Loop(
            Choice(
                "suffix",
                select=(
                    Fold("left"),
                    Match(".", label="op"),
                    Option(Match("?", label="opt")),
                    Use("escapeIdent", "id"),
                ),
                call=(Fold("left"), Match("."), Match("ident", label="id"), *arguments()),
                index=(
                    Fold("left"),
                    Match("[", label="op"),
                    Option(Match("?", label="opt")),
                    Use("expr", "right"),
                    Match("]"),
                ),
            ),
            decide="member",
        ),
    ),
    "primary": (
        Choice(
            "primary",
            ident=_path(),
            global_call=_path(*arguments()),
            nested=(Match("("), Use("expr", "e"), Match(")")),
            list=between("[", "listInit", "]"),
            map=between("{", "mapInitializerList", "}"),
            message=_path(
                Loop(Match("."), Match("ident", label="id")),
                *between("{", "fieldInitializerList", "}"),
            ),
            constant=(Use("literal", "e"),),
        ),
    ),
    "exprList": (Use("expr", "values"), Loop(Match(","), Use("expr", "values"))),
    "listInit": (Use("optExpr", "values"), Loop(Match(","), Use("optExpr", "values"), decide="item")),
    "fieldInitializerList": (*_pair("optField"), Loop(Match(","), *_pair("optField"), decide="item")),
    "optField": (Option(Match("?", label="opt")), Use("escapeIdent", "id")),
    "mapInitializerList": (*_pair("optExpr"), Loop(Match(","), *_pair("optExpr"), decide="item")),
    "escapeIdent": (Choice("name", ident=(Match("ident", label="id"),), escaped=(Match("escaped", label="id"),)),),
    "optExpr": (Option(Match("?", label="opt")), Use("expr", "e")),
    "literal": (
        Choice(
            "literal",
            int=(Option(Match("-", label="sign")), Match("int", label="token")),
            uint=(Match("uint", label="token"),),
            float=(Option(Match("-", label="sign")), Match("float", label="token")),
            **{kind: (Match(kind, label="token"),) for kind in ("string", "bytes", "true", "false", "null")},
        ),
    ),
}
MODERN = Grammar(RULES)
