"""The page of an API group: its kinds, then their types, with links between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.markdown import code, fenced, plain
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.emit.sample_yaml import GENERATED_COMMENT
from protoc_gen_crd.emit.sample_yaml import extract_sentence as first_sentence
from protoc_gen_crd.reference.constraint_text import format_constraints
from protoc_gen_crd.reference.field_list import FieldListContext, FieldListWriter, format_own_rules, get_description
from protoc_gen_crd.reference.kind_section import (
    format_columns,
    format_names,
    format_row,
    format_version,
    format_version_table,
)
from protoc_gen_crd.reference.lifecycle import ElementKey, LifecycleIndex
from protoc_gen_crd.reference.prose import format_prose, format_sentence, join_lines
from protoc_gen_crd.reference.type_index import DocumentedType, TypeIndex, TypeKey, VersionedSchemas, make_titles
from protoc_gen_crd.reference.version_agreement import format_version_span, group_lines, group_versions
from protoc_gen_crd.schema.deprecated_fields import is_deprecated

_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")
_MAX_USES = 12


class PageSample(Record):
    """A sample to be shown: of which kind and version, what it is, and its YAML."""

    group: str
    kind: str
    version: str
    title: str
    text: str


def make_pages(crds: Sequence[Crd], lives: LifecycleIndex, samples: Sequence[PageSample]) -> tuple[OutputFile, ...]:
    """A page for each group, named after it."""
    groups: dict[str, list[Crd]] = {}
    for crd in sorted(crds, key=lambda crd: (crd.group, crd.names.kind, crd.name)):
        groups.setdefault(crd.group, []).append(crd)
    return tuple(
        OutputFile(
            f"{group}.md", _GroupPage(group, held, lives, [one for one in samples if one.group == group]).render()
        )
        for group, held in groups.items()
    )


class _GroupPage:
    def __init__(self, group: str, crds: Sequence[Crd], lives: LifecycleIndex, samples: Sequence[PageSample]) -> None:
        self._group = group
        self._crds = crds
        self._lifecycles = lives
        self._samples = samples
        self._types = TypeIndex(crds, places=lives.has_releases)
        self._sections = self._types.list_types()
        kinds = self._types.kinds
        self._titles = make_titles(self._sections, kinds)
        self._used_anchors: set[str] = set()
        self._anchors: dict[TypeKey, str] = {}
        for one in (*kinds, *self._sections):
            self._anchors[one.key] = self._make_anchor(self._titles[one.key])
        self._sample_anchors = {one: self._make_anchor(one.title) for one in samples}
        self._fields = FieldListWriter(self._types, lives, self._make_link, self._make_anchor)

    def render(self) -> str:
        """The page."""
        made = [f"# {plain(self._group)}", "", *self._write_overview()]
        shown: set[TypeKey] = set()
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            own = [
                one
                for one in self._sections
                if self._titles[one.key].startswith(f"{kind.title}.") and _is_part_of(one, kind)
            ]
            made += ["", *self._write_kind(crd, kind)]
            for one in own:
                shown.add(one.key)
                made += ["", *self._write_section(one, "###")]
        rest = [one for one in self._sections if one.key not in shown]
        if rest:
            made += ["", "## Types"]
            for one in rest:
                made += ["", *self._write_section(one, "###")]
        if self._samples:
            made += ["", "## Samples", *self._write_samples()]
        return join_lines(made)

    def _make_anchor(self, title: str, field: str = "") -> str:
        """An anchor after a title, or after a field behind that of its object; the second of the same has a number."""
        name = re.sub(r"[^a-z0-9]+", "-", (field or title).lower()).strip("-") or "x"
        wanted = f"{title}.{name}" if field else name
        anchor, number = wanted, 1
        while anchor in self._used_anchors:
            number += 1
            anchor = f"{wanted}-{number}"
        self._used_anchors.add(anchor)
        return anchor

    def _make_link(self, one: DocumentedType) -> str:
        return f"[{plain(self._titles[one.key])}](#{self._anchors[one.key]})"

    def _write_overview(self) -> Iterator[str]:
        yield from (format_row("kind", "versions", "scope", ""), format_row("---", "---", "---", "---"))
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            said = format_sentence(first_sentence(_get_kind_description(kind)))
            yield format_row(
                self._make_link(kind), ", ".join(map(format_version, crd.versions)), plain(crd.scope), said
            )

    def _write_kind(self, crd: Crd, kind: DocumentedType) -> Iterator[str]:
        yield f'## <a id="{self._anchors[kind.key]}"></a>{plain(kind.title)}'
        yield ""
        yield from [*format_prose(_get_kind_description(kind)), ""]
        shown = [one for one in self._samples if one.kind == crd.names.kind]
        samples = [f"[{plain(one.title)}](#{self._sample_anchors[one]})" for one in shown]
        yield from (*format_names(crd, samples), "", *format_version_table(crd, self._lifecycles), *format_columns(crd))
        yield ""
        places = [(f"{crd.group}/{crd.names.kind}", version, "") for version in kind.schemas]
        owner = self._make_context(kind, places)
        said = _format_versions(kind.ordered_schemas, ", in ", " unless stated otherwise")
        yield f"Fields in addition to `apiVersion`, `kind` and `metadata`{said}:"
        yield ""
        yield from self._fields.write_fields(owner, kind.ordered_schemas, _STANDARD_FIELDS)
        yield from _write_object_constraints(kind.ordered_schemas)

    def _write_section(self, one: DocumentedType, level: str) -> Iterator[str]:
        anchor = self._anchors[one.key]
        yield f'{level} <a id="{anchor}"></a>{plain(self._titles[one.key])}'
        yield ""
        yield from self._write_uses(one)
        editions = one.ordered_schemas
        for where, said in group_versions(editions, get_description) if one.is_named else ():
            if said and said != self._get_spec_description(one):
                yield from [*([f"In {where}:", ""] if where else []), *format_prose(said), ""]
        if any(schema.properties for schema in editions.values()):
            yield from self._fields.write_fields(self._make_context(one, list(one.paths)), editions)
        else:
            yield from self._fields.write_values(editions, list(one.paths))
        yield from _write_object_constraints(editions)

    def _get_spec_description(self, one: DocumentedType) -> str:
        """What the kind has told already: the description of a spec that is all there is of it."""
        kinds = {kind.key: kind for kind in self._types.kinds}
        uses = list(one.uses)
        return _get_kind_description(kinds[uses[0].owner]) if len(uses) == 1 and uses[0].owner in kinds else ""

    def _write_uses(self, one: DocumentedType) -> Iterator[str]:
        known = {each.key: each for each in (*self._types.kinds, *self._sections)}
        uses = [f"{self._make_link(known[use.owner])} {code(use.field)}" for use in one.uses if use.owner in known]
        more = [f"{len(uses) - _MAX_USES} more"] if len(uses) > _MAX_USES + 1 else []
        shown = uses[:_MAX_USES] if more else uses
        yield f"Used in {', '.join([*shown, *more])}.{self._format_facts(one)}"
        yield ""

    def _format_facts(self, one: DocumentedType) -> str:
        """What holds of a type and of all that it has."""
        what = "fields" if any(schema.properties for schema in one.schemas.values()) else "values"
        versions = next(
            (versions for versions, each in group_versions(one.ordered_schemas, is_deprecated) if each), None
        )
        deprecated = "" if versions is None else f" **Deprecated{f' in {versions}' if versions else ''}.**"
        since = self._lifecycles.find_lifecycle(one.paths, deprecated=False).since
        said = _format_versions(one.ordered_schemas, "in ", "")
        known = [said] if said else []
        known += [f"since {since}"] if since else []
        facts = f"{' and '.join(known)}, including its {what} unless stated otherwise." if known else ""
        return f"{deprecated}{f' {facts[0].upper()}{facts[1:]}' if facts else ''}"

    def _make_context(self, one: DocumentedType, places: Sequence[ElementKey]) -> FieldListContext:
        since = self._lifecycles.find_lifecycle(places, deprecated=False).since
        return FieldListContext(self._anchors[one.key], list(one.ordered_schemas), places, since)

    def _write_samples(self) -> Iterator[str]:
        for one in self._samples:
            yield from ("", f'### <a id="{self._sample_anchors[one]}"></a>{plain(one.title)}', "")
            yield from fenced(_strip_generated_comment(one.text), "yaml")


def _is_part_of(one: DocumentedType, kind: DocumentedType) -> bool:
    """Check whether a type stands below its kind: one without a name, or one that is called like it."""
    return not one.is_named or any(use.owner == kind.key for use in one.uses)


def _format_versions(editions: VersionedSchemas, before: str, behind: str) -> str:
    """Format a span of versions; empty for a single version."""
    versions = list(editions)
    return f"{before}{format_version_span(versions, versions)}{behind}" if len(versions) > 1 else ""


def _write_object_constraints(editions: VersionedSchemas) -> Iterator[str]:
    told = [*group_lines(editions, format_constraints), *group_lines(editions, format_own_rules)]
    if told:
        yield from ("", "Constraints on the whole object:", "")
        yield from (f"- in {versions}: {said}" if versions else f"- {said}" for versions, said in told)


def _get_kind_description(kind: DocumentedType) -> str:
    """Return the description of a kind: of its object, else of its spec."""
    for version in reversed(list(kind.ordered_schemas)):
        schema = kind.schemas[version]
        spec = schema.properties.get("spec")
        if said := get_description(schema) or (get_description(spec) if spec is not None else ""):
            return said
    return ""


def _strip_generated_comment(text: str) -> str:
    """Remove the "generated" comment of a sample."""
    return "\n".join(line for line in text.rstrip("\n").split("\n") if line != GENERATED_COMMENT)
