"""The reference page of a group for `docs`: versions, RPCs, and messages, with samples of each version."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.markdown import fenced, plain
from protoc_gen_crd.groups.codegen.group_readme import generate_page
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.group_samples import make_group_samples


def make_group_page(plan: GroupPlan) -> str:
    """Return the page as Markdown."""
    return "\n".join([generate_page(plan), "## Samples", *_list_samples(plan)]) + "\n"


def _list_samples(plan: GroupPlan) -> Iterator[str]:
    """Yield the request and response of each RPC of each version, from the newest version."""
    by_version: dict[str, list[tuple[str, str]]] = {}
    for file in make_group_samples(plan):
        _, version_name, name = file.name.split("/")
        by_version.setdefault(version_name, []).append((name.removesuffix(".json"), file.text))
    for version in reversed(plan.group.versions):
        for name, text in by_version.get(version.name, ()):
            rpc, _, way = name.rpartition(".")
            yield from ("", f"### {plain(rpc)} {version.name}, {way}", "", *fenced(text.rstrip("\n"), "json"))
