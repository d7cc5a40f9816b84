"""Values in the text of options: every scalar of an option, with its path of member names and the entries around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.source_tokens import NAME, STRING, SYMBOL, Token, unquote

_CLOSING = {"{": "}", "<": ">", "[": "]"}
_SEPARATORS = (",", ";")


class TextEntry(Record):
    """An entry of a message in text format, `name: value`, or an item of a list of messages, with its offsets."""

    names: tuple[str, ...]
    start: int
    end: int
    is_item: bool = False


class TextValue(Record):
    """A scalar: the names of the members that lead to it, its value and offsets, and the entries around it, outermost
    first. The last entry is its own, or that of its list; `items` are all values of its list.
    """

    names: tuple[str, ...]
    value: str
    start: int
    end: int
    quote: str
    entries: tuple[TextEntry, ...]
    items: int = 0


def read_option(tokens: Sequence[Token]) -> tuple[tuple[str, ...], list[TextValue], list[TextEntry]]:
    """Return the names after the extension of an option, its values, and the entries of its messages.

    The tokens are `option (NAME).a.b = VALUE;` or, in brackets, `(NAME).a.b = VALUE`.
    """
    at = next((index for index, token in enumerate(tokens) if token.text == "="), len(tokens))
    names = _read_names(tokens[:at])
    end = len(tokens) - (tokens[-1].text == ";")
    return (names, *read_text_format(tokens[at + 1 : end], names))


def _read_names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the names after the parentheses of an extension, or all names of an option without them."""
    closing = next((index for index, token in enumerate(tokens) if token.text == ")"), None)
    names = [token.text for token in tokens[0 if closing is None else closing + 1 :] if token.kind == NAME]
    return tuple(names[1:] if closing is None and names[:1] == ["option"] else names)


def read_text_format(tokens: Sequence[Token], names: tuple[str, ...]) -> tuple[list[TextValue], list[TextEntry]]:
    """Return the values and the entries of a value in text format, which belongs to the member `names`."""
    if not tokens:
        return [], []
    reader = _TextFormatReader(tokens)
    own = TextEntry(names, tokens[0].start, tokens[-1].end)
    return list(reader.read_value(names, (own,))), reader.entries


class _TextFormatReader:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.entries: list[TextEntry] = []

    def read_value(self, names: tuple[str, ...], entries: tuple[TextEntry, ...]) -> Iterator[TextValue]:
        """Yield the values of a scalar, a list or a message."""
        token = self._peek()
        if token is None:
            return
        if token.text in ("{", "<"):
            self._at += 1
            yield from self._read_message(names, entries, _CLOSING[token.text])
        elif token.text == "[":
            self._at += 1
            yield from self._read_list(names, entries)
        else:
            yield from self._read_scalar(names, entries)

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _get_end(self) -> int:
        """Return the offset after the last token that was read; malformed values may end early."""
        return self._tokens[min(self._at, len(self._tokens)) - 1].end

    def _read_scalar(self, names: tuple[str, ...], entries: tuple[TextEntry, ...]) -> Iterator[TextValue]:
        """Yield a scalar of one or several tokens: `-1`, and strings that are joined; nothing before a bracket."""
        tokens: list[Token] = []
        while (token := self._peek()) is not None and _continues(tokens, token):
            tokens.append(token)
            self._at += 1
        if tokens:
            quote = tokens[0].text[0] if tokens[0].kind == STRING else ""
            yield TextValue(names, "".join(map(unquote, tokens)), tokens[0].start, tokens[-1].end, quote, entries)

    def _read_list(self, names: tuple[str, ...], entries: tuple[TextEntry, ...]) -> Iterator[TextValue]:
        list_values: list[TextValue] = []
        while (token := self._peek()) is not None and token.text != "]":
            start, index = token.start, len(self.entries)
            if token.text in (",", ";"):
                self._at += 1
                continue
            if token.text in ("{", "<"):
                self.entries.append(TextEntry(names, start, start, is_item=True))
                values = list(self.read_value(names, (*entries, self.entries[index])))
                item = TextEntry(names, start, self._get_end(), is_item=True)
                list_values += _replace_entry(values, self.entries, index, item, len(entries))
            else:
                list_values += self._read_scalar(names, (*entries, entries[-1]))
                self._at += not list_values or list_values[-1].end <= start  # a bracket that does not belong here
        self._at += 1
        scalars = sum(len(value.entries) == len(entries) + 1 and not value.entries[-1].is_item for value in list_values)
        for value in list_values:
            is_own = len(value.entries) == len(entries) + 1 and not value.entries[-1].is_item
            yield value.replace(entries=entries, items=scalars) if is_own else value

    def _read_message(
        self, names: tuple[str, ...], entries: tuple[TextEntry, ...], closing: str
    ) -> Iterator[TextValue]:
        while (token := self._peek()) is not None and token.text != closing:
            if token.text in _SEPARATORS:
                self._at += 1
                continue
            start, index = token.start, len(self.entries)
            inner = (*names, self._read_name())
            self.entries.append(TextEntry(inner, start, start))
            values = list(self.read_value(inner, (*entries, self.entries[index])))
            entry = TextEntry(inner, start, self._get_end())
            yield from _replace_entry(values, self.entries, index, entry, len(entries))
        self._at += 1

    def _read_name(self) -> str:
        """Read the name of an entry and its colon; an extension is named by all tokens between brackets."""
        parts: list[str] = []
        while (token := self._peek()) is not None and token.text not in (":", "{", "<"):
            parts.append(token.text)
            self._at += 1
        if token is not None and token.text == ":":
            self._at += 1
        return "".join(parts)


def _continues(tokens: Sequence[Token], token: Token) -> bool:
    """Return whether a token belongs to a scalar whose first tokens are known."""
    if not tokens:
        return token.text not in ("}", ">", "]", ",", ";")
    return (tokens[0].kind == STRING and token.kind == STRING) or (tokens[-1].kind == SYMBOL and token.kind != SYMBOL)


def _replace_entry(
    values: Sequence[TextValue], known: list[TextEntry], index: int, entry: TextEntry, depth: int
) -> list[TextValue]:
    """Set an entry, whose end is known only after its values, in the list of entries and in its values."""
    known[index] = entry
    return [value.replace(entries=(*value.entries[:depth], entry, *value.entries[depth + 1 :])) for value in values]
