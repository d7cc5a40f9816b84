"""The reference page of a group for `docs`: versions, RPCs, and messages, with samples of each version."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.markdown_escapes import fenced, plain
from protoc_gen_crd.groups.codegen.group_readme import generate_page
from protoc_gen_crd.groups.group_anchors import make_group_anchors, make_sample_anchor
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.rpc_samples import make_rpc_samples


def make_group_page(plan: GroupPlan) -> str:
    """Return the page as Markdown."""
    return "\n".join([generate_page(plan, make_group_anchors(plan)), "## Samples", *_list_samples(plan)]) + "\n"


def _list_samples(plan: GroupPlan) -> Iterator[str]:
    """Yield the request and response of each RPC of each version, from the newest version.

    A microversion has samples only where they differ from those of the next one.
    """
    shown: dict[tuple[str, str], str] = {}
    for version in reversed(plan.group.versions):
        for rpc in plan.group.rpcs:
            if version.index in rpc.methods:
                method = rpc.methods[version.index]
                for way, text in make_rpc_samples(plan, method):
                    if plan.group.line is not None and shown.get((rpc.name, way)) == text:
                        continue
                    shown[rpc.name, way] = text
                    mark = f'<a id="{make_sample_anchor(method, way)}"></a>'
                    yield from ("", f"### {mark}{plain(method.method.name)} {version.name}, {way}", "")
                    yield from fenced(text, "json")
