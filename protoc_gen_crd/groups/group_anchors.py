"""The anchors of the reference page of a group, which do not change when other elements are added."""

from __future__ import annotations

import re
from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.groups.group_model import VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan

SERVICE = "service"  # the anchor of the overview of a group in HTML
_SECTIONS = (SERVICE, "versions", "rpcs", "messages", "samples")


class GroupAnchors(Record):
    """The anchors of RPCs and messages by name, and of fields by the names of the message and the field."""

    rpcs: Mapping[str, str]
    messages: Mapping[str, str]
    fields: Mapping[tuple[str, str], str]


NO_ANCHORS = GroupAnchors({}, {}, {})


def make_group_anchors(plan: GroupPlan) -> GroupAnchors:
    """Return the anchors of a group. Names that differ only in case get numbers."""
    used = {_format(plan.group.name), *_SECTIONS}
    messages = {name: _add(_format(name), used) for name in sorted(plan.messages)}
    rpcs = {rpc.name: _add(_format(rpc.name), used) for rpc in plan.group.rpcs}
    names = dict.fromkeys(
        (name, field)
        for name in sorted(plan.messages)
        for member in plan.types.messages[name].members.values()
        for field in member.fields
    )
    fields = {(name, field): _add(f"{messages[name]}-{field.lower()}", used) for name, field in names}
    return GroupAnchors(rpcs, messages, fields)


def make_sample_anchor(rpc: VersionRpc, way: str) -> str:
    """Return the anchor of the sample of a request or response."""
    return f"{_format(rpc.method.name)}-{rpc.version.name}-{way}"


def _format(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x"


def _add(base: str, used: set[str]) -> str:
    anchor, number = base, 1
    while anchor in used:
        number += 1
        anchor = f"{base}-{number}"
    used.add(anchor)
    return anchor
