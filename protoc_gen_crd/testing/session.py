"""One run over paths: the CRDs are gathered first, then documents are judged file by file.

A file's result is plain data without ties to the run, so that another process can send it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Finding, Location, Place, Problems
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import minors_of
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.cases import CRD_KIND, Case, read_cases
from protoc_gen_crd.testing.definitions import Definitions
from protoc_gen_crd.testing.files import SHOWN, content, find_files
from protoc_gen_crd.testing.runner import NO_CRD, NOT_TAKEN, OTHER_VERSIONS, Outcome, Runner

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import Coverage, Marks

_MARK = CRD_KIND.encode()


class Tested(Record):
    """A document that was looked at: its name, where it starts, and why it was not judged if it was not."""

    name: str
    at: Location
    skipped: str = ""
    updates: bool = False  # what --old has


class Result(Record):
    """What became of a file; `marks` where coverage is asked for, `text` where the file is to be written anew."""

    file: str
    tested: tuple[Tested, ...] = ()
    findings: tuple[Finding, ...] = ()
    marks: tuple[Marks, ...] = ()
    text: bytes | None = None


class Session:
    """A run: what it was given, the CRDs in it, and the files to judge."""

    def __init__(
        self, settings: Settings, given: Sequence[str], problems: Problems, written: Sequence[str] = ()
    ) -> None:
        self.settings = settings
        self.problems = problems
        self.asked = minors_of(settings.kubernetes)
        self.definitions = Definitions(self.asked)
        self.paths: dict[str, str] = {}
        self.texts: dict[str, bytes] = {}
        self._kept: dict[str, tuple[list[Case], list[Finding]]] = {}
        self._said: dict[int, tuple[Finding, ...]] = {}  # of CRDs, which stay alive with their file
        files = find_files(given, problems, written)
        self.files = files.documents
        self._apis = files.apis
        self._runner: Runner | None = None

    def load(self) -> None:
        """Gather the CRDs: of .proto files and descriptors, then of documents. What was there before comes first."""
        if self.settings.old:
            before = find_files(self.settings.old, self.problems)
            self.definitions.before.load(before, self.settings, self.paths, self.problems)
        for crd in self._generated(self._apis):
            self.definitions.add(crd, self.problems)
        for file in self.files:
            data = content(file, self.problems)
            if file == SHOWN:
                self.texts[file] = data
            if _MARK in data or file == SHOWN:
                self._gather(file, data)
        if not len(self.definitions) and self.settings.inputs and not self._apis:
            for crd in self._generated(self.settings.inputs):
                self.definitions.add(crd, self.problems)

    def _generated(self, given: Sequence[str]) -> Sequence[Crd]:
        if not given:
            return ()
        from protoc_gen_crd.testing.generated import generated  # noqa: PLC0415 - protobuf is of no use without

        return generated(given, self.settings, self.paths, self.problems)

    def _gather(self, file: str, data: bytes) -> None:
        """Take up the CRDs of a file. Its documents are kept for when they are judged."""
        problems = Problems()
        cases = read_cases(data, file, problems, self.asked[-1])
        self._kept[file] = cases, problems.findings
        for case in cases:
            if _is_definition(case):
                said = Problems()
                self.definitions.add(case, said)
                if len(data) > self.settings.byte_limit:
                    _check_size(case, self.settings.byte_limit, said)
                self._said[id(case)] = tuple(said.findings)
                self.problems.findings += said.findings

    def tell_unread(self) -> None:
        """Report what of the files with CRDs cannot be read: a run that judges no file says it nowhere else."""
        self.problems.findings += [finding for _, findings in self._kept.values() for finding in findings]

    def judge(self, file: str) -> Result:
        """Judge the documents of a file."""
        problems = Problems()
        every, findings = self.cases(file)
        cases = [case for case in every if not _is_definition(case)]
        outcomes = [self.runner.judge(case) for case in cases]
        tested = tuple(Tested(outcome.name, outcome.at, outcome.skipped, outcome.updates) for outcome in outcomes)
        marks = tuple(self._marks(*each) for each in zip(cases, outcomes, strict=True)) if self._covering else ()
        text = self._updated(
            file, every, {id(case): each for case, each in zip(cases, outcomes, strict=True)}, problems
        )
        reported = [*findings, *problems.findings, *(finding for outcome in outcomes for finding in outcome.findings)]
        return Result(file, tested, tuple(_bare(reported)), marks, text)

    def judge_again(self, file: str) -> Result:
        """Judge a file that has changed; its CRDs stay what they are."""
        self._kept.pop(file, None)
        return self.judge(file)

    def _updated(
        self, file: str, cases: Sequence[Case], outcomes: Mapping[int, Outcome], problems: Problems
    ) -> bytes | None:
        if not self.settings.update or file == SHOWN:
            return None
        from protoc_gen_crd.testing.update import updated  # noqa: PLC0415 - few runs ask for it

        return updated(content(file, problems), [(case, outcomes.get(id(case))) for case in cases], problems)

    @property
    def _covering(self) -> bool:
        return self.settings.coverage is not None

    def _marks(self, case: Case, outcome: Outcome) -> Marks:
        from protoc_gen_crd.testing.coverage import marks  # noqa: PLC0415 - few runs ask for it

        definition = self.definitions.find(case)
        return marks(case, outcome.answers, definition) if definition else {}

    def coverage(self, results: Iterable[Result]) -> Coverage | None:
        """What the documents have met of the CRDs, if that is asked for; too little is reported."""
        if self.settings.coverage is None:
            return None
        from protoc_gen_crd.testing.coverage import Coverage  # noqa: PLC0415 - as above

        coverage = Coverage(self.definitions, self.asked[-1])
        for result in results:
            for marks in result.marks:
                coverage.add(marks)
        if coverage.percentage < self.settings.coverage:
            wanted = f"documents must cover {self.settings.coverage:g} % of constraints and rules"
            self.problems.report("coverage-low", f"{wanted}, found {coverage.percentage:.1f} %")
        return coverage

    def outcome(self, case: Case) -> Outcome:
        """What becomes of one document. A CRD that others are judged by has been judged when it was gathered."""
        if not _is_definition(case):
            return self.runner.judge(case)
        return Outcome(case.name, case.at, findings=self._said.get(id(case), ()))

    def cases(self, file: str) -> tuple[list[Case], list[Finding]]:
        """The documents of a file, and what is wrong with the text."""
        if file in self._kept:
            return self._kept[file]
        problems = Problems()
        data = content(file, problems)
        return read_cases(data, file, problems, self.asked[-1]), problems.findings

    @property
    def runner(self) -> Runner:
        """What judges; made when the CRDs are known."""
        if self._runner is None:
            sources = self.sources()

            def shown(place: Place) -> str:
                at = sources.exact(place.resolve(), None)
                return str(at.replace(file=sources.path(at.file)))

            settings = self.settings
            self._runner = Runner(
                self.definitions, shown, field_validation=settings.field_validation, strict_kinds=settings.strict_kinds
            )
        return self._runner

    def sources(self) -> Sources:
        """The texts of everything that findings point at."""
        return Sources(self.paths, self.texts)

    def close(self, results: Sequence[Result]) -> None:
        """Report what only the whole run can tell."""
        said = self.problems.findings or any(result.findings for result in results)
        tested = [each for result in results for each in result.tested]
        if self._apis and fails(self.problems.findings, self.settings.findings, complete=False):
            return  # what is wrong with the API is why there is no CRD
        if any(each.skipped == NO_CRD for each in tested) and not len(self.definitions):
            hint = "give a path with CRDs, with .proto files or with a descriptor set"
            hint += "; those of --old are what was there before" if self.settings.old else ""
            self.problems.report(
                "crd-none", f"the paths must hold a CRD, found none for {_documents(len(tested))}", hint=hint
            )
        elif tested or len(self.definitions) or said:
            return
        elif self._apis and self.settings.channel:
            from protoc_gen_crd.testing.generated import report_none  # noqa: PLC0415 - as above

            report_none(", ".join(self._apis), self.settings, self.problems)
        else:
            self.problems.report("document-none", "the paths must hold a document or a CRD, found none")


def _check_size(case: Case, limit: int, problems: Problems) -> None:
    """Report a CRD that is larger than what servers store of one object."""
    size = len(json.dumps(case.object, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    if size > limit:
        message = f"a CRD must have at most {limit:,} bytes as JSON, found {size:,}"
        problems.report("schema-size", message, case.at, path=case.name, hint="no server stores more")


def _is_definition(case: Case) -> bool:
    """Whether a document is a CRD that others are judged by, not one that is a test itself."""
    return case.is_crd and not case.expected.keys and not case.expected.refused


def _bare(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Findings with their places worked out."""
    return (finding.replace(at=finding.at.resolve()) if finding.at else finding for finding in findings)


def _documents(count: int) -> str:
    return f"{count} document{'s' * (count != 1)}"


def summary(session: Session, results: Iterable[Result]) -> str:
    """The counts of a run in a line."""
    tested = [each for result in results for each in result.tested]
    reasons = {NO_CRD: "not judged", NOT_TAKEN: "with a refused CRD", OTHER_VERSIONS: "skipped by version"}
    updates = [
        f" ({count} update{'s' * (count != 1)})" if session.settings.old else ""
        for count in (
            sum(definition.old is not None for definition in session.definitions),
            sum(each.updates for each in tested),
        )
    ]
    parts = [f"{_documents(sum(not each.skipped for each in tested))} judged{updates[1]}"]
    parts += [
        f"{count} {words}"
        for reason, words in reasons.items()
        if (count := sum(each.skipped == reason for each in tested))
    ]
    count = len(session.definitions)
    versions = f"1.{session.asked[0]}" + (f" to 1.{session.asked[-1]}" if len(session.asked) > 1 else "")
    return f"{count} CRD{'s' * (count != 1)}{updates[0]}, {', '.join(parts)}, by Kubernetes {versions}"
