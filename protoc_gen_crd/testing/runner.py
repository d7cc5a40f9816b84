"""Cases to findings: each is put to the servers of the versions asked for, and what they say alike is said once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.base.diagnostics import Finding, Location, Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import worded
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.testing.answers import Answer, Said
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.complaints import VERSIONS, Complaint, complaints, field_in
from protoc_gen_crd.testing.definitions import Definition, Definitions

NO_CRD = "no CRD describes its kind"
NOT_TAKEN = "its CRD is refused"
OTHER_VERSIONS = "it is for other versions of Kubernetes"


class Outcome(Record):
    """What became of a case: its findings, why it was not judged if it was not, and what was answered."""

    name: str
    at: Location
    skipped: str = ""
    findings: tuple[Finding, ...] = ()
    answers: tuple[Answer, ...] = ()
    updates: bool = False  # what was there before


class Runner:
    """Judges cases. `shown` says where a place of a CRD is, as the user can open it."""

    def __init__(
        self,
        definitions: Definitions,
        shown: Callable[[Place], str],
        *,
        field_validation: str = "warn",
        strict_kinds: bool = False,
    ) -> None:
        self.definitions = definitions
        self._shown = shown
        self._field_validation = field_validation
        self._strict_kinds = strict_kinds

    def judge(self, case: Case) -> Outcome:
        """What becomes of one case."""
        try:
            return self._judge(case)
        except RecursionError:
            message = f"a document must not be nested so deep that it cannot be judged, found {case.name}"
            return self._reported(case, "document-depth", message, case.at)

    def _judge(self, case: Case) -> Outcome:
        asked = tuple(minor for minor in self.definitions.asked if minor in case.expected.minors)
        if not asked:
            return Outcome(case.name, case.at, OTHER_VERSIONS)
        if case.is_crd:
            return self._judge_crd(case, asked)
        definition = self.definitions.find(case)
        if definition is None:
            return self._unclaimed(case)
        asked = tuple(minor for minor in asked if minor in definition.minors)
        if not asked:
            return Outcome(case.name, case.at, NOT_TAKEN)
        if case.version not in definition.served():
            served = " or ".join(f'"{case.group}/{name}"' for name in definition.served()) or "none"
            message = f'{case.name} must be of a version that its CRD serves, {served}, found "{case.version}"'
            return self._reported(case, "document-version", message, case.place(("apiVersion",)))
        return self._judged(case, definition, asked)

    def _judged(self, case: Case, definition: Definition, asked: Sequence[int]) -> Outcome:
        updates = self.definitions.before.of(case) is not None
        if case.expected.status and not updates:
            message = '"_status" must be of an object that was there before, found neither "_old" nor one of --old'
            return self._reported(case, "case-value", message, case.place(("_status",), key=True))
        answers = tuple(self._answers(definition, case, asked))
        return Outcome(case.name, case.at, "", self._findings(case, answers, asked, definition), answers, updates)

    def _judge_crd(self, case: Case, asked: Sequence[int]) -> Outcome:
        try:
            answers = tuple(self.definitions.answers_on_crd(case, asked))
        except ValueError as error:
            return self._reported(case, "case-value", f"_old must be a CRD: {error}", case.place(("_old",)))
        updates = self.definitions.before.of(case) is not None
        return Outcome(case.name, case.at, "", self._findings(case, answers, asked, None), answers, updates)

    @staticmethod
    def _reported(case: Case, rule: str, message: str, at: Location, hint: str = "") -> Outcome:
        return Outcome(case.name, case.at, "", (Finding(rule, message, at, case.name, hint),))

    def _unclaimed(self, case: Case) -> Outcome:
        if not case.kind and case.tested:
            return self._reported(case, "document-kind", "a test document must have a kind, found none", case.at)
        if not self._strict_kinds:
            return Outcome(case.name, case.at, NO_CRD)
        at = case.place(("kind",)) if case.kind else case.at
        group = f"{case.group}/" if case.group else ""
        message = f'a CRD must describe the kind of every document, found none for "{group}{case.kind}"'
        return self._reported(case, "document-kind", message, at, suggestion(case.kind, self.definitions.kinds()))

    def _findings(
        self, case: Case, answers: Iterable[Answer], asked: Sequence[int], definition: Definition | None
    ) -> tuple[Finding, ...]:
        """Complaints with the versions that they are about; the newest of those words them."""
        found: dict[tuple[str, object], tuple[Complaint, list[int]]] = {}
        for answer in sorted(answers, key=lambda answer: max(answer.minors), reverse=True):
            for complaint in complaints(case, answer, self._field_validation):
                found.setdefault((complaint.rule, complaint.key), (complaint, []))[1].extend(answer.minors)
        return tuple(
            self._finding(case, complaint, sorted(minors), asked, definition) for complaint, minors in found.values()
        )

    def _finding(
        self,
        case: Case,
        complaint: Complaint,
        minors: Sequence[int],
        asked: Sequence[int],
        definition: Definition | None,
    ) -> Finding:
        versions = "" if len(minors) == len(asked) else f" of version {worded(minors)}"
        message = complaint.message.replace(VERSIONS, versions, 1)
        hint = self._hint(case, complaint, definition, minors)
        return Finding(complaint.rule, message, complaint.at, case.name, hint, severity=complaint.severity)

    def _hint(self, case: Case, complaint: Complaint, definition: Definition | None, minors: Sequence[int]) -> str:
        """Where the broken rule stands, or which versions say what was looked for; these `minors` do not."""
        if definition is None:
            return ""
        schema, said = definition.schema(case.version), complaint.said
        if schema is not None and said is not None:
            return self._of_field(case, said, schema) if said.error is None else self._of_rule(case, said.error, schema)
        if complaint.rule in ("document-text", "document-accepted"):
            said_by = self._said_by(case, complaint)
            return _elsewhere(complaint, said_by, strictly=not said_by.isdisjoint(minors))
        return ""

    def _of_rule(self, case: Case, error: FieldError, schema: Schema) -> str:
        from protoc_gen_crd.testing.origins import place_of  # noqa: PLC0415 - most documents are as they should be

        place = place_of(error, schema, case.object)
        return f"the rule stands at {self._shown(place)}" if place else ""

    def _of_field(self, case: Case, said: Said, schema: Schema) -> str:
        """Of a field that is not known: one of a name like it, and where those stand that are."""
        from protoc_gen_crd.testing.origins import nodes  # noqa: PLC0415

        steps = field_in(case, said.text)
        *_, (path, node) = nodes(schema, steps[:-1])
        if not steps or len(path) != len(steps) - 1 or steps[-1] in node.properties:  # given twice
            return ""
        near = suggestion(str(steps[-1]), node.properties)
        place = f"the fields that are known stand at {self._shown(node.origin)}" if node.origin else ""
        return " ".join(filter(None, (near, place)))

    def _said_by(self, case: Case, complaint: Complaint) -> frozenset[int]:
        """Which of all known versions would refuse the document, or say what was looked for."""
        definition = self.definitions.everywhere(case)
        asked = sorted(definition.minors & set(case.expected.minors))
        return frozenset(
            minor
            for answer in self._answers(definition, case, asked)
            if (answer.errors if complaint.text is None else complaint.text in answer.joined)
            for minor in answer.minors
        )

    def _answers(self, definition: Definition, case: Case, asked: Sequence[int]) -> Iterable[Answer]:
        return definition.answers(case.object, self.definitions.before.of(case), asked, status=case.expected.status)


def _elsewhere(complaint: Complaint, said_by: frozenset[int], *, strictly: bool) -> str:
    if strictly:
        return "servers look for it once they know all fields"
    says = "refused" if complaint.text is None else "said"
    return f"it is {says} by version {worded(sorted(said_by))}" if said_by else ""
