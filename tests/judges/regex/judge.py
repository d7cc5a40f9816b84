"""Asks the judge, and this project the same."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TypedDict

from protoc_gen_crd.regex import matcher as match
from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.regex.character_classes import resolve_class
from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.pattern_tokens import FOLD


class Question(TypedDict, total=False):
    """A line for the judge; see main.go."""

    pattern: str
    texts: list[str]
    characters: bool


class Answer(TypedDict, total=False):
    """A line of the judge; see main.go."""

    error: str
    matches: list[bool]
    all: list[list[str]]
    characters: list[list[int]]


def ask_go(judge: str, questions: Iterable[Question]) -> list[Answer]:
    """Return the answers of the judge, an executable."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    output = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.split("\n") if line]


def ask_here(question: Question, go: int) -> Answer:
    """Return the answers of this project."""
    pattern, texts = question["pattern"], question.get("texts", [])
    if error := syntax_check.check(pattern, go=go):
        return {"error": error}
    answer: Answer = {}
    if texts:
        matcher = match.compile(pattern, go=go)
        answer = {
            "matches": [matcher.search(text) for text in texts],
            "all": [matcher.find_all(text) for text in texts],
        }
    if question.get("characters") and (characters := [list(pair) for pair in _characters(pattern, go)]):
        answer["characters"] = characters
    return answer


def digest(ranges: list[list[int]]) -> str:
    """A short stand-in for what a class holds."""
    return sha256(json.dumps(ranges, separators=(",", ":")).encode()).hexdigest()[:12]


def _characters(pattern: str, go: int) -> Iterator[tuple[int, int]]:
    """The characters, but for surrogates, of a pattern that is one class."""
    token = PatternParser(pattern, go).parse().tokens[0]
    for low, high in resolve_class(token.members, negated=token.negated, fold=bool(token.flags & FOLD)):
        if low < 0xD800:
            yield low, min(high, 0xD7FF)
        if high > 0xDFFF:
            yield max(low, 0xE000), high
