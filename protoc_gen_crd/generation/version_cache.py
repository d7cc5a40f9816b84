"""The elements of an API in the current version, and schemas shared by versions that have the same elements.

A schema is made for one version. Every range that is asked meanwhile is remembered with the answer: for a version that
gets the same answers it is the same object. So what has no range is made once, and a schema with ranges once for each
class of versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.versions import VersionRange, is_release
from protoc_gen_crd.markers.marker_ranges import LocatedRange
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.schema import Schema


class RangeCondition(Record):
    """Ranges that must all hold for something to be there: a field for those of its type, or what they are of."""

    spans: tuple[LocatedRange, ...]
    field: Field | None


class _CachedSchema:
    """A schema, or one being made: the ranges that were asked, and the elements that they are of."""

    __slots__ = ("answers", "names", "schema")

    def __init__(self) -> None:
        self.answers: dict[VersionRange, bool] = {}
        self.names: dict[str, None] = {}
        self.schema: Schema | None = None

    def add(self, other: _CachedSchema) -> None:
        """Depend on what another depends on."""
        self.answers |= other.answers
        self.names |= other.names


class _SchemaVariants:
    """The schemas of one name, by the ranges that were asked for them and the answers.

    Shortcut shared-schemas: a schema consists of elements of the API, and whether an element is there depends on the
    version only by ranges, which are recorded.
    """

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: dict[tuple[VersionRange, ...], dict[tuple[bool, ...], _CachedSchema]] = {}

    def find(self, answer: Callable[[VersionRange], bool]) -> _CachedSchema | None:
        """The first one that was made for the same answers."""
        for ranges, by_answers in self._made.items():
            known = by_answers.get(tuple([answer(asked) for asked in ranges]))
            if known is not None:
                return known
        return None

    def add(self, made: _CachedSchema) -> None:
        """Remember one that is made."""
        self._made.setdefault(tuple(made.answers), {})[tuple(made.answers.values())] = made

    def list_ranges(self) -> Iterator[VersionRange]:
        """All ranges that were asked, again for each set of them."""
        return (asked for ranges in self._made for asked in ranges)


class VersionCache:
    """Answers for one version at a time, `version`; with none, no range of API versions holds."""

    def __init__(self, release: str) -> None:
        self.version = ""
        self._release = release
        self._answers: tuple[str, dict[VersionRange, bool]] = "", {}  # of one version
        self._open = [_CachedSchema()]
        self._made: dict[str, _SchemaVariants] = {}
        self._asked: dict[tuple[object, ...], RangeCondition] = {}
        self._held: set[tuple[object, ...]] = set()
        self._held_questions: set[object] = set()

    def is_in_ranges(self, spans: Sequence[LocatedRange], field: Field | None = None) -> bool:
        """Whether all of some ranges hold the version being made; with those of its type, the field is named."""
        if not spans:
            return True
        key = (field and field.full_name, *map(id, spans))
        if key not in self._asked:
            self._asked[key] = RangeCondition(tuple(spans), field)
        made = self._open[-1]
        holds = counts = True
        for span in spans:
            answer = made.answers[span.range] = self._evaluate_range(span.range)
            made.names[span.owner] = None
            holds &= answer
            counts &= answer or span.range.is_of_releases
        if field is not None:
            made.names[field.full_name] = None
        if counts and key not in self._held:
            self._held.add(key)
            self._held_questions.add(_make_condition_key(self._asked[key]))
        return holds

    def _evaluate_range(self, asked: VersionRange) -> bool:
        """Whether a range holds the version being made.

        Shortcut range-answers: an answer is a function of the range, the release and the version, for which it is kept.
        """
        if self._answers[0] != self.version:
            self._answers = self.version, {}
        known = self._answers[1].get(asked)
        if known is None:
            known = self._answers[1][asked] = self._contains(asked)
        return known

    def _contains(self, asked: VersionRange) -> bool:
        if asked.is_of_releases:
            return asked.contains(self._release) if self._release else not asked.until
        return bool(self.version) and not is_release(self.version) and asked.contains(self.version)

    def get_schema(self, name: str, make: Callable[[], Schema]) -> Schema:
        """The schema of a name in the version being made; `make` is called where no other version has the same."""
        variants = self._made.get(name)
        known = variants.find(self._evaluate_range) if variants is not None else None
        if known is not None and known.schema is not None:
            if known.answers:
                self._open[-1].add(known)
            return known.schema
        made = _CachedSchema()
        self._open.append(made)
        made.schema = make()
        self._open.pop()
        self._made.setdefault(name, _SchemaVariants()).add(made)
        self._open[-1].add(made)
        return made.schema

    def has_schema(self, name: str) -> bool:
        """Report whether any version uses the schema of a name."""
        return name in self._made

    def list_schema_names(self) -> Iterable[str]:
        """All names of which a version has asked for the schema."""
        return self._made.keys()

    def list_range_ends(self, name: str) -> list[str]:
        """The API versions that the ranges below a name begin and end with."""
        asked = self._made[name].list_ranges() if name in self._made else ()
        found = [one for one in asked if not one.is_of_releases]
        return list(dict.fromkeys(end for one in found for end in (one.since, one.until) if end))

    def begin_kind(self) -> None:
        """From here on, remember what is asked for the next kind."""
        self._open = [_CachedSchema()]

    def list_elements(self) -> Iterator[str]:
        """The elements whose ranges were asked since then."""
        return iter(self._open[0].names)

    def list_conditions(self) -> Iterable[RangeCondition]:
        """All ranges that were asked, together as they must hold."""
        return self._asked.values()

    def is_satisfied(self, asked: RangeCondition) -> bool:
        """Whether such ranges have held a version that asked; those of releases count as holding."""
        return _make_condition_key(asked) in self._held_questions


def _make_condition_key(asked: RangeCondition) -> object:
    """What is asked, wherever it is written: a resource's ranges are made anew for versions that see it differently."""
    return asked.field and asked.field.full_name, *[(span.owner, span.range) for span in asked.spans]
