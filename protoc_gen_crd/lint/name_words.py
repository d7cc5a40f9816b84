"""Words of names: lists that the rules use, their separation, and whether they are plural."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile("[A-Z]+s?(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")
# Words without an s that are plural, or that have no plural.
_PLURALS = {
    "add", "all", "any", "children", "config", "configuration", "criteria", "data", "dns", "egress", "env", "except",
    "exclude", "feet", "grpc", "http", "https", "include", "indices", "information", "ingress", "matrices", "media",
    "men", "metadata", "people", "remove", "set", "tcp", "tls", "to", "from", "traffic", "udp", "vertices", "when",
    "women",
}  # fmt: skip
_IRREGULAR = {"child": "children", "person": "people", "index": "indices"}
PREPOSITIONS = {
    "after", "at", "before", "during", "for", "from", "in", "of", "on", "over", "under", "until",
    "with", "within", "without",
}  # fmt: skip
ADJECTIVES = {
    "active", "available", "collected", "current", "enabled", "disabled", "expected", "failed", "pending", "ready",
    "used",
}  # fmt: skip
# Words that generated code of a supported language cannot use as the name of a field.
RESERVED_WORDS = {
    "and", "assert", "async", "await", "break", "case", "catch", "class", "const", "continue", "def", "del", "delete",
    "do", "else", "except", "export", "extends", "finally", "for", "foreach", "from", "func", "function", "global",
    "goto", "if", "import", "in", "interface", "is", "lambda", "nonlocal", "not", "null", "or", "package", "pass",
    "raise", "return", "static", "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with", "yield",
}  # fmt: skip
UNITS = {
    "nanoseconds", "nanos", "microseconds", "micros", "milliseconds", "millis", "ms", "seconds", "secs", "second",
    "sec", "s", "minutes", "minute", "min", "hours", "hour", "days", "day", "bytes", "kib", "mib", "gib", "kb", "mb",
    "gb", "bits", "percent", "percentage", "ratio", "count", "number", "millicores", "cores",
}  # fmt: skip
MEASURED_WORDS = {
    "timeout", "interval", "delay", "duration", "ttl", "age", "lifetime", "latency", "backoff", "period",
}  # fmt: skip


@lru_cache(maxsize=1024)  # several rules check a name
def split_words(name: str) -> tuple[str, ...]:
    """Split a name in snake_case, camelCase or PascalCase into its words."""
    return tuple([word for part in re.split("[^A-Za-z0-9]+", name) for word in _WORD.findall(part)])


def is_plural(word: str) -> bool:
    """Return whether a word is plural, or has no plural, as gerunds and participles."""
    lower = word.lower()
    return lower in _PLURALS or lower.endswith(("ing", "ed")) or (lower.endswith("s") and not lower.endswith("ss"))


def make_plural(word: str) -> str:
    """Return the plural of a word."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return word[:1] + _IRREGULAR[lower][1:]
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if lower.endswith("y") and lower[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}s"
