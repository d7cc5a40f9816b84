"""What of an API the version being made has, and schemas shared by the versions that have the same.

A schema is made for one version. Every range that is asked meanwhile is remembered with the answer: for a version that
gets the same answers it is the same object. So what has no range is made once, and a schema with ranges once for each
class of versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import VersionRange, is_release
from protoc_gen_crd.markers.ranges import Span
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.types import Schema


class Asked(Record):
    """Ranges that must all hold for something to be there: a field for those of its type, or what they are of."""

    spans: tuple[Span, ...]
    field: Field | None


class _Made:
    """A schema, or one being made: the ranges that were asked, and the elements that they are of."""

    __slots__ = ("answers", "names", "schema")

    def __init__(self) -> None:
        self.answers: dict[VersionRange, bool] = {}
        self.names: dict[str, None] = {}
        self.schema: Schema | None = None

    def add(self, other: _Made) -> None:
        """Depend on what another depends on."""
        self.answers |= other.answers
        self.names |= other.names


class Editions:
    """Answers for one version at a time, `version`; with none, no range of API versions holds."""

    def __init__(self, release: str) -> None:
        self.version = ""
        self._release = release
        self._open = [_Made()]
        self._made: dict[str, list[_Made]] = {}
        self._asked: dict[tuple[object, ...], Asked] = {}
        self._held: set[object] = set()

    def holds(self, spans: Sequence[Span], field: Field | None = None) -> bool:
        """Whether all of some ranges hold the version being made; with those of its type, the field is named."""
        if not spans:
            return True
        asked = self._group(tuple(spans), field)
        made = self._open[-1]
        made.names |= dict.fromkeys([span.owner for span in asked.spans])
        if field is not None:
            made.names[field.full_name] = None
        answers = [self._answer(span.range) for span in asked.spans]
        made.answers |= {span.range: answer for span, answer in zip(asked.spans, answers, strict=True)}
        if all(answer or span.range.of_releases for span, answer in zip(asked.spans, answers, strict=True)):
            self._held.add(_question(asked))
        return all(answers)

    def _group(self, spans: tuple[Span, ...], field: Field | None) -> Asked:
        key = (field and field.full_name, *map(id, spans))
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = Asked(spans, field)
        return known

    def _answer(self, known: VersionRange) -> bool:
        if known.of_releases:
            return known.contains(self._release) if self._release else not known.until
        return bool(self.version) and not is_release(self.version) and known.contains(self.version)

    def schema(self, name: str, make: Callable[[], Schema]) -> Schema:
        """The schema of a name in the version being made; `make` is called where no other version has the same."""
        for known in self._made.get(name, ()):
            if known.schema is not None and all(self._answer(one) is said for one, said in known.answers.items()):
                if known.answers:
                    self._open[-1].add(known)
                return known.schema
        made = _Made()
        self._open.append(made)
        made.schema = make()
        self._open.pop()
        self._made.setdefault(name, []).append(made)
        self._open[-1].add(made)
        return made.schema

    def has(self, name: str) -> bool:
        """Whether any version has asked for the schema of a name."""
        return name in self._made

    def made(self) -> Iterable[str]:
        """All names of which a version has asked for the schema."""
        return self._made.keys()

    def ends(self, name: str) -> list[str]:
        """The API versions that the ranges below a name begin and end with."""
        found = [one for made in self._made.get(name, ()) for one in made.answers if not one.of_releases]
        return list(dict.fromkeys(end for one in found for end in (one.since, one.until) if end))

    def begin(self) -> None:
        """From here on, remember what is asked for the next kind."""
        self._open = [_Made()]

    def names(self) -> Iterator[str]:
        """The elements whose ranges were asked since then."""
        return iter(self._open[0].names)

    def asked(self) -> Iterable[Asked]:
        """All ranges that were asked, together as they must hold."""
        return self._asked.values()

    def held(self, asked: Asked) -> bool:
        """Whether such ranges have held a version that asked; those of releases count as holding."""
        return _question(asked) in self._held


def _question(asked: Asked) -> object:
    """What is asked, wherever it is written: a resource's ranges are made anew for versions that see it differently."""
    return asked.field and asked.field.full_name, *[(span.owner, span.range) for span in asked.spans]
