"""The tree of the request and response of an RPC in a version."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.markdown_escapes import plain
from protoc_gen_crd.explorer.html_descriptions import render_line, render_prose
from protoc_gen_crd.explorer.node_table import NodeTable, trim
from protoc_gen_crd.groups.declared_value_conversions import describe_type
from protoc_gen_crd.groups.group_anchors import GroupAnchors
from protoc_gen_crd.groups.group_model import GroupVersion, MessageLineage, VersionField, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.message_descriptions import describe_older_fields

_STEPS = {"list": "[]", "map": "{}"}


class RpcTree:
    """Adds the messages of RPCs of a version to a table. `types` are the paths of messages by their anchors."""

    def __init__(self, plan: GroupPlan, anchors: GroupAnchors, table: NodeTable, version: GroupVersion) -> None:
        self._plan, self._anchors, self._table, self._version = plan, anchors, table, version
        self.types: dict[str, str] = {}

    def add_rpc(self, rpc: VersionRpc) -> int:
        """Add the request and response of an RPC, and return the index of the node."""
        method = rpc.method
        sides = (
            ("request", method.input_type, method.client_streaming),
            ("response", method.output_type, method.server_streaming),
        )
        fields = []
        for side, full_name, is_stream in sides:
            name = self._plan.types.names.get((self._version.index, full_name), "")
            node = {"type": _render(f"{'stream ' * is_stream}{self._version.get_relative_name(full_name)}")}
            fields.append([side, self._add_message(side, name, (), node)])
        return self._table.add({"fields": fields})

    def _add_message(self, path: str, name: str, parents: tuple[str, ...], node: dict[str, Any]) -> int:
        """Add the node of a message, or of another type if the name is empty. A message in itself has no fields."""
        lineage = self._plan.types.messages.get(name)
        if lineage is not None:
            self.types.setdefault(self._anchors.messages[name], path)
            member = lineage.members[self._version.index]
            node.setdefault("description", render_prose(strip_notice(member.message.comment)))
            if name not in parents:
                path += node.get("steps", "")
                fields = member.fields.values()
                node["fields"] = [self._make_field(path, lineage, field, (*parents, name)) for field in fields]
        return self._table.add(node)

    def _make_field(
        self, path: str, lineage: MessageLineage, field: VersionField, parents: tuple[str, ...]
    ) -> list[Any]:
        first = min(index for index, member in lineage.members.items() if field.name in member.fields)
        since = self._plan.group.versions[first].name if first > min(lineage.members) else ""
        value = field.type.value
        node = self._make_node(lineage, field)
        index = self._add_message(f"{path}.{field.name}", value.name if value.kind == "message" else "", parents, node)
        anchor = self._anchors.fields[lineage.name, field.name]
        notice = format_notice(self._plan.get_deprecation(field.field))
        return trim([field.name, index, int(field.field.required), anchor, since, notice])

    def _make_node(self, lineage: MessageLineage, field: VersionField) -> dict[str, Any]:
        notes = [f"one of {field.type.oneof}"] if field.type.oneof else []
        node = {
            "type": _render(describe_type(field.type)),
            "steps": _STEPS.get(field.type.label, ""),
            "constraints": [_render(note) for note in notes],
            "older": [_render(note) for note in describe_older_fields(self._plan, lineage, self._version, field.name)],
            "values": self._make_values(field),
        }
        description = render_prose(strip_notice(field.field.comment))
        return {**node, "description": description} if description else node

    def _make_values(self, field: VersionField) -> list[list[Any]]:
        """Return the values of an enum: each with its name, description, and deprecation."""
        if field.type.value.kind != "enum":
            return []
        enum = self._plan.types.enums[field.type.value.name].members[self._version.index]
        notices = {value.name: self._plan.get_value_deprecation(enum, value) for value in enum.values}
        return [
            trim([value.name, render_prose(strip_notice(value.comment)), "", "", format_notice(notices[value.name])])
            for value in enum.values
        ]


def strip_notice(comment: str) -> str:
    """Return a comment without markers, and without the paragraph of a deprecation, which has its own place."""
    lines = [line for line in comment.splitlines() if not line.strip().startswith("+")]
    paragraphs = "\n".join(lines).strip().split("\n\n")
    return "\n\n".join(paragraph for paragraph in paragraphs if not paragraph.strip().startswith("Deprecated:"))


def format_notice(notice: str) -> str:
    """Format the notice of a deprecation; empty if there is none."""
    return f"deprecated: {notice.removesuffix('.')}" if notice else ""


def _render(text: str) -> str:
    return render_line(plain(text))
