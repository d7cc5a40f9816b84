"""How many bytes plain data takes as JSON without blanks, worked out once for data that is shared."""

from __future__ import annotations

from collections.abc import Mapping

_SHORT = '"\\\n\r\t\b\f'  # what a backslash and one character stand for


def json_size(value: object, memo: dict[int, int]) -> int:
    """The size of a value; `memo` holds that of mappings by identity, which the caller keeps alive."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        known = memo.get(id(value))
        if known is None:
            members = [_text(key) + 1 + json_size(item, memo) for key, item in value.items()]
            known = memo[id(value)] = 2 + sum(members) + max(len(members) - 1, 0)
        return known
    if isinstance(value, list | tuple):
        return 2 + sum([json_size(item, memo) for item in value]) + max(len(value) - 1, 0)
    if value is None or value is True:
        return 4
    return 5 if value is False else len(repr(value))


def _text(text: str) -> int:
    size = 2 + (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass")))
    if text.isprintable() and '"' not in text and "\\" not in text:
        return size
    short = sum([text.count(character) for character in _SHORT])
    return size + short + 5 * sum([character < " " and character not in _SHORT for character in text])
