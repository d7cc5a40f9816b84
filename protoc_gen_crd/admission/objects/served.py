"""A CRD as it is served: which of its versions an object is of, and what that version makes of it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from protoc_gen_crd.admission.errors import ABSENT
from protoc_gen_crd.admission.objects import body, strategy
from protoc_gen_crd.admission.objects.body import Body
from protoc_gen_crd.admission.objects.resource import Resources, Shared
from protoc_gen_crd.admission.objects.verdict import ObjectVerdict
from protoc_gen_crd.admission.switches import JSON_VALUES, Switches, Watched
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.regex.syntax import UnjudgedError

_SPELLED_ALIKE = frozenset((str, bool, int, float, type(ABSENT)))  # in texts of all versions


class NotServedError(ValueError):
    """No version of the CRD serves objects of this apiVersion and kind."""


def version_of(crd: Crd, obj: object) -> Version | None:
    """The version that an object names, None where the CRD does not serve it."""
    if not isinstance(obj, dict) or obj.get("kind") != crd.names.kind:
        return None
    for version in crd.versions:
        if version.served and obj.get("apiVersion") == f"{crd.group}/{version.name}":
            return version
    return None


class Served:
    """One CRD, ready to judge objects of its kind.

    Each version that speaks for others remembers what it was asked by all objects so far: what is made of schemas for
    one object serves the next, and is not asked for again.
    """

    def __init__(self, crd: Crd, shared: Shared) -> None:
        self.crd, self._shared = crd, shared
        self._classes: dict[int, Class] = {}

    def validate(
        self, servers: Iterable[Switches], obj: object, old: object, *, status: bool
    ) -> tuple[ObjectVerdict, ...]:
        """See `Server.validate`."""
        given = body.read(obj, self.crd.names.kind)
        before = None if old is None else body.read(old, self.crd.names.kind)
        if before is not None and before.refusal:
            raise ValueError(f"the old object is none: {before.refusal}")
        found: list[tuple[tuple[int, ...], ObjectVerdict, bool]] = []
        waiting = list(servers)
        while waiting:
            speaker = self._class(waiting[-1])
            verdict = self._judged(given, before, speaker.resources, status=status)
            spelling = _is_spelled(verdict) and JSON_VALUES in speaker.switches
            minors, waiting = speaker.divided(waiting)
            found.append((minors, verdict, spelling))
        return _merged(found)

    def _class(self, switches: Switches) -> Class:
        known = self._classes.get(switches.minor)
        if known is None:
            known = self._classes[switches.minor] = Class(self.crd, switches, self._shared)
        return known

    def _judged(self, given: Body, before: Body | None, resources: Resources, *, status: bool) -> ObjectVerdict:
        if given.refusal:
            return ObjectVerdict((), decode=given.refusal)
        version = version_of(self.crd, given.value)
        if version is None or version.schema is None:
            raise NotServedError(f"{self.crd.name} serves no such object")
        resource = resources.of(version)
        if given.too_large:
            return ObjectVerdict((), decode=resource.undecodable(given.too_large))
        try:
            if before is None:
                return strategy.created(resource, given)
            return strategy.updated(resource, given, before.value, status=status)
        except UnjudgedError as error:
            return ObjectVerdict((), status=f"not judged: {error}")


def _is_spelled(verdict: ObjectVerdict) -> bool:
    """Whether it depends on the version how values are written in the texts."""
    return any(type(error.value) not in _SPELLED_ALIKE for error in verdict.errors)


def _merged(found: Sequence[tuple[tuple[int, ...], ObjectVerdict, bool]]) -> tuple[ObjectVerdict, ...]:
    """The verdicts by version, those that say the same in the same words as one."""
    made: list[tuple[list[int], ObjectVerdict, bool]] = []
    for minors, verdict, spelling in found:
        same = next((minors for minors, *said in made if said == [verdict, spelling]), None)
        if same is None:
            made.append((list(minors), verdict, spelling))
        else:
            same += minors
    ordered = sorted([(sorted(minors), verdict) for minors, verdict, _ in made], key=lambda each: each[0])
    return tuple([verdict.replace(minors=tuple(minors)) for minors, verdict in ordered])


class Class:
    """The versions that one of them speaks for: those that answer as it does all that objects have asked so far."""

    def __init__(self, crd: Crd, switches: Switches, shared: Shared) -> None:
        self.switches = Watched(switches)
        self.resources = Resources(crd, self.switches, shared)
        self._others: dict[int, tuple[int, bool]] = {switches.minor: (sys.maxsize, True)}

    def divided(self, servers: Sequence[Switches]) -> tuple[tuple[int, ...], list[Switches]]:
        """The minor versions that say the same, and the servers that may not."""
        alike = {server.minor: self._agrees(server) for server in servers}
        return (
            tuple([minor for minor, agrees in alike.items() if agrees]),
            [server for server in servers if not alike[server.minor]],
        )

    def _agrees(self, server: Switches) -> bool:
        count, agrees = self._others.get(server.minor, (-1, True))
        if agrees and count < self.switches.count:
            agrees = self.switches.agrees(server)
            self._others[server.minor] = self.switches.count, agrees
        return agrees
