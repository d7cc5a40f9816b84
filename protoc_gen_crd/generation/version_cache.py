"""Cache of schemas that is shared by the versions with the same elements.

A schema is built for a version. Every range that is evaluated meanwhile is recorded with its result. Versions with the
same results get the same schema. So a schema without ranges is built once, and a schema with ranges once for each
class of versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_ranges import LocatedRange
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.schema.schema import Schema

if TYPE_CHECKING:
    from protoc_gen_crd.kubernetes.version_ranges import VersionRange


class RangeCondition(Record):
    """Ranges that all must contain the version. `field` is set if ranges of its type are included."""

    spans: tuple[LocatedRange, ...]
    field: Field | None


class _CachedSchema:
    """A schema, complete or not: the results of the ranges evaluated for it, and the names of their elements."""

    __slots__ = ("answers", "names", "schema")

    def __init__(self) -> None:
        self.answers: dict[VersionRange, bool] = {}
        self.names: dict[str, None] = {}
        self.schema: Schema | None = None

    def add(self, other: _CachedSchema) -> None:
        """Add the results and names of another schema."""
        self.answers |= other.answers
        self.names |= other.names


class _SchemaVariants:
    """The schemas of a name, by the ranges that were evaluated for them and the results.

    Shortcut shared-schemas: a schema consists of elements of the API, and whether an element is there depends on the
    version only by ranges, which are recorded.
    """

    __slots__ = ("_schemas",)

    def __init__(self) -> None:
        self._schemas: dict[tuple[VersionRange, ...], dict[tuple[bool, ...], _CachedSchema]] = {}

    def find(self, answer: Callable[[VersionRange], bool]) -> _CachedSchema | None:
        """Return the first schema with the same results; None if there is none."""
        for ranges, by_answers in self._schemas.items():
            cached = by_answers.get(tuple([answer(range_) for range_ in ranges]))
            if cached is not None:
                return cached
        return None

    def add(self, cached: _CachedSchema) -> None:
        """Add a complete schema."""
        self._schemas.setdefault(tuple(cached.answers), {})[tuple(cached.answers.values())] = cached

    def list_ranges(self) -> Iterator[VersionRange]:
        """Yield the evaluated ranges of all schemas, with repetitions."""
        return (range_ for ranges in self._schemas for range_ in ranges)


class VersionCache:
    """Evaluates ranges for the current `version`. Without a version, no range of API versions contains it."""

    def __init__(self, release: str) -> None:
        self.version = ""
        self._release = release
        self._answers: tuple[str, dict[VersionRange, bool]] = "", {}  # a version, and its results
        self._open = [_CachedSchema()]
        self._variants: dict[str, _SchemaVariants] = {}
        self._conditions: dict[tuple[object, ...], RangeCondition] = {}
        self._satisfied: set[tuple[object, ...]] = set()
        self._satisfied_conditions: set[object] = set()

    def is_in_ranges(self, spans: Sequence[LocatedRange], field: Field | None = None) -> bool:
        """Return whether all ranges contain the current version. `field` is passed with the ranges of its type."""
        if not spans:
            return True
        key = (field and field.full_name, *map(id, spans))
        if key not in self._conditions:
            self._conditions[key] = RangeCondition(tuple(spans), field)
        cached = self._open[-1]
        is_contained = is_satisfied = True
        for span in spans:
            answer = cached.answers[span.range] = self._evaluate_range(span.range)
            cached.names[span.owner] = None
            is_contained &= answer
            is_satisfied &= answer or span.range.is_of_releases
        if field is not None:
            cached.names[field.full_name] = None
        if is_satisfied and key not in self._satisfied:
            self._satisfied.add(key)
            self._satisfied_conditions.add(_make_condition_key(self._conditions[key]))
        return is_contained

    def _evaluate_range(self, range_: VersionRange) -> bool:
        """Return whether a range contains the current version.

        Shortcut range-answers: a result is a function of the range, the release, and the version that it is cached for.
        """
        if self._answers[0] != self.version:
            self._answers = self.version, {}
        result = self._answers[1].get(range_)
        if result is None:
            result = self._answers[1][range_] = self._contains(range_)
        return result

    def _contains(self, range_: VersionRange) -> bool:
        if range_.is_of_releases:
            return range_.contains(self._release) if self._release else not range_.until
        from protoc_gen_crd.kubernetes.version_ranges import is_release  # noqa: PLC0415 - few APIs have ranges

        return bool(self.version) and not is_release(self.version) and range_.contains(self.version)

    def get_schema(self, name: str, make: Callable[[], Schema]) -> Schema:
        """Return the schema of a name in the current version. `make` builds it if no other version has the same."""
        variants = self._variants.get(name)
        shared = variants.find(self._evaluate_range) if variants is not None else None
        if shared is not None and shared.schema is not None:
            if shared.answers:
                self._open[-1].add(shared)
            return shared.schema
        cached = _CachedSchema()
        self._open.append(cached)
        cached.schema = make()
        self._open.pop()
        self._variants.setdefault(name, _SchemaVariants()).add(cached)
        self._open[-1].add(cached)
        return cached.schema

    def has_schema(self, name: str) -> bool:
        """Return whether any version uses the schema of a name."""
        return name in self._variants

    def list_schema_names(self) -> Iterable[str]:
        """Return the names of the cached schemas."""
        return self._variants.keys()

    def list_range_ends(self, name: str) -> list[str]:
        """Return the API versions that are ends of the ranges in the schema of a name."""
        ranges = self._variants[name].list_ranges() if name in self._variants else ()
        api_ranges = [range_ for range_ in ranges if not range_.is_of_releases]
        return list(dict.fromkeys(end for range_ in api_ranges for end in (range_.since, range_.until) if end))

    def begin_kind(self) -> None:
        """Start to record the elements of the next kind."""
        self._open = [_CachedSchema()]

    def list_elements(self) -> Iterator[str]:
        """Return the elements whose ranges were evaluated for the current kind."""
        return iter(self._open[0].names)

    def list_conditions(self) -> Iterable[RangeCondition]:
        """Return all conditions that were evaluated."""
        return self._conditions.values()

    def is_satisfied(self, condition: RangeCondition) -> bool:
        """Return whether a condition was satisfied for any version. Ranges of releases always count as satisfied."""
        return _make_condition_key(condition) in self._satisfied_conditions


def _make_condition_key(condition: RangeCondition) -> object:
    """Return a key of a condition without places, since the ranges of a resource are parsed for each variant of it."""
    return condition.field and condition.field.full_name, *[(span.owner, span.range) for span in condition.spans]
