"""Changes of each microversion, compared with the previous one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from protoc_gen_crd.base.markdown_escapes import plain
from protoc_gen_crd.comparison.api_summary import KindSummary
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.groups.group_model import NumberRecord
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.group_summary import summarize_groups


def list_number_changes(plan: GroupPlan) -> Mapping[str, list[str]]:
    """Return the changes of each number, oldest first, as Markdown; the oldest number has none."""
    summary = summarize_groups([plan]).summary[plan.group.name]
    changes: dict[str, list[str]] = {plan.group.versions[0].name: []}
    for older, newer in pairwise(version.name for version in plan.group.versions):
        sides = [GroupApi({plan.group.name: KindSummary({}, {newer: summary.versions[name]})})
                 for name in (older, newer)]  # fmt: skip
        compared = compare_groups(*sides)
        changes[newer] = [f"`{change.path}`: {plain(change.message)}" for change in compared if change.path]
    return changes


def describe_numbers(plan: GroupPlan) -> Iterator[str]:
    """Yield the history of the microversions as Markdown, newest first: note, release, and changes."""
    changes = list_number_changes(plan)
    for version in reversed(plan.group.versions):
        record = plan.records.get(version.name, NumberRecord())
        released = f"Released in {record.release} ({record.date})." if record.release else "Not released."
        deprecated = f"Deprecated: {plain(version.deprecated)}." if version.deprecated else ""
        yield from ("", f"### {version.name} {plain(record.title)}".rstrip(), "")
        yield " ".join(filter(None, (released, deprecated)))
        yield from ("", record.text) if record.text else ()
        yield from ("", *(f"- {change}" for change in changes[version.name])) if changes[version.name] else ()
