"""The name grammars of Kubernetes with the server's words for what is wrong.

Source: k8s.io/apimachinery pkg/util/validation validation.go, pkg/api/validate/content.
"""

from __future__ import annotations

import re

_LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?\Z")
_SUBDOMAIN_1123 = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\Z")

_LABEL_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_SUBDOMAIN_1123_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', "
    r"regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)


def _grammar(text: str, pattern: re.Pattern[str], limit: int, words: str) -> list[str]:
    faults = []
    if len(text.encode()) > limit:
        faults.append(f"must be no more than {limit} characters")
    if pattern.match(text) is None:
        faults.append(words)
    return faults


def dns1035_label(text: str) -> list[str]:
    """What is wrong with an RFC 1035 label."""
    return _grammar(text, _LABEL_1035, 63, _LABEL_1035_TEXT)


def dns1123_subdomain(text: str) -> list[str]:
    """What is wrong with an RFC 1123 subdomain."""
    return _grammar(text, _SUBDOMAIN_1123, 253, _SUBDOMAIN_1123_TEXT)
