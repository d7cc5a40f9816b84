"""Texts beyond the standard library. Source: cel-go v0.29 `ext/strings.go`, versions 0 and 2."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import DYN, INT, STRING, list_of

_TEXTS = list_of(STRING)

OVERLOADS = (
    method("string_char_at_int", "charAt", STRING, INT, result=STRING),
    method("string_index_of_string", "indexOf", STRING, STRING, result=INT),
    method("string_index_of_string_int", "indexOf", STRING, STRING, INT, result=INT),
    method("string_last_index_of_string", "lastIndexOf", STRING, STRING, result=INT),
    method("string_last_index_of_string_int", "lastIndexOf", STRING, STRING, INT, result=INT),
    method("string_lower_ascii", "lowerAscii", STRING, result=STRING),
    method("string_replace_string_string", "replace", STRING, STRING, STRING, result=STRING),
    method("string_replace_string_string_int", "replace", STRING, STRING, STRING, INT, result=STRING),
    method("string_split_string", "split", STRING, STRING, result=_TEXTS),
    method("string_split_string_int", "split", STRING, STRING, INT, result=_TEXTS),
    method("string_substring_int", "substring", STRING, INT, result=STRING),
    method("string_substring_int_int", "substring", STRING, INT, INT, result=STRING),
    method("string_trim", "trim", STRING, result=STRING),
    method("string_upper_ascii", "upperAscii", STRING, result=STRING),
    method("list_join", "join", _TEXTS, result=STRING),
    method("list_join_string", "join", _TEXTS, STRING, result=STRING),
)

VERSION_0 = Library("cel.lib.ext.strings", OVERLOADS)
LIBRARY = Library(
    "cel.lib.ext.strings",
    (
        *OVERLOADS,
        method("string_format", "format", STRING, list_of(DYN), result=STRING),
        function("strings_quote", "strings.quote", STRING, result=STRING),
    ),
)
