"""The CRDs of a run: put to the servers themselves, then asked about objects of their kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.admission.crd.compiling import Compiler
from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.base.diagnostics import Location, Place, Problems
from protoc_gen_crd.base.versions import NEWEST, OLDEST, worded
from protoc_gen_crd.build.verdicts import TOO_COSTLY, report_verdicts
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.testing.answers import Answer, of_crd, of_object
from protoc_gen_crd.testing.before import Before
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.keys import Json

Source = Crd | Case  # where a CRD comes from: made in memory, or a document


class Servers:
    """Servers of sets of minor versions, each made once."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, ...], Server] = {}
        self._cel = Compiler()

    def of(self, minors: Iterable[int]) -> Server:
        """The server that answers for these versions."""
        key = tuple(minors)
        if key not in self._made:
            self._made[key] = Server(key, self._cel)
        return self._made[key]


class Definition:
    """One CRD and the versions that take it. A CRD may mean different things to them: old ones overlook members."""

    def __init__(self, source: Source, asked: Sequence[int], servers: Servers, old: Json | None = None) -> None:
        self.source, self.old = source, old
        self.verdicts = _admitted(source, servers.of(asked), old)
        groups: dict[int, tuple[Crd, list[int]]] = {}
        for verdict in self.verdicts:
            if not verdict.refused and verdict.held is not None:
                groups.setdefault(id(verdict.held.crd), (verdict.held.crd, []))[1].extend(verdict.minors)
        self._serving = [(tuple(sorted(minors)), crd) for crd, minors in groups.values()]
        self._servers = servers

    @property
    def minors(self) -> frozenset[int]:
        """The versions that take the CRD."""
        return frozenset(minor for minors, _ in self._serving for minor in minors)

    @property
    def crd(self) -> Crd | None:
        """The CRD as the newest version has it, None where none takes it."""
        return max(self._serving)[1] if self._serving else None

    @property
    def at(self) -> Place | None:
        """Where the CRD stands."""
        return self.source.at if isinstance(self.source, Case) else self.source.origin

    def served(self) -> list[str]:
        """The names of the versions of which there may be objects."""
        return [version.name for version in self.crd.versions if version.served] if self.crd else []

    def schema(self, version: str) -> Schema | None:
        """The schema of a version."""
        versions = self.crd.versions if self.crd else ()
        return next((each.schema for each in versions if each.name == version), None)

    def answers(self, obj: Json, old: Json | None, asked: Sequence[int], *, status: bool) -> Iterator[Answer]:
        """What the servers of these versions say of an object."""
        for minors, crd in self._serving:
            if set(minors) & set(asked):
                for verdict in self._servers.of(minors).validate(crd, obj, old, status=status):
                    yield from of_object(verdict, asked)


def _admitted(source: Source, server: Server, old: Json | None) -> tuple[Verdict, ...]:
    if isinstance(source, Crd):
        return server.admit(source, decode(old).crd if old is not None else None)
    return server.admit_data(source.object, old, places=source.place)


class Definitions:
    """All CRDs of a run, by group and kind, and what was there before."""

    def __init__(self, asked: Sequence[int]) -> None:
        self.asked = tuple(asked)
        self.before = Before()
        self._servers = Servers()
        self._known: dict[tuple[str, str], Definition] = {}
        self._everywhere: dict[tuple[str, str], Definition] = {}

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Definition]:
        return iter(self._known.values())

    def add(self, source: Source, problems: Problems) -> None:
        """Take a CRD up. What servers say of it is reported; of a new one that the generator made, it has done so."""
        key = _key(source)
        known = self._known.get(key)
        if known is not None:
            _report_repeated(source, known, problems)
            return
        made = self._known[key] = self._definition(source, self.asked)
        if isinstance(source, Case) or made.old is not None:
            _report(made, problems)

    def knows(self, source: Source) -> bool:
        """Whether there is a CRD for the kind of another."""
        return _key(source) in self._known

    def find(self, case: Case) -> Definition | None:
        """The CRD of an object's kind."""
        return self._known.get((case.group, case.kind))

    def kinds(self) -> list[str]:
        """The kinds that are known."""
        return sorted({kind for _, kind in self._known})

    def everywhere(self, case: Case) -> Definition:
        """The CRD of an object's kind as all known versions take it."""
        key = case.group, case.kind
        if len(self.asked) == NEWEST + 1 - OLDEST:
            return self._known[key]
        if key not in self._everywhere:
            self._everywhere[key] = self._definition(self._known[key].source, range(OLDEST, NEWEST + 1))
        return self._everywhere[key]

    def _definition(self, source: Source, asked: Sequence[int]) -> Definition:
        return Definition(source, asked, self._servers, self.before.of_crd(_name(source)))

    def answers_on_crd(self, case: Case, asked: Sequence[int]) -> Iterator[Answer]:
        """What the servers of these versions say of a CRD that is a test document."""
        server = self._servers.of(asked)
        for verdict in server.admit_data(case.object, self.before.of(case), places=case.place):
            yield from of_crd(verdict, asked)


def _name(source: Source) -> str:
    """What a CRD is called; of one that has no name, what it is."""
    return source.name if isinstance(source, Crd) else source.name.partition("/")[2] or source.name


def _key(source: Source) -> tuple[str, str]:
    if isinstance(source, Crd):
        return source.group, source.names.kind
    spec = source.object.get("spec")
    names = spec.get("names") if isinstance(spec, dict) else None
    kind = names.get("kind") if isinstance(names, dict) else None
    return str(spec.get("group") if isinstance(spec, dict) else ""), str(kind)


_WAYS_OUT = {TOO_COSTLY: "protoc-gen-crd cost tells the bounds with which it fits"}


def _report(made: Definition, problems: Problems) -> None:
    name, asked = _name(made.source), sum(len(verdict.minors) for verdict in made.verdicts)
    for verdict in made.verdicts:
        if verdict.decode:
            of = "" if len(verdict.minors) == asked else f" of version {worded(verdict.minors)}"
            message = f"an API server{of} must accept {name}, found {verdict.decode}"
            problems.report("crd-refused", message, verdict.origin or made.at, path=name)
    held = [verdict for verdict in made.verdicts if verdict.held is not None]
    if held and held[0].held is not None:
        report_verdicts(held[0].held.crd, held, asked, problems, _WAYS_OUT)


def _report_repeated(source: Source, known: Definition, problems: Problems) -> None:
    """Tell of a second CRD for a kind, unless it is the same again."""
    if _plain(source) == _plain(known.source):
        return
    first = known.at.resolve() if known.at else Location("")
    at = source.at if isinstance(source, Case) else source.origin
    message = f"a kind must have one CRD, found another of {'/'.join(filter(None, _key(source)))}"
    problems.report("crd-repeated", message, at, hint=f"the one at {first} counts")


def _plain(source: Source) -> object:
    return encode(source).get("spec") if isinstance(source, Crd) else source.object.get("spec")
