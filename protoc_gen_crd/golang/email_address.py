"""Validation of mail addresses as in Go: `a@b`, `Name <a@b>`, with quoted parts and comments.

Source: Go net/mail message.go (ParseAddress). Encoded words in names are not decoded.
"""

from __future__ import annotations

import ipaddress

_SPECIALS = frozenset('()<>[]:;@\\,"')


class _MalformedError(Exception):
    pass


def is_address(string: str) -> bool:
    """Return whether the string is one address, or a group of one address."""
    parser = _AddressParser(string)
    try:
        count = parser.parse_address(group=True)
        parser.skip_comments()
    except _MalformedError:
        return False
    return count == 1 and not parser.rest


def _is_visible(char: str) -> bool:
    return "!" <= char <= "~" or char >= "\x80"


class _AddressParser:
    """A recursive descent parser. Methods raise _MalformedError if the expected part is missing."""

    def __init__(self, string: str) -> None:
        self.rest = string

    def parse_address(self, *, group: bool) -> int:
        """Parse an address or, with `group`, a group. Return the number of addresses."""
        self._skip_space()
        if not self.rest:
            raise _MalformedError
        if self._try_addr_spec():
            self._skip_space()
            if self._accept("("):
                self._parse_comment()
            return 1
        if not self.rest.startswith("<"):
            self._parse_phrase()
        self._skip_space()
        if group and self._accept(":"):
            return self._parse_group()
        if not self._accept("<"):
            raise _MalformedError
        self._parse_addr_spec()
        if not self._accept(">"):
            raise _MalformedError
        return 1

    def skip_comments(self) -> None:
        """Skip space and comments."""
        self._skip_space()
        while self._accept("("):
            self._parse_comment()
            self._skip_space()

    def _parse_group(self) -> int:
        self._skip_space()
        if self._accept(";"):
            self.skip_comments()
            return 0
        count = 0
        while True:
            self._skip_space()
            count += self.parse_address(group=False)
            self.skip_comments()
            if self._accept(";"):
                self.skip_comments()
                return count
            if not self._accept(","):
                raise _MalformedError

    def _try_addr_spec(self) -> bool:
        before = self.rest
        try:
            self._parse_addr_spec()
        except _MalformedError:
            self.rest = before
            return False
        return True

    def _parse_addr_spec(self) -> None:
        self._skip_space()
        if self.rest.startswith('"'):
            if not self._parse_quoted_string():
                raise _MalformedError
        else:
            self._parse_atom()
        if not self._accept("@"):
            raise _MalformedError
        self._skip_space()
        if self.rest.startswith("["):
            self._parse_domain_literal()
        else:
            self._parse_atom()

    def _parse_phrase(self) -> None:
        count = 0
        while True:
            if count:
                self.skip_comments()
            self._skip_space()
            if not self.rest:
                break
            try:
                self._parse_word()
            except _MalformedError:
                break
            count += 1
        if not count and self.rest:
            raise _MalformedError

    def _parse_word(self) -> None:
        if self.rest.startswith('"'):
            self._parse_quoted_string()
        else:
            self._parse_atom(loose=True)

    def _parse_atom(self, *, loose: bool = False) -> None:
        size = 0
        while size < len(self.rest) and _is_visible(self.rest[size]) and self.rest[size] not in _SPECIALS:
            size += 1
        atom, self.rest = self.rest[:size], self.rest[size:]
        if not atom or (not loose and (atom.startswith(".") or atom.endswith(".") or ".." in atom)):
            raise _MalformedError

    def _parse_quoted_string(self) -> str:
        position, content = 1, ""
        while position < len(self.rest):
            char = self.rest[position]
            if char == '"':
                self.rest = self.rest[position + 1 :]
                return content
            if char == "\\":
                position += 1
                char = self.rest[position : position + 1]
            if not char or not (_is_visible(char) or char in " \t"):
                break
            content += char
            position += 1
        raise _MalformedError

    def _parse_domain_literal(self) -> None:
        inside, bracket, rest = self.rest[1:].partition("]")
        if not bracket or "[" in inside or "\\" in inside or not all(_is_visible(char) for char in inside):
            raise _MalformedError
        try:
            ipaddress.ip_address(inside)
        except ValueError:
            raise _MalformedError from None
        self.rest = rest

    def _parse_comment(self) -> None:
        depth, position = 1, 0
        while position < len(self.rest) and depth:
            char = self.rest[position]
            if char == "\\" and position + 1 < len(self.rest):
                position += 1
            else:
                depth += (char == "(") - (char == ")")
            position += 1
        self.rest = self.rest[position:]
        if depth:
            raise _MalformedError

    def _skip_space(self) -> None:
        self.rest = self.rest.lstrip(" \t")

    def _accept(self, char: str) -> bool:
        if not self.rest.startswith(char):
            return False
        self.rest = self.rest[1:]
        return True
