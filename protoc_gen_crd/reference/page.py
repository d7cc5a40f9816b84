"""The page of an API group: its kinds, then the types that they are made of, with links between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.emit.samples import MADE
from protoc_gen_crd.emit.samples import sentence as first_sentence
from protoc_gen_crd.reference.fields import Fields, Owner, description, own_rules
from protoc_gen_crd.reference.kinds import columns, names, row, version_words, versions
from protoc_gen_crd.reference.lives import Lives, Place
from protoc_gen_crd.reference.model import agreed, lines, span
from protoc_gen_crd.reference.prose import code, fenced, joined, plain, prose, sentence
from protoc_gen_crd.reference.types import Editions, Key, Type, Types, titles_of
from protoc_gen_crd.reference.words import constraints
from protoc_gen_crd.schema.deprecation import is_deprecated

_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")
_MOST_USES = 12


class Sample(Record):
    """A sample to be shown: of which kind and version, what it is, and its YAML."""

    group: str
    kind: str
    version: str
    title: str
    text: str


def pages(crds: Sequence[Crd], lives: Lives, samples: Sequence[Sample]) -> tuple[OutputFile, ...]:
    """A page for each group, named after it."""
    groups: dict[str, list[Crd]] = {}
    for crd in sorted(crds, key=lambda crd: (crd.group, crd.names.kind, crd.name)):
        groups.setdefault(crd.group, []).append(crd)
    return tuple(
        OutputFile(f"{group}.md", _Page(group, held, lives, [one for one in samples if one.group == group]).text())
        for group, held in groups.items()
    )


class _Page:
    def __init__(self, group: str, crds: Sequence[Crd], lives: Lives, samples: Sequence[Sample]) -> None:
        self._group = group
        self._crds = crds
        self._lives = lives
        self._samples = samples
        self._types = Types(crds, places=lives.known)
        self._sections = self._types.all()
        kinds = self._types.kinds
        self._titles = titles_of(self._sections, kinds)
        self._taken: set[str] = set()
        self._anchors: dict[Key, str] = {}
        for one in (*kinds, *self._sections):
            self._anchors[one.key] = self._anchor(self._titles[one.key])
        self._sample_anchors = {one: self._anchor(one.title) for one in samples}
        self._fields = Fields(self._types, lives, self._link, self._anchor)

    def text(self) -> str:
        """The page."""
        made = [f"# {plain(self._group)}", "", *self._overview()]
        shown: set[Key] = set()
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            own = [
                one for one in self._sections if self._titles[one.key].startswith(f"{kind.title}.") and _of(one, kind)
            ]
            made += ["", *self._kind(crd, kind)]
            for one in own:
                shown.add(one.key)
                made += ["", *self._section(one, "###")]
        rest = [one for one in self._sections if one.key not in shown]
        if rest:
            made += ["", "## Types"]
            for one in rest:
                made += ["", *self._section(one, "###")]
        if self._samples:
            made += ["", "## Samples", *self._shown_samples()]
        return joined(made)

    def _anchor(self, title: str, field: str = "") -> str:
        """An anchor after a title, or after a field behind that of its object; the second of the same has a number."""
        name = re.sub(r"[^a-z0-9]+", "-", (field or title).lower()).strip("-") or "x"
        wanted = f"{title}.{name}" if field else name
        anchor, number = wanted, 1
        while anchor in self._taken:
            number += 1
            anchor = f"{wanted}-{number}"
        self._taken.add(anchor)
        return anchor

    def _link(self, one: Type) -> str:
        return f"[{plain(self._titles[one.key])}](#{self._anchors[one.key]})"

    def _overview(self) -> Iterator[str]:
        yield from (row("kind", "versions", "scope", ""), row("---", "---", "---", "---"))
        for crd, kind in zip(self._crds, self._types.kinds, strict=True):
            said = sentence(first_sentence(_said(kind)))
            yield row(self._link(kind), ", ".join(map(version_words, crd.versions)), plain(crd.scope), said)

    def _kind(self, crd: Crd, kind: Type) -> Iterator[str]:
        yield f'## <a id="{self._anchors[kind.key]}"></a>{plain(kind.title)}'
        yield ""
        yield from [*prose(_said(kind)), ""]
        shown = [one for one in self._samples if one.kind == crd.names.kind]
        samples = [f"[{plain(one.title)}](#{self._sample_anchors[one]})" for one in shown]
        yield from (*names(crd, samples), "", *versions(crd, self._lives), *columns(crd))
        yield ""
        places = [(f"{crd.group}/{crd.names.kind}", version, "") for version in kind.editions]
        owner = self._owner(kind, places)
        said = _versions_of(kind.ordered, ", in ", " where nothing else is said")
        yield f"Besides `apiVersion`, `kind` and `metadata` it has{said}:"
        yield ""
        yield from self._fields.listed(owner, kind.ordered, _OF_EVERY_OBJECT)
        yield from _whole(kind.ordered)

    def _section(self, one: Type, level: str) -> Iterator[str]:
        anchor = self._anchors[one.key]
        yield f'{level} <a id="{anchor}"></a>{plain(self._titles[one.key])}'
        yield ""
        yield from self._uses(one)
        editions = one.ordered
        for where, said in agreed(editions, description) if one.named else ():
            if said and said != self._told(one):
                yield from [*([f"In {where}:", ""] if where else []), *prose(said), ""]
        if any(schema.properties for schema in editions.values()):
            yield from self._fields.listed(self._owner(one, list(one.paths)), editions)
        else:
            yield from self._fields.values(editions, list(one.paths))
        yield from _whole(editions)

    def _told(self, one: Type) -> str:
        """What the kind has told already: the description of a spec that is all there is of it."""
        kinds = {kind.key: kind for kind in self._types.kinds}
        uses = list(one.uses)
        return _said(kinds[uses[0].owner]) if len(uses) == 1 and uses[0].owner in kinds else ""

    def _uses(self, one: Type) -> Iterator[str]:
        known = {each.key: each for each in (*self._types.kinds, *self._sections)}
        uses = [f"{self._link(known[use.owner])} {code(use.field)}" for use in one.uses if use.owner in known]
        more = [f"{len(uses) - _MOST_USES} more"] if len(uses) > _MOST_USES + 1 else []
        shown = uses[:_MOST_USES] if more else uses
        yield f"Used in {', '.join([*shown, *more])}.{self._facts(one)}"
        yield ""

    def _facts(self, one: Type) -> str:
        """What holds of a type and of all that it has."""
        what = "fields" if any(schema.properties for schema in one.editions.values()) else "values"
        versions = next((versions for versions, each in agreed(one.ordered, is_deprecated) if each), None)
        deprecated = "" if versions is None else f" **Deprecated{f' in {versions}' if versions else ''}.**"
        since = self._lives.of(one.paths, deprecated=False).since
        said = _versions_of(one.ordered, "in ", "")
        known = [said] if said else []
        known += [f"since {since}"] if since else []
        facts = f"{' and '.join(known)}, as are its {what} where nothing else is said." if known else ""
        return f"{deprecated}{f' {facts[0].upper()}{facts[1:]}' if facts else ''}"

    def _owner(self, one: Type, places: Sequence[Place]) -> Owner:
        since = self._lives.of(places, deprecated=False).since
        return Owner(self._anchors[one.key], list(one.ordered), places, since)

    def _shown_samples(self) -> Iterator[str]:
        for one in self._samples:
            yield from ("", f'### <a id="{self._sample_anchors[one]}"></a>{plain(one.title)}', "")
            yield from fenced(_unmarked(one.text), "yaml")


def _of(one: Type, kind: Type) -> bool:
    """Whether a type stands below its kind: one without a name, or one that is called like it."""
    return not one.named or any(use.owner == kind.key for use in one.uses)


def _versions_of(editions: Editions, before: str, behind: str) -> str:
    """Which versions something is in, where it is several."""
    versions = list(editions)
    return f"{before}{span(versions, versions)}{behind}" if len(versions) > 1 else ""


def _whole(editions: Editions) -> Iterator[str]:
    told = [*lines(editions, constraints), *lines(editions, own_rules)]
    if told:
        yield from ("", "Of the whole object:", "")
        yield from (f"- in {versions}: {said}" if versions else f"- {said}" for versions, said in told)


def _said(kind: Type) -> str:
    """What is said of a kind: of the whole object, else of its spec."""
    for version in reversed(list(kind.ordered)):
        schema = kind.editions[version]
        spec = schema.properties.get("spec")
        if said := description(schema) or (description(spec) if spec is not None else ""):
            return said
    return ""


def _unmarked(text: str) -> str:
    """A sample without the line that says that it was made."""
    return "\n".join(line for line in text.rstrip("\n").split("\n") if line != MADE)
