"""Rules of the linter: the declaration of a rule, and the issue that its check returns.

The documentation of a rule and its severity are in `findings/lint.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Severity

OFF, NOTE, WARNING, ERROR = Severity.OFF, Severity.NOTE, Severity.WARNING, Severity.ERROR
ISTIO, OCM, IMMUTABLE = "istio", "open-cluster-management", "immutable"

# The kinds of elements.
FILE, MESSAGE, ENUM, ENUM_VALUE, FIELD, ONEOF = "file", "message", "enum", "enum value", "field", "oneof"
SERVICE, METHOD = "service", "method"
CRD, VERSION, NODE = "CRD", "version", "schema"
PROTO_KINDS = (FILE, MESSAGE, ENUM, ENUM_VALUE, FIELD, ONEOF, SERVICE, METHOD)
SCHEMA_KINDS = (CRD, VERSION, NODE)


class Issue(Record):
    """A problem of an element, a hint, and its place if that is not the place of the element."""

    message: str
    hint: str = ""
    at: Place | None = None


class LintRule(Record):
    """A rule: its id, the kinds of elements that it checks, and the check.

    `severities` are those of profiles that differ from the severity of the rule. A rule `for_new` checks only elements
    that an old side does not have, because an element cannot be renamed or restricted after its release. A rule
    `for_deprecated` checks only deprecated elements. The hint of a rule that `renames` suggests a name that manifests
    contain.
    """

    id: str
    kinds: tuple[str, ...]
    check: Callable[[Any], Issue | None]
    severities: Mapping[str, Severity] = {}
    for_new: bool = False
    for_deprecated: bool = False
    renames: bool = False
