"""The doors: what API servers of given versions say of a CustomResourceDefinition, and of objects of its kind.

    for verdict in Server(kubernetes=range(29, 38)).admit(crd):
        for error in verdict.errors:
            print(verdict.minors, verdict.text(error), error.origin)

One `AdmissionServer` serves any number of CRDs and looks at every schema node once, however many CRDs, versions and
Kubernetes
versions share it; drop it after a run. CEL is given in from outside (`crd.rules.cel_interface.CelInterface`);
without it, of rules only the texts themselves are judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd import crd_validation
from protoc_gen_crd.admission.crd.crd_verdict import CrdVerdict
from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
from protoc_gen_crd.admission.crd.structure.node_checks import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator
from protoc_gen_crd.admission.crd.structure.schema_visitor import SchemaVisitor
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd, convert_to_internal
from protoc_gen_crd.admission.crd.warnings import find_unknown_fields, find_warnings
from protoc_gen_crd.admission.switches import RecordingSwitches, Switches
from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
from protoc_gen_crd.schema.json_decoder import MAX_STRICT_ERRORS

if TYPE_CHECKING:
    from protoc_gen_crd.admission.objects.crd_handler import CrdHandler
    from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
    from protoc_gen_crd.admission.objects.version_handler import SharedSchemas
    from protoc_gen_crd.schema.json_decoder import Places

__all__ = ["AdmissionServer", "CrdVerdict", "admit"]


class AdmissionServer:
    """Servers of these minor versions of Kubernetes 1. Raises ValueError for one that is not known."""

    def __init__(
        self,
        kubernetes: Iterable[int] = (NEWEST,),
        cel: CelInterface | None = None,
        visitor: SchemaVisitor | None = None,
    ) -> None:
        raise_recursion_limit()
        self.switches = [Switches.from_minor(minor) for minor in sorted(set(kubernetes))]
        self.cel = cel
        self.visitor = visitor or make_schema_visitor()
        self.validator: SchemaValidator = SchemaValidator(self.visitor, cel)
        self._kept_alive: list[InternalCrd] = []  # keeps the nodes alive that the survey knows by identity
        self._handlers: dict[int, CrdHandler] = {}
        self._shared: SharedSchemas | None = None
        self._unmasking_server: AdmissionServer | None = None

    def get_unmasking_server(self) -> AdmissionServer:
        """Servers of the same versions that say of rules and defaults what is wrong, whatever else they refuse."""
        from protoc_gen_crd.admission.crd.structure.masked_errors import UnmaskingSchemaValidator  # noqa: PLC0415 - most CRDs have no fault

        if self._unmasking_server is None:
            self._unmasking_server = AdmissionServer([one.minor for one in self.switches], self.cel, self.visitor)
            self._unmasking_server.validator = UnmaskingSchemaValidator(self.visitor, self.cel)
        return self._unmasking_server

    def admit(self, crd: Crd, old: Crd | None = None, *, established: bool = True) -> tuple[CrdVerdict, ...]:
        """The verdicts on a CRD, created or as an update of `old`, one for each class of versions that agree.

        The old CRD is taken as stored: where it has no status, stored versions are its storage version and, if
        `established`, its names are accepted.
        """
        return self.admit_for(self.switches, crd, old, established=established)

    def admit_for(
        self, servers: Iterable[Switches], crd: Crd, old: Crd | None, *, established: bool
    ) -> tuple[CrdVerdict, ...]:
        """The same of some of the servers."""
        held = self._convert_to_internal(crd)
        before = self._as_stored(old, established=established) if old is not None else None
        answers: list[tuple[RecordingSwitches, list[int], CrdVerdict]] = []
        for switches in servers:
            known = next((answer for answer in answers if answer[0].has_same_answers(switches)), None)
            if known is None:
                watched = RecordingSwitches(switches)
                known = watched, [], self._validate_or_skip(held, before, watched)
                answers.append(known)
            known[1].append(switches.minor)
        return tuple([verdict.replace(minors=tuple(minors)) for _, minors, verdict in answers])

    def admit_data(
        self, plain: object, old: object = None, *, places: Places | None = None, established: bool = True
    ) -> tuple[CrdVerdict, ...]:
        """The same for manifests as plain data; `places` says where a path of `plain` stands in its text.

        Raises ValueError where the old manifest is no CRD.
        """
        from protoc_gen_crd.admission.crd.manifest_admission import admit_data  # noqa: PLC0415 - not for CRDs in memory

        return admit_data(self, plain, old, places=places, established=established)

    def validate(self, crd: Crd, obj: object, old: object = None, *, status: bool = False) -> tuple[ObjectVerdict, ...]:
        """The verdicts on an object of a CRD that was taken, one for each class of versions that agree.

        Objects are plain JSON data or the bytes of a JSON body. With `old`, the object as stored before, an update is
        judged, of the status subresource if `status`. What is made of the CRD is kept for the next object. Raises
        NotServedError where the CRD serves no objects of this apiVersion and kind.
        """
        from protoc_gen_crd.admission.objects.crd_handler import CrdHandler  # noqa: PLC0415
        from protoc_gen_crd.admission.objects.version_handler import SharedSchemas  # noqa: PLC0415 - not for CRDs alone

        served = self._handlers.get(id(crd))
        if served is None:
            self._shared = self._shared or SharedSchemas(self.cel)
            served = self._handlers[id(crd)] = CrdHandler(crd, self._shared)
        return served.validate(self.switches, obj, old, status=status)

    def _convert_to_internal(self, crd: Crd) -> InternalCrd:
        held = convert_to_internal(crd)
        self._kept_alive.append(held)
        return held

    def _as_stored(self, old: Crd, *, established: bool) -> InternalCrd:
        from protoc_gen_crd.admission.crd.update.storage_form import as_stored  # noqa: PLC0415 - updates alone

        return self._convert_to_internal(as_stored(convert_to_internal(old), established=established))

    def _validate_or_skip(self, internal: InternalCrd, old: InternalCrd | None, switches: Switches) -> CrdVerdict:
        try:
            return self._validate_crd(internal, old, switches)
        except ResourceLimitError as error:  # of a default
            return CrdVerdict((switches.minor,), decode_error=f"not judged: {error}")

    def _validate_crd(self, internal: InternalCrd, old: InternalCrd | None, switches: Switches) -> CrdVerdict:
        if old is None:
            errors = tuple(
                crd_validation.validate_create(
                    internal, crd_validation.get_name(internal.crd), self.validator, switches
                )
            )
        else:
            errors = tuple(crd_validation.validate_update(internal, old, self.validator, switches))
        return CrdVerdict(
            (switches.minor,),
            errors,
            () if errors else tuple(find_warnings(internal, old, self.visitor, switches)),
            tuple(islice(find_unknown_fields(internal, self.visitor, switches), MAX_STRICT_ERRORS)),
            internal=internal,
            old=old,
        )


def admit(
    crd: Crd, old: Crd | None = None, *, kubernetes: Iterable[int] = (NEWEST,), cel: CelInterface | None = None
) -> tuple[CrdVerdict, ...]:
    """What servers of these versions say of one CRD; see `Server.admit`."""
    return AdmissionServer(kubernetes, cel).admit(crd, old)
