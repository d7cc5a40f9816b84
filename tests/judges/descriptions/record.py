"""Asks the judge how texts are cut at every limit that matters, and records its answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.conftest import ROOT

RECORDED = ROOT / "testdata" / "descriptions" / "recorded.jsonl"
TEXTS = (
    "One sentence. Another one! A third? And no end",
    "No sentence ends here",
    "Nospaceatall",
    " leading blank",
    ".leading stop and no other",
    "Version 1.5 of e.g. this. Then more",
    "Two\nlines.\nAnd a third line",
    "tabs\tand\u00a0hard\u2003blanks\u3000of\u0085Unicode",
    "\x1cseparators\x1fare no blanks",
    "Ein Satz über Größe. Noch ein längerer",
    "一つ目の文。二つ目の文。",
    "Ελληνικά; όχι τέλος· μέση",
    "emoji 😀 and more 😀😀",
    "a\u0589b\u06d4c።d‼e⁇f｡g",
    "؟ and ; do not end a sentence alike",
    "",
)


def questions() -> Iterator[dict[str, object]]:
    """Every text with no limit that bites, and with every one that does."""
    for text in TEXTS:
        size = len(text.encode())
        for limit in sorted({0, *range(1, size, 1 + size // 14), size, size + 1}):
            yield {"text": text, "limit": limit}


def main() -> None:
    """Record."""
    lines = "".join(f"{json.dumps(question)}\n" for question in questions())
    judge = subprocess.run([sys.argv[1]], input=lines, capture_output=True, text=True, check=True)
    RECORDED.write_text(judge.stdout)


if __name__ == "__main__":
    main()
