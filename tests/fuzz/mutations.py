"""Mutations of bytes, of text and of plain data, all from one `Random`."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Sequence
from random import Random
from typing import Any

import yaml

Json = Any

CHARACTERS = (
    "\0", "\n", "\r", "\r\n", "\t", " ", "\x1b", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffd", "\ud800", "é",
    "\U0001f600",
    "'", '"', "`", "\\", "/", "{", "}", "[", "]", "(", ")", "<", ">", "=", ":", ",", ";", "+", "-", "*", "%", "&", "!",
    "|", "#", "@", "$", "~", "^", "?", ".", "..", "//", "/*", "*/", "${", "{{", "%s", "0", "-1", "1e999", "0x", "true",
    "null", "---", "...",
)  # fmt: skip
SCALARS: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 0.0, -0.0, 1.5, 1e300, -1e-300, math.inf, -math.inf, math.nan, 2**31, 2**53 + 1, 2**63,
    -(2**63) - 1, 2**64, 10**30, 10**400, "", " ", "a", "é", "\0", "\n", "a\nb", "\u2028", "\ud83d", "..", "../x", "/",
    ".", "-",
    "1", "1.0", "0x10", "1e3", "null", "true", "~", "v1", "v1beta1", "object", "string", "spec", "a.b", "a/b", "a[0]",
    "2020-01-01", "2020-02-30T25:61:61Z", "12:30:45", "1Gi", "x" * 300, "x" * 70_000, "(" * 300, "{{.}}", "$ref",
    "__proto__",
    "__class__", "constructor", "self", "if", "class",
)  # fmt: skip
_DEEP = (50, 200, 1_100)


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """Return bytes with one to five pieces changed."""
    mutated = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(mutated) + 1)
        end = min(len(mutated), at + random.choice((1, 1, 2, 8, 64)))
        piece = random.choice(_PIECES)(bytes(mutated[at:end]), random)
        mutated[at:end] = piece
    return bytes(mutated)


_PIECES = (
    lambda _, random: random.randbytes(random.choice((1, 2, 4))),
    lambda piece, random: bytes(byte ^ 1 << random.randrange(8) for byte in piece),
    lambda piece, random: piece * random.choice((0, 2, 3, 100)),
    lambda _, random: random.choice((b"\xff" * 9, b"\0", b"\x80\x80", b"\xff\xfe", b"\x7f\xff\xff\xff")),
)


def mutated_text(text: str, random: Random, words: Sequence[str] = ()) -> str:
    """Return a string with one to four pieces deleted, doubled, moved or replaced by characters or words."""
    for _ in range(random.choice((1, 1, 2, 4))):
        at = random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice((0, 1, 1, 3, 20)))
        new = random.choice((*CHARACTERS, *words) if not words or random.random() < 0.5 else words)
        kind = random.randrange(5)
        if kind == 0:
            new = ""
        elif kind == 1:
            new = text[at:end] * random.choice((2, 3, 50))
        elif kind == 2:
            other = random.randrange(len(text) + 1)
            new = text[other : other + random.choice((1, 5, 40))]
        text = text[:at] + new + text[end:]
    return text


def encoded(text: str) -> bytes:
    """Return a string as UTF-8; unpaired surrogates become invalid bytes."""
    return text.encode("utf-8", "surrogatepass")


def mutated_data(data: Json, random: Random, pool: Sequence[Json] = ()) -> Json:
    """Return a copy of plain data with one to four places changed; `pool` has values to insert."""
    mutated = copy.deepcopy(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        all_places = places(mutated)
        if not all_places:
            return value(random, pool)
        container, key = random.choice(all_places)
        _CHANGES[random.randrange(len(_CHANGES))](container, key, random, pool, all_places)
    return mutated


def is_small(node: Json, limit: int = 20_000) -> bool:
    """Return whether plain data has few nodes after aliases are expanded."""
    count, waiting = 0, [node]
    while waiting and count <= limit:
        container = waiting.pop()
        count += 1
        if isinstance(container, dict | list):
            waiting += container.values() if isinstance(container, dict) else container
    return count <= limit


def places(node: Json) -> list[tuple[Any, Any]]:
    """Return all containers of plain data, with each key or index in them."""
    all_places: list[tuple[Any, Any]] = []
    waiting = [node]
    while waiting:
        container = waiting.pop()
        keys = (
            list(container)
            if isinstance(container, dict)
            else range(len(container))
            if isinstance(container, list)
            else ()
        )
        all_places += [(container, key) for key in keys]
        waiting += [container[key] for key in keys]
    return all_places


def value(random: Random, pool: Sequence[Json] = ()) -> Json:
    """Return an unusual value: a scalar, a container of some, or one that is nested deep."""
    kind = random.randrange(12)
    if kind == 0:
        return [random.choice(SCALARS) for _ in range(random.choice((0, 1, 3, 2_000)))]
    if kind == 1:
        return {str(random.choice(SCALARS))[:400]: random.choice(SCALARS) for _ in range(random.choice((0, 1, 5)))}
    if kind == 2 and random.random() < 0.3:
        return nested(random.choice(_DEEP), random)
    if pool and kind < 8:
        return copy.deepcopy(random.choice(pool))
    return random.choice(SCALARS)


def nested(depth: int, random: Random) -> Json:
    """Return a value with this nesting."""
    value: Json = random.choice((1, "a", {}, []))
    names = random.choice((["a"], ["properties", "a"], ["items"], ["allOf"], ["spec"]))
    for level in range(depth):
        name = names[level % len(names)]
        value = [value] if name == "allOf" or (name == "a" and random.random() < 0.1) else {name: value}
    return value


def _remove(container: Any, key: Any, *_: Any) -> None:
    del container[key]


def _replace(container: Any, key: Any, random: Random, pool: Sequence[Json], _: Any) -> None:
    container[key] = value(random, pool)


def _move(container: Any, key: Any, random: Random, _: Any, all_places: Any) -> None:
    source, other = random.choice(all_places)
    container[key] = copy.deepcopy(source[other])


def _add(container: Any, key: Any, random: Random, pool: Sequence[Json], all_places: Any) -> None:
    if isinstance(container, list):
        container.insert(key, value(random, pool))
        return
    names = [other for _, other in all_places if isinstance(other, str)] or ["a"]
    name = random.choice(names) if random.random() < 0.7 else str(random.choice(SCALARS))[:400]
    container[name] = value(random, pool)


def _rename(container: Any, key: Any, random: Random, pool: Sequence[Json], all_places: Any) -> None:
    if isinstance(container, dict):
        container[
            random.choice([*(other for _, other in all_places if isinstance(other, str)), "", "x", "é\n", "a.b"])
        ] = container.pop(key)
    else:
        container.append(copy.deepcopy(container[key]))


_CHANGES = (_remove, _replace, _replace, _move, _add, _rename)


def yaml_text(data: Json, random: Random) -> bytes:
    """Return a YAML or JSON document of plain data, sometimes with anchors or invalid."""
    if random.random() < 0.4:
        text = json.dumps(data)
    else:
        try:
            text = yaml.dump(data, Dumper=yaml.CSafeDumper, allow_unicode=True, width=200)
        except (yaml.YAMLError, RecursionError, UnicodeEncodeError):
            text = json.dumps(data)
    if random.random() < 0.15:
        text = mutated_text(text, random, _YAML)
    return encoded(text)


_YAML = (
    "&a ", "*a", "<<: *a", "!!binary ", "!!float ", "!!int ", "!!set ", "!!timestamp ", "? ", "- ", ": ", "|\n", ">-\n",
    "|9", "%YAML 1.1\n---\n", "\n---\n", "\n...\n", "# ", "!x ", "!!str ", ".nan", ".inf", "0o17", "1_000", "0b1", "=",
)  # fmt: skip
