"""Texts beyond the standard library. Source: cel-go v0.29 `ext/strings.go`, versions 0 and 2."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, Overload, by_version, function, method
from protoc_gen_crd.cel.types import DYN, INT, STRING, Type, list_of

_TEXTS = list_of(STRING)

_RUN = "functions.strings"
_FORMAT = "functions.formatting"
_UNTYPED, _SPACED = 30, 32  # servers: up to there, optionals are called `optional`; %e has spaces
_WITHIN, _EMPTY, _ANYWHERE = 31, 33, 36  # servers: up to there, searches had older rules, see the functions


def _searched(ident: str, name: str, *place: Type) -> list[Overload]:
    run = "index_of" if name == "indexOf" else "last_index_of"
    return by_version(
        method(ident, name, STRING, STRING, *place, result=INT, run=f"{_RUN}.{run}"),
        (_WITHIN, f"{_RUN}.oldest_{run}"),
        (_EMPTY, f"{_RUN}.middle_{run}"),
        (_ANYWHERE, f"{_RUN}.old_{run}"),
    )


OVERLOADS = (
    method("string_char_at_int", "charAt", STRING, INT, result=STRING, run=f"{_RUN}.char_at"),
    *_searched("string_index_of_string", "indexOf"),
    *_searched("string_index_of_string_int", "indexOf", INT),
    *_searched("string_last_index_of_string", "lastIndexOf"),
    *_searched("string_last_index_of_string_int", "lastIndexOf", INT),
    method("string_lower_ascii", "lowerAscii", STRING, result=STRING, run=f"{_RUN}.lower"),
    method("string_replace_string_string", "replace", STRING, STRING, STRING, result=STRING, run=f"{_RUN}.replace"),
    method(
        "string_replace_string_string_int", "replace", STRING, STRING, STRING, INT, result=STRING, run=f"{_RUN}.replace"
    ),
    method("string_split_string", "split", STRING, STRING, result=_TEXTS, run=f"{_RUN}.split"),
    method("string_split_string_int", "split", STRING, STRING, INT, result=_TEXTS, run=f"{_RUN}.split"),
    method("string_substring_int", "substring", STRING, INT, result=STRING, run=f"{_RUN}.substring"),
    method("string_substring_int_int", "substring", STRING, INT, INT, result=STRING, run=f"{_RUN}.substring"),
    method("string_trim", "trim", STRING, result=STRING, run=f"{_RUN}.trim"),
    method("string_upper_ascii", "upperAscii", STRING, result=STRING, run=f"{_RUN}.upper"),
)


def _joined(run: str) -> tuple[Overload, Overload]:
    return (
        method("list_join", "join", _TEXTS, result=STRING, run=f"{_RUN}.{run}"),
        method("list_join_string", "join", _TEXTS, STRING, result=STRING, run=f"{_RUN}.{run}"),
    )


_BROKEN = 26  # servers: up to there, lists of data cannot be joined
VERSION_0 = Library(
    "cel.lib.ext.strings",
    (
        *OVERLOADS,
        *(row for each in _joined("native_join") for row in by_version(each, (_BROKEN, f"{_RUN}.broken_join"))),
    ),
)
LIBRARY = Library(
    "cel.lib.ext.strings",
    (
        *OVERLOADS,
        *_joined("join"),
        *by_version(
            method("string_format", "format", STRING, list_of(DYN), result=STRING, run=f"{_FORMAT}.format_text"),
            (_UNTYPED, f"{_FORMAT}.old_format_text"),
            (_SPACED, f"{_FORMAT}.middle_format_text"),
        ),
        function("strings_quote", "strings.quote", STRING, result=STRING, run=f"{_RUN}.quote"),
    ),
)
