"""Made-up expressions, sound and broken, each from its seed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

NAMES = ["a", "b", "self", "x1", "_y", "oldSelf", "size", "foo_bar", "type"]
FUNCTIONS = [
    "f",
    "g",
    "size",
    "has",
    "matches",
    "all",
    "exists",
    "map",
    "filter",
    "bind",
    "optMap",
    "transformMap",
    "sortBy",
]
STRINGS = [
    '"abc"', "'q\"q'", '"\\n\\t\\x41\\u00e9\\U0001F600\\101\\\\"', "r'\\d+'", '"""two\nlines"""', "'''it's'''",
    'b"\\xff\\001é"', "b'abc'", "br'\\d'", 'R"x"', "'é日本'", '"\\"\\\'\\`\\?"', "'a\\tb'", '"\\u200b\\u00ad"', '""',
]  # fmt: skip
NUMBERS = [
    "0", "1", "42", "9223372036854775807", "0x1F", "0x7fffffffffffffff", "7u", "0x7U", "18446744073709551615u",
    "1.5", ".5", "1e3", "1E-7", "123456.0", "1234567.5", "1e22", "1.0", "0.0001", "0.00001", "2.50",
]  # fmt: skip
REJECTED = [
    "as",
    "9223372036854775808",
    "0xffffffffffffffff",
    "18446744073709551616u",
    "1e400",
    "'\\udead'",
    "as.a",
    "as()",
]
OPERATORS = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"]
SPACE = ["", "", "", " ", " ", " ", " ", "\n", " // c\n", "\t", "\r\n"]
SCRAPS = [*"()[]{}.,:?!-+*/%<>=&|'\"`@#$\\ \n\tabx01eé😀", *OPERATORS]
SCRAPS += [".?", "[?", "true", "as", "r'", '"""', "//", "0x"]
# Method, number of variables, number of further arguments.
MACROS = [
    ("all", 1, 1), ("exists", 1, 1), ("exists_one", 1, 1), ("existsOne", 1, 1), ("map", 1, 1), ("map", 1, 2),
    ("filter", 1, 1), ("all", 2, 1), ("exists", 2, 1), ("exists_one", 2, 1), ("existsOne", 2, 1), ("sortBy", 1, 1),
    ("transformList", 2, 1), ("transformList", 2, 2), ("transformMap", 2, 1), ("transformMap", 2, 2),
    ("transformMapEntry", 2, 1), ("transformMapEntry", 2, 2), ("optMap", 1, 1), ("optFlatMap", 1, 1),
]  # fmt: skip


def expression(seed: int) -> str:
    """An expression; one in three was damaged."""
    random = Random(seed)  # noqa: S311 - repeatable is what it must be
    text = _Writer(random).expression(random.choice([1, 2, 2, 3, 3, 4, 5]))
    return damaged(text, random) if random.random() < 0.35 else text


def damaged(text: str, random: Random) -> str:
    """The text with one to three small mistakes."""
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text) + 1)
        text = random.choice(
            [
                text[:at] + text[at + random.randint(1, 3) :],
                text[:at] + random.choice(SCRAPS) + text[at:],
                text[:at] + random.choice(SCRAPS) + text[at:],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
            ]
        )
    return text


class _Writer:
    """Writes expressions; `depth` bounds what is inside of what."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def expression(self, depth: int) -> str:
        if depth <= 0:
            return self.atom()
        kinds = [self.operation] * 6 + [self.chain, self.ternary, self.nested, self.signed, self.selection, self.index]
        kinds += [self.call, self.call, self.method, self.method, self.macro, self.macro, self.collection, self.message]
        return self.random.choice(kinds)(depth - 1)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def space(self) -> str:
        return self.random.choice(SPACE)

    def name(self) -> str:
        return self.pick(*NAMES)

    def some(self, write: Callable[[], str], most: int) -> str:
        return ", ".join([write() for _ in range(self.random.randint(0, most))])

    def atom(self) -> str:
        if self.random.random() < 0.01:
            return self.pick(*REJECTED)
        number = self.pick("", "", "-") + self.pick(*NUMBERS)
        constant = self.pick("true", "false", "null", "[]", "{}", "a.b.c", ".a")
        return self.pick(self.name(), self.name(), self.pick(*STRINGS), number, constant)

    def operation(self, depth: int) -> str:
        operator = f" {self.space()}{self.pick(*OPERATORS)} {self.space()}"
        return self.expression(depth) + operator + self.expression(depth)

    def chain(self, depth: int) -> str:
        operator = self.pick(" && ", " || ")
        return operator.join([self.expression(depth - 1) for _ in range(self.random.randint(3, 7))])

    def ternary(self, depth: int) -> str:
        condition, then, otherwise = (self.expression(depth) for _ in range(3))
        return f"{condition}{self.space()}? {then} :{self.space()}{otherwise}"

    def nested(self, depth: int) -> str:
        return f"({self.space()}{self.expression(depth)}{self.space()})"

    def signed(self, depth: int) -> str:
        return self.pick("!", "-", "!!", "--", "---", "- -", "!!!") + self.expression(depth)

    def selection(self, depth: int) -> str:
        odd = self.pick("in", "`a-b`", "`in`", "true") if self.random.random() < 0.05 else self.name()
        return f"{self.member(depth)}.{self.pick('', '', '', '?')}{odd}"

    def index(self, depth: int) -> str:
        return f"{self.member(depth)}[{self.pick('', '', '', '?')}{self.expression(depth)}]"

    def member(self, depth: int) -> str:
        return self.pick(self.name(), self.macro(depth), self.expression(depth)) if depth > 0 else self.name()

    def call(self, depth: int) -> str:
        dot = self.pick("", "", "", ".")
        return f"{dot}{self.pick(*FUNCTIONS, *NAMES)}({self.some(lambda: self.expression(depth), 3)})"

    def method(self, depth: int) -> str:
        return f"{self.member(depth)}.{self.pick(*FUNCTIONS)}({self.some(lambda: self.expression(depth), 3)})"

    def macro(self, depth: int) -> str:
        if self.random.random() < 0.2:
            bind = f"cel.bind({self.name()}, {self.expression(depth)}, {self.expression(depth)})"
            return self.pick(f"has({self.member(depth)}.{self.name()})", bind)
        name, variables, more = self.random.choice(MACROS)
        args = ["i", "j"][:variables]
        if self.random.random() < 0.1:
            args = [self.pick("i", "@result", "__result__", "a.b", "1") for _ in args]
        args += [self.expression(depth) for _ in range(more)]
        return f"{self.member(depth - 1)}.{name}({', '.join(args)})"

    def collection(self, depth: int) -> str:
        def element() -> str:
            return self.pick("", "", "", "?") + self.expression(depth)

        end = self.pick("", "", "", ",")
        pairs = self.some(lambda: f"{element()}: {self.expression(depth)}", 3)
        return self.pick(f"[{self.some(element, 3)}{end}]", f"{{{pairs}{end}}}")

    def message(self, depth: int) -> str:
        def field() -> str:
            name = "`a b`" if self.random.random() < 0.05 else self.name()
            return f"{self.pick('', '', '', '?')}{name}: {self.expression(depth)}"

        path = ".".join([self.name() for _ in range(self.random.randint(1, 3))])
        return f"{self.pick('', '.')}{path}{{{self.some(field, 3)}{self.pick('', '', ',')}}}"
