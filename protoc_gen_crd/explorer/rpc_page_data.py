"""The data of the page of a gRPC API group: the service, and each RPC with its request and response by version.

It has the form of the pages of kinds: the service and the RPCs are its kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.markdown_escapes import plain
from protoc_gen_crd.explorer.html_descriptions import render_line, render_prose
from protoc_gen_crd.explorer.kind_page_data import VersionVerdict, encode_verdict
from protoc_gen_crd.explorer.node_table import NodeTable, trim
from protoc_gen_crd.explorer.rpc_tree import RpcTree, format_notice, strip_notice
from protoc_gen_crd.groups.codegen.module_source import summarize
from protoc_gen_crd.groups.codegen.rpc_types import list_rpcs
from protoc_gen_crd.groups.group_anchors import SERVICE, make_group_anchors, make_sample_anchor
from protoc_gen_crd.groups.group_model import GroupVersion, Rpc, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.message_descriptions import describe_rpc_kind, format_versions
from protoc_gen_crd.groups.rpc_samples import make_rpc_samples


def make_rpc_page_model(plan: GroupPlan, verdicts: Sequence[VersionVerdict] = ()) -> dict[str, Any]:
    """Return the data of the page of a group as plain data. `verdicts` are those on the changes between versions."""
    return _PageModel(plan).make(verdicts)


def describe_rpcs(plan: GroupPlan) -> list[tuple[str, list[str], str]]:
    """Return the name, versions and first sentence of each RPC, as HTML."""
    return [
        (
            rpc.name,
            [version_rpc.version.name for version_rpc in _list_newest_first(rpc)],
            render_line(plain(_summarize(rpc))),
        )
        for rpc in plan.group.rpcs
    ]


def _summarize(rpc: Rpc) -> str:
    return summarize(strip_notice(rpc.newest.method.comment))


def _list_newest_first(rpc: Rpc) -> list[VersionRpc]:
    return [rpc.methods[index] for index in sorted(rpc.methods, reverse=True)]


class _PageModel:
    def __init__(self, plan: GroupPlan) -> None:
        self._plan = plan
        self._anchors = make_group_anchors(plan)
        self._table = NodeTable()
        self._types: dict[str, list[Any]] = {}  # the first place of each message by its anchor: RPC and path

    def make(self, verdicts: Sequence[VersionVerdict]) -> dict[str, Any]:
        plan = self._plan
        service = self._make_kind(
            plan.group.versions[-1].service.name, SERVICE, plan.group.versions[-1].service.comment
        )
        service |= {
            "isOverview": True,
            "versions": [self._make_service_version(version) for version in reversed(plan.group.versions)],
            "verdicts": [encode_verdict(verdict) for verdict in verdicts],
        }
        rpcs = [self._make_rpc(number, named.rpc, named.method) for number, named in enumerate(list_rpcs(plan), 1)]
        return {
            "group": plan.group.name,
            "limits": {},
            "kinds": [service, *rpcs],
            "types": list(self._types.values()),
            "nodes": self._table.nodes,
            "past": [],
            "verdicts": [],
        }

    def _make_kind(self, name: str, anchor: str, comment: str) -> dict[str, Any]:
        return {
            "kind": name, "name": anchor, "anchor": anchor, "description": render_prose(strip_notice(comment)),
            "facts": [], "releases": [], "verdicts": [], "costs": [], "conversion": None, "samples": [],
        }  # fmt: skip

    def _make_service_version(self, version: GroupVersion) -> dict[str, Any]:
        """Return a version of the service, whose fields are its RPCs."""
        rpcs = [rpc for rpc in self._plan.group.rpcs if version.index in rpc.methods]
        root = self._table.add({"fields": [self._make_row(rpc, rpc.methods[version.index]) for rpc in rpcs]})
        record = self._plan.records.get(version.name)
        notes = [record.title if record and record.title else version.get_wire_name(version.service.full_name)]
        notes += ["the hub"] if version.index == self._plan.group.hub else []
        return self._make_version(version, root, version.deprecated, notes)

    def _make_row(self, rpc: Rpc, method: VersionRpc) -> list[Any]:
        """Return the field of the service for an RPC."""
        sentence = summarize(strip_notice(method.method.comment))
        node = {"type": self._format_signature(method), "description": render_line(plain(sentence))}
        anchor, notice = self._anchors.rpcs[rpc.name], format_notice(method.deprecated)
        return trim([method.method.name, self._table.add(node), 0, anchor, "", notice])

    def _make_version(self, version: GroupVersion, root: int, deprecated: str, notes: Sequence[str]) -> dict[str, Any]:
        return {"name": version.name, "root": root, "deprecated": format_notice(deprecated), "notes": list(notes)}

    def _format_signature(self, rpc: VersionRpc) -> str:
        method, name = rpc.method, rpc.version.get_relative_name
        request = f"{'stream ' * method.client_streaming}{name(method.input_type)}"
        return render_line(plain(f"{request} → {'stream ' * method.server_streaming}{name(method.output_type)}"))

    def _make_rpc(self, number: int, rpc: Rpc, python_name: str) -> dict[str, Any]:
        kind = self._make_kind(rpc.name, self._anchors.rpcs[rpc.name], rpc.newest.method.comment)
        facts = [["kind", describe_rpc_kind(rpc)], ["versions", format_versions(rpc.methods, self._plan)]]
        return kind | {
            "facts": [*facts, ["Python method", python_name]],
            "versions": [self._make_rpc_version(number, rpc, version_rpc) for version_rpc in _list_newest_first(rpc)],
            "samples": list(self._make_samples(rpc)),
        }

    def _make_rpc_version(self, number: int, rpc: Rpc, method: VersionRpc) -> dict[str, Any]:
        tree = RpcTree(self._plan, self._anchors, self._table, method.version)
        old_name = [f"named {method.method.name}"] * (method.method.name != rpc.name)
        version = self._make_version(method.version, tree.add_rpc(method), method.deprecated, old_name)
        for anchor, path in tree.types.items():
            self._types.setdefault(anchor, [anchor, number, path])
        return version

    def _make_samples(self, rpc: Rpc) -> Iterator[list[str]]:
        for method in _list_newest_first(rpc):
            for way, text in make_rpc_samples(self._plan, method):
                yield [make_sample_anchor(method, way), f"{method.method.name} {method.version.name}, {way}", text]
