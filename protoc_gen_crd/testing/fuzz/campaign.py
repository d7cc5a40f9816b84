"""A run: the user's own documents are compared as they are, then documents are made of them and of samples.

Of each kind of difference the smallest document is kept. All documents that are known to be valid serve as ground.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.server import Server
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.samples.sample import Sampler
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.fuzz.comparison import Comparison, Difference
from protoc_gen_crd.testing.fuzz.drawn import search
from protoc_gen_crd.testing.fuzz.external import External, Json, ValidatorError, short
from protoc_gen_crd.testing.session import Session

_BATCH = 100
_ONE = 60  # documents that are drawn to make a known one smaller
_REPEATED = 10  # times as many documents are drawn as are wanted, since most have been seen before
_FAILURES = 3  # documents that the validator may give no answer to


class Limits(Record):
    """How long to go on: documents, seconds (0 for no limit); and the seed."""

    count: int = 1000
    seconds: int = 0
    seed: int = 0


class Ground(Record):
    """A kind and version, and documents of it to begin with, the simplest first."""

    definition: Definition
    schema: Schema
    bases: tuple[Json, ...]


class Finds(Record):
    """What came of a run. `cases` are differences on documents of the user, with the smaller one that was found."""

    differences: tuple[tuple[Definition, Difference], ...]
    cases: tuple[tuple[Case, Difference], ...]
    answered: int
    failed: bool


class _Enough(BaseException):
    """Ends a search, through hypothesis."""


class Campaign:
    """One run over the kinds of a session."""

    def __init__(self, session: Session, external: External, limits: Limits, shown: Callable[[str], None]) -> None:
        self.session, self.limits, self._shown = session, limits, shown
        self.minor = session.asked[-1]
        self.comparison = Comparison(external, self.minor, strict=session.settings.field_validation == "strict")
        self.sampler = Sampler(Server((self.minor,)))
        self.found: list[tuple[Definition, Difference]] = []
        self._mine: list[tuple[Case, Difference]] = []
        self._failures: list[str] = []
        self._made = 0
        self._until = time.monotonic() + limits.seconds if limits.seconds else None

    @property
    def problems(self) -> Problems:
        """Where findings go."""
        return self.session.problems

    def run(self) -> Finds:
        """Compare until the limits are reached or the validator fails too often."""
        try:
            cases = list(self._cases())
            self._compare_cases(cases)
            self._search([ground for ground in self._grounds(cases) if ground.bases])
        except _Enough:
            pass
        return Finds(tuple(self.found), tuple(self._mine), self.comparison.answered, bool(self._failures))

    def _cases(self) -> Iterator[tuple[Case, Definition]]:
        """The user's documents that can be put to a validator: those that are created."""
        for file in self.session.files:
            for case in self.session.cases(file)[0]:
                definition = None if case.is_crd else self.session.definitions.find(case)
                if definition is None or case.expected.old is not None or self.minor not in case.expected.minors:
                    continue
                if case.version in definition.served() and self.minor in definition.minors:
                    yield case, definition

    def _compare_cases(self, cases: Sequence[tuple[Case, Definition]]) -> None:
        for case, definition in cases:
            difference = self._compared(case.object, definition)
            if difference is None or not self._is_new(difference):
                continue
            schema = definition.schema(case.version) or Schema({})
            smaller = self._smaller(difference, definition, schema)
            if smaller.size < difference.size:
                self.found.append((definition, smaller))
            else:
                self._mine.append((case, difference))

    def _smaller(self, difference: Difference, definition: Definition, schema: Schema) -> Difference:
        """The smallest document that differs like one that is known, and if possible for fewer reasons."""
        fewer = len(difference.reasons) + 1
        while fewer > 1:
            ground = Ground(definition, schema, (difference.document,))
            found = self._drawn(ground, self.limits.seed, _ONE, like=difference, fewer=fewer)
            difference = min([difference, *found], key=lambda each: each.size)
            fewer = len(difference.reasons) if found else 0
        return difference

    def _is_new(self, difference: Difference) -> bool:
        known = [*(each for _, each in self.found), *(each for _, each in self._mine)]
        return not any(each.explains(difference) for each in known)

    def _grounds(self, cases: Sequence[tuple[Case, Definition]]) -> Iterator[Ground]:
        for definition in self.session.definitions:
            crd = definition.crd
            for version in crd.versions if crd is not None and self.minor in definition.minors else ():
                if crd is not None and version.served and version.schema is not None:
                    valid = [case.object for case, of in cases if of is definition and case.version == version.name]
                    bases = [*self._samples(crd, version), *valid]
                    yield Ground(definition, version.schema, tuple(self._accepted(bases, definition)))

    def _samples(self, crd: Crd, version: Version) -> Iterator[Json]:
        for full in (False, True):
            sample = self.sampler.sample(crd, version, full=full)
            if sample.errors and not full:
                message = f"a sample of {crd.names.kind} {version.name} must be found, found only one that is refused"
                self.problems.report("fuzz-sample", f"{message}: {sample.errors[0]}", version.origin)
            yield sample.object

    def _accepted(self, documents: Sequence[Json], definition: Definition) -> Iterator[Json]:
        for document in documents:
            answers = definition.answers(document, None, (self.minor,), status=False)
            if not any(answer.errors for answer in answers):
                yield document

    def _search(self, grounds: Sequence[Ground]) -> None:
        """Batches of all kinds in turns, until as many documents were asked about."""
        for ground in grounds:
            for document in ground.bases:
                difference = self._compared(document, ground.definition)
                if difference is not None and self._is_new(difference):
                    self._keep(ground, [difference])
        for batch in range(_REPEATED * self.limits.count // _BATCH + 1):
            left = self.limits.count - self._made
            if left <= 0 or not grounds:
                break
            ground = grounds[batch % len(grounds)]
            self._keep(ground, self._drawn(ground, self.limits.seed + batch, min(_BATCH, left)))

    def _keep(self, ground: Ground, differences: Sequence[Difference]) -> None:
        for difference in sorted(differences, key=lambda each: each.size):
            if self._is_new(difference):
                smaller = self._smaller(difference, ground.definition, ground.schema)
                self.found.append((ground.definition, smaller))

    def _drawn(
        self, ground: Ground, number: int, count: int, like: Difference | None = None, fewer: int = sys.maxsize
    ) -> list[Difference]:
        """The smallest documents of a batch that differ in a new way, one for each way to tell them apart at sight.

        With `like`, only what shares a reason with it counts, with `fewer` only what has fewer reasons.
        """
        smallest: dict[str, Difference] = {}

        def differs(document: dict[str, Any]) -> str | None:
            asked = self.comparison.asked
            difference = self._compared(document, ground.definition)
            self._made += self.comparison.asked - asked if not smallest and like is None else 0  # and not in shrinking
            if difference is None or not self._is_new(difference) or len(difference.reasons) >= fewer:
                return None
            if like is not None and not _alike(difference, like):
                return None
            kind = "" if difference.refused else " ".join(sorted(difference.reasons))
            if kind not in smallest or difference.size < smallest[kind].size:
                smallest[kind] = difference
            return kind

        search(self.sampler.makers, ground.schema, ground.bases, differs, number=number, count=count)
        return list(smallest.values())

    def _compared(self, document: Json, definition: Definition) -> Difference | None:
        if self._until is not None and time.monotonic() > self._until:
            raise _Enough
        try:
            found = self.comparison(document, definition)
        except ValidatorError as error:
            self._fail(str(error), document)
            return None
        self._shown(f"asked {self.comparison.asked:,} documents, {len(self.found)} disagreements")
        return found

    def _fail(self, text: str, document: Json) -> None:
        if text not in self._failures:
            name = short(document)
            message = f"an external validator must answer every document: {text}"
            self.problems.report("fuzz-validator", message, hint=f"the document was {name}")
        self._failures.append(text)
        if len(self._failures) >= _FAILURES or not self.comparison.answered:
            raise _Enough


def _alike(one: Difference, other: Difference) -> bool:
    return one.refused is other.refused and bool(one.reasons & other.reasons)
