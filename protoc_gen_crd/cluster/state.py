"""How far a migration has come, as a value and as JSON, so that a run that was killed is taken up again."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import Json
from protoc_gen_crd.cluster.crds import Installed

REWRITTEN, UNCHANGED, OTHERS, GONE, FAILED = "rewritten", "unchanged", "others", "gone", "failed"
KEPT = 100  # failures with their reasons, however many there are
_FORMAT = 1
_PARTS = 2  # of a failure: name and reason


class State(Record):
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
    def seen(self) -> int:
        """How many objects are done with."""
        return sum(self.counts.values())

    @property
    def failed(self) -> int:
        """How many objects could not be rewritten."""
        return self.counts.get(FAILED, 0)


def begun(crd: Installed, dropped: Collection[str] = (), last: State | None = None) -> State:
    """A migration that is to begin, or to begin anew after what the last list has come to."""
    earlier = last.earlier + last.counts.get(REWRITTEN, 0) if last is not None else 0
    return State(crd.uid, crd.generation, crd.storage, dropped=tuple(sorted(dropped)), earlier=earlier)


def belongs(state: State, crd: Installed, dropped: Collection[str] = ()) -> bool:
    """Whether the run may go on: nobody can have stored objects in another version behind its back since then.

    What is to be dropped must have been dropped of the objects that are done with, too.
    """
    known = state.uid, state.generation, state.storage, state.dropped
    return known == (crd.uid, crd.generation, crd.storage, tuple(sorted(dropped)))


def written(state: State) -> Json:
    """The state as plain data."""
    fields = {name: getattr(state, name) for name in State._fields}
    failures = [list(failure) for failure in state.failures]
    return {"format": _FORMAT, **fields, "failures": failures, "dropped": [*state.dropped]}


def parsed(data: object) -> State | None:
    """A state of plain data, None if it is none of this program."""
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        return None
    fields = {name: data.get(name) for name in State._fields}
    defaults = written(State("", 0, ""))
    if any(type(fields[name]) is not type(defaults[name]) for name in fields):
        return None
    counted = [*data["counts"].values(), *data["managed"].values()]
    failures = [tuple(failure) for failure in data["failures"] if isinstance(failure, list)]
    if not all(type(count) is int for count in counted) or any(len(failure) != _PARTS for failure in failures):
        return None
    dropped = tuple(str(version) for version in data["dropped"])
    return State(**{**fields, "failures": tuple(failures), "dropped": dropped})  # type: ignore[arg-type]
