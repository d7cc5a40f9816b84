"""What of an API the version being made has, and schemas shared by the versions that have the same.

A schema is made for one version. Every range that is asked meanwhile is remembered with the answer: for a version that
gets the same answers it is the same object. So what has no range is made once, and a schema with ranges once for each
class of versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from protoc_gen_crd.base.versions import VersionRange, is_release
from protoc_gen_crd.markers.ranges import Span
from protoc_gen_crd.schema.types import Schema


class _Made:
    """A schema, or one being made: the ranges that were asked, and the messages and enums that they are written in."""

    __slots__ = ("answers", "name", "names", "schema")

    def __init__(self, name: str) -> None:
        self.name = name
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
        self._open = [_Made("")]
        self._made: dict[str, list[_Made]] = {}
        self._spans: dict[str, dict[int, Span]] = {}
        self._held: set[tuple[str, VersionRange]] = set()

    def holds(self, spans: Iterable[Span]) -> bool:
        """Whether all of some ranges hold the version being made."""
        return all(list(map(self._ask, spans)))

    def _ask(self, span: Span) -> bool:
        made = self._open[-1]
        made.names[made.name] = None
        self._spans.setdefault(made.name, {})[id(span)] = span
        answer = made.answers[span.range] = self._answer(span.range)
        if answer:
            self._held.add((made.name, span.range))
        return answer

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
        made = _Made(name)
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

    def begin(self, kind: str) -> None:
        """From here on, remember what is asked for the next kind; ranges of its own are asked in its name."""
        self._open = [_Made(kind)]

    def asked(self) -> Iterator[str]:
        """The kind, messages and enums whose ranges were asked since then."""
        return iter(self._open[0].names)

    def spans(self, name: str) -> Iterable[Span]:
        """The ranges that a kind, a message or an enum and its members have, as far as they were asked."""
        return self._spans.get(name, {}).values()

    def held(self, name: str, asked: VersionRange) -> bool:
        """Whether a range that a kind, a message or an enum has held one of the versions that asked."""
        return (name, asked) in self._held
