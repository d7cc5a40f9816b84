"""The name grammars of Kubernetes, with the error messages of API servers.

The expressions are for messages: names are validated without them, since their compilation would take 0.5 %
of a plugin run.

Source: k8s.io/apimachinery pkg/util/validation validation.go, pkg/api/validate/content.
"""

from __future__ import annotations

from collections.abc import Callable

_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

_LABEL_MESSAGE = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_MESSAGE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    f"and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_ALPHANUMERIC = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
)
_KEY_MESSAGE = f"{_ALPHANUMERIC}(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_KEY}')"
_VALUE_MESSAGE = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
    f"regex used for validation is '({_KEY})?')"
)


_LOWER = "abcdefghijklmnopqrstuvwxyz"
_LABEL_CHARACTERS = f"{_LOWER}0123456789-"
_KEY_CHARACTERS = f"{_LABEL_CHARACTERS}{_LOWER.upper()}_."


def _is_label(name: str) -> bool:
    return name != "" and name.strip(_LABEL_CHARACTERS) == "" and "-" not in (name[0], name[-1])


def _is_dns1035_label(name: str) -> bool:
    return _is_label(name) and name[0] in _LOWER


def _is_subdomain(name: str) -> bool:
    return all(map(_is_label, name.split(".")))


def _is_key(name: str) -> bool:
    return name != "" and name.strip(_KEY_CHARACTERS) == "" and name.strip("-_.") == name


def _is_value(name: str) -> bool:
    return name == "" or _is_key(name)


def _check_grammar(
    name: str, is_valid: Callable[[str], bool], limit: int, message: str, unit: str = "characters"
) -> list[str]:
    errors = []
    if len(name.encode("utf-8", "surrogateescape")) > limit:
        errors.append(f"must be no more than {limit} {unit}")
    if not is_valid(name):
        errors.append(message)
    return errors


def validate_dns1035_label(name: str) -> list[str]:
    """Validate an RFC 1035 label."""
    return _check_grammar(name, _is_dns1035_label, 63, _LABEL_MESSAGE)


def validate_dns1123_subdomain(name: str, unit: str = "characters") -> list[str]:
    """Validate an RFC 1123 subdomain."""
    return _check_grammar(name, _is_subdomain, 253, _SUBDOMAIN_MESSAGE, unit)


def validate_dns1123_label(name: str, *, dots: bool = True) -> list[str]:
    """Validate an RFC 1123 label; with `dots`, dots have their own error message."""
    pattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
    message = (
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
        f"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{pattern}')"
    )
    if dots and len(name) <= 253 and _is_subdomain(name):
        message = "must not contain dots"
    return _check_grammar(name, _is_label, 63, message)


def _get_length_unit(*, newer: bool) -> str:
    return "bytes" if newer else "characters"


def validate_label_key(key: str, *, newer: bool) -> list[str]:
    """Validate a label key, before 1.35 a qualified name: `name` or `example.com/name`."""
    *prefixes, name = key.split("/")
    if len(prefixes) > 1:
        description = "valid label key" if newer else "qualified name"
        return [
            f"a {description} {_KEY_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        ]
    errors = [f"prefix part {error}" for prefix in prefixes for error in _validate_prefix(prefix, newer=newer)]
    if not name:
        errors.append("name part must be non-empty")
    return errors + [
        f"name part {error}" for error in _check_grammar(name, _is_key, 63, _KEY_MESSAGE, _get_length_unit(newer=newer))
    ]


def _validate_prefix(name: str, *, newer: bool) -> list[str]:
    return validate_dns1123_subdomain(name, _get_length_unit(newer=newer)) if name else ["must be non-empty"]


def validate_label_value(name: str, *, newer: bool) -> list[str]:
    """Validate the value of a label; since 1.35, lengths are in bytes."""
    return _check_grammar(name, _is_value, 63, _VALUE_MESSAGE, _get_length_unit(newer=newer))


def validate_path_segment(name: str, *, prefix: bool = False) -> list[str]:
    """Validate a name, or a name prefix, as a segment of a URL path."""
    if not prefix and name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{part}'" for part in ("/", "%") if part in name]


def mask_trailing_dash(name: str) -> str:
    """Replace a trailing dash in the prefix of a generated name, which is followed by more characters."""
    if len(name) < 2 or not name.endswith("-"):
        return name
    return f"{name.encode('utf-8', 'surrogateescape')[:-2].decode('utf-8', 'surrogateescape')}a"  # servers count bytes
