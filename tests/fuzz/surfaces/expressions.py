"""CEL: expressions of a grammar, mutated strings, and rules with macros; compiled, estimated and evaluated."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.cel.checker.checker import compile_text
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.project_macros import PROJECT_MACROS, find_misused_macros, preprocess
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.mutations import encoded, mutated_data, mutated_text
from tests.fuzz.second_opinion import compile_subset, draw, find_known_differences, ours, theirs
from tests.judges.celfuzz.requests import request
from tests.judges.celtypes.evaluated import of_compiled
from tests.judges.celtypes.ours import declared_in, surroundings

_MINORS = (25, 28, 30, 33, 35, 37)
_WORDS = (
    "self", "oldSelf", ".all(x, ", ".exists(", ".map(x, y, ", "has(", "optional.of(", ".?a", "[?0]", "quantity('1Ki')",
    "cel.bind(a, ",
    "0x7fffffffffffffff", "1e400", "-9223372036854775808", "18446744073709551615u", "'''", 'r"', "b'\\377'",
    "'\\U0010ffff'",
    ".format([", "duration('1h')", "timestamp('0001-01-01T00:00:00Z')", "x{", "[" * 60, "(" * 260, "!" * 40, "-" * 40,
    " in ", " ? ", " : ",
    ".matches('(a*)*$')", ".replace('', 'xx')", ".split('')", "ip('::1')", "semver('1.0.0')", "sets.contains(",
    "url('http://a')",
    ".sortBy(x, ", ".join('", ".lowerAscii()", ".substring(", "format.named('dns1123Label')", "dyn(", "type(", "int(",
    "double('NaN')",
    "// comment\n", "&& ", "|| ", "==", "`a`", "lists.range(100000)", "math.greatest(",
)  # fmt: skip


def _evaluated(question: dict[str, Any], minor: int) -> str:
    within, variables = surroundings(question, minor)
    compiled = compile_text(question["expr"], within, variables)
    answer = of_compiled(compiled, question, minor)
    if not isinstance(compiled, Rejection):
        answer["estimate"] = str(estimate(compiled, within.minor, declared_in(question, minor)))
    return json.dumps(answer, sort_keys=True, default=str)


def _read(text: bytes) -> Any:
    """Read JSON, with U+FFFD for lone surrogates, as the program's JSON reader does."""
    joined = json.dumps(json.loads(text), ensure_ascii=False).encode("utf-16-le", "surrogatepass")
    return json.loads(joined.decode("utf-16-le", "replace"))


class Expressions(Fuzzer):
    """Expressions of the grammar, on random data of random schemas."""

    name, slice = "expressions", 60

    def generate(self, random: Random) -> bytes:
        minor = random.choice(_MINORS)
        question = dict(request(minor, random.randrange(10**9), Counter()))
        if random.random() < 0.3:
            question["expr"] = mutated_text(question["expr"], random, _WORDS)
        for name in ("self", "oldSelf"):
            if name in question and random.random() < 0.2:
                question[name] = mutated_data(question[name], random)
        return f"{minor} ".encode() + json.dumps(question).encode()

    def run(self, data: bytes) -> str:
        minor, _, text = data.partition(b" ")
        try:
            question = _read(text)
            number = int(minor)
        except (ValueError, RecursionError):
            return "no input"
        if not isinstance(question, dict) or not isinstance(question.get("expr"), str) or number not in _MINORS:
            return "no input"
        return _evaluated(question, number)


@cache
def _texts() -> tuple[str, ...]:
    """Expressions of all test data."""
    expressions = {
        text
        for name in ("checked", "evaluated", "functions", "printed", "rejected", "trees")
        for row in corpus.lines(f"cel/{name}.jsonl")
        for text in [row[0]["expr"] if isinstance(row[0], dict) and "expr" in row[0] else row[0]]
        if isinstance(text, str) and len(text) < 2_000
    }
    return tuple(sorted(expressions))


class SecondOpinions(Fuzzer):
    """Expressions that cel-python also evaluates, to the same outcome."""

    name, slice = "second-opinions", 150

    def generate(self, random: Random) -> bytes:
        text = draw(random)
        for _ in range(3):  # most have no known difference, which would hide others
            checked = compile_subset(text)
            if checked is not None and not find_known_differences(checked):
                break
            text = draw(random)
        return text.encode()

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        checked = compile_subset(text)
        if checked is None:
            return "no input"
        own_answer, other = ours(text), theirs(text)
        if own_answer != other and not find_known_differences(checked):
            raise PropertyError(f"{text} is {own_answer}, but {other} for cel-python")
        return f"{own_answer} {other}"


class Phrases(Fuzzer):
    """Mutated strings of expressions."""

    name, slice = "phrases", 80

    def generate(self, random: Random) -> bytes:
        text = random.choice(_texts())
        if random.random() < 0.1:
            text += random.choice(_texts())
        return encoded(mutated_text(text, random, _WORDS))

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "surrogateescape")
        question = {"expr": text, "self": {"a": 1, "b": ["x", "y"]}, "oldSelf": {"a": 2}}
        return "\n".join(_evaluated(question, minor) for minor in (_MINORS[len(data) % 3], 37))


class Macros(Fuzzer):
    """Rules with our macros, mutated and combined."""

    name, slice = "macros", 150

    def generate(self, random: Random) -> bytes:
        examples = [text for entries in PROJECT_MACROS.values() for macro in entries for text, _ in macro.examples]
        text = random.choice(examples)
        for _ in range(random.choice((0, 1, 2))):
            at = text.find("self.")
            text = text[:at] + random.choice(examples) + text[at:] if at >= 0 else text
        if random.random() < 0.8:
            text = mutated_text(text, random, (*_WORDS, "default(", "oneof(", "index(", ".unrollmap(", "self.a.b[0].c"))
        return encoded(text)

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        issues = find_misused_macros(text)
        expanded = preprocess(text)
        if isinstance(expanded, Rejection):
            return f"{issues}\n{expanded}"
        if isinstance(again := preprocess(expanded), Rejection) or again != expanded:
            raise PropertyError(f"an expansion is no fixed point: {text!r} gives {expanded!r}, then {again!r}")
        return f"{issues}\n{expanded}"
