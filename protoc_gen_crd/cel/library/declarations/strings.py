"""The string extensions. Source: cel-go v0.29 `ext/strings.go`, versions 0 and 2."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import DYN, INT, STRING, Type, make_list_type
from protoc_gen_crd.cel.version_differences import (
    FLAT_EXPONENTS,
    JOINED_LISTS,
    SEARCH_ANYWHERE,
    SEARCH_EMPTY,
    SEARCH_WITHIN,
    TYPED_OPTIONALS,
)

_TEXTS = make_list_type(STRING)

_RUN = "functions.strings"
_FORMAT = "functions.string_format"


def _make_search_overloads(ident: str, name: str, *place: Type) -> list[Overload]:
    run = "index_of" if name == "indexOf" else "last_index_of"
    return split_by_version(
        declare_method(ident, name, STRING, STRING, *place, result=INT, run=f"{_RUN}.{run}"),
        (SEARCH_WITHIN, f"{_RUN}.oldest_{run}"),
        (SEARCH_EMPTY, f"{_RUN}.middle_{run}"),
        (SEARCH_ANYWHERE, f"{_RUN}.old_{run}"),
    )


OVERLOADS = (
    declare_method("string_char_at_int", "charAt", STRING, INT, result=STRING, run=f"{_RUN}.get_char_at"),
    *_make_search_overloads("string_index_of_string", "indexOf"),
    *_make_search_overloads("string_index_of_string_int", "indexOf", INT),
    *_make_search_overloads("string_last_index_of_string", "lastIndexOf"),
    *_make_search_overloads("string_last_index_of_string_int", "lastIndexOf", INT),
    declare_method("string_lower_ascii", "lowerAscii", STRING, result=STRING, run=f"{_RUN}.lower"),
    declare_method(
        "string_replace_string_string", "replace", STRING, STRING, STRING, result=STRING, run=f"{_RUN}.replace"
    ),
    declare_method(
        "string_replace_string_string_int", "replace", STRING, STRING, STRING, INT, result=STRING, run=f"{_RUN}.replace"
    ),
    declare_method("string_split_string", "split", STRING, STRING, result=_TEXTS, run=f"{_RUN}.split"),
    declare_method("string_split_string_int", "split", STRING, STRING, INT, result=_TEXTS, run=f"{_RUN}.split"),
    declare_method("string_substring_int", "substring", STRING, INT, result=STRING, run=f"{_RUN}.get_substring"),
    declare_method(
        "string_substring_int_int", "substring", STRING, INT, INT, result=STRING, run=f"{_RUN}.get_substring"
    ),
    declare_method("string_trim", "trim", STRING, result=STRING, run=f"{_RUN}.trim"),
    declare_method("string_upper_ascii", "upperAscii", STRING, result=STRING, run=f"{_RUN}.upper"),
)


def _make_join_overloads(run: str) -> tuple[Overload, Overload]:
    return (
        declare_method("list_join", "join", _TEXTS, result=STRING, run=f"{_RUN}.{run}"),
        declare_method("list_join_string", "join", _TEXTS, STRING, result=STRING, run=f"{_RUN}.{run}"),
    )


VERSION_0 = Library(
    "cel.lib.ext.strings",
    (
        *OVERLOADS,
        *(
            row
            for overload in _make_join_overloads("join_native")
            for row in split_by_version(overload, (JOINED_LISTS, f"{_RUN}.join_broken"))
        ),
    ),
)
LIBRARY = Library(
    "cel.lib.ext.strings",
    (
        *OVERLOADS,
        *_make_join_overloads("join"),
        *split_by_version(
            declare_method(
                "string_format", "format", STRING, make_list_type(DYN), result=STRING, run=f"{_FORMAT}.format_text"
            ),
            (TYPED_OPTIONALS, f"{_FORMAT}.old_format_text"),
            (FLAT_EXPONENTS, f"{_FORMAT}.middle_format_text"),
        ),
        declare_function("strings_quote", "strings.quote", STRING, result=STRING, run=f"{_RUN}.quote"),
    ),
)
