"""Arguments at random, and how texts are written in expressions."""

from __future__ import annotations

from random import Random

_ODD = "\t\n\r \x00\x0b\x1c\x7f\x85\xa0\u00e9\u0130\u200b\u2003\u3000\ufeff\ufffd\U0001f600\"'\\%"
_NUMBERS = (0, 1, -1, 2, 3, 5, 7, 10, 13, 100, -3, 255, 1 << 31, (1 << 63) - 1, -(1 << 63))


def literal(text: str) -> str:
    """A text as CEL reads it."""
    escaped = [
        char if (char.isascii() and char.isalnum()) or char in " .:/-+_,;" else f"\\U{ord(char):08x}" for char in text
    ]
    return f'"{"".join(escaped)}"'


def hidden(text: str) -> str:
    """A text that no check of literals sees."""
    return f"[{literal(text)}][0]"


class Maker:
    """Arguments, from a seed."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)  # noqa: S311 - no secret
        self.pick = self.random.choice

    def some(self, alphabet: str, most: int, least: int = 0) -> str:
        """A text over an alphabet."""
        return "".join(self.random.choices(alphabet, k=self.random.randint(least, most)))

    def number(self, most: int = 12) -> int:
        """An int, mostly small."""
        return self.pick(_NUMBERS) if self.random.random() < 0.2 else self.random.randint(-2, most)

    def text(self) -> str:
        """A text, often with repetitions."""
        return self.some(self.pick(("ab", "abc", "aé😀", "ab" + _ODD, "aAzZéÉ")), self.pick((3, 8, 12)))

    def damaged(self, text: str, alphabet: str) -> str:
        """The text, sometimes with a character too many, too few, or another."""
        at = self.random.randint(0, len(text))
        kind = self.random.random()
        if kind < 0.8:
            return text
        if kind < 0.87:
            return text[:at] + text[at + 1 :]
        return text[:at] + self.pick(alphabet) + text[at + (kind < 0.93) :]
