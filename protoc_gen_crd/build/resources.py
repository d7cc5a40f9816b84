"""Resources to Crds: what messages declare, grouped by kind, with the schemas of their versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.kubenames import plural
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import priority_key
from protoc_gen_crd.build.agreement import check_agreement, check_names, check_repeated, merged
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.ranges import Kinds, held
from protoc_gen_crd.build.roots import RootBuilder
from protoc_gen_crd.build.size import bounded
from protoc_gen_crd.build.sources import Source, SourceReader, check_targets, target_messages
from protoc_gen_crd.build.storage import storage_version
from protoc_gen_crd.crd.types import Crd, Names, PrinterColumn, Scale, Version
from protoc_gen_crd.markers.aliases import THIS_VERSION
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.resource import Declared, seen
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.settings import Settings


class ResourceBuilder:
    """Makes the Crds of a run."""

    def __init__(
        self, api: ApiSet, collector: Collector, messages: MessageBuilder, settings: Settings, problems: Problems
    ) -> None:
        self._api = api
        self._sources = SourceReader(api, collector, problems)
        self._problems = problems
        self._collector = collector
        self._resources: dict[object, Declared] = {}
        self._sizes = messages.sizes
        self._editions = messages.editions
        self._channels = messages.channels
        self._kinds = Kinds(messages.editions, problems)
        self._roots = RootBuilder(api, messages, settings, problems)

    def crds(self) -> tuple[Crd, ...]:
        """All Crds of the targets, sorted by name."""
        by_kind: dict[tuple[str, str], list[Source]] = {}
        for source in self._present(self._sources.of(target_messages(self._api))):
            by_kind.setdefault((source.group, source.kind), []).append(source)
        check_targets([sources[0] for sources in by_kind.values()], self._api, self._problems)
        every = [self._crd(sources) for _, sources in sorted(by_kind.items())]
        made = [kept for crd in every if (kept := self._channels.held(crd, self._problems)) is not None]
        self._kinds.check(whole=not self._channels.any_left_out)
        check_names(made, self._problems)
        return bounded(sorted(made, key=lambda crd: crd.name), self._sizes, self._report_size)

    def _present(self, sources: Iterable[Source]) -> Iterator[Source]:
        """The resources that the release being made has."""
        for source in sources:
            spans = self._collector.marks(source.message).spans
            if not spans:
                yield source
                continue
            self._editions.begin()
            known = held(source, spans, self._editions, self._problems)
            self._kinds.add(source.versions)
            if known is not None:
                yield known

    def _report_size(self, crd: Crd, excess: str) -> None:
        self._problems.report(
            "schema-size",
            f"the schemas of a CRD must have {excess}",
            crd.origin,
            path=crd.name,
            hint="no server stores more; let old versions go, or mark fields +protoc-gen-crd:opaque",
        )

    def _crd(self, sources: Sequence[Source]) -> Crd:
        self._editions.begin()
        first = min(sources, key=lambda source: min(map(priority_key, source.versions)))
        check_agreement(sources, self._problems)
        names = self._names(first, sources)
        storage = storage_version(sources, self._problems)
        versions: dict[str, Version] = {}
        owners: dict[str, Source] = {}
        for source in sources:
            self._check_versions(source)
            for name in source.versions:
                if owners.setdefault(name, source) is not source:
                    check_repeated(name, owners[name], source, self._problems)
                versions[name] = self._version(source, name, storage=name == storage, names=names)
        self._kinds.add(versions)
        made = Crd(
            first.group,
            names,
            _any(sources, "scope") or "Namespaced",
            tuple(versions[name] for name in sorted(versions, key=priority_key)),
            merged(sources, "labels", self._problems),
            merged(sources, "annotations", self._problems),
            origin=first.message.at,
            hub=_any(sources, "hub_version") or "",
        )
        parts = {
            "metadata.labels": made.labels,
            "metadata.annotations": made.annotations,
            "names.shortNames": names.short_names,
            "names.categories": names.categories,
        }
        return made.replace(marks=_places(_CRD_MARKS, parts, sources))

    def _names(self, first: Source, sources: Sequence[Source]) -> Names:
        lower = first.kind.lower()
        given = _any(sources, "plural")
        if not given:
            self._check_plural(first)
        return Names(
            first.kind,
            given or plural(lower),
            _any(sources, "singular") or lower,
            _any(sources, "list_kind") or f"{first.kind}List",
            _all(sources, "short_names"),
            _all(sources, "categories"),
        )

    def _check_plural(self, source: Source) -> None:
        from protoc_gen_crd.base.irregular import english, irregular  # noqa: PLC0415 - most kinds give their plural

        if irregular(source.kind):
            found = f'found none for kind "{source.kind}", which they would call "{plural(source.kind.lower())}"'
            self._problems.report(
                "resource-plural",
                f"a plural that the fixed rules may get wrong must be given, {found}",
                source.place(),
                path=source.message.full_name,
                hint=_plural_hint(source, english(source.kind) or "<plural>"),
            )

    def _check_versions(self, source: Source) -> None:
        """Every version that a member names must be one of its message."""
        named = {
            "unserved_versions": source.declared.get("unserved_versions") or (),
            "deprecated_versions": [e.get("version", "") for e in source.declared.get("deprecated_versions") or ()],
            "version_channels": source.declared.get("version_channels") or (),
        }
        for member, names in named.items():
            for name in names:
                if name not in ("", THIS_VERSION, *source.versions):
                    listed = ", ".join(source.versions)
                    self._problems.report(
                        "version-unknown",
                        f'"{member}" must name versions of "{source.message.name}", {listed}, found "{name}"',
                        source.place(member),
                        path=source.message.full_name,
                        hint=suggestion(name, source.versions),
                    )

    def _version(self, source: Source, name: str, *, storage: bool, names: Names) -> Version:
        source = self._seen(source, name)
        resource = source.declared
        unserved = resource.get("unserved_versions") or ()
        deprecated, warning = self._deprecation(source, name, names)
        status = bool(resource.get("status_subresource") or resource.get("status"))
        selectable = tuple(dict.fromkeys(resource.get("selectable_fields") or ()))
        return Version(
            name,
            self._roots.root(source.message, resource, name),
            served=not (name in unserved or THIS_VERSION in unserved),
            storage=storage,
            deprecated=deprecated,
            deprecation_warning=warning,
            status=status,
            scale=self._scale(resource),
            columns=self._columns(source),
            selectable_fields=selectable,
            origin=source.message.at,
            marks=_places(_VERSION_MARKS, {"selectableFields": selectable}, (source,)),
            channel=self._channels.of_version(source, name),
        )

    @staticmethod
    def _scale(resource: Declared) -> Scale | None:
        given = resource.get("scale")
        return (
            Scale(
                given.get("spec_replicas_path", ""),
                given.get("status_replicas_path", ""),
                given.get("label_selector_path") or None,
                resource.place("scale"),
            )
            if given
            else None
        )

    def _seen(self, source: Source, version: str) -> Source:
        """A source as one version sees it: the same resource for versions that see the same."""
        self._editions.version = version
        resource, full_name = source.declared, source.message.full_name
        if not any(members.spans for members in resource.members):
            return source
        held = tuple([self._editions.holds(members.spans) for members in resource.members])
        key = id(resource), held
        if key not in self._resources:
            self._resources[key] = seen(resource, held, full_name, self._problems)
        return source.replace(declared=self._resources[key])

    def _columns(self, source: Source) -> tuple[PrinterColumn, ...]:
        columns = source.declared.get("columns") or ()
        return tuple([self._column(one) for one in columns if self._editions.holds(one["spans"])])

    @staticmethod
    def _column(given: Mapping[str, Any]) -> PrinterColumn:
        return PrinterColumn(
            given.get("name", ""),
            given.get("type", ""),
            given.get("json_path", ""),
            given.get("description", ""),
            given.get("format", ""),
            given.get("priority", 0),
            given["at"],
        )

    def _deprecation(self, source: Source, version: str, names: Names) -> tuple[bool, str | None]:
        entries = source.declared.get("deprecated_versions") or ()
        for entry in sorted(entries, key=lambda entry: not entry.get("version")):  # one that names the version first
            if entry.get("version", "") in ("", version):
                if "replacement" in entry:
                    what = f'{names.plural}.{source.group} version "{version}"'
                    return True, f'{what} is deprecated, use "{entry["replacement"]}"'
                return True, entry.get("warning") or None
        return self._collector.deprecated(source.message), None


def _plural_hint(source: Source, name: str) -> str:
    tag = f"+cue-gen:{source.kind}:resource:plural={name}"
    line = tag if source.declared.kind else f"+kubebuilder:resource:path={name}"
    return f'write {line}, or set (protoc_gen_crd.v1.resource).plural = "{name}"'


# Paths of CRDs and of their versions, and the members of a resource that they come from.
_CRD_MARKS = {
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
_VERSION_MARKS = {
    "additionalPrinterColumns": "columns",
    "deprecationWarning": "deprecated_versions",
    "name": "versions",
    "selectableFields": "selectable_fields",
    "served": "unserved_versions",
    "storage": "storage_version",
    "subresources": "scale",
}


def _places(
    table: Mapping[str, str], parts: Mapping[str, Iterable[str]], sources: Sequence[Source]
) -> dict[str, Place]:
    """Where each path was declared, if it was. `parts` are the values of lists, or the keys of maps, by path."""
    pairs = list(table.items())
    for path, texts in parts.items():
        keyed = isinstance(texts, Mapping)
        pairs += [(f"{path}[{text if keyed else at}]", f"{table[path]}[{text}]") for at, text in enumerate(texts)]
    places = [(path, one.mark(member)) for path, member in pairs for one in reversed(sources)]
    return {path: place for path, place in places if place is not None}


def _any(sources: Sequence[Source], member: str) -> Any:
    return next((value for source in sources if (value := source.declared.get(member))), None)


def _all(sources: Sequence[Source], member: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for source in sources for name in source.declared.get(member) or ()))
