"""The state of a migration, stored as JSON so that a killed run can be resumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import Json
from protoc_gen_crd.cluster.installed_crds import InstalledCrd

REWRITTEN, UNCHANGED, OTHERS, GONE, FAILED = "rewritten", "unchanged", "others", "gone", "failed"
MAX_RECORDED_FAILURES = 100  # failures that are recorded with their reasons
_FORMAT = 1
_FAILURE_LENGTH = 2  # a failure has a name and a reason


class MigrationState(Record):
    """The state of a migration: the identity of the CRD, the token of the next page, and the processed objects.

    `counts` are the numbers of objects by outcome, `managed` by API version of managedFields, except for `dropped`
    versions, whose entries are removed. `earlier` objects were rewritten before the list was restarted.
    """

    uid: str
    generation: int
    storage: str
    token: str = ""
    counts: Mapping[str, int] = {}
    failures: tuple[tuple[str, str], ...] = ()
    managed: Mapping[str, int] = {}
    total: int = 0
    dropped: tuple[str, ...] = ()
    earlier: int = 0

    @property
    def processed_count(self) -> int:
        """The number of processed objects."""
        return sum(self.counts.values())

    @property
    def failed_count(self) -> int:
        """The number of objects that could not be rewritten."""
        return self.counts.get(FAILED, 0)


def make_state(crd: InstalledCrd, dropped: Collection[str] = (), last: MigrationState | None = None) -> MigrationState:
    """Return the state at the start of a migration, or at a restart after the state `last`."""
    earlier = last.earlier + last.counts.get(REWRITTEN, 0) if last is not None else 0
    return MigrationState(crd.uid, crd.generation, crd.storage, dropped=tuple(sorted(dropped)), earlier=earlier)


def is_resumable(state: MigrationState, crd: InstalledCrd, dropped: Collection[str] = ()) -> bool:
    """Return whether a run can resume: since then, no client can have stored objects in another version.

    The versions to drop must be the same, since they were dropped from the processed objects.
    """
    identity = state.uid, state.generation, state.storage, state.dropped
    return identity == (crd.uid, crd.generation, crd.storage, tuple(sorted(dropped)))


def encode_state(state: MigrationState) -> Json:
    """Return the state as plain data."""
    fields = {name: getattr(state, name) for name in MigrationState._fields}
    failures = [list(failure) for failure in state.failures]
    return {"format": _FORMAT, **fields, "failures": failures, "dropped": [*state.dropped]}


def decode_state(data: object) -> MigrationState | None:
    """Return the state of plain data; None if it is invalid."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return None
    fields = {name: data.get(name) for name in MigrationState._fields}
    defaults = encode_state(MigrationState("", 0, ""))
    if any(type(fields[name]) is not type(defaults[name]) for name in fields):
        return None
    counts = [*data["counts"].values(), *data["managed"].values()]
    failures = [tuple(failure) for failure in data["failures"] if isinstance(failure, list)]
    if not all(type(count) is int for count in counts) or any(len(failure) != _FAILURE_LENGTH for failure in failures):
        return None
    dropped = tuple(str(version) for version in data["dropped"])
    return MigrationState(**{**fields, "failures": tuple(failures), "dropped": dropped})  # type: ignore[arg-type]
