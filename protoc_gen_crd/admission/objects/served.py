"""A CRD as it is served: which of its versions an object is of, and what that version makes of it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go.
"""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.admission.objects import body, strategy
from protoc_gen_crd.admission.objects.body import Body
from protoc_gen_crd.admission.objects.faults import UnjudgedError
from protoc_gen_crd.admission.objects.resource import Resources, Shared
from protoc_gen_crd.admission.objects.verdict import ObjectVerdict
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.crd.types import Crd, Version


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
    """One CRD, ready to judge objects of its kind."""

    def __init__(self, crd: Crd, shared: Shared) -> None:
        self.crd = crd
        self._resources = Resources(crd, shared)

    def validate(
        self, servers: Iterable[Switches], obj: object, old: object, *, status: bool
    ) -> tuple[ObjectVerdict, ...]:
        """See `Server.validate`."""
        given = body.read(obj, self.crd.names.kind)
        before = None if old is None else body.read(old, self.crd.names.kind)
        if before is not None and before.refusal:
            raise ValueError(f"the old object is none: {before.refusal}")
        verdicts: list[ObjectVerdict] = []
        for switches, minors in self._classes(servers):
            verdicts.append(self._judged(given, before, switches, status=status).replace(minors=tuple(minors)))
        return merged(verdicts)

    def _classes(self, servers: Iterable[Switches]) -> Iterable[tuple[Switches, list[int]]]:
        return [(switches, [switches.minor]) for switches in servers]

    def _judged(self, given: Body, before: Body | None, switches: Switches, *, status: bool) -> ObjectVerdict:
        if given.refusal:
            return ObjectVerdict((), decode=given.refusal)
        version = version_of(self.crd, given.value)
        if version is None or version.schema is None:
            raise NotServedError(f"{self.crd.name} serves no such object")
        resource = self._resources.of(version, switches)
        if given.too_large:
            return ObjectVerdict((), decode=resource.undecodable(given.too_large))
        try:
            if before is None:
                return strategy.created(resource, given)
            return strategy.updated(resource, given, before.value, status=status)
        except UnjudgedError as error:
            return ObjectVerdict((), status=f"not judged: {error}")


def merged(verdicts: Iterable[ObjectVerdict]) -> tuple[ObjectVerdict, ...]:
    """Those that say the same as one each."""
    found: list[ObjectVerdict] = []
    for verdict in verdicts:
        for index, known in enumerate(found):
            if known.replace(minors=verdict.minors) == verdict:
                found[index] = known.replace(minors=known.minors + verdict.minors)
                break
        else:
            found.append(verdict)
    return tuple(found)
