"""Results that Kubernetes versions share: the switches of a version, which record the versions with the same result.

Code that treats versions differently asks the switches of the version that it works for: `if SWITCH in switches`.
`RecordingSwitches` keeps, in `alike`, the versions with the same answers to everything that was read. A result is a
function of its input and of these answers, so it holds for all of them. There are three uses:

- A CRD is validated once for all versions that are alike (`admission.server`).
- `SharedResults` remembers results, such as compiled expressions, each with its versions. Code that uses a result
  depends on what was read for it, so the versions of the result limit those of the request (`limit_to`).
- An object is validated once for all versions that are alike (`admission.objects.crd_handler`). `RequestSwitches`
  separate what is read for one object from what is read to compile a schema or a rule, through `lasting`, which applies
  to all later objects. So a difference that few objects meet, such as the message of an error, is read where it
  occurs, and all other objects are validated once. Costs of rules that differ only separate versions if one of them
  could exceed a limit (`record_cost`, `settle_costs`).

A read narrows the versions. So read a switch last: `if value is None and SWITCH in switches`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, Switch, list_minors, make_minor_set

T = TypeVar("T")
_EVERY = -1  # the set of all versions, as a bit for each minor version


class Switches:
    """The switches of one Kubernetes version; `switch in switches` is true if a switch is on."""

    __slots__ = ("minor",)

    def __init__(self, minor: int) -> None:
        self.minor = minor

    @classmethod
    def from_minor(cls, minor: int) -> Switches:
        """Return the switches of Kubernetes 1.<minor>. Raises ValueError for an unknown version."""
        switches = _TABLE.get(minor)
        if switches is None:
            if not OLDEST <= minor <= NEWEST:
                raise ValueError(f"Kubernetes 1.{OLDEST} to 1.{NEWEST} are known, not 1.{minor}")
            switches = _TABLE[minor] = Switches(minor)
        return switches

    @property
    def lasting(self) -> Switches:
        """The switches for compilation, whose result is used again; see `RequestSwitches`."""
        return self

    def __contains__(self, switch: Switch) -> bool:
        return switch.minors >> self.minor & 1 == 1

    def lacks(self, switch: Switch) -> bool:
        """Return true if a switch is off.

        If it is on, that is not recorded: the caller reads it where older versions would differ.
        """
        return not switch.minors >> self.minor & 1 and switch not in self

    def record(self, switch: Switch) -> None:
        """Record that a result depends on a switch."""

    def evaluate(self, question: Callable[[int], T]) -> T:
        """Return the result of a function of the minor version, for differences that no switch covers."""
        return question(self.minor)

    def narrow(self, first: int, until: int) -> None:
        """Record that a result holds only for versions from `first` to before `until`."""

    def exclude(self, minors: int) -> None:
        """Record that a result does not hold for a set of versions, which is a bit for each."""

    def limit_to(self, other: RecordingSwitches) -> None:
        """Record what was read for another result for the same version."""

    def settle_costs(self, cost: int, limit: int) -> None:
        """Decide whether other costs in other versions can change a result; see `RequestSwitches.record_cost`."""

    def __repr__(self) -> str:
        return f"Switches(1.{self.minor})"


_TABLE: dict[int, Switches] = {}


class RecordingSwitches(Switches):
    """Switches that record the versions with the same answers to all that was read."""

    __slots__ = ("_answers", "_confirmed", "alike")

    def __init__(self, minor: int) -> None:
        super().__init__(minor)
        self.alike = _EVERY  # the versions with the same switches
        self._answers: dict[Callable[[int], object], object] = {}
        self._confirmed = 0  # the versions that are known to have the same answers

    def __contains__(self, switch: Switch) -> bool:
        if switch.minors >> self.minor & 1:
            self.alike &= switch.minors
            return True
        self.alike &= ~switch.minors
        return False

    def record(self, switch: Switch) -> None:
        """Record that a result depends on a switch."""
        self.alike &= switch.minors if switch.minors >> self.minor & 1 else ~switch.minors

    def evaluate(self, question: Callable[[int], T]) -> T:
        """Return the result of a function of the minor version, and record both."""
        answer = self._answers[question] = question(self.minor)
        self._confirmed = 0
        return answer

    def narrow(self, first: int, until: int) -> None:
        """Record that a result holds only for versions from `first` to before `until`."""
        self.alike &= make_minor_set(first, until)

    def exclude(self, minors: int) -> None:
        """Record that a result does not hold for a set of versions, which is a bit for each."""
        self.alike &= ~minors

    def limit_to(self, other: RecordingSwitches) -> None:
        """Record what was read for another result for the same version."""
        self.alike &= other.alike
        if other._answers:
            self._answers |= other._answers
            self._confirmed = 0

    def contains(self, minor: int) -> bool:
        """Return true if a version has the same answers, so that a result holds for it."""
        return self.select(1 << minor) != 0

    def select(self, minors: int) -> int:
        """Return those versions of a set that have the same answers, so that a result holds for them."""
        if self._answers and (unknown := minors & self.alike & ~self._confirmed):
            for minor in list_minors(unknown):
                if not all(question(minor) == answer for question, answer in self._answers.items()):
                    self.alike &= ~(1 << minor)
            self._confirmed |= unknown
        return minors & self.alike


class RequestSwitches(RecordingSwitches):
    """Switches of servers that validate one object after another with the same compiled schemas.

    What is read through `lasting` applies to all objects, everything else to the current one.
    """

    __slots__ = ("_excess", "_is_over_limit", "_is_unsettled", "_lasting", "_other_costs")

    def __init__(self, minor: int) -> None:
        super().__init__(minor)
        self._lasting = RecordingSwitches(minor)
        self._other_costs = self._excess = 0  # the versions with other costs, and their excess over those of this one
        self._is_unsettled = self._is_over_limit = False

    @property
    def lasting(self) -> RecordingSwitches:
        """The switches for compilation."""
        return self._lasting

    def start_request(self) -> None:
        """Forget what was read for the last object."""
        self.alike = _EVERY
        self._answers.clear()
        self._other_costs = self._excess = 0
        self._is_unsettled = self._is_over_limit = False

    def record_cost(self, difference: int, minors: int) -> None:
        """Record that a call costs more, or less, in a set of versions, which is a bit for each."""
        self._other_costs |= minors
        self._excess += max(difference, 0)
        self._is_unsettled = True

    def settle_costs(self, cost: int, limit: int) -> None:
        """Decide whether the costs recorded so far can change a result, after an evaluation with this cost.

        Costs change a result only beyond a limit. So they do not matter if the cost in this version is within the
        limit together with the excess of all other versions.
        """
        self._is_over_limit = self._is_over_limit or cost + self._excess > limit
        self._is_unsettled = False

    def select(self, minors: int) -> int:
        """Return those versions of a set that have the same answers, for this object and for compilation."""
        if self._is_unsettled or self._is_over_limit:
            minors &= ~self._other_costs
        return super().select(minors) & self._lasting.select(minors)


class SharedResults(Generic[T]):
    """Results by key, each with the versions that it holds for."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, list[tuple[RecordingSwitches, T]]] = {}

    def get(self, key: Hashable, switches: Switches, compute: Callable[[Switches], T]) -> T:
        """Return the result for a version, computed unless it is known for a version that is alike."""
        results = self._known.setdefault(key, [])
        known = next((entry for entry in results if entry[0].contains(switches.minor)), None)
        if known is None:
            recording = RecordingSwitches(switches.minor)
            known = recording, compute(recording)
            results.append(known)
        switches.limit_to(known[0])
        return known[1]
