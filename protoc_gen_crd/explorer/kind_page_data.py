"""The data of a page: the kinds of a group with their versions, samples, releases and verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.explorer.conversion_graph import make_conversion_graph
from protoc_gen_crd.explorer.cost_tables import make_cost_tables
from protoc_gen_crd.explorer.html_descriptions import render_prose
from protoc_gen_crd.explorer.schema_table import SchemaTable
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST, SCHEMA_COST
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.reference.field_list import format_deprecation, get_description
from protoc_gen_crd.reference.group_page import PageAnchors, PageSample, index_anchors, strip_generated_comment
from protoc_gen_crd.reference.lifecycle import LifecycleIndex, make_empty_index

_CONTAINERS = re.compile(r"(?:\[\]|\{\})+\Z")


class ReleaseCrds(Record):
    """The CRDs of a recorded release."""

    name: str
    crds: Sequence[Crd]


class VersionSide(Record):
    """A version of a kind in a release; the release of the API itself is empty."""

    release: str
    version: str


class VersionVerdict(Record):
    """The verdict of `changes` between two versions of a kind, the first reasons for it, and the number of all."""

    old: VersionSide
    new: VersionSide
    text: str
    reasons: Sequence[tuple[str, str]]  # path and message
    count: int


class ExplorerInput(Record):
    """The content of the pages besides CRDs.

    `releases` are recorded releases, oldest first. `verdicts` are those of `changes` by old and new release, where the
    name of the API itself is empty. `version_verdicts` are those between versions, by CRD or gRPC API group. `minors`
    are the versions of Kubernetes to estimate costs for. `conversion_problems` are the reasons why a CRD with several
    versions has no plan.
    """

    lifecycles: LifecycleIndex
    samples: Sequence[PageSample] = ()
    plans: Sequence[Plan] = ()
    releases: Sequence[ReleaseCrds] = ()
    verdicts: Mapping[tuple[str, str], str] = {}
    minors: Sequence[int] = ()
    version_verdicts: Mapping[str, Sequence[VersionVerdict]] = {}
    conversion_problems: Mapping[str, Sequence[str]] = {}


def make_group_model(group: str, crds: Sequence[Crd], sources: ExplorerInput) -> dict[str, Any]:
    """Return the data of the page of a group as plain data."""
    anchors = index_anchors(group, crds, sources.lifecycles, sources.samples)
    table = SchemaTable(anchors.fields, sources.lifecycles)
    # Elements of past releases have no anchors, and their lifecycles are those of the API itself.
    past = SchemaTable({}, make_empty_index())
    estimator = RuleEstimator()
    next_release = sources.lifecycles.next_release
    samples = {sample: anchor for sample, anchor in anchors.samples.items() if sample.group == group}
    kinds = [
        {
            **_describe_kind(crd, anchors.crds[crd.name]),
            "versions": [_make_version(crd, version, table, sources.lifecycles) for version in _sort_versions(crd)],
            "releases": list(_make_releases(crd, sources.releases, past)),
            "verdicts": [encode_verdict(verdict) for verdict in sources.version_verdicts.get(crd.name, ())],
            "costs": make_cost_tables(crd, sources.minors, estimator),
            "conversion": next((make_conversion_graph(plan) for plan in sources.plans if plan.name == crd.name), None),
            "unconverted": list(sources.conversion_problems[crd.name])
            if crd.name in sources.conversion_problems
            else None,
            "samples": [
                [anchor, sample.title, strip_generated_comment(sample.text), sample.version]
                for sample, anchor in samples.items()
                if sample.kind == crd.names.kind
            ],
        }
        for crd in crds
    ]
    return {
        "group": group,
        "limits": {"rule": RULE_COST, "total": SCHEMA_COST},
        "unreleased": "" if next_release in {release.name for release in sources.releases} else next_release,
        "kinds": kinds,
        "types": list(_make_types(anchors, crds)),
        "nodes": table.nodes,
        "past": past.nodes,
        "verdicts": [[old, new, text] for (old, new), text in sources.verdicts.items()],
    }


def encode_verdict(verdict: VersionVerdict) -> list[Any]:
    """Return a verdict as a row."""
    old, new = verdict.old, verdict.new
    return [old.release, old.version, new.release, new.version, verdict.text, list(verdict.reasons), verdict.count]


def _make_types(anchors: PageAnchors, crds: Sequence[Crd]) -> Iterator[list[Any]]:
    """Yield the anchor of each type, and the kind and path of a field of that type."""
    indexes = {f"{crd.group}/{crd.names.kind}": index for index, crd in enumerate(crds)}
    for anchor, places in anchors.types.items():
        kind, _, path = places[0]
        yield [anchor, indexes[kind], _CONTAINERS.sub("", path)]


def _describe_kind(crd: Crd, anchor: str) -> dict[str, Any]:
    return {
        "kind": crd.names.kind,
        "anchor": anchor,
        "name": crd.name,
        "description": render_prose(get_kind_description(crd)),
        "facts": _list_facts(crd),
    }


def _list_facts(crd: Crd) -> list[list[str]]:
    facts = [
        ["name", crd.name],
        ["scope", crd.scope],
        ["short names", ", ".join(crd.names.short_names)],
        ["categories", ", ".join(crd.names.categories)],
    ]
    return [fact for fact in facts if fact[1]]


def get_kind_description(crd: Crd) -> str:
    """Return the description of a kind: of its object, else of its spec, in the preferred version that has one."""
    for version in _sort_versions(crd):
        if version.schema is not None:
            spec = version.schema.properties.get("spec")
            if description := get_description(version.schema) or (get_description(spec) if spec is not None else ""):
                return description
    return ""


def _sort_versions(crd: Crd) -> Sequence[CrdVersion]:
    """Return the versions, the preferred one first."""
    return sorted(crd.versions, key=lambda version: (not version.served, get_priority_key(version.name)))


def _make_version(crd: Crd, version: CrdVersion, table: SchemaTable, lifecycles: LifecycleIndex) -> dict[str, Any]:
    kind = f"{crd.group}/{crd.names.kind}"
    lifecycle = lifecycles.find_lifecycle([(kind, version.name, "")], deprecated=version.deprecated)
    return {
        "name": version.name,
        "root": -1 if version.schema is None else table.add_root(version.schema, kind, version.name),
        "served": version.served,
        "stored": version.storage,
        "channel": version.channel,
        "since": lifecycle.since,
        "deprecated": f"deprecated{format_deprecation(lifecycle)}" if version.deprecated else "",
        "warning": version.deprecation_warning or "",
        "status": version.status,
        "scale": version.scale.spec_replicas_path if version.scale else "",
        "columns": [[column.name, column.type, column.json_path, column.description] for column in version.columns],
        "selectable": list(version.selectable_fields),
    }


def _make_releases(crd: Crd, releases: Sequence[ReleaseCrds], past: SchemaTable) -> Iterator[list[Any]]:
    """Yield the name of each release, newest first, and its versions of a kind with their schemas."""
    kind = f"{crd.group}/{crd.names.kind}"
    for release in reversed(releases):
        for old in release.crds:
            if (old.group, old.names.kind) == (crd.group, crd.names.kind):
                versions = [version for version in _sort_versions(old) if version.schema is not None]
                yield [
                    release.name,
                    [[v.name, past.add_root(v.schema, kind, v.name)] for v in versions if v.schema is not None],
                ]
