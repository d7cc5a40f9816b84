"""The state of a migration, stored as JSON so that a killed run can be resumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import Json
from protoc_gen_crd.cluster.installed_crds import InstalledCrd

REWRITTEN, UNCHANGED, OTHERS, GONE, FAILED = "rewritten", "unchanged", "others", "gone", "failed"
MAX_RECORDED_FAILURES = 100  # failures with their reasons, however many there are
_FORMAT = 1
_FAILURE_LENGTH = 2  # of a failure: name and reason


class MigrationState(Record):
    """A migration of one CRD: whom it is of, the token of the next page, and what became of the objects before it.

    `counts` are by outcome, `managed` how many objects have managedFields of an API version, less `dropped` versions,
    which lose theirs. `earlier` objects were rewritten before the list was begun anew.
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
    """A migration that is to begin, or to begin anew after what the last list has come to."""
    earlier = last.earlier + last.counts.get(REWRITTEN, 0) if last is not None else 0
    return MigrationState(crd.uid, crd.generation, crd.storage, dropped=tuple(sorted(dropped)), earlier=earlier)


def is_resumable(state: MigrationState, crd: InstalledCrd, dropped: Collection[str] = ()) -> bool:
    """Check whether the run may go on: nobody can have stored objects in another version behind its back since then.

    What is to be dropped must have been dropped of the objects that are done with, too.
    """
    known = state.uid, state.generation, state.storage, state.dropped
    return known == (crd.uid, crd.generation, crd.storage, tuple(sorted(dropped)))


def encode_state(state: MigrationState) -> Json:
    """The state as plain data."""
    fields = {name: getattr(state, name) for name in MigrationState._fields}
    failures = [list(failure) for failure in state.failures]
    return {"format": _FORMAT, **fields, "failures": failures, "dropped": [*state.dropped]}


def decode_state(data: object) -> MigrationState | None:
    """A state of plain data, None if it is none of this program."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return None
    fields = {name: data.get(name) for name in MigrationState._fields}
    defaults = encode_state(MigrationState("", 0, ""))
    if any(type(fields[name]) is not type(defaults[name]) for name in fields):
        return None
    counted = [*data["counts"].values(), *data["managed"].values()]
    failures = [tuple(failure) for failure in data["failures"] if isinstance(failure, list)]
    if not all(type(count) is int for count in counted) or any(len(failure) != _FAILURE_LENGTH for failure in failures):
        return None
    dropped = tuple(str(version) for version in data["dropped"])
    return MigrationState(**{**fields, "failures": tuple(failures), "dropped": dropped})  # type: ignore[arg-type]
