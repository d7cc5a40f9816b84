"""The summary of groups for histories and comparisons: `comparison/groups/group_api.py` describes its form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.comparison.api_summary import Facts, KindSummary, VersionSummary
from protoc_gen_crd.comparison.groups.group_api import (
    ENUM,
    FROZEN,
    MESSAGE,
    NUMBERS,
    POLICY,
    REQUEST,
    RESPONSE,
    RPC,
    SERVICE,
    STREAMS,
    USES,
    GroupApi,
)
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.groups.group_model import GroupVersion, VersionField, VersionMessage, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.message_usage import REQUEST as UP
from protoc_gen_crd.groups.message_usage import find_usage
from protoc_gen_crd.proto.element_model import Element, Enum
from protoc_gen_crd.schema.schema import DEPRECATED, DEPRECATED_VALUES

Row = tuple[str, Facts, Place]  # the path of an element, its facts, and its place


def summarize_groups(plans: Iterable[GroupPlan]) -> GroupApi:
    """Return the summary of groups, and the places of their elements."""
    summary: dict[str, KindSummary] = {}
    places: dict[tuple[str, str, str], Place] = {}
    for plan in plans:
        group, versions = plan.group.name, {}
        for version in plan.group.versions:
            rows = sorted(_VersionSummarizer(plan, version).list_elements())
            versions[version.name] = VersionSummary(_summarize_version(version), {row[0]: row[1] for row in rows}, {})
            places[group, version.name, ""] = version.service.at
            places |= {(group, version.name, path): place for path, _, place in rows}
        summary[group] = KindSummary({}, versions)
        places[group, "", ""] = plan.group.versions[-1].service.at
    return GroupApi(summary, places)


def _summarize_version(version: GroupVersion) -> Facts:
    facts = {DEPRECATED: bool(version.deprecated), "deprecation_warning": version.deprecated}
    return {"served": True, **_drop_empty({**facts, FROZEN: version.is_generated, POLICY: version.policy})}


def _drop_empty(facts: dict[str, Any]) -> Facts:
    return {name: value for name, value in facts.items() if value not in (False, "", [], {})}


class _VersionSummarizer:
    """Summarizes the elements of a version."""

    def __init__(self, plan: GroupPlan, version: GroupVersion) -> None:
        self._plan = plan
        self._version = version
        self._uses: dict[str, set[str]] = {}  # directions by class of the hub
        for name, way in find_usage(plan.group, plan.types, version):
            self._uses.setdefault(name, set()).add(REQUEST if way == UP else RESPONSE)

    def list_elements(self) -> Iterator[Row]:
        """Yield the elements of the version."""
        service = self._version.service
        yield self._get_path(service.full_name), {"element": SERVICE}, service.at
        for rpc in self._plan.group.rpcs:
            if self._version.index in rpc.methods:
                yield self._summarize_rpc(rpc.methods[self._version.index])
        for name, lineage in self._plan.types.messages.items():
            if self._version.index in lineage.members:
                yield from self._summarize_message(name, lineage.members[self._version.index])
        for enum in self._plan.types.enums.values():
            if self._version.index in enum.members:
                yield self._summarize_enum(enum.name, enum.members[self._version.index])

    def _get_path(self, full_name: str) -> str:
        return self._version.get_relative_name(full_name)

    def _summarize_rpc(self, rpc: VersionRpc) -> Row:
        method = rpc.method
        streams = [REQUEST] * method.client_streaming + [RESPONSE] * method.server_streaming
        facts = {
            REQUEST: self._get_path(method.input_type), RESPONSE: self._get_path(method.output_type),
            STREAMS: streams, DEPRECATED: bool(rpc.deprecated), POLICY: rpc.policy,
        }  # fmt: skip
        return self._get_path(method.full_name), _drop_empty({"element": RPC, **facts}), method.at

    def _summarize_message(self, name: str, member: VersionMessage) -> Iterator[Row]:
        path = self._get_path(member.message.full_name)
        yield path, {"element": MESSAGE, USES: sorted(self._uses.get(name, ()))}, member.message.at
        for field in member.fields.values():
            yield f"{path}.{field.name}", self._summarize_field(field), field.field.at

    def _summarize_field(self, field: VersionField) -> Facts:
        facts = {
            "type": self._describe_type(field), "presence": field.type.has_presence and not field.type.oneof,
            "oneof": field.type.oneof, "required": field.field.required, DEPRECATED: self._is_deprecated(field.field),
        }  # fmt: skip
        return {"number": field.field.number, **_drop_empty(facts)}

    def _describe_type(self, field: VersionField) -> str:
        """Describe the type as in the .proto file of the version."""
        value = self._describe_value(field)
        if field.type.label == "map" and field.type.key is not None:
            return f"map<{field.type.key.kind}, {value}>"
        return f"repeated {value}" if field.type.label == "list" else value

    def _describe_value(self, field: VersionField) -> str:
        value = field.type.value
        if value.kind not in ("message", "enum"):
            return value.name or value.kind
        lineages = self._plan.types.messages if value.kind == "message" else self._plan.types.enums
        member = lineages[value.name].members[self._version.index]
        return self._get_path(member.message.full_name if isinstance(member, VersionMessage) else member.full_name)

    def _is_deprecated(self, element: Element) -> bool:
        return bool(self._plan.get_deprecation(element))

    def _summarize_enum(self, name: str, enum: Enum) -> Row:
        uses = {
            way
            for message, lineage in self._plan.types.messages.items()
            if self._version.index in lineage.members
            for field in lineage.members[self._version.index].fields.values()
            if field.type.value.name == name and field.type.value.kind == "enum"
            for way in self._uses.get(message, ())
        }
        deprecated = [value.name for value in enum.values if self._plan.get_value_deprecation(enum, value)]
        facts = {
            "element": ENUM, "enum": [value.name for value in enum.values],
            NUMBERS: [value.number for value in enum.values], USES: sorted(uses), DEPRECATED_VALUES: deprecated,
        }  # fmt: skip
        return self._get_path(enum.full_name), _drop_empty(facts), enum.at
