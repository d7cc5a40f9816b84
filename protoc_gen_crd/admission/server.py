"""The doors: what API servers of given versions say of a CustomResourceDefinition, and of objects of its kind.

    for verdict in Server(kubernetes=range(29, 38)).admit(crd):
        for error in verdict.errors:
            print(verdict.minors, verdict.text(error), error.origin)

One `Server` serves any number of CRDs and looks at every schema node once, however many CRDs, versions and Kubernetes
versions share it; drop it after a run. CEL is given in from outside (`crd.cel.Cel`); without it, of rules only the
texts themselves are judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd import spec
from protoc_gen_crd.admission.crd.cel import Cel
from protoc_gen_crd.admission.crd.held import Held, hold
from protoc_gen_crd.admission.crd.notices import unknown, warnings
from protoc_gen_crd.admission.crd.survey import Survey
from protoc_gen_crd.admission.crd.validation import Stages
from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.switches import NEWEST, Switches, Watched
from protoc_gen_crd.base.recursion import make_room
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.regex.syntax import UnjudgedError

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.resource import Shared
    from protoc_gen_crd.admission.objects.served import Served
    from protoc_gen_crd.admission.objects.verdict import ObjectVerdict
    from protoc_gen_crd.schema.wire import Places

__all__ = ["Server", "Verdict", "admit"]


class Server:
    """Servers of these minor versions of Kubernetes 1. Raises ValueError for one that is not known."""

    def __init__(
        self, kubernetes: Iterable[int] = (NEWEST,), cel: Cel | None = None, survey: Survey | None = None
    ) -> None:
        make_room()
        self.switches = [Switches.of(minor) for minor in sorted(set(kubernetes))]
        self.cel = cel
        self.survey = survey or Survey()
        self.stages: Stages = Stages(self.survey, cel)
        self._seen: list[Held] = []  # keeps the nodes alive that the survey knows by identity
        self._served: dict[int, Served] = {}
        self._shared: Shared | None = None
        self._behind: Server | None = None

    def behind(self) -> Server:
        """Servers of the same versions that say of rules and defaults what is wrong, whatever else they refuse."""
        from protoc_gen_crd.admission.crd.behind import Behind  # noqa: PLC0415 - most CRDs have no fault

        if self._behind is None:
            self._behind = Server([one.minor for one in self.switches], self.cel, self.survey)
            self._behind.stages = Behind(self.survey, self.cel)
        return self._behind

    def admit(self, crd: Crd, old: Crd | None = None, *, established: bool = True) -> tuple[Verdict, ...]:
        """The verdicts on a CRD, created or as an update of `old`, one for each class of versions that agree.

        The old CRD is taken as stored: where it has no status, stored versions are its storage version and, if
        `established`, its names are accepted.
        """
        return self.admit_by(self.switches, crd, old, established=established)

    def admit_by(
        self, servers: Iterable[Switches], crd: Crd, old: Crd | None, *, established: bool
    ) -> tuple[Verdict, ...]:
        """The same of some of the servers."""
        held = self._hold(crd)
        before = self._as_stored(old, established=established) if old is not None else None
        answers: list[tuple[Watched, list[int], Verdict]] = []
        for switches in servers:
            known = next((answer for answer in answers if answer[0].agrees(switches)), None)
            if known is None:
                watched = Watched(switches)
                known = watched, [], self._judge(held, before, watched)
                answers.append(known)
            known[1].append(switches.minor)
        return tuple([verdict.replace(minors=tuple(minors)) for _, minors, verdict in answers])

    def admit_data(
        self, plain: object, old: object = None, *, places: Places | None = None, established: bool = True
    ) -> tuple[Verdict, ...]:
        """The same for manifests as plain data; `places` says where a path of `plain` stands in its text.

        Raises ValueError where the old manifest is no CRD.
        """
        from protoc_gen_crd.admission.crd.reading import admit_data  # noqa: PLC0415 - not for CRDs in memory

        return admit_data(self, plain, old, places=places, established=established)

    def validate(self, crd: Crd, obj: object, old: object = None, *, status: bool = False) -> tuple[ObjectVerdict, ...]:
        """The verdicts on an object of a CRD that was taken, one for each class of versions that agree.

        Objects are plain JSON data or the bytes of a JSON body. With `old`, the object as stored before, an update is
        judged, of the status subresource if `status`. What is made of the CRD is kept for the next object. Raises
        NotServedError where the CRD serves no objects of this apiVersion and kind.
        """
        from protoc_gen_crd.admission.objects.resource import Shared  # noqa: PLC0415 - not for CRDs alone
        from protoc_gen_crd.admission.objects.served import Served  # noqa: PLC0415

        served = self._served.get(id(crd))
        if served is None:
            self._shared = self._shared or Shared(self.cel)
            served = self._served[id(crd)] = Served(crd, self._shared)
        return served.validate(self.switches, obj, old, status=status)

    def _hold(self, crd: Crd) -> Held:
        held = hold(crd)
        self._seen.append(held)
        return held

    def _as_stored(self, old: Crd, *, established: bool) -> Held:
        from protoc_gen_crd.admission.crd.stored import as_stored  # noqa: PLC0415 - updates alone

        return self._hold(as_stored(hold(old), established=established))

    def _judge(self, held: Held, old: Held | None, switches: Switches) -> Verdict:
        try:
            return self._judged(held, old, switches)
        except UnjudgedError as error:  # of a default
            return Verdict((switches.minor,), decode=f"not judged: {error}")

    def _judged(self, held: Held, old: Held | None, switches: Switches) -> Verdict:
        if old is None:
            errors = tuple(spec.created(held, spec.name_of(held.crd), self.stages, switches))
        else:
            errors = tuple(spec.updated(held, old, self.stages, switches))
        return Verdict(
            (switches.minor,),
            errors,
            () if errors else tuple(warnings(held, old, self.survey, switches)),
            tuple(unknown(held, self.survey, switches)),
            held=held,
            old=old,
        )


def admit(
    crd: Crd, old: Crd | None = None, *, kubernetes: Iterable[int] = (NEWEST,), cel: Cel | None = None
) -> tuple[Verdict, ...]:
    """What servers of these versions say of one CRD; see `Server.admit`."""
    return Server(kubernetes, cel).admit(crd, old)
