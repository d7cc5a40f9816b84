"""Builder of CRDs from +cue-gen tags, as the Go plugin builds them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_visitor import STRUCTURAL, select_findings
from protoc_gen_crd.admission.field_errors import format_error as worded
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.istio.failure_reporter import FailureReporter, PluginStopError, check_files
from protoc_gen_crd.generation.istio.istio_descriptions import collect_spec_descriptions
from protoc_gen_crd.generation.istio.istio_schemas import SchemaBuilder
from protoc_gen_crd.generation.istio.istio_tags import CueTags, read_tags
from protoc_gen_crd.generation.istio.unsupported_tags import report_unsupported_tags
from protoc_gen_crd.generation.resource_messages import STRATEGY
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.schema_size import enforce_size_limits
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Message
from protoc_gen_crd.schema.schema import PRESERVE, Schema
from protoc_gen_crd.settings.settings import Settings

_STATUS = "istio.meta.v1alpha1.IstioStatus"


class CrdBuilder:
    """Builds the CRDs of a run with compat=istio."""

    def __init__(
        self, api: ApiSet, collector: MarkerCollector, settings: Settings, problems: Problems, context: RunContext
    ) -> None:
        self._api = api
        self._collector = collector
        self._warnings = context.problems
        self._failures = FailureReporter(problems)
        self.survey = make_schema_visitor()
        self._schemas = SchemaBuilder(api, collector, settings, self._failures, context)
        self._descriptions: dict[str, str] = {}
        self._tops: dict[str, Message] = {}
        self._roots: dict[tuple[object, ...], Schema] = {}

    def build_crds(self) -> tuple[Crd, ...]:
        """Return the CRDs of the targets, sorted by group and name, with versions sorted as strings."""
        check_files(self._api, self._failures)
        self._descriptions = collect_spec_descriptions(self._api)
        messages = self._api.target_messages
        self._tops = {self._get_message_name(message): message for message in messages if not message.parent}
        for message in self._tops.values():
            self._schemas.get_schema(message.full_name)
        crds: dict[str, Crd] = {}
        for message in sorted(messages, key=lambda message: message.full_name):
            tags = read_tags(message, self._failures)
            if tags.values:
                self._add(message, tags, crds)
        self._check_structural(crds.values())
        ordered = [crds[name] for name in sorted(crds, key=lambda name: crds[name].group + name)]
        return enforce_size_limits(ordered, self._schemas.sizes, self._report_size)

    def _report_size(self, crd: Crd, excess: str) -> None:
        self._failures.report(f"a CRD that is too large for API servers: {excess}", crd.origin, path=crd.name)

    def _check_structural(self, crds: Iterable[Crd]) -> None:
        """Check that schemas are structural, as the Go plugin does with the library of Kubernetes 1.35."""
        switches = Switches.from_minor(35)
        roots = {id(version.schema): (crd, version.schema) for crd in crds for version in crd.versions}
        for crd, root in roots.values():
            for error in select_findings(self.survey.visit_root(root), STRUCTURAL, switches) if root else ():
                reason = f"a schema that is not structural: {worded(error.to_cause('schema'), switches)}"
                self._failures.report(reason, error.origin or crd.origin, path=crd.name)

    def _get_message_name(self, message: Message) -> str:
        """Return the full name of a message in the Go plugin. It uses the file name if there is no package."""
        if self._api.get_file(message.file).package:
            return message.full_name
        base = message.file.rpartition("/")[2]
        return f"{base.rpartition('.')[0] or base}.{message.full_name}"

    def _add(self, message: Message, tags: CueTags, crds: dict[str, Crd]) -> None:
        if message.parent:
            self._failures.report("a tag on a nested message (it crashes)", message.at, path=message.full_name)
            return
        try:
            crd = self._build_crd(message, tags)
        except PluginStopError as stop:
            self._failures.report(str(stop), stop.at or message.at, path=message.full_name)
            return
        report_unsupported_tags(crd, message.full_name, self._collector.collect(message).members, self._warnings)
        existing = crds.get(crd.name)
        if existing is None:
            crds[crd.name] = crd
            return
        versions = sorted([*existing.versions, *crd.versions], key=lambda version: version.name)
        for first, second in pairwise(versions):
            if first.name == second.name:
                at = tags.places.get("version") or tags.places.get("versions") or message.at
                self._failures.report(f"{crd.name} with the version {first.name} twice", at, path=message.full_name)
        crds[crd.name] = existing.replace(versions=tuple(versions))

    def _build_crd(self, message: Message, tags: CueTags) -> Crd:
        names = self._build_names(message, tags)
        group = tags.get("groupName")
        versions = self._build_versions(message, tags, f"{names.plural}.{group}")
        labels, annotations = tags.parse_pairs("labels"), tags.parse_pairs("annotations")
        return Crd(group, names, "Namespaced", versions, labels, annotations, origin=message.at)

    @staticmethod
    def _build_names(message: Message, tags: CueTags) -> Names:
        kind = message.name
        singular = kind.lower()
        names = Names(kind, f"{singular}s", singular, f"{kind}List")
        pairs = tags.parse_pairs("resource")
        lists = {
            member: _split_distinct(pairs.get(key))
            for member, key in (("short_names", "shortNames"), ("categories", "categories"))
        }
        strings = {
            member: pairs[key]
            for member, key in (
                ("kind", "kind"),
                ("plural", "plural"),
                ("singular", "singular"),
                ("list_kind", "listKind"),
            )
            if key in pairs
        }
        return names.replace(**lists, **strings)

    def _build_versions(self, message: Message, tags: CueTags, name: str) -> tuple[CrdVersion, ...]:
        if "version" in tags:
            listed, storage = [tags.get("version")], tags.get("version") if "storageVersion" in tags else None
        else:
            listed = tags.get("versions").split(",")
            storage = listed[0]
        status = self._build_status(tags)
        root = self._build_root(message, tags, status)
        replacement = tags.values.get("deprecationReplacement")
        columns = self._build_columns(tags)
        versions = [
            CrdVersion(
                version,
                root,
                storage=version == storage,
                deprecated=replacement is not None,
                deprecation_warning=_format_deprecation(name, version, replacement),
                status=status is not None,
                columns=columns,
                origin=message.at,
            )
            for version in listed
        ]
        for version in listed:
            if listed.count(version) > 1:
                raise PluginStopError(f"{name} with the version {version} twice", tags.places["versions"])
        return tuple(sorted(versions, key=lambda version: version.name))

    @staticmethod
    def _build_columns(tags: CueTags) -> tuple[PrinterColumn, ...]:
        parts = tags.get("printerColumn").split(";;") if "printerColumn" in tags else []
        columns = [tags.parse_part("printerColumn", part) for part in parts]
        return tuple(
            PrinterColumn(
                column.get("name", ""),
                column.get("type", ""),
                column.get("JSONPath", ""),
                column.get("description", ""),
            )
            for column in columns
        )

    def _build_status(self, tags: CueTags) -> Schema | None:
        key, equals, name = tags.get("subresource").partition("=")
        if key != "status":
            return None
        message = self._tops.get(name if equals else _STATUS)
        if message is None:
            reason = f"no top-level message {name or _STATUS} in the files to generate ({STRATEGY})"
            raise PluginStopError(reason, tags.places["subresource"])
        return self._schemas.get_schema(message.full_name).with_keywords({PRESERVE: True})

    def _build_root(self, message: Message, tags: CueTags, status: Schema | None) -> Schema:
        spec = self._schemas.get_schema(message.full_name)
        description = self._descriptions.get(self._get_message_name(message))
        if description is not None:
            spec = spec.with_keywords({"description": description})
        properties = {"spec": spec} if status is None else {"spec": spec, "status": status}
        keywords: dict[str, Any] = {"type": "object", "properties": properties}
        if tags.get("spec") == "required":
            keywords["required"] = ["spec"]
        return Schema(keywords, message.at)


def _format_deprecation(name: str, version: str, replacement: str | None) -> str | None:
    return None if replacement is None else f"{name} version {quote(version)} is deprecated, use {quote(replacement)}"


def _split_distinct(names: str | None) -> tuple[str, ...]:
    return () if names is None else tuple(dict.fromkeys(names.split(",")))
