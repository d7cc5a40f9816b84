"""Made-up texts for the YAML reader, by every part of the grammar, with mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

# Separated by broken bars.
_SCALARS = (
    "¦a¦b¦key¦x y¦1¦1.0¦0x1F¦0o17¦017¦08¦1e3¦-1¦+1¦.5¦-.5¦1_000¦0b11¦0b-1¦yes¦no¦on¦true¦null¦~¦.nan¦.inf¦"
    "-.INF¦<<¦2020-01-01¦12:30:45¦9223372036854775808¦18446744073709551615¦1e400¦1e20¦123456789012345678¦aGk=¦"
    '{{ .x }}¦é¦"a"¦\'a\'¦"a\\nb"¦"\\x41"¦"\\u00e9"¦\'it\'\'s\'¦a#b¦a:b¦::1¦1.2.3.4¦001:db8::¦-a¦http://x/?y=1¦'
    "a?b¦?a¦a,b¦="
)
_PIECES = (
    "*a¦&a¦&b¦*b¦!!str¦!!int¦!!float¦!!bool¦!!null¦!!binary¦!!timestamp¦!¦!x¦!<tag:yaml.org,2002:str>¦!a!b¦"
    '%YAML 1.1¦%TAG !a! tag:x,1:¦---¦...¦--- x¦---a¦# c¦#¦"¦\'¦"\\/"¦"\\q"¦"a\\\n b"¦[¦]¦{¦}¦[]¦{}¦[a, b]¦'
    "{a: b}¦[a: b]¦[? a : b]¦{? a : b}¦|¦>¦|-¦>+¦|2¦>1-¦|0¦%¦@¦`¦?¦? ¦-¦- ¦:¦: ¦a: b¦,¦<<: *a¦<<: [*a, *b]¦"
    '<<: {a: 1}¦\t¦ ¦  ¦\r¦\r\n¦\x85¦\u2028¦\ufeff¦\x07¦\xa0¦😀¦\\¦/¦&¦*¦!¦$¦;¦a #b¦"a" b¦{{x}}¦<'
)
CHARACTERS = "ab1 \n\n  :-?,[]{}&*!|>'\"%@`#\t\\~<.=/é\r\x85\u2028"
BAD_BYTES = (
    *(b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\x80", b"\xe0\x80\x80", b"\x00"),
    *(b"\xf0\x80\x80\x80", b"\x07", b"\xc2\x80", b"\xef\xbf\xbf", b"\xef\xbb\xbf", b"\x80", b"\xf4\x90\x80\x80"),
    *(b"\xd8\x00", b"\x00\xd8", b"\xdc\x00", b"\x00\xdc", b"\n[", b'\n"', b"\n\t"),
)
_JSON_SCALARS = (
    '1¦-0¦1.0¦1e3¦1e400¦12345678901234567890¦true¦false¦null¦"a"¦"\\u00e9"¦"\\/"¦"\\ud83d\\ude00"¦"\\ud83d"¦'
    '"é"¦""¦0.1¦1E+2¦"\x7f"¦"\\n"¦-1.5¦-9223372036854775809'
)
_ANCHORED = "{x: 1, y: 2}¦{x: 3, z: *a}¦[1, 2]¦[*a, *b]¦{<<: *a, w: 1}¦{<<: [*a, *b]}¦&c x¦*a¦<<"
_MERGES = (
    " *a¦ *b¦ {<<: *a}¦\n  <<: *a\n  x: 1¦\n  x: 1\n  <<: *b¦\n  <<: [*b, *a]¦\n  - *a\n  - *b¦"
    '\n  <<: *a\n  <<: *b¦\n  *a : 1¦ [*a, *a]¦ &a\n  x: *a¦ &b [*b]¦ {<<: {<<: *a}}¦ {<<: 1}¦ {"<<": *a}¦'
    ' {! "<<": *a}¦ {!!merge x: *a}¦ {!!merge <<: *a}¦ {<<: [[*a]]}¦ {<<: [{x: 9}, *b]}¦'
    " {<<: &c {x: 5}, y: *c}¦ {<<: [&c {x: 5}, *c]}¦ {<<: [*a, {x: 9}, *b], x: 7}"
)
_ODD_KEYS = (
    "1¦1.0¦true¦yes¦null¦.nan¦.inf¦1e3¦0x10¦18446744073709551615¦[a]¦{a: 1}¦1e21¦"
    '{a: {b: [1, 1.5, null, 18446744073709551615, yes]}}¦[[x], "q\\"\\n\\u200b\\x7fé"]¦2020-01-01¦-0.0¦'
    "!!float 1¦123456789.5¦!!binary aGk=¦{1: 2, a: 3, 1.5: 5, yes: 6, no: 1, -3: 1}"
)
_SEPARATORS = (
    "---\n¦---\n¦--- \n¦--- # x\n¦---a\n¦...\n¦\r\n---\r\n¦---\t\n¦--- |\n¦----\n¦---¦%YAML 1.1\n---\n¦"
    "\x85---\n¦---\u3000\n¦\n---\n"
)

SCALARS, PIECES, JSON_SCALARS, ANCHORED, MERGES, ODD_KEYS, SEPARATORS = (
    joined.split("¦") for joined in (_SCALARS, _PIECES, _JSON_SCALARS, _ANCHORED, _MERGES, _ODD_KEYS, _SEPARATORS)
)


class Texts:
    """A source of texts; `kinds` names those that it can make."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - no secret
        self.pick = self.random.choice
        self.anything = [*SCALARS, *PIECES]
        self.kinds: dict[str, Callable[[], str | bytes]] = {
            "characters": lambda: self.some(CHARACTERS, self.random.randint(1, 30)),
            "pieces": self.pieces,
            "block": lambda: self.block(0, 3, 0.04),
            "tidy": lambda: self.block(0, 4, 0),
            "flow": lambda: self.pick(["", "a: ", "- "]) + self.flow(3),
            "mutated block": lambda: self.mutated(self.block(0, 3, 0)),
            "mutated flow": lambda: self.mutated(self.flow(3)),
            "stream": self.stream,
            "json": self.json_stream,
            "numbers": self.numbers,
            "anchors": self.anchors,
            "keys": self.keys,
            "bytes": self.bad_bytes,
            "utf-16": self.utf16,
            "long": self.long,
        }

    def all(self, count: int) -> Iterator[tuple[str, bytes]]:
        """So many texts of every kind."""
        for kind, make in self.kinds.items():
            for _ in range(count):
                text = make()
                yield kind, text if isinstance(text, bytes) else text.encode(errors="surrogatepass")

    def odds(self, chance: float) -> bool:
        return self.random.random() < chance

    def pieces(self) -> str:
        gaps = ("", " ", " ", "\n", "\n", "\n  ", "\n ", ": ", ", ", "\n- ", "\n    ")
        return "".join(self.pick(self.anything) + self.pick(gaps) for _ in range(self.random.randint(1, 12)))

    def scalar(self) -> str:
        if self.odds(0.6):
            return self.pick(SCALARS)
        if self.odds(0.4):
            return self.flow(2)
        if self.odds(0.5):
            quote = self.pick("\"'")
            return quote + self.some("ab '\"\\nt/x41u00e9\n #:", self.random.randint(0, 8)) + quote
        return " ".join(self.pick(self.anything) for _ in range(self.random.randint(1, 3)))

    def flow(self, depth: int) -> str:
        if not depth or self.odds(0.4):
            return self.pick(SCALARS) if self.odds(0.8) else self.pick(self.anything)
        start, end = self.pick([("[", "]"), ("{", "}")])
        items = []
        for _ in range(self.random.randint(0, 4)):
            item = self.flow(depth - 1)
            if start == "{" or self.odds(0.2):
                item = self.pick(["", "", "", "? ", "?"]) + item + self.pick([": ", ": ", ":", " : ", ""])
                item += self.flow(depth - 1) if self.odds(0.8) else ""
            gap = self.pick(["", "", " ", "\n ", " # c\n ", "\t"])
            items.append(gap + item + gap)
        return self.pick(["", "", "", "&a ", "!!map "]) + start + ",".join(items) + self.pick(["", "", ","]) + end

    def block(self, indent: int, depth: int, mistakes: float) -> str:
        """A block mapping or sequence; `mistakes` is how often something is out of place."""
        mapping = self.odds(0.7)
        lines = []
        for index in range(self.random.randint(1, 4)):
            at = max(indent + (self.pick([-1, 1, 2]) if self.odds(mistakes) else 0), 0)
            pad = "\t" * self.odds(mistakes / 2) + " " * at
            odd = ("1", "yes", '"q"', "'s'", "<<", "&a k", "*a ", "? x\n" + pad, "null", "1.5", "!!str 1", "a")
            key = self.pick(odd) if self.odds(mistakes * 3) else f"{self.pick('abcdef')}{index}"
            head = pad + (key + self.pick([":", ":", ":", " :"]) if mapping else "-")
            properties = self.pick([" &a", " !!str", " !x", " !!map", " &b !!str"]) if self.odds(0.05) else ""
            comment = self.pick(["", "", "", " # c", "  #c"])
            lines.append(head + properties + self._content(at, depth, mistakes, comment))
        return "".join(lines)

    def _content(self, at: int, depth: int, mistakes: float, comment: str) -> str:
        if depth and self.odds(0.4):
            return f"{comment}\n" + self.block(at + self.pick([2, 2, 2, 1, 4]), depth - 1, mistakes)
        if self.odds(0.12):
            pad = " " * (at + 2)
            body = (
                f"{pad}text here\n",
                f"{pad}more: x\n",
                "\n",
                f"{pad}  deep\n",
                f"{pad}# no\n",
                f"{pad}\tq\n",
                "   \n",
            )
            header = self.pick(["|", ">", "|-", ">-", "|+", ">+", "|2", ">1", "| # c", "|2-", "|-1", ">+3"])
            return f" {header}\n" + "".join(self.pick(body) for _ in range(self.random.randint(0, 5)))
        text = self.scalar() if self.odds(0.5) else self.pick(["v", "some text", "12", "true", "http://a/b", "[a, b]"])
        more = "\n" + " " * (at + 2) + "continued" if self.odds(0.05) else ""
        gap = self.pick(["\t", "", "  "]) if self.odds(mistakes) else " "
        end = self.pick(["", " x\n", "\r\n", "\n\n"]) if self.odds(mistakes) else "\n"
        return gap + text + more + comment + end

    def mutated(self, text: str) -> str:
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randint(0, len(text))
            gone = self.pick([0, 0, 1, 1, 2, 5])
            new = self.pick(["", self.pick(self.anything), self.pick(CHARACTERS), text[at // 2 : at // 2 + 9]])
            text = text[:at] + new + text[at + gone :]
        return text

    def stream(self) -> str:
        documents = (self.block(0, 2, 0.02), "# c\n", "", "a: 1\n", "[1]\n", '{"a":1}\n')
        parts = [self.pick(documents) + self.pick(SEPARATORS) for _ in range(self.random.randint(1, 4))]
        return "".join(parts) + self.pick(documents)

    def json(self, depth: int) -> str:
        if not depth or self.odds(0.4):
            return self.pick(JSON_SCALARS)
        items = [self.json(depth - 1) for _ in range(self.random.randint(0, 3))]
        gap = self.pick(["", "", "", " ", "\n", "\t", "\r\n"])
        if self.odds(0.4):
            return "[" + gap + f"{gap},{gap}".join(items) + gap + "]"
        return "{" + gap + f"{gap},{gap}".join(f'"{self.pick("abc")}"{gap}:{gap}{item}' for item in items) + gap + "}"

    def json_stream(self) -> str:
        gaps = ("", "", "\n", " ", "\n---\n", "\n--- \n", "\n\n")
        values = "".join(self.pick(gaps) + self.json(3) for _ in range(self.random.randint(0, 2)))
        ends = ("", "", "\n", " x", "\nb: 2\n", " b: 2\n", "\n---\nb: 2\n", "}", ",", "\n---\n")
        text = self.pick(["", "", " ", "\n", "\u2003"]) + '{"a":' + self.json(2) + "}" + values + self.pick(ends)
        if self.odds(0.5):
            at = self.random.randint(0, len(text))
            text = text[:at] + self.pick("{}[]\",:\\u019abtfne+-.\n \té'\x01") + text[at + self.pick([0, 1]) :]
        return text

    def numbers(self) -> str:
        starts = ("", "", "-", "+", ".", "0", "0x", "0b", "0o", "-0x", "0b-", "202", "2020-", "-.", "1e")
        tags = ("", "", "", "!!float ", "!!int ", "!!str ", "!!timestamp ", "!!bool ")
        numbers = (self.pick(starts) + self.some("00112457789__.eE+-xXoObBfT:, ", size) for size in (1, 4, 9, 20))
        return "".join(f"- {self.pick(tags)}{number}\n" for number in numbers)

    def some(self, characters: str, count: int) -> str:
        return "".join(self.pick(characters) for _ in range(count))

    def anchors(self) -> str:
        lines = [
            f"{key}: &{name} {self.pick(ANCHORED[:3])}"
            for key, name in zip(("d", "e", "f"), ("a", "b", "c"), strict=True)
        ]
        for key in "pqrst"[: self.random.randint(1, 5)]:
            new = f" &{self.pick('abc')} {self.pick(ANCHORED)}"
            lines.append(f"{key}:{new if self.odds(0.4) else self.pick(MERGES)}")
        return "\n".join(lines[0 if self.odds(0.9) else 2 :]) + "\n"

    def keys(self) -> str:
        forms = (lambda key, value: f"? {key}\n: {value}\n", lambda key, value: f"{key}: {value}\n")
        count = self.random.randint(1, 3)
        return "".join(self.pick(forms)(self.pick(ODD_KEYS), self.pick(ODD_KEYS)) for _ in range(count))

    def bad_bytes(self) -> bytes:
        data = (self.block(0, 3, 0) * self.random.randint(1, 6)).encode()
        for _ in range(self.random.randint(1, 2)):
            at = self.random.randint(0, len(data))
            data = data[:at] + self.pick(BAD_BYTES) + data[at:]
        return self.pick([b"", b"", b"", b"\xef\xbb\xbf", b"\xff\xfe"]) + data

    def utf16(self) -> bytes:
        mark, codec = self.pick([(b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")])
        data = self.block(0, 2, 0).encode(codec)
        at = self.random.randint(0, len(data))
        return mark + (data[:at] + self.pick(BAD_BYTES) + data[at:] if self.odds(0.3) else data)

    def long(self) -> str:
        """Around the lengths at which something ends: 512 bytes, a key's 1024 characters, a line's 4096 bytes."""
        length = self.pick([512, 1024, 4096]) + self.random.randint(-4, 4)
        many = "k" * length
        middle = (
            many,
            f'"{many}"',
            "é" * length,
            f"[{many}]",
            f"&a {many}",
            "k " * (length // 2),
            f"? {many}",
            f"{{a: {many}}}",
        )
        gaps = (" " * length, "\n" * length, f"#{many}\n")
        ends = (": 1\n", " : 1", "\n", "", ": [\n", "]: 1", "}", "\n: 1\n", '"', "\r\nb: 1\r\n", "\n---\na: 1", "\r")
        start = self.pick(["", "a: 1\n", "- ", "- - ", "[", "{", "x:\n  ", " " * self.random.randint(0, 4100)])
        return start + self.pick((*middle, *gaps)) + self.pick(ends)
