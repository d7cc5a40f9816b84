"""The page of an API group: its kinds, then their types, with links between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from protoc_gen_crd.base.markdown_escapes import code, fenced, plain
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import DerivedParts, OutputFile
from protoc_gen_crd.emit.sample_yaml import GENERATED_COMMENT
from protoc_gen_crd.emit.sample_yaml import extract_sentence as first_sentence
from protoc_gen_crd.reference.constraint_descriptions import format_constraints
from protoc_gen_crd.reference.field_list import FieldListContext, FieldListWriter, format_own_rules, get_description
from protoc_gen_crd.reference.kind_tables import (
    format_columns,
    format_names,
    format_row,
    format_version,
    format_version_table,
)
from protoc_gen_crd.reference.lifecycle import ElementKey, LifecycleIndex
from protoc_gen_crd.reference.markdown_descriptions import end_lines, format_prose, format_sentence
from protoc_gen_crd.reference.type_index import DocumentedType, TypeIndex, TypeKey, VersionedSchemas, make_titles
from protoc_gen_crd.reference.version_agreement import format_version_span, group_lines, group_versions
from protoc_gen_crd.schema.deprecated_fields import is_deprecated

_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")
_MAX_USES = 12


class PageSample(Record):
    """A sample for the page: its kind and version, title, and YAML."""

    group: str
    kind: str
    version: str
    title: str
    text: str


class PageAnchors(Record):
    """The anchors of a page: of CRDs by name, of fields by kind, version and path, of samples, and of types.

    `types` has the places of each type, by its anchor.
    """

    crds: Mapping[str, str]
    fields: Mapping[ElementKey, str]
    samples: Mapping[PageSample, str]
    types: Mapping[str, Sequence[ElementKey]]


def make_pages(
    crds: Sequence[Crd], lifecycles: LifecycleIndex, samples: Sequence[PageSample]
) -> tuple[OutputFile, ...]:
    """Return a page for each API group, named after the group."""

    def write_page(group: str, members: Sequence[Crd]) -> Iterator[str]:
        return end_lines(_GroupPage(group, members, lifecycles, samples).write_lines())

    return tuple(
        OutputFile(f"{group}.md", DerivedParts(partial(write_page, group, members)))
        for group, members in group_crds(crds).items()
    )


def group_crds(crds: Sequence[Crd]) -> Mapping[str, Sequence[Crd]]:
    """Return the CRDs of each API group, by kind."""
    groups: dict[str, list[Crd]] = {}
    for crd in sorted(crds, key=lambda crd: (crd.group, crd.names.kind, crd.name)):
        groups.setdefault(crd.group, []).append(crd)
    return groups


def index_anchors(
    group: str, crds: Sequence[Crd], lifecycles: LifecycleIndex, samples: Sequence[PageSample]
) -> PageAnchors:
    """Return the anchors of the page of a group. A field that several paths share has one anchor."""
    page = _GroupPage(group, crds, lifecycles, samples, all_places=True)
    for _ in page.write_lines():
        pass
    return page.get_anchors()


class _GroupPage:
    def __init__(
        self,
        group: str,
        crds: Sequence[Crd],
        lifecycles: LifecycleIndex,
        samples: Sequence[PageSample],
        *,
        all_places: bool = False,
    ) -> None:
        self._group = group
        self._crds = crds
        self._lifecycles = lifecycles
        self._samples = [sample for sample in samples if sample.group == group]
        self._types = TypeIndex(crds, places=all_places or lifecycles.has_releases)
        self._sections = self._types.list_types()
        kinds = self._types.kinds
        self._sections_by_key = {section.key: section for section in (*kinds, *self._sections)}
        self._titles = make_titles(self._sections, kinds)
        self._used_anchors: set[str] = set()
        self._anchors: dict[TypeKey, str] = {}
        for section in (*kinds, *self._sections):
            self._anchors[section.key] = self._make_anchor(self._titles[section.key])
        self._sample_anchors = {sample: self._make_anchor(sample.title) for sample in self._samples}
        self._fields = FieldListWriter(self._types, lifecycles, self._make_link, self._make_anchor)

    def write_lines(self) -> Iterator[str]:
        """Yield the lines of the page in Markdown, once."""
        yield from (f"# {plain(self._group)}", "")
        yield from self._write_overview()
        written: set[TypeKey] = set()
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            parts = [
                section
                for section in self._sections
                if self._titles[section.key].startswith(f"{kind.title}.") and _is_part_of(section, kind)
            ]
            yield ""
            yield from self._write_kind(crd, kind)
            for section in parts:
                written.add(section.key)
                yield ""
                yield from self._write_section(section, "###")
        remaining = [section for section in self._sections if section.key not in written]
        if remaining:
            yield from ("", "## Types")
            for section in remaining:
                yield ""
                yield from self._write_section(section, "###")
        if self._samples:
            yield from ("", "## Samples")
            yield from self._write_samples()

    def get_anchors(self) -> PageAnchors:
        """Return the anchors of the rendered page."""
        kinds = zip(self._crds, self._types.kinds, strict=True)
        names = {crd.name: self._anchors[kind.key] for crd, kind in kinds}
        types = {self._anchors[section.key]: list(section.paths) for section in self._sections}
        return PageAnchors(names, self._fields.anchors, self._sample_anchors, types)

    def _make_anchor(self, title: str, field: str = "") -> str:
        """Return a unique anchor for a title, or for a field of that object; duplicates get a number."""
        name = re.sub(r"[^a-z0-9]+", "-", (field or title).lower()).strip("-") or "x"
        base = f"{title}.{name}" if field else name
        anchor, number = base, 1
        while anchor in self._used_anchors:
            number += 1
            anchor = f"{base}-{number}"
        self._used_anchors.add(anchor)
        return anchor

    def _make_link(self, documented_type: DocumentedType) -> str:
        return f"[{plain(self._titles[documented_type.key])}](#{self._anchors[documented_type.key]})"

    def _write_overview(self) -> Iterator[str]:
        yield from (format_row("kind", "versions", "scope", ""), format_row("---", "---", "---", "---"))
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            description = format_sentence(first_sentence(_get_kind_description(kind)))
            yield format_row(
                self._make_link(kind), ", ".join(map(format_version, crd.versions)), plain(crd.scope), description
            )

    def _write_kind(self, crd: Crd, kind: DocumentedType) -> Iterator[str]:
        yield f'## <a id="{self._anchors[kind.key]}"></a>{plain(kind.title)}'
        yield ""
        yield from [*format_prose(_get_kind_description(kind)), ""]
        kind_samples = [sample for sample in self._samples if sample.kind == crd.names.kind]
        samples = [f"[{plain(sample.title)}](#{self._sample_anchors[sample]})" for sample in kind_samples]
        yield from (*format_names(crd, samples), "", *format_version_table(crd, self._lifecycles), *format_columns(crd))
        yield ""
        places = [(f"{crd.group}/{crd.names.kind}", version, "") for version in kind.schemas]
        owner = self._make_context(kind, places)
        versions = _format_versions(kind.ordered_schemas, ", in ", " unless stated otherwise")
        yield f"Fields in addition to `apiVersion`, `kind` and `metadata`{versions}:"
        yield ""
        yield from self._fields.write_fields(owner, kind.ordered_schemas, _STANDARD_FIELDS)
        yield from _write_object_constraints(kind.ordered_schemas)

    def _write_section(self, documented_type: DocumentedType, level: str) -> Iterator[str]:
        anchor = self._anchors[documented_type.key]
        yield f'{level} <a id="{anchor}"></a>{plain(self._titles[documented_type.key])}'
        yield ""
        yield from self._write_uses(documented_type)
        schemas = documented_type.ordered_schemas
        for versions, description in group_versions(schemas, get_description) if documented_type.is_named else ():
            if description and description != self._get_spec_description(documented_type):
                yield from [*([f"In {versions}:", ""] if versions else []), *format_prose(description), ""]
        if any(schema.properties for schema in schemas.values()):
            yield from self._fields.write_fields(
                self._make_context(documented_type, list(documented_type.paths)), schemas
            )
        else:
            yield from self._fields.write_values(schemas, list(documented_type.paths))
        yield from _write_object_constraints(schemas)

    def _get_spec_description(self, documented_type: DocumentedType) -> str:
        """Return the description of the kind if a type is used only there, as its spec; it is not repeated."""
        kinds = {kind.key: kind for kind in self._types.kinds}
        uses = list(documented_type.uses)
        return _get_kind_description(kinds[uses[0].owner]) if len(uses) == 1 and uses[0].owner in kinds else ""

    def _write_uses(self, documented_type: DocumentedType) -> Iterator[str]:
        sections = self._sections_by_key
        uses = [
            f"{self._make_link(sections[use.owner])} {code(use.field)}"
            for use in documented_type.uses
            if use.owner in sections
        ]
        more = [f"{len(uses) - _MAX_USES} more"] if len(uses) > _MAX_USES + 1 else []
        listed = uses[:_MAX_USES] if more else uses
        yield f"Used in {', '.join([*listed, *more])}.{self._format_facts(documented_type)}"
        yield ""

    def _format_facts(self, documented_type: DocumentedType) -> str:
        """Format the deprecation, versions and first release of a type, which also apply to its fields or values."""
        members = "fields" if any(schema.properties for schema in documented_type.schemas.values()) else "values"
        deprecations = group_versions(documented_type.ordered_schemas, is_deprecated)
        versions = next((versions for versions, applies in deprecations if applies), None)
        deprecated = "" if versions is None else f" **Deprecated{f' in {versions}' if versions else ''}.**"
        since = self._lifecycles.find_lifecycle(documented_type.paths, deprecated=False).since
        span = _format_versions(documented_type.ordered_schemas, "in ", "")
        facts = [span] if span else []
        facts += [f"since {since}"] if since else []
        sentence = f"{' and '.join(facts)}, including its {members} unless stated otherwise." if facts else ""
        return f"{deprecated}{f' {sentence[0].upper()}{sentence[1:]}' if sentence else ''}"

    def _make_context(self, documented_type: DocumentedType, places: Sequence[ElementKey]) -> FieldListContext:
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return FieldListContext(
            self._anchors[documented_type.key], list(documented_type.ordered_schemas), places, since
        )

    def _write_samples(self) -> Iterator[str]:
        for sample in self._samples:
            yield from ("", f'### <a id="{self._sample_anchors[sample]}"></a>{plain(sample.title)}', "")
            yield from fenced(strip_generated_comment(sample.text), "yaml")


def _is_part_of(documented_type: DocumentedType, kind: DocumentedType) -> bool:
    """Check whether a type is documented with its kind: it is unnamed, or the kind uses it directly."""
    return not documented_type.is_named or any(use.owner == kind.key for use in documented_type.uses)


def _format_versions(schemas: VersionedSchemas, before: str, behind: str) -> str:
    """Format a span of versions between two phrases; empty for a single version."""
    versions = list(schemas)
    return f"{before}{format_version_span(versions, versions)}{behind}" if len(versions) > 1 else ""


def _write_object_constraints(schemas: VersionedSchemas) -> Iterator[str]:
    constraints = [*group_lines(schemas, format_constraints), *group_lines(schemas, format_own_rules)]
    if constraints:
        yield from ("", "Constraints on the whole object:", "")
        yield from (f"- in {versions}: {line}" if versions else f"- {line}" for versions, line in constraints)


def _get_kind_description(kind: DocumentedType) -> str:
    """Return the description of a kind: of its object, else of its spec."""
    for version in reversed(list(kind.ordered_schemas)):
        schema = kind.schemas[version]
        spec = schema.properties.get("spec")
        if description := get_description(schema) or (get_description(spec) if spec is not None else ""):
            return description
    return ""


def strip_generated_comment(content: str) -> str:
    """Remove the "generated" comment of a sample."""
    return "\n".join(line for line in content.rstrip("\n").split("\n") if line != GENERATED_COMMENT)
