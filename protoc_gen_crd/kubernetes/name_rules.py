"""The name grammars of Kubernetes, with the error messages of API servers.

Source: k8s.io/apimachinery pkg/util/validation validation.go, pkg/api/validate/content.
"""

from __future__ import annotations

import re

_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

_LABEL_WORDS = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_WORDS = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    f"and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_ALPHANUMERIC = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
)
_KEY_WORDS = f"{_ALPHANUMERIC}(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_KEY}')"
_VALUE_WORDS = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
    f"regex used for validation is '({_KEY})?')"
)


def _check_grammar(text: str, pattern: str, limit: int, words: str, unit: str = "characters") -> list[str]:
    faults = []
    if len(text.encode("utf-8", "surrogateescape")) > limit:
        faults.append(f"must be no more than {limit} {unit}")
    if re.fullmatch(pattern, text) is None:
        faults.append(words)
    return faults


def validate_dns1035_label(text: str) -> list[str]:
    """Validate an RFC 1035 label."""
    return _check_grammar(text, _LABEL, 63, _LABEL_WORDS)


def validate_dns1123_subdomain(text: str, unit: str = "characters") -> list[str]:
    """Validate an RFC 1123 subdomain."""
    return _check_grammar(text, _SUBDOMAIN, 253, _SUBDOMAIN_WORDS, unit)


def validate_dns1123_label(text: str, *, dots: bool = True) -> list[str]:
    """Validate an RFC 1123 label; with `dots`, dots have their own error message."""
    pattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
    words = (
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
        f"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{pattern}')"
    )
    if dots and len(text) <= 253 and re.fullmatch(_SUBDOMAIN, text):
        words = "must not contain dots"
    return _check_grammar(text, pattern, 63, words)


def _get_length_unit(*, newer: bool) -> str:
    return "bytes" if newer else "characters"


def validate_label_key(text: str, *, newer: bool) -> list[str]:
    """Validate a label key, before 1.35 a qualified name: `name` or `example.com/name`."""
    *prefixes, name = text.split("/")
    if len(prefixes) > 1:
        what = "valid label key" if newer else "qualified name"
        return [f"a {what} {_KEY_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    faults = [f"prefix part {fault}" for prefix in prefixes for fault in _validate_prefix(prefix, newer=newer)]
    if not name:
        faults.append("name part must be non-empty")
    return faults + [
        f"name part {fault}" for fault in _check_grammar(name, _KEY, 63, _KEY_WORDS, _get_length_unit(newer=newer))
    ]


def _validate_prefix(text: str, *, newer: bool) -> list[str]:
    return validate_dns1123_subdomain(text, _get_length_unit(newer=newer)) if text else ["must be non-empty"]


def validate_label_value(text: str, *, newer: bool) -> list[str]:
    """Validate the value of a label; since 1.35, lengths are in bytes."""
    return _check_grammar(text, f"({_KEY})?", 63, _VALUE_WORDS, _get_length_unit(newer=newer))


def validate_path_segment(text: str, *, prefix: bool = False) -> list[str]:
    """Validate a name, or a name prefix, as a segment of a URL path."""
    if not prefix and text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{part}'" for part in ("/", "%") if part in text]


def mask_trailing_dash(text: str) -> str:
    """The start of a generated name as if it were a whole one: a trailing dash is followed by more."""
    if len(text) < 2 or not text.endswith("-"):
        return text
    return f"{text.encode('utf-8', 'surrogateescape')[:-2].decode('utf-8', 'surrogateescape')}a"  # servers count bytes
