"""The door: what API servers of given versions say of a CustomResourceDefinition that is created or updated.

    for verdict in Server(kubernetes=range(29, 38)).admit(crd):
        for error in verdict.errors:
            print(verdict.minors, verdict.text(error), error.origin)

One `Server` serves any number of CRDs and looks at every schema node once, however many CRDs, versions and Kubernetes
versions share it; drop it after a run. CEL is given in from outside (`validation.Cel`); without it, of rules only the
texts themselves are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd import conversion, names, versions
from protoc_gen_crd.admission.crd.held import Held, Part, hold
from protoc_gen_crd.admission.crd.survey import UNKNOWN, WARNING, Survey, said
from protoc_gen_crd.admission.crd.validation import Cel, Options, Stages
from protoc_gen_crd.admission.errors import FieldError, message
from protoc_gen_crd.admission.switches import FIELD_SELECTORS, NEWEST, Switches, Watched
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Crd


class Notice(Record):
    """A text that is no field error, such as a warning, and where what it speaks of came from."""

    text: str
    origin: Place | None = None


class Verdict(Record):
    """What the servers of some minor versions say, all the same.

    `errors` refuse the object; `strict` is what kubectl's default validation refuses beforehand: unknown fields;
    `warnings` are Warning headers.
    """

    minors: tuple[int, ...]
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[Notice, ...] = ()
    strict: tuple[Notice, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the object is not taken."""
        return bool(self.errors)

    def text(self, error: FieldError) -> str:
        """An error as these servers word it."""
        return message(error, Switches.of(self.minors[0]))


class Server:
    """Servers of these minor versions of Kubernetes 1. Raises ValueError for one that is not known."""

    def __init__(self, kubernetes: Iterable[int] = (NEWEST,), cel: Cel | None = None) -> None:
        self.switches = [Switches.of(minor) for minor in sorted(set(kubernetes))]
        self.cel = cel
        self.survey = Survey()
        self.stages = Stages(self.survey, cel)
        self._seen: list[Crd] = []  # keeps the nodes alive that the survey knows by identity

    def admit(self, crd: Crd) -> tuple[Verdict, ...]:
        """The verdicts on a CRD that is created, one for each class of versions that agree."""
        self._seen.append(crd)
        held = hold(crd)
        answers: list[tuple[Watched, list[int], Verdict]] = []
        for switches in self.switches:
            known = next((answer for answer in answers if self._alike(answer[0], switches)), None)
            if known is None:
                watched = Watched(switches)
                minors: list[int] = []
                known = watched, minors, self._judge(held, watched)
                answers.append(known)
            known[1].append(switches.minor)
        return tuple([verdict.replace(minors=tuple(minors)) for _, minors, verdict in answers])

    def _alike(self, watched: Watched, other: Switches) -> bool:
        if self.cel is not None and self.cel.alike(watched.minor) != self.cel.alike(other.minor):
            return False
        return watched.agrees(other)

    def _judge(self, held: Held, switches: Switches) -> Verdict:
        options = Options()
        errors = tuple(self._errors(held, switches, options))
        warnings = tuple(self._notices(held, WARNING, switches))
        strict = tuple(self._notices(held, UNKNOWN, switches))
        return Verdict((switches.minor,), errors, warnings, strict)

    def _errors(self, held: Held, switches: Switches, options: Options) -> Iterator[FieldError]:
        yield from names.group_and_scope(held)
        yield from self._schemas_are_there(held, switches)
        yield from versions.versions(held)
        yield from names.names(held)
        any_status = any(version.status for version in held.crd.versions)
        shared = held.top is not None and held.top.subresources is not None
        for part in held.versions:
            status = any_status if shared else part.version.status
            yield from self._part(part, switches, options, status=status)
        if held.top is not None:
            yield from self._part(held.top, switches, options, status=any_status)
        yield from conversion.conversion(held, switches, recognized=True)
        yield from names.stored_versions(held, [held.storage] if held.storage else None, switches)
        yield from names.approval(held, None)

    def _part(self, part: Part, switches: Switches, options: Options, *, status: bool) -> Iterator[FieldError]:
        yield from self.stages.schema(part, switches, options, status=status)
        yield from versions.subresources(part)
        yield from versions.columns(part)
        if part.selectable_fields and FIELD_SELECTORS in switches:
            yield from versions.selectable_fields(part, switches, many=False)

    def _schemas_are_there(self, held: Held, switches: Switches) -> Iterator[FieldError]:
        return versions.schemas_are_there(held, switches)

    def _notices(self, held: Held, stage: int, switches: Switches) -> Iterator[Notice]:
        for part in (held.top, *held.versions):
            if part is not None and part.openapi is not None:
                for found in said(self.survey.of(part.openapi), stage, switches):
                    yield Notice(found.detail, found.origin)


def admit(crd: Crd, *, kubernetes: Iterable[int] = (NEWEST,), cel: Cel | None = None) -> tuple[Verdict, ...]:
    """What servers of these versions say of one CRD; see `Server.admit`."""
    return Server(kubernetes, cel).admit(crd)
