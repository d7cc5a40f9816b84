"""The entry point: validate a CustomResourceDefinition and objects of its kind as API servers of given versions do.

    for verdict in AdmissionServer(kubernetes=range(29, 38)).admit(crd):
        for cause in verdict.causes:
            print(verdict.minors, cause.message, cause.place)

One `AdmissionServer` serves any number of CRDs. It validates every schema node once, however many CRDs, versions, and
Kubernetes versions share it, and keeps the results; drop it after a run. The caller passes the CEL compiler
(`crd.rules.cel_interface.CelInterface`); without one, rules are validated but not compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.admission.crd import crd_validation
from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator
from protoc_gen_crd.admission.crd.structure.schema_visitor import SchemaVisitor
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd, convert_to_internal
from protoc_gen_crd.admission.crd.warnings import find_unknown_fields, find_warnings
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.verdicts import Verdict, record_formats
from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_server_limits import MAX_STRICT_ERRORS
from protoc_gen_crd.kubernetes.shared_results import RecordingSwitches, Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.regex.syntax_check import ResourceLimitError

if TYPE_CHECKING:
    from protoc_gen_crd.admission.crd.rules.cel_interface import CelInterface
    from protoc_gen_crd.admission.objects.crd_handler import CrdHandler
    from protoc_gen_crd.admission.objects.version_handler import SharedSchemas
    from protoc_gen_crd.schema.go_type_decoder import Places

__all__ = ["AdmissionServer", "admit"]


class AdmissionServer:
    """The API servers of these minor versions of Kubernetes 1. Raises ValueError for an unknown version."""

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
        # By identity of CRDs; keeps the CRDs and their nodes alive, which the visitor caches by identity.
        self._internals: dict[int, InternalCrd] = {}
        self._handlers: dict[int, CrdHandler] = {}
        self._shared: SharedSchemas | None = None
        self._unmasking_server: AdmissionServer | None = None

    def get_unmasking_server(self) -> AdmissionServer:
        """Return servers of the same versions that report errors of rules and defaults even behind other errors."""
        from protoc_gen_crd.admission.crd.structure.masked_errors import UnmaskingSchemaValidator  # noqa: PLC0415 - most CRDs have no fault

        if self._unmasking_server is None:
            minors = [switches.minor for switches in self.switches]
            self._unmasking_server = AdmissionServer(minors, self.cel, self.visitor)
            self._unmasking_server.validator = UnmaskingSchemaValidator(self.visitor, self.cel)
        return self._unmasking_server

    def admit(self, crd: Crd, old: Crd | None = None, *, established: bool = True) -> tuple[Verdict, ...]:
        """Return the verdicts on a CRD, one for each group of versions that agree.

        The CRD is created, or with `old` updated. The old CRD counts as stored: if it has no status, its storage
        version is the stored version and, if `established`, its names are accepted.
        """
        return self.admit_for(self.switches, crd, old, established=established)

    def admit_for(
        self, servers: Iterable[Switches], crd: Crd, old: Crd | None, *, established: bool
    ) -> tuple[Verdict, ...]:
        """Return the verdicts of some of the servers; see `admit`.

        Shortcut shared-verdicts: a verdict is a function of its input and of what is read of the switches, and it is
        used for no version with other answers.
        """
        internal = self._convert_to_internal(crd)
        old_internal = self._as_stored(old, established=established) if old is not None else None
        answers: list[tuple[RecordingSwitches, list[int], Verdict]] = []
        for switches in servers:
            shared = next((answer for answer in answers if answer[0].contains(switches.minor)), None)
            if shared is None:
                recording = RecordingSwitches(switches.minor)
                shared = recording, [], self._validate_or_skip(internal, old_internal, recording)
                answers.append(shared)
            shared[1].append(switches.minor)
        return tuple([verdict.assign(minors) for _, minors, verdict in answers])

    def admit_data(
        self, plain: object, old: object = None, *, places: Places | None = None, established: bool = True
    ) -> tuple[Verdict, ...]:
        """Return the verdicts on a manifest in plain data; see `admit`.

        `places` locates the paths of `plain` in their file. Raises ValueError if the old manifest is not a CRD.
        """
        from protoc_gen_crd.admission.crd.manifest_admission import admit_data  # noqa: PLC0415 - not for CRDs in memory

        return admit_data(self, plain, old, places=places, established=established)

    def validate(self, crd: Crd, obj: object, old: object = None, *, status: bool = False) -> tuple[Verdict, ...]:
        """Return the verdicts on an object of an accepted CRD, one for each group of versions that agree.

        Objects are plain JSON data or the bytes of a JSON body. With `old`, the stored object, the request is an
        update, of the status subresource if `status`. The compiled schemas are kept for the next object. Raises
        NotServedError if the CRD does not serve this apiVersion and kind.
        """
        from protoc_gen_crd.admission.objects.crd_handler import CrdHandler  # noqa: PLC0415 - not for CRDs alone

        handler = self._handlers.get(id(crd))
        if handler is None:
            handler = self._handlers[id(crd)] = CrdHandler(crd, self.get_shared_schemas())
        return handler.validate(self.switches, obj, old, status=status)

    def get_shared_schemas(self) -> SharedSchemas:
        """Return the compiled schemas of all objects, which other validators of the same CRDs can use."""
        from protoc_gen_crd.admission.objects.version_handler import SharedSchemas  # noqa: PLC0415 - not for CRDs alone

        self._shared = self._shared or SharedSchemas(self.cel)
        return self._shared

    def _convert_to_internal(self, crd: Crd) -> InternalCrd:
        known = self._internals.get(id(crd))
        if known is None:
            known = self._internals[id(crd)] = convert_to_internal(crd)
        return known

    def _as_stored(self, old: Crd, *, established: bool) -> InternalCrd:
        from protoc_gen_crd.admission.crd.update.storage_form import as_stored  # noqa: PLC0415 - updates alone

        return self._convert_to_internal(as_stored(self._convert_to_internal(old), established=established))

    def _validate_or_skip(self, internal: InternalCrd, old: InternalCrd | None, switches: Switches) -> Verdict:
        try:
            return self._validate_crd(internal, old, switches)
        except ResourceLimitError as error:  # raised for a default
            return Verdict(causes=(Cause(detail=f"not judged: {error}"),))

    def _validate_crd(self, internal: InternalCrd, old: InternalCrd | None, switches: Switches) -> Verdict:
        if old is None:
            errors = tuple(
                crd_validation.validate_create(
                    internal, crd_validation.get_name(internal.crd), self.validator, switches
                )
            )
        else:
            errors = tuple(crd_validation.validate_update(internal, old, self.validator, switches))
        record_formats(errors, switches)
        return Verdict(
            (),
            errors,
            () if errors else tuple(find_warnings(internal, old, self.visitor, switches)),
            tuple(islice(find_unknown_fields(internal, self.visitor, switches), MAX_STRICT_ERRORS)),
            internal.crd,
            _make_encoder(internal, old),
        )


def _make_encoder(internal: InternalCrd, old: InternalCrd | None) -> Callable[[int], dict[str, Any]]:
    """Return the function that encodes an accepted CRD as a version stores it."""

    def encode(minor: int) -> dict[str, Any]:
        from protoc_gen_crd.admission.crd.update import storage_form  # noqa: PLC0415 - rarely called

        switches = Switches.from_minor(minor)
        if old is None:
            return storage_form.encode_created(internal, switches)
        return storage_form.encode_updated(internal, old, switches)

    return encode


def admit(
    crd: Crd, old: Crd | None = None, *, kubernetes: Iterable[int] = (NEWEST,), cel: CelInterface | None = None
) -> tuple[Verdict, ...]:
    """Return the verdicts of servers of these versions on one CRD; see `AdmissionServer.admit`."""
    return AdmissionServer(kubernetes, cel).admit(crd, old)
