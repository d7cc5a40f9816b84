"""A run: the user's own documents are compared as they are, then documents are made of them and of samples.

Of each kind of difference the smallest document is kept. All documents that are known to be valid serve as ground.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_cases import DocumentCase
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, Json, ValidatorError, shorten
from protoc_gen_crd.testing.fuzz.hypothesis_search import search_differences
from protoc_gen_crd.testing.fuzz.verdict_comparison import VerdictComparer, VerdictDifference
from protoc_gen_crd.testing.session import Session

_BATCH_SIZE = 100
_SHRINK_EXAMPLES = 60  # documents that are drawn to make a known one smaller
_DRAWS_PER_DOCUMENT = 10  # times as many documents are drawn as are wanted, since most have been seen before
_MAX_FAILURES = 3  # documents that the validator may give no answer to


class CampaignLimits(Record):
    """How long to go on: documents, seconds (0 for no limit); and the seed."""

    count: int = 1000
    seconds: int = 0
    seed: int = 0


class FuzzTarget(Record):
    """A kind and version, and documents of it to begin with, the simplest first."""

    definition: CrdDefinition
    schema: Schema
    seed_documents: tuple[Json, ...]


class CampaignResult(Record):
    """What came of a run. `cases` are differences on documents of the user, with the smaller one that was found."""

    differences: tuple[tuple[CrdDefinition, VerdictDifference], ...]
    case_differences: tuple[tuple[DocumentCase, VerdictDifference], ...]
    validated_count: int
    failed: bool


class _CampaignFinished(BaseException):
    """Ends a search, through hypothesis."""


class Campaign:
    """One run over the kinds of a session."""

    def __init__(
        self,
        session: Session,
        external: ExternalValidator,
        limits: CampaignLimits,
        show_progress: Callable[[str], None],
    ) -> None:
        self.session, self.limits, self._show_progress = session, limits, show_progress
        self.minor = session.minors[-1]
        self.comparison = VerdictComparer(external, self.minor, strict=session.settings.field_validation == "strict")
        self.sampler = Sampler(AdmissionServer((self.minor,)))
        self.differences: list[tuple[CrdDefinition, VerdictDifference]] = []
        self._case_differences: list[tuple[DocumentCase, VerdictDifference]] = []
        self._failures: list[str] = []
        self._document_count = 0
        self._deadline = time.monotonic() + limits.seconds if limits.seconds else None

    @property
    def problems(self) -> Problems:
        """Where findings go."""
        return self.session.problems

    def run(self) -> CampaignResult:
        """Compare until the limits are reached or the validator fails too often."""
        try:
            cases = list(self._iterate_cases())
            self._compare_cases(cases)
            self._search([ground for ground in self._build_targets(cases) if ground.seed_documents])
        except _CampaignFinished:
            pass
        return CampaignResult(
            tuple(self.differences), tuple(self._case_differences), self.comparison.response_count, bool(self._failures)
        )

    def _iterate_cases(self) -> Iterator[tuple[DocumentCase, CrdDefinition]]:
        """The user's documents that can be put to a validator: those that are created."""
        for file in self.session.files:
            for case in self.session.get_cases(file)[0]:
                definition = None if case.is_crd else self.session.definitions.find(case)
                if definition is None or case.expectation.old is not None or self.minor not in case.expectation.minors:
                    continue
                if case.version in definition.list_served_versions() and self.minor in definition.minors:
                    yield case, definition

    def _compare_cases(self, cases: Sequence[tuple[DocumentCase, CrdDefinition]]) -> None:
        for case, definition in cases:
            difference = self._compare(case.object, definition)
            if difference is None or not self._is_new(difference):
                continue
            schema = definition.get_schema(case.version) or Schema({})
            smaller = self._shrink(difference, definition, schema)
            if smaller.size < difference.size:
                self.differences.append((definition, smaller))
            else:
                self._case_differences.append((case, difference))

    def _shrink(self, difference: VerdictDifference, definition: CrdDefinition, schema: Schema) -> VerdictDifference:
        """The smallest document that differs like one that is known, and if possible for fewer reasons."""
        fewer = len(difference.reasons) + 1
        while fewer > 1:
            ground = FuzzTarget(definition, schema, (difference.document,))
            found = self._draw_differences(ground, self.limits.seed, _SHRINK_EXAMPLES, like=difference, fewer=fewer)
            difference = min([difference, *found], key=lambda each: each.size)
            fewer = len(difference.reasons) if found else 0
        return difference

    def _is_new(self, difference: VerdictDifference) -> bool:
        known = [*(each for _, each in self.differences), *(each for _, each in self._case_differences)]
        return not any(each.can_explain(difference) for each in known)

    def _build_targets(self, cases: Sequence[tuple[DocumentCase, CrdDefinition]]) -> Iterator[FuzzTarget]:
        for definition in self.session.definitions:
            crd = definition.crd
            for version in crd.versions if crd is not None and self.minor in definition.minors else ():
                if crd is not None and version.served and version.schema is not None:
                    valid = [case.object for case, of in cases if of is definition and case.version == version.name]
                    samples = [self.sampler.make_sample(crd, version, full=full) for full in (False, True)]
                    bases = [*(sample.object for sample in samples), *valid]
                    seeds = tuple(self._filter_accepted(bases, definition))
                    if not seeds and samples[0].errors:
                        self._report_sample(crd, version, samples[0].errors[0])
                    yield FuzzTarget(definition, version.schema, seeds)

    def _report_sample(self, crd: Crd, version: CrdVersion, error: object) -> None:
        message = f"no valid sample of {crd.names.kind} {version.name} found: {error}"
        hint = "add a valid document of the kind to the paths"
        self.problems.report("fuzz-sample", message, version.origin, hint=hint)

    def _filter_accepted(self, documents: Sequence[Json], definition: CrdDefinition) -> Iterator[Json]:
        for document in documents:
            answers = definition.validate(document, None, (self.minor,), status=False)
            if not any(answer.errors for answer in answers):
                yield document

    def _search(self, grounds: Sequence[FuzzTarget]) -> None:
        """Batches of all kinds in turns, until as many documents were asked about."""
        for ground in grounds:
            for document in ground.seed_documents:
                difference = self._compare(document, ground.definition)
                if difference is not None and self._is_new(difference):
                    self._add_differences(ground, [difference])
        for batch in range(_DRAWS_PER_DOCUMENT * self.limits.count // _BATCH_SIZE + 1):
            left = self.limits.count - self._document_count
            if left <= 0 or not grounds:
                break
            ground = grounds[batch % len(grounds)]
            self._add_differences(
                ground, self._draw_differences(ground, self.limits.seed + batch, min(_BATCH_SIZE, left))
            )

    def _add_differences(self, ground: FuzzTarget, differences: Sequence[VerdictDifference]) -> None:
        for difference in sorted(differences, key=lambda each: each.size):
            if self._is_new(difference):
                smaller = self._shrink(difference, ground.definition, ground.schema)
                self.differences.append((ground.definition, smaller))

    def _draw_differences(
        self,
        ground: FuzzTarget,
        number: int,
        count: int,
        like: VerdictDifference | None = None,
        fewer: int = sys.maxsize,
    ) -> list[VerdictDifference]:
        """The smallest documents of a batch that differ in a new way, one for each way to tell them apart at sight.

        With `like`, only what shares a reason with it counts, with `fewer` only what has fewer reasons.
        """
        smallest: dict[str, VerdictDifference] = {}

        def classify_difference(document: dict[str, Any]) -> str | None:
            asked = self.comparison.request_count
            difference = self._compare(document, ground.definition)
            self._document_count += (
                self.comparison.request_count - asked if not smallest and like is None else 0
            )  # and not in shrinking
            if difference is None or not self._is_new(difference) or len(difference.reasons) >= fewer:
                return None
            if like is not None and not _is_similar(difference, like):
                return None
            kind = "" if difference.is_rejected else " ".join(sorted(difference.reasons))
            if kind not in smallest or difference.size < smallest[kind].size:
                smallest[kind] = difference
            return kind

        search_differences(
            self.sampler.generators,
            ground.schema,
            ground.seed_documents,
            classify_difference,
            number=number,
            count=count,
        )
        return list(smallest.values())

    def _compare(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise _CampaignFinished
        try:
            found = self.comparison(document, definition)
        except ValidatorError as error:
            self._record_failure(str(error), document)
            return None
        self._show_progress(f"asked {self.comparison.request_count:,} documents, {len(self.differences)} disagreements")
        return found

    def _record_failure(self, text: str, document: Json) -> None:
        if text not in self._failures:
            name = shorten(document)
            message = f"an external validator must answer every document: {text}"
            self.problems.report("fuzz-validator", message, hint=f"the document was {name}")
        self._failures.append(text)
        if len(self._failures) >= _MAX_FAILURES or not self.comparison.response_count:
            raise _CampaignFinished


def _is_similar(one: VerdictDifference, other: VerdictDifference) -> bool:
    return one.is_rejected is other.is_rejected and bool(one.reasons & other.reasons)
