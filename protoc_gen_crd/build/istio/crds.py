"""Tags to Crds as the Go plugin assembles them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from protoc_gen_crd.admission.crd.survey import STRUCTURAL, Survey, said
from protoc_gen_crd.admission.errors import message as worded
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.istio.describe import spec_descriptions
from protoc_gen_crd.build.istio.files import check_files
from protoc_gen_crd.build.istio.losses import report_losses
from protoc_gen_crd.build.istio.refuse import Refusals, StopError
from protoc_gen_crd.build.istio.schemas import SchemaBuilder
from protoc_gen_crd.build.istio.tags import Tags, read_tags
from protoc_gen_crd.build.size import bounded
from protoc_gen_crd.build.sources import STRATEGY, target_messages
from protoc_gen_crd.crd.types import Crd, Names, PrinterColumn, Version
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Message
from protoc_gen_crd.schema.types import PRESERVE, Schema
from protoc_gen_crd.settings import Settings

_STATUS = "istio.meta.v1alpha1.IstioStatus"


class CrdBuilder:
    """Makes the Crds of a run in compat=istio."""

    def __init__(
        self, api: ApiSet, collector: Collector, settings: Settings, problems: Problems, context: RunContext
    ) -> None:
        self._api = api
        self._collector = collector
        self._warnings = context.problems
        self._refusals = Refusals(problems)
        self.survey = Survey()
        self._schemas = SchemaBuilder(api, collector, settings, self._refusals, context)
        self._descriptions: dict[str, str] = {}
        self._tops: dict[str, Message] = {}
        self._roots: dict[tuple[object, ...], Schema] = {}

    def crds(self) -> tuple[Crd, ...]:
        """All Crds of the targets, sorted by group and name; versions by plain text."""
        check_files(self._api, self._refusals)
        self._descriptions = spec_descriptions(self._api)
        messages = list(target_messages(self._api))
        self._tops = {self._key(message): message for message in messages if not message.parent}
        for message in self._tops.values():
            self._schemas.message(message.full_name)
        made: dict[str, Crd] = {}
        for message in sorted(messages, key=lambda message: message.full_name):
            tags = read_tags(message, self._refusals)
            if tags.values:
                self._add(message, tags, made)
        self._check_structural(made.values())
        ordered = [made[name] for name in sorted(made, key=lambda name: made[name].group + name)]
        return bounded(ordered, self._schemas.sizes, self._report_size)

    def _report_size(self, crd: Crd, excess: str) -> None:
        self._refusals.add(f"a CRD that no server can store, which must have {excess}", crd.origin, path=crd.name)

    def _check_structural(self, crds: Iterable[Crd]) -> None:
        """The one admission check that the Go plugin makes, with the library of Kubernetes 1.35."""
        switches = Switches.of(35)
        roots = {id(version.schema): (crd, version.schema) for crd in crds for version in crd.versions}
        for crd, root in roots.values():
            for found in said(self.survey.of(root), STRUCTURAL, switches) if root else ():
                reason = f"a schema that is not structural: {worded(found.error('schema'), switches)}"
                self._refusals.add(reason, found.origin or crd.origin, path=crd.name)

    def _key(self, message: Message) -> str:
        """The name the Go plugin files a message under: without a package, that of its file stands in."""
        if self._api.file(message.file).package:
            return message.full_name
        base = message.file.rpartition("/")[2]
        return f"{base.rpartition('.')[0] or base}.{message.full_name}"

    def _add(self, message: Message, tags: Tags, made: dict[str, Crd]) -> None:
        if message.parent:
            self._refusals.add("a tag on a nested message, on which it crashes", message.at, path=message.full_name)
            return
        try:
            crd = self._crd(message, tags)
        except StopError as stop:
            self._refusals.add(str(stop), stop.at or message.at, path=message.full_name)
            return
        report_losses(crd, message.full_name, self._collector.marks(message).members, self._warnings)
        known = made.get(crd.name)
        if known is None:
            made[crd.name] = crd
            return
        versions = sorted([*known.versions, *crd.versions], key=lambda version: version.name)
        for one, other in pairwise(versions):
            if one.name == other.name:
                at = tags.places.get("version") or tags.places.get("versions") or message.at
                self._refusals.add(f"{crd.name} with the version {one.name} twice", at, path=message.full_name)
        made[crd.name] = known.replace(versions=tuple(versions))

    def _crd(self, message: Message, tags: Tags) -> Crd:
        names = self._names(message, tags)
        group = tags.get("groupName")
        versions = self._versions(message, tags, f"{names.plural}.{group}")
        labels, annotations = tags.pairs("labels"), tags.pairs("annotations")
        return Crd(group, names, "Namespaced", versions, labels, annotations, origin=message.at)

    @staticmethod
    def _names(message: Message, tags: Tags) -> Names:
        kind = message.name
        singular = kind.lower()
        names = Names(kind, f"{singular}s", singular, f"{kind}List")
        given = tags.pairs("resource")
        lists = {
            member: _distinct(given.get(key))
            for member, key in (("short_names", "shortNames"), ("categories", "categories"))
        }
        texts = {
            member: given[key]
            for member, key in (
                ("kind", "kind"),
                ("plural", "plural"),
                ("singular", "singular"),
                ("list_kind", "listKind"),
            )
            if key in given
        }
        return names.replace(**lists, **texts)

    def _versions(self, message: Message, tags: Tags, name: str) -> tuple[Version, ...]:
        if "version" in tags:
            listed, storage = [tags.get("version")], tags.get("version") if "storageVersion" in tags else None
        else:
            listed = tags.get("versions").split(",")
            storage = listed[0]
        status = self._status(tags)
        root = self._root(message, tags, status)
        replacement = tags.values.get("deprecationReplacement")
        columns = self._columns(tags)
        made = [
            Version(
                version,
                root,
                storage=version == storage,
                deprecated=replacement is not None,
                deprecation_warning=_deprecated(name, version, replacement),
                status=status is not None,
                columns=columns,
                origin=message.at,
            )
            for version in listed
        ]
        for version in listed:
            if listed.count(version) > 1:
                raise StopError(f"{name} with the version {version} twice", tags.places["versions"])
        return tuple(sorted(made, key=lambda version: version.name))

    @staticmethod
    def _columns(tags: Tags) -> tuple[PrinterColumn, ...]:
        texts = tags.get("printerColumn").split(";;") if "printerColumn" in tags else []
        given = [tags.split("printerColumn", text) for text in texts]
        return tuple(
            PrinterColumn(c.get("name", ""), c.get("type", ""), c.get("JSONPath", ""), c.get("description", ""))
            for c in given
        )

    def _status(self, tags: Tags) -> Schema | None:
        key, equals, name = tags.get("subresource").partition("=")
        if key != "status":
            return None
        message = self._tops.get(name if equals else _STATUS)
        if message is None:
            reason = f"no top-level message {name or _STATUS} in the files to generate ({STRATEGY})"
            raise StopError(reason, tags.places["subresource"])
        return self._schemas.message(message.full_name).having({PRESERVE: True})

    def _root(self, message: Message, tags: Tags, status: Schema | None) -> Schema:
        spec = self._schemas.message(message.full_name)
        description = self._descriptions.get(self._key(message))
        if description is not None:
            spec = spec.having({"description": description})
        properties = {"spec": spec} if status is None else {"spec": spec, "status": status}
        keywords: dict[str, Any] = {"type": "object", "properties": properties}
        if tags.get("spec") == "required":
            keywords["required"] = ["spec"]
        return Schema(keywords, message.at)


def _deprecated(name: str, version: str, replacement: str | None) -> str | None:
    return None if replacement is None else f"{name} version {quote(version)} is deprecated, use {quote(replacement)}"


def _distinct(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(dict.fromkeys(text.split(",")))
