"""Resources to Crds: what messages declare, grouped by kind, with the schemas of their versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.kubenames import plural
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import parse_version, priority_key
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.roots import RootBuilder
from protoc_gen_crd.crd.types import Crd, Names, PrinterColumn, Scale, Version
from protoc_gen_crd.markers.aliases import THIS_VERSION
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.resource import Declared, declared
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Message
from protoc_gen_crd.settings import Settings

STRATEGY = "buf runs a plugin once per folder: set `strategy: all` in buf.gen.yaml, or give protoc all files at once"
_COLUMN = ("name", "type", "json_path", "description", "format", "priority")
_NAMES = ("plural", "singular", "list_kind", "scope")


class Source(Record):
    """One message that describes versions of a kind."""

    message: Message
    declared: Declared
    group: str
    kind: str
    versions: tuple[str, ...]


class ResourceBuilder:
    """Makes the Crds of a run."""

    def __init__(
        self, api: ApiSet, collector: Collector, messages: MessageBuilder, settings: Settings, problems: Problems
    ) -> None:
        self._api = api
        self._collector = collector
        self._problems = problems
        self._roots = RootBuilder(api, messages, settings, problems)

    def crds(self) -> tuple[Crd, ...]:
        """All Crds of the targets, sorted by name."""
        by_kind: dict[tuple[str, str], list[Source]] = {}
        for message in target_messages(self._api):
            for source in self._sources(message):
                by_kind.setdefault((source.group, source.kind), []).append(source)
        made = [self._crd(sources) for _, sources in sorted(by_kind.items())]
        self._check_names(made)
        return tuple(sorted(made, key=lambda crd: crd.name))

    def _sources(self, message: Message) -> Iterable[Source]:
        """The resources that a message declares. What is missing or wrong in one is a finding, and no source."""
        package = self._package(message)
        for resource in declared(self._collector.marks(message).members, message.full_name, self._problems):
            if resource.get("skip") or package.get("skip"):
                continue
            kind = resource.get("kind") or resource.kind or message.name
            group = resource.get("group") or package.get("group", "")
            versions = self._versions(message, resource, package)
            if not group:
                self._report(
                    "resource-group",
                    f'a resource must have an API group, found none for kind "{kind}"',
                    resource.at,
                    message,
                    hint='set (protoc_gen_crd.v1.resource).group, or put "+groupName=<group>" above the package line',
                )
            if group and versions:
                yield Source(message, resource, group, kind, versions)

    def _package(self, message: Message) -> Mapping[str, Any]:
        merged: dict[str, Any] = {}
        for members in self._collector.package(self._api.file(message.file)):
            merged |= members.values
        return merged

    def _versions(self, message: Message, resource: Declared, package: Mapping[str, Any]) -> tuple[str, ...]:
        given = resource.get("versions")
        if given:
            return tuple(dict.fromkeys(given))
        if package.get("version"):
            return (package["version"],)
        last = self._api.file(message.file).package.rpartition(".")[2]
        if parse_version(last):
            return (last,)
        self._report(
            "resource-version",
            f'a resource must have a version, found none for "{message.name}"',
            resource.at,
            message,
            hint='name versions in (protoc_gen_crd.v1.resource).versions, or end the package in one, such as "v1"',
        )
        return ()

    def _crd(self, sources: Sequence[Source]) -> Crd:
        first = min(sources, key=lambda source: min(map(priority_key, source.versions)))
        self._check_agreement(sources)
        kind, group = first.kind, first.group
        names = self._names(kind, sources)
        storage = self._storage(sources, kind)
        versions: dict[str, Version] = {}
        for source in sources:
            for name in source.versions:
                if name in versions:
                    self._report(
                        "version-repeated",
                        f'each version must be described once, found {name} in "{source.message.full_name}" as well',
                        source.declared.place("versions"),
                        source.message,
                    )
                versions[name] = self._version(source, name, storage=name == storage, names=names)
        ordered = tuple(versions[name] for name in sorted(versions, key=priority_key))
        return Crd(
            group,
            names,
            first.declared.get("scope") or self._any(sources, "scope") or "Namespaced",
            ordered,
            self._maps(sources, "labels"),
            self._maps(sources, "annotations"),
            origin=first.message.at,
            marks=first.declared.places,
        )

    @staticmethod
    def _any(sources: Sequence[Source], member: str) -> Any:
        return next((value for source in sources if (value := source.declared.get(member))), None)

    def _maps(self, sources: Sequence[Source], member: str) -> Mapping[str, str]:
        """Labels or annotations of all sources; two values for one key are a conflict."""
        merged: dict[str, str] = {}
        for source in sources:
            for key, value in (source.declared.get(member) or {}).items():
                if merged.setdefault(key, value) != value:
                    self._conflict(member, f"{key}={merged[key]}", f"{key}={value}", source)
        return merged

    def _check_agreement(self, sources: Sequence[Source]) -> None:
        """Members that belong to the kind must not differ between its messages."""
        for member in _NAMES:
            values = [(source, value) for source in sources if (value := source.declared.get(member))]
            for source, value in values[1:]:
                if value != values[0][1]:
                    self._conflict(member, values[0][1], value, source)

    def _conflict(self, member: str, first: object, second: object, source: Source) -> None:
        self._report(
            "resource-conflict",
            f'the messages of kind {source.kind} must agree on "{member}", found "{first}" and "{second}"',
            source.declared.place(member),
            source.message,
        )

    def _names(self, kind: str, sources: Sequence[Source]) -> Names:
        lower = kind.lower()
        given = self._any(sources, "plural")
        return Names(
            kind,
            given or plural(lower),
            self._any(sources, "singular") or lower,
            self._any(sources, "list_kind") or f"{kind}List",
            tuple(dict.fromkeys(name for source in sources for name in source.declared.get("short_names") or ())),
            tuple(dict.fromkeys(name for source in sources for name in source.declared.get("categories") or ())),
        )

    def _storage(self, sources: Sequence[Source], kind: str) -> str:
        """The storage version: the marked one, else the only one, else the first that a +cue-gen tag lists."""
        listed = [name for source in sources for name in source.versions]
        marked = [(name, source) for source in sources for name in self._marked(source)]
        distinct = list(dict.fromkeys(name for name, _ in marked))
        for name, source in marked:
            if name not in listed:
                self._report(
                    "storage-version",
                    f'the storage version of {kind} must be one of its versions, {", ".join(listed)}, found "{name}"',
                    source.declared.place("storage_version"),
                    source.message,
                    hint=STRATEGY,
                )
        if len(distinct) > 1:
            name, source = marked[-1]
            self._report(
                "storage-version",
                f"one version of {kind} must be the storage version, found {' and '.join(distinct)}",
                source.declared.place("storage_version"),
                source.message,
            )
        if distinct:
            return distinct[0]
        if len(set(listed)) == 1 or (len(sources) == 1 and sources[0].declared.kind):
            return listed[0]
        source = sources[0]
        self._report(
            "storage-version",
            f"one version of {kind} must be the storage version, found none marked of {', '.join(listed)}",
            source.declared.at,
            source.message,
            hint='set (protoc_gen_crd.v1.resource).storage_version, or mark one message "+kubebuilder:storageversion"',
        )
        return listed[0]

    @staticmethod
    def _marked(source: Source) -> Sequence[str]:
        name = source.declared.get("storage_version")
        if name == THIS_VERSION:
            return source.versions if len(source.versions) == 1 else ()
        return (name,) if name else ()

    def _version(self, source: Source, name: str, *, storage: bool, names: Names) -> Version:
        resource = source.declared
        unserved = resource.get("unserved_versions") or ()
        deprecated, warning = self._deprecation(source, name, names)
        status = bool(resource.get("status_subresource") or resource.get("status"))
        return Version(
            name,
            self._roots.root(source.message, resource, name),
            served=not (name in unserved or THIS_VERSION in unserved),
            storage=storage,
            deprecated=deprecated,
            deprecation_warning=warning,
            status=status,
            scale=self._scale(resource),
            columns=tuple(self._column(column) for column in resource.get("columns") or ()),
            selectable_fields=tuple(resource.get("selectable_fields") or ()),
            origin=source.message.at,
            marks=resource.places,
        )

    @staticmethod
    def _scale(resource: Declared) -> Scale | None:
        given = resource.get("scale")
        return (
            Scale(
                given.get("spec_replicas_path", ""),
                given.get("status_replicas_path", ""),
                given.get("label_selector_path", ""),
                resource.place("scale"),
            )
            if given
            else None
        )

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

    @staticmethod
    def _deprecation(source: Source, version: str, names: Names) -> tuple[bool, str | None]:
        for entry in source.declared.get("deprecated_versions") or ():
            if entry.get("version", "") in ("", version):
                if "replacement" in entry:
                    what = f'{names.plural}.{source.group} version "{version}"'
                    return True, f'{what} is deprecated, use "{entry["replacement"]}"'
                return True, entry.get("warning") or None
        return False, None

    def _check_names(self, crds: Sequence[Crd]) -> None:
        seen: dict[str, Crd] = {}
        for crd in crds:
            other = seen.setdefault(crd.name, crd)
            if other is not crd:
                self._problems.report(
                    "resource-conflict",
                    f'each plural must belong to one kind, found "{crd.name}" for {other.names.kind} as well',
                    crd.origin,
                )

    def _report(self, rule: str, message: str, at: Place, element: Message, *, hint: str = "") -> None:
        self._problems.report(rule, message, at, path=element.full_name, hint=hint)


def target_messages(api: ApiSet) -> Iterable[Message]:
    """Every message of the targets, nested ones after their parents; map entries are left out."""
    for file in api.targets():
        stack = list(reversed(file.messages))
        while stack:
            message = api.message(stack.pop())
            if message is not None and not message.map_entry:
                yield message
                stack.extend(reversed(message.messages))
