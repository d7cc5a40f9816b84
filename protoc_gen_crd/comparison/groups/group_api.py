"""The API of gRPC groups as a summary: services, RPCs, messages, fields, and enums of each version, by name.

The summary has the form of `api_summary`, so that histories and deprecation policies apply to it. Its kinds are the
names of groups, which have no slash. The paths of a version are names below its package: `Disk` for the service,
`Disk.GetStats` for an RPC, `GetStatsRequest` for a message, `GetStatsRequest.disk_number` for a field, and `State` for
an enum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import (
    ELEMENT_CHECKS,
    FACTS,
    ApiSummary,
    Facts,
    KindSummary,
    get_parent,
    parse_summary,
)
from protoc_gen_crd.comparison.recorded_types import Check, require
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import DEPRECATED, DEPRECATED_VALUES

if TYPE_CHECKING:
    from protoc_gen_crd.kubernetes.deprecation_policy import Term

SERVICE, RPC, MESSAGE, FIELD, ENUM = "service", "RPC", "message", "field", "enum"
REQUEST, RESPONSE, STREAMS = "request", "response", "streams"
FROZEN = "generated"  # the version is generated from an annotated service, so a recorded version does not change
USES = "uses"  # the directions in which a message or enum is used
NUMBERS = "numbers"
POLICY = "policy"

# The types of facts, for `recorded_types`.
GROUP_TYPES: Mapping[str, Mapping[str, str]] = {
    "VersionFacts": {
        **FACTS, "served": "bool", DEPRECATED: "bool", "deprecation_warning": "string", FROZEN: "bool",
        POLICY: "map[string]uint32",
    },
    "Field": {
        **FACTS, "element": "string", REQUEST: "string", RESPONSE: "string", STREAMS: "[]string", USES: "[]string",
        POLICY: "map[string]uint32", "type": "string", "number": "int64", "presence": "bool", "oneof": "string",
        "required": "bool", "enum": "[]string", NUMBERS: "[]int64", DEPRECATED: "bool", DEPRECATED_VALUES: "[]string",
    },
}  # fmt: skip


class GroupApi(Record):
    """The summary of groups, and the places of elements by group, version, and path."""

    summary: Mapping[str, KindSummary] = {}
    places: Mapping[tuple[str, str, str], Place] = {}

    def find_place(self, group: str, version: str = "", path: str = "") -> Place | None:
        """Return the place of an element, or else of its nearest parent."""
        while path and (group, version, path) not in self.places:
            path = get_parent(path)
        return self.places.get((group, version, path)) or self.places.get((group, version, ""))


def merge_groups(apis: Sequence[GroupApi]) -> GroupApi | None:
    """Return the groups of several sources; None if there is no source. The first group of a name is used."""
    if not apis:
        return None
    summary = {name: kind for api in reversed(apis) for name, kind in api.summary.items()}
    return GroupApi(summary, {key: place for api in reversed(apis) for key, place in api.places.items()})


def is_group(kind: str) -> bool:
    """Return whether the name of a kind in a summary is that of an API group; kinds have the form `group/Kind`."""
    return "/" not in kind


def select_groups(summary: ApiSummary) -> ApiSummary:
    """Return the API groups of a summary."""
    return {name: kind for name, kind in summary.items() if is_group(name)}


def select_kinds(summary: ApiSummary) -> ApiSummary:
    """Return the kinds of a summary."""
    return {name: kind for name, kind in summary.items() if not is_group(name)}


def get_element(facts: Facts) -> str:
    """Return what an element is: SERVICE, RPC, MESSAGE, FIELD, or ENUM."""
    return str(facts.get("element", FIELD))


def list_terms(summary: ApiSummary) -> Iterator[tuple[str, Term]]:
    """Yield the deprecation periods that versions and RPCs declare, by their names in settings."""
    from protoc_gen_crd.kubernetes.deprecation_policy import Term  # noqa: PLC0415 - few APIs have groups

    for group, kind in select_groups(summary).items():
        for name, version in kind.versions.items():
            for path, facts in (("", version.facts), *version.fields.items()):
                if policy := facts.get(POLICY):
                    element = ".".join(filter(None, (group, name, path)))
                    yield element, Term(policy.get("months", 0), policy.get("releases", 0))


def _check_groups(summary: Facts) -> None:
    if names := [name for name in summary["kinds"] if not is_group(name)]:
        raise ValueError(f'"{names[0]}" is not the name of an API group')


def _check_element(facts: Facts) -> None:
    require(*_REQUIRED_FACTS.get(get_element(facts), ()))(facts)
    if len(facts.get("enum", ())) != len(facts.get(NUMBERS, ())):
        raise ValueError("an enum has not as many numbers as values")
    if unknown := [way for way in facts.get(STREAMS, ()) if way not in (REQUEST, RESPONSE)]:
        raise ValueError(f'an RPC streams neither requests nor responses, but "{unknown[0]}"')


_REQUIRED_FACTS = {RPC: (REQUEST, RESPONSE), FIELD: ("number", "type"), ENUM: ("enum", NUMBERS)}
_CHECKS: Mapping[str, Check] = {"Summary": _check_groups, "Field": _check_element, **ELEMENT_CHECKS}


def parse_groups(text: str, known: ApiSummary | None = None) -> ApiSummary:
    """Parse the output of `format_summary` for groups; see `parse_summary`."""
    return parse_summary(text, known, GROUP_TYPES, _CHECKS)
