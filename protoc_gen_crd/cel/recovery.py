"""What is said of a text that is no expression, and what is made of it. Only texts that are refused come here.

Follows cel-go's grammar as ANTLR's parser does: a rule that fails reports, skips to what may follow it, and leaves a
node that lacks something. Knows no meaning of the nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .antlr import FailureError, Leaf, StopError, Strategy
from .grammar import MODERN, PRODUCTS, RELATIONS, SUMS, Choice, Element, Fold, Grammar, Loop, Match, Option, Use
from .issues import Issue
from .lexer import Tokens
from .reader import DEPTH_LIMIT

_ITEMS = {"listInit": "optExpr", "mapInitializerList": "optExpr", "fieldInitializerList": "optField"}


class Node:
    """What a rule made of the text: the rule, the alternative, where it starts, and its parts by label."""

    __slots__ = ("alternative", "at", "parts", "rule")

    def __init__(self, rule: str, at: int, alternative: str = "") -> None:
        self.rule, self.at, self.alternative = rule, at, alternative
        self.parts: dict[str, list[Node | Leaf]] = {}

    def first(self, label: str) -> Node | None:
        """The first node under a label."""
        nodes = self.nodes(label)
        return nodes[0] if nodes else None

    def nodes(self, label: str) -> list[Node]:
        """The nodes under a label."""
        return [part for part in self.parts.get(label, ()) if isinstance(part, Node)]

    def leaves(self, label: str) -> list[Leaf]:
        """The tokens under a label."""
        return [part for part in self.parts.get(label, ()) if isinstance(part, Leaf)]


class Recovery(Strategy):
    """ANTLR's parser of CEL, on one text. What it has decisions for are methods of their names."""

    grammar: Grammar = MODERN
    items: Mapping[str, str] = _ITEMS  # what each list holds

    def __init__(self, text: str, tokens: Tokens) -> None:
        super().__init__(text, tokens)
        self.depths: Counter[str] = Counter()
        self.node = Node("", 0)

    def parse(self) -> Node | None:
        """The tree of the text, or None if nothing more was tried; `issues` has what was said."""
        try:
            self.look()
            return self.rule("start")
        except StopError as stop:
            self.issues += [Issue(reason) for reason in stop.args]
            return None

    # rules

    def rule(self, name: str) -> Node:
        """Read one rule. A failure inside is reported and recovered from here."""
        self.depths[name] += 1
        if self.depths[name] > DEPTH_LIMIT:
            raise StopError(f"expression recursion limit exceeded: {DEPTH_LIMIT}")
        outer, self.node = self.node, Node(name, self.starts[self.pos])
        try:
            self.run(self.grammar.rules[name])
        except FailureError as failure:
            self.report(str(failure), failure.token)
            self.recover()
        self.depths[name] -= 1
        made, self.node = self.node, outer
        return made

    def run(self, elements: Iterable[Element]) -> None:
        """Read elements one after the other."""
        for element in elements:
            match element:
                case Match():
                    self.match(element)
                case Use():
                    self.use(element)
                case Option():
                    self.option(element)
                case Loop():
                    self.loop(element)
                case Choice():
                    self.choice(element)
                case _:
                    self.fold(element)

    def keep(self, element: Element, part: Node | Leaf) -> None:
        """Put a part under its label."""
        if element.label:
            self.node.parts.setdefault(element.label, []).append(part)

    def fold(self, element: Element) -> None:
        """Make what was read the first part of a new node."""
        left, self.node = self.node, Node(self.node.rule, self.node.at)
        self.keep(element, left)

    def use(self, element: Use) -> None:
        """Read a rule inside a rule."""
        self.state = element.state
        self.frames.append((element.state.way, element.level))
        self.keep(element, self.rule(element.rule))
        self.frames.pop()

    def match(self, element: Match) -> None:
        """Read a token."""
        self.state = element.state
        if self.look() not in element.kinds:
            self.keep(element, self.go_on())
            return
        self.matched()
        self.keep(element, self.consume())

    def option(self, element: Option) -> None:
        """Read elements if the next token is one of theirs."""
        self.sync(element.state)
        if self.look() in element.inside.next_tokens():
            self.run(element.body)

    def loop(self, element: Loop) -> None:
        """Read elements again and again."""
        self.sync(element.state)
        while element.once or self.again(element):
            self.run(element.body)
            self.sync(element.back, back=True)
            if element.once and not self.again(element):
                break

    def again(self, element: Loop) -> bool:
        """Whether a loop has another round."""
        if element.decide:
            return bool(getattr(self, element.decide)())
        return self.look() in element.inside.next_tokens()

    def choice(self, element: Choice) -> None:
        """Read one of several alternatives."""
        self.sync(element.state)
        taken = str(getattr(self, element.decide)())
        body = element.alternatives[taken]
        if isinstance(body[0], Fold):
            self.fold(body[0])
            body = body[1:]
        self.node.alternative = taken
        self.run(body)

    # decisions

    def relation(self) -> bool:
        """Whether there is another comparison on this level."""
        return self.look() in RELATIONS and self.frames[-1][1] < 2

    def calc(self) -> bool:
        """Whether there is another operator of arithmetic on this level."""
        level = self.frames[-1][1]
        return (self.look() in PRODUCTS and level < 3) or (self.look() in SUMS and level < 2)

    def operator(self) -> str:
        """Which kind of arithmetic is next."""
        return "product" if self.look() in PRODUCTS else "sum"

    def unary(self) -> str:
        """Whether signs come before a member."""
        kind = self.look()
        if kind == "!":
            return "logical_not"
        return "negate" if self.first_of_member() == "-" and not self.is_number() else "member"

    def minus(self) -> bool:
        """Whether there is another sign before the member; one before a number is one."""
        return self.first_of_member() == "-" and self.first_of_member(1) != ""

    def first_of_member(self, ahead: int = 0) -> str:
        """The kind of a token with which a member must begin."""
        kind = self.look(ahead)
        if kind not in self.grammar.start["member"].next_tokens():
            raise self.no_way(self.pos, self.pos + ahead)
        return kind

    def is_number(self) -> bool:
        """Whether the sign that is next belongs to a number."""
        return self.first_of_member(1) in ("int", "float")

    def member(self) -> bool:
        """Whether there is another suffix."""
        return self.look() in (".", "[")

    def suffix(self) -> str:
        """Which suffix is next."""
        if self.look() == "[":
            return "index"
        following = self.look(1)
        if following not in ("?", "ident", "escaped"):
            raise self.no_way(self.pos, self.pos + 1)
        return "call" if following == "ident" and self.look(2) == "(" else "select"

    def primary(self) -> str:
        """What is next: behind a path of names, a brace or parenthesis tells."""
        kind = self.first_of_member()
        if kind not in (".", "ident"):
            return BRACKETS.get(kind, "constant")
        ahead = 1 if kind == "ident" else 2
        if self.look(ahead - 1) != "ident":
            raise self.no_way(self.pos, self.pos + 1)
        if self.look(ahead) == "(":
            return "global_call"
        while self.look(ahead) == "." and self.look(ahead + 1) == "ident":
            ahead += 2
        return "message" if self.look(ahead) == "{" else "ident"

    def item(self) -> bool:
        """Whether there is another item behind a comma."""
        return self.look() == "," and self.look(1) in self.grammar.start[self.items[self.node.rule]].next_tokens()

    def name(self) -> str:
        """Which kind of name is next."""
        kind = self.look()
        if kind not in ("ident", "escaped"):
            raise self.no_way(self.pos, self.pos)
        return kind

    def literal(self) -> str:
        """The kind of a constant, behind its sign if it has one."""
        signed = self.look() == "-"
        kind = self.look(signed)
        if kind not in (("int", "float") if signed else self.grammar.start["literal"].next_tokens()):
            raise self.no_way(self.pos, self.pos + signed)
        return kind


BRACKETS = {"(": "nested", "[": "list", "{": "map"}
