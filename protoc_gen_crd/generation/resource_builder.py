"""Builder of CRDs from the resources that messages declare, grouped by kind, with the schemas of their versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn, Scale
from protoc_gen_crd.findings.finding import Place, PlacesOnDemand, Problems
from protoc_gen_crd.generation.kind_conflicts import (
    check_agreement,
    check_names,
    merge_metadata,
    report_repeated_version,
)
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.generation.resource_messages import (
    ResourceSource,
    SourceReader,
    check_targets,
)
from protoc_gen_crd.generation.root_schemas import RootBuilder
from protoc_gen_crd.generation.schema_size import enforce_size_limits
from protoc_gen_crd.generation.storage_version import choose_storage_version
from protoc_gen_crd.generation.version_range_checks import RangeChecker, restrict_source
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.kubernetes.plurals import make_plural
from protoc_gen_crd.markers.declared_resources import DeclaredResource, select_members
from protoc_gen_crd.markers.marker_aliases import DIALECT
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.settings.settings import Settings


class ResourceBuilder:
    """Builds the CRDs of a run."""

    def __init__(
        self, api: ApiSet, collector: MarkerCollector, messages: MessageBuilder, settings: Settings, problems: Problems
    ) -> None:
        self._api = api
        self._sources = SourceReader(api, collector, problems)
        self._problems = problems
        self._collector = collector
        # Shortcut versioned-resources: a resource is merged from the markers that apply to the version, and the key
        # contains which of them apply.
        self._resources: dict[object, DeclaredResource] = {}
        self._sizes = messages.sizes
        self._version_cache = messages.version_cache
        self._channels = messages.channel_filter
        self._kinds = RangeChecker(messages.version_cache, problems)
        self._roots = RootBuilder(api, messages, settings, problems)

    def build_crds(self) -> tuple[Crd, ...]:
        """Return the CRDs of the targets, sorted by name."""
        by_kind: dict[tuple[str, str], list[ResourceSource]] = {}
        for source in self._filter_present(self._sources.read_sources(self._api.target_messages)):
            by_kind.setdefault((source.group, source.kind), []).append(source)
        check_targets([sources[0] for sources in by_kind.values()], self._api, self._collector, self._problems)
        unfiltered = [self._build_crd(sources) for _, sources in sorted(by_kind.items())]
        crds = [
            filtered
            for crd in unfiltered
            if (filtered := self._channels.filter_versions(crd, self._problems)) is not None
        ]
        self._kinds.check_ranges(whole=not self._channels.has_omissions)
        check_names(crds, self._problems)
        return enforce_size_limits(sorted(crds, key=lambda crd: crd.name), self._sizes, self._report_size)

    def _filter_present(self, sources: Iterable[ResourceSource]) -> Iterator[ResourceSource]:
        """Yield the resources that exist in the current release."""
        for source in sources:
            spans = self._collector.collect(source.message).spans
            if not spans:
                yield source
                continue
            self._version_cache.begin_kind()
            restricted = restrict_source(source, spans, self._version_cache, self._problems)
            self._kinds.add_kind(source.versions)
            if restricted is not None:
                yield restricted

    def _report_size(self, crd: Crd, excess: str) -> None:
        self._problems.report(
            "schema-size",
            f"schemas of the CRD are too large: {excess}",
            crd.origin,
            path=crd.name,
            hint="API servers cannot store it: remove old versions, or mark fields +protoc-gen-crd:opaque",
        )

    def _build_crd(self, sources: Sequence[ResourceSource]) -> Crd:
        self._version_cache.begin_kind()
        first = min(sources, key=lambda source: min(map(get_priority_key, source.versions)))
        check_agreement(sources, self._problems)
        names = self._build_names(first, sources)
        storage = choose_storage_version(sources, self._problems)
        versions: dict[str, CrdVersion] = {}
        owners: dict[str, ResourceSource] = {}
        for source in sources:
            self._check_versions(source)
            for name in source.versions:
                if owners.setdefault(name, source) is not source:
                    report_repeated_version(name, owners[name], source, self._problems)
                versions[name] = self._build_version(source, name, storage=name == storage, names=names)
        self._kinds.add_kind(versions)
        crd = Crd(
            first.group,
            names,
            _get_first(sources, "scope") or "Namespaced",
            tuple(versions[name] for name in sorted(versions, key=get_priority_key)),
            merge_metadata(sources, "labels", self._problems),
            merge_metadata(sources, "annotations", self._problems),
            origin=first.message.at,
            hub=_get_first(sources, "hub_version") or "",
        )
        parts = {
            "metadata.labels": crd.labels,
            "metadata.annotations": crd.annotations,
            "names.shortNames": names.short_names,
            "names.categories": names.categories,
        }
        return crd.replace(marks=PlacesOnDemand(partial(_find_places, _CRD_PLACES, parts, sources)))

    def _build_names(self, first: ResourceSource, sources: Sequence[ResourceSource]) -> Names:
        lowercase = first.kind.lower()
        plural = _get_first(sources, "plural")
        if not plural:
            self._check_plural(first)
        return Names(
            first.kind,
            plural or make_plural(lowercase),
            _get_first(sources, "singular") or lowercase,
            _get_first(sources, "list_kind") or f"{first.kind}List",
            _collect_values(sources, "short_names"),
            _collect_values(sources, "categories"),
        )

    def _check_plural(self, source: ResourceSource) -> None:
        from protoc_gen_crd.kubernetes.irregular_plurals import find_english_plural, is_irregular  # noqa: PLC0415 - most kinds give their plural

        if is_irregular(source.kind):
            plural = make_plural(source.kind.lower())
            self._problems.report(
                "resource-plural",
                f'plural of kind "{source.kind}" is not declared, and the derived "{plural}" may be wrong',
                source.get_place(),
                path=source.message.full_name,
                hint=_suggest_plural(source, find_english_plural(source.kind) or "<plural>"),
            )

    def _check_versions(self, source: ResourceSource) -> None:
        """Report members that name versions which their message does not declare."""
        versions_by_member = {
            "unserved_versions": source.declared.get("unserved_versions") or (),
            "deprecated_versions": [
                entry.get("version", "") for entry in source.declared.get("deprecated_versions") or ()
            ],
            "version_channels": source.declared.get("version_channels") or (),
        }
        for member, names in versions_by_member.items():
            for name in names:
                if name not in ("", DIALECT, *source.versions):
                    listed = ", ".join(source.versions)
                    self._problems.report(
                        "version-unknown",
                        f'unknown version "{name}" in "{member}" of "{source.message.name}" (versions: {listed})',
                        source.get_place(member),
                        path=source.message.full_name,
                        hint=suggest(name, source.versions),
                    )

    def _build_version(self, source: ResourceSource, name: str, *, storage: bool, names: Names) -> CrdVersion:
        source = self._get_versioned_source(source, name)
        resource = source.declared
        unserved = resource.get("unserved_versions") or ()
        deprecated, warning = self._get_deprecation(source, name, names)
        status = bool(resource.get("status_subresource") or resource.get("status"))
        selectable = tuple(dict.fromkeys(resource.get("selectable_fields") or ()))
        return CrdVersion(
            name,
            self._roots.build_root(source.message, resource, name),
            served=not (name in unserved or DIALECT in unserved),
            storage=storage,
            deprecated=deprecated,
            deprecation_warning=warning,
            status=status,
            scale=self._build_scale(resource),
            columns=self._build_columns(source),
            selectable_fields=selectable,
            origin=source.message.at,
            marks=PlacesOnDemand(partial(_find_places, _VERSION_PLACES, {"selectableFields": selectable}, (source,))),
            channel=self._channels.get_version_channel(source, name),
        )

    @staticmethod
    def _build_scale(resource: DeclaredResource) -> Scale | None:
        scale = resource.get("scale")
        return (
            Scale(
                scale.get("spec_replicas_path", ""),
                scale.get("status_replicas_path", ""),
                scale.get("label_selector_path") or None,
                resource.get_place("scale"),
            )
            if scale
            else None
        )

    def _get_versioned_source(self, source: ResourceSource, version: str) -> ResourceSource:
        """Return a source with the members for a version. Versions with the same members share the resource."""
        self._version_cache.version = version
        resource, full_name = source.declared, source.message.full_name
        if not any(members.spans for members in resource.members):
            return source
        applicable = tuple([self._version_cache.is_in_ranges(members.spans) for members in resource.members])
        key = id(resource), applicable
        if key not in self._resources:
            self._resources[key] = select_members(resource, applicable, full_name, self._problems)
        return source.replace(declared=self._resources[key])

    def _build_columns(self, source: ResourceSource) -> tuple[PrinterColumn, ...]:
        columns = source.declared.get("columns") or ()
        return tuple(
            [self._build_column(column) for column in columns if self._version_cache.is_in_ranges(column["spans"])]
        )

    @staticmethod
    def _build_column(column: Mapping[str, Any]) -> PrinterColumn:
        return PrinterColumn(
            column.get("name", ""),
            column.get("type", ""),
            column.get("json_path", ""),
            column.get("description", ""),
            column.get("format", ""),
            column.get("priority", 0),
            column["at"],
        )

    def _get_deprecation(self, source: ResourceSource, version: str, names: Names) -> tuple[bool, str | None]:
        entries = source.declared.get("deprecated_versions") or ()
        for entry in sorted(entries, key=lambda entry: not entry.get("version")):  # entries for the version come first
            if entry.get("version", "") in ("", version):
                if "replacement" in entry:
                    subject = f'{names.plural}.{source.group} version "{version}"'
                    return True, f'{subject} is deprecated, use "{entry["replacement"]}"'
                return True, entry.get("warning") or None
        return self._collector.is_deprecated(source.message), None


def _suggest_plural(source: ResourceSource, name: str) -> str:
    tag = f"+cue-gen:{source.kind}:resource:plural={name}"
    line = tag if source.declared.kind else f"+kubebuilder:resource:path={name}"
    return f'write {line}, or set (protoc_gen_crd.v1.resource).plural = "{name}"'


# Path in a CRD or in its versions -> member of a resource that sets it.
_CRD_PLACES = {
    "group": "group",
    "metadata.annotations": "annotations",
    "metadata.labels": "labels",
    "hub": "hub_version",
    "metadata.name": "plural",
    "names.categories": "categories",
    "names.kind": "kind",
    "names.listKind": "list_kind",
    "names.plural": "plural",
    "names.shortNames": "short_names",
    "names.singular": "singular",
    "scope": "scope",
    "versions": "versions",
}
_VERSION_PLACES = {
    "additionalPrinterColumns": "columns",
    "deprecationWarning": "deprecated_versions",
    "name": "versions",
    "selectableFields": "selectable_fields",
    "served": "unserved_versions",
    "storage": "storage_version",
    "subresources": "scale",
}


def _find_places(
    table: Mapping[str, str], parts: Mapping[str, Iterable[str]], sources: Sequence[ResourceSource]
) -> dict[str, Place]:
    """Return the place of each declared path. `parts` are the items of lists, or the keys of maps, by path."""
    pairs = list(table.items())
    for path, items in parts.items():
        is_map = isinstance(items, Mapping)
        pairs += [(f"{path}[{item if is_map else at}]", f"{table[path]}[{item}]") for at, item in enumerate(items)]
    places = [(path, source.find_place(member)) for path, member in pairs for source in reversed(sources)]
    return {path: place for path, place in places if place is not None}


def _get_first(sources: Sequence[ResourceSource], member: str) -> Any:
    return next((value for source in sources if (value := source.declared.get(member))), None)


def _collect_values(sources: Sequence[ResourceSource], member: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for source in sources for name in source.declared.get(member) or ()))
