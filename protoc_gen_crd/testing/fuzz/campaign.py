"""A fuzzing run: verdicts on the documents of the user are compared, then verdicts on documents generated from them.

The smallest document of each kind of difference is kept. Valid documents and samples are the seeds.
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
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, Json, ValidatorError, shorten
from protoc_gen_crd.testing.fuzz.hypothesis_search import search_differences
from protoc_gen_crd.testing.fuzz.verdict_comparison import VerdictComparer, VerdictDifference
from protoc_gen_crd.testing.validation_run import Session

_BATCH_SIZE = 100
_SHRINK_EXAMPLES = 60  # documents that are generated to shrink a document
_DRAWS_PER_DOCUMENT = 10  # ratio of generated to distinct documents: most are repetitions
_MAX_FAILURES = 3  # documents without an answer, after which the run ends


class CampaignLimits(Record):
    """The limits of a run: documents and seconds (0 for no limit); and the random seed."""

    count: int = 1000
    seconds: int = 0
    seed: int = 0


class FuzzTarget(Record):
    """A kind and version, and its seed documents, the simplest first."""

    definition: CrdDefinition
    schema: Schema
    seed_documents: tuple[Json, ...]


class CampaignResult(Record):
    """The result of a run. `case_differences` are differences on documents of the user that could not be shrunk."""

    differences: tuple[tuple[CrdDefinition, VerdictDifference], ...]
    case_differences: tuple[tuple[DocumentCase, VerdictDifference], ...]
    validated_count: int
    failed: bool


class _CampaignFinished(BaseException):
    """Ends a search. It is a BaseException, which hypothesis does not catch."""


class Campaign:
    """A run over the kinds of a session."""

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
        """The collector of findings."""
        return self.session.problems

    def run(self) -> CampaignResult:
        """Compare until the limits are reached or the validator fails too often."""
        try:
            cases = list(self._iterate_cases())
            self._compare_cases(cases)
            self._search([target for target in self._build_targets(cases) if target.seed_documents])
        except _CampaignFinished:
            pass
        return CampaignResult(
            tuple(self.differences), tuple(self._case_differences), self.comparison.response_count, bool(self._failures)
        )

    def _iterate_cases(self) -> Iterator[tuple[DocumentCase, CrdDefinition]]:
        """Yield the documents of the user that a validator can validate, which are creations, not updates."""
        for file in self.session.files:
            cases, findings = self.session.get_objects(file)
            self.problems.findings += findings
            for case in cases:
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
        """Return the smallest document with a similar difference, if possible with fewer reasons."""
        limit = len(difference.reasons) + 1
        while limit > 1:
            target = FuzzTarget(definition, schema, (difference.document,))
            smaller = self._draw_differences(
                target, self.limits.seed, _SHRINK_EXAMPLES, like=difference, reason_limit=limit
            )
            difference = min([difference, *smaller], key=lambda candidate: candidate.size)
            limit = len(difference.reasons) if smaller else 0
        return difference

    def _is_new(self, difference: VerdictDifference) -> bool:
        differences = [
            *(existing for _, existing in self.differences),
            *(existing for _, existing in self._case_differences),
        ]
        return not any(existing.can_explain(difference) for existing in differences)

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
            verdicts = definition.validate(document, None, (self.minor,), status=False)
            if not any(verdict.causes for verdict in verdicts):
                yield document

    def _search(self, targets: Sequence[FuzzTarget]) -> None:
        """Search in batches for each kind in turn, until enough documents have been validated."""
        for target in targets:
            for document in target.seed_documents:
                difference = self._compare(document, target.definition)
                if difference is not None and self._is_new(difference):
                    self._add_differences(target, [difference])
        for batch in range(_DRAWS_PER_DOCUMENT * self.limits.count // _BATCH_SIZE + 1):
            remaining = self.limits.count - self._document_count
            if remaining <= 0 or not targets:
                break
            target = targets[batch % len(targets)]
            self._add_differences(
                target, self._draw_differences(target, self.limits.seed + batch, min(_BATCH_SIZE, remaining))
            )

    def _add_differences(self, target: FuzzTarget, differences: Sequence[VerdictDifference]) -> None:
        for difference in sorted(differences, key=lambda difference: difference.size):
            if self._is_new(difference):
                smaller = self._shrink(difference, target.definition, target.schema)
                self.differences.append((target.definition, smaller))

    def _draw_differences(
        self,
        target: FuzzTarget,
        number: int,
        count: int,
        like: VerdictDifference | None = None,
        reason_limit: int = sys.maxsize,
    ) -> list[VerdictDifference]:
        """Return the smallest documents of a batch with new differences, one for each set of reasons.

        With `like`, only differences that share a reason with it count. Differences with `reason_limit` reasons or more
        are ignored. `number` is the seed.
        """
        smallest: dict[str, VerdictDifference] = {}

        def classify_difference(document: dict[str, Any]) -> str | None:
            previous_count = self.comparison.request_count
            difference = self._compare(document, target.definition)
            self._document_count += (
                self.comparison.request_count - previous_count if not smallest and like is None else 0
            )  # documents for shrinking do not count
            if difference is None or not self._is_new(difference) or len(difference.reasons) >= reason_limit:
                return None
            if like is not None and not _is_similar(difference, like):
                return None
            kind = "" if difference.is_rejected else " ".join(sorted(difference.reasons))
            if kind not in smallest or difference.size < smallest[kind].size:
                smallest[kind] = difference
            return kind

        search_differences(
            self.sampler.generators,
            target.schema,
            target.seed_documents,
            classify_difference,
            number=number,
            count=count,
        )
        return list(smallest.values())

    def _compare(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise _CampaignFinished
        try:
            difference = self.comparison(document, definition)
        except ValidatorError as error:
            self._record_failure(str(error), document)
            return None
        self._show_progress(
            f"{self.comparison.request_count:,} documents validated, {len(self.differences)} disagreements"
        )
        return difference

    def _record_failure(self, failure: str, document: Json) -> None:
        if failure not in self._failures:
            name = shorten(document)
            message = f"external validator failed: {failure}"
            self.problems.report("fuzz-validator", message, hint=f"the document was {name}")
        self._failures.append(failure)
        if len(self._failures) >= _MAX_FAILURES or not self.comparison.response_count:
            raise _CampaignFinished


def _is_similar(first: VerdictDifference, second: VerdictDifference) -> bool:
    return first.is_rejected is second.is_rejected and bool(first.reasons & second.reasons)
