"""Makes up marker texts: one of a form's grammar, then broken in small ways, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

NAMES = ("S", "I", "N", "B", "F", "L", "E", "M", "A", "J", "C", "D", "k8s:C", "k8s:D", "a:X")
WORDS = (
    "a", "b", "foo", "bar", "true", "false", "null", "True", "trueish", "false-y", "nil", "ref(", "k8s", "it's",
    "http://x/y?z=1", "a:b", "10.0.0.0/8", "5s", "100Mi", "2024-01-15", "^[a-z]{1,3}$", "\\d+", "é", "x²", "Ⅷ",
    "_x", "x-y", "a.b/c", "<&>", "'a'", "'['", "日本", "\u0661", "0x", "08", "1_", "1e", "0b2", "00_", "---", "+",
    "-", ".", "..", "/", "//", "/*", "#", "@", "*", "|", "$(x)", "self.a==1", "x",
)  # fmt: skip
NUMBERS = (
    "0", "1", "-1", "42", "010", "08", "1.0", "1.5", "-2.5e3", ".5", "1.", "1e3", "1E-7", "1e21",
    "123456789012345678901", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0x10",
    "0x1p4", "0X1.8P-1", "0b101", "0o17", "0_7", "1_000", "1__0", "1_", "1e400", "1e-400", "-", "5", "+5", "-0",
    "-0.0", "Inf", "NaN", "1e5_0", "0x_1p1",
)  # fmt: skip
ESCAPES = (r"\n", r"\"", r"\\", r"\x41", r"\xff", r"\xe2\x82", r"é", r"\ud800", r"\U0001F600", r"\U00110000")
BAD_ESCAPES = (r"\d", r"\/", r"\'", r"\400", r"\377", r"\12", r"\x4", "\n")
NOISE = (*",;:{}=\"`'-+ \t", "  ", " ,", " ;", "\ufeff", "\0", "\u00a0", "\r", "1", "a", "true")
JSON = (
    '"C"',
    "[80,443]",
    '{"p":1}',
    "ref(X)",
    " ref (X)",
    "null",
    "1e400",
    "-0",
    '"\\ud800"',
    '{"a":[1.0,{}]}',
    "nul",
    "[1,]",
    "NaN",
)


class Maker:
    """Texts of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - nothing is kept secret

    def markers(self, count: int) -> Iterator[str]:
        """Whole markers, without the `+`, of the judge's synthetic definitions."""
        for _ in range(count):
            name = self.random.choice(NAMES)
            yield self.broken(name + self.head(name) + self.value_of(name))

    def head(self, name: str) -> str:
        """What leads to the value: an equals sign, mostly."""
        if name == "a:X":
            return self.pick(0.97, lambda: ":", lambda: "=")
        return self.pick(0.97, lambda: "=", lambda: self.random.choice(("", ":", ":x=", ":x:y=", " =", "==")))

    def value_of(self, name: str) -> str:
        """The text of a value of this definition."""
        kinds: dict[str, Callable[[], str]] = {
            "S": self.string,
            "I": self.number,
            "N": self.number,
            "B": self.word,
            "F": str,
            "A": self.anything,
            "L": lambda: self.listed(self.string),
            "E": lambda: self.listed(self.item),
            "M": lambda: self.mapped(self.string),
            "J": lambda: self.random.choice(JSON),
            "C": self.number,
            "D": self.number,
            "k8s:C": lambda: self.number() + self.blank() + "#x",
            "k8s:D": self.number,
            "a:X": self.arguments,
        }
        return self.pick(0.93, kinds[name], self.anything)

    def pick(self, chance: float, usual: Callable[[], str], other: Callable[[], str]) -> str:
        """One of two ways to go on."""
        return usual() if self.random.random() < chance else other()

    def blank(self) -> str:
        """Mostly nothing."""
        return self.random.choice(("", "", "", "", " ", "  ", "\t"))

    def word(self) -> str:
        """A bare word or several."""
        words = [self.random.choice(WORDS) for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        return self.random.choice(("", " ", "  ")).join(words)

    def number(self) -> str:
        """A number, good or bad."""
        return self.blank() + self.random.choice(NUMBERS)

    def quoted(self) -> str:
        """A quoted string."""
        inner = "".join(
            self.pick(0.7, self.word, lambda: self.random.choice((*ESCAPES, ",", ";", "}", ":", "{"))) for _ in range(2)
        )
        if self.random.random() < 0.04:
            inner += self.random.choice(BAD_ESCAPES)
        return f'"{inner}"' if self.random.random() < 0.7 else f"`{inner.replace('`', '')}`"

    def string(self) -> str:
        """A string, bare or quoted."""
        return self.blank() + self.pick(0.6, self.word, self.quoted) + self.blank()

    def item(self, depth: int = 0) -> str:
        """A value that is not a list with semicolons."""
        ways = (self.string, self.number, lambda: self.blank() + self.random.choice(("true", "false")) + self.blank())
        if depth < 3 and self.random.random() < 0.3:
            more = lambda: self.anything(depth + 1)  # noqa: E731 - two uses in one line
            return self.blank() + self.pick(0.5, lambda: self.listed(more), lambda: self.mapped(more))
        return self.random.choice(ways)()

    def anything(self, depth: int = 0) -> str:
        """A value of no particular kind."""
        if self.random.random() < 0.2:
            item = self.random.choice((self.string, self.number, lambda: self.item(depth + 1)))
            return self.listed(item)
        return self.item(depth)

    def listed(self, item: Callable[[], str]) -> str:
        """A list in one of its forms."""
        items = [item() for _ in range(self.random.choice((0, 1, 2, 2, 3)))]
        if self.random.random() < 0.4:
            return ";".join(items) + self.random.choice(("", "", "", ";"))
        return "{" + ",".join(items) + self.random.choice(("", "", "", ",", " ")) + "}" + self.blank()

    def mapped(self, value: Callable[[], str]) -> str:
        """A map."""
        entries = [f"{self.string()}:{self.blank()}{value()}" for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        return "{" + ",".join(entries) + self.random.choice(("", "", "", ",", " ")) + "}" + self.blank()

    def arguments(self) -> str:
        """Named arguments of the synthetic struct."""
        values: dict[str, Callable[[], str]] = {
            "str": self.string,
            "int": self.number,
            "num": self.number,
            "bool": lambda: self.random.choice(("true", "false", "True", "1")),
            "sl": lambda: self.listed(self.string),
            "enum": lambda: self.listed(self.item),
            "m": lambda: self.mapped(self.string),
            "any": self.anything,
            "Str": self.word,
            "é": self.word,
        }
        names = self.random.sample(list(values), self.random.choice((0, 1, 1, 2, 3)))
        if self.random.random() < 0.9:
            names.insert(self.random.randrange(len(names) + 1), "str")
        return ",".join(f"{self.blank()}{name}{self.blank()}={values[name]()}" for name in names)

    def broken(self, text: str) -> str:
        """The text with none or some characters put in, taken out or doubled."""
        for _ in range(self.random.choice((0, 0, 0, 0, 1, 1, 2))):
            at = self.random.randrange(len(text) + 1)
            change = self.random.random()
            if change < 0.5:
                text = text[:at] + self.random.choice(NOISE) + text[at:]
            elif change < 0.8:
                text = text[:at] + text[at + 1 :]
            else:
                text = text[: at + 1] + text[at:]
        return text
