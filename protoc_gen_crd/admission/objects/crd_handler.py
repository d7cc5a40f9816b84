"""A CRD as it is served: which of its versions an object is of, and what that version makes of it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from protoc_gen_crd.admission.field_errors import ABSENT
from protoc_gen_crd.admission.objects import json_body, object_strategy
from protoc_gen_crd.admission.objects.json_body import DecodedBody
from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
from protoc_gen_crd.admission.objects.version_handler import SharedSchemas, VersionHandlers
from protoc_gen_crd.admission.switches import JSON_VALUES, RecordingSwitches, Switches
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.regex.syntax_check import ResourceLimitError

_SPELLED_ALIKE = frozenset((str, bool, int, float, type(ABSENT)))  # in texts of all versions


class NotServedError(ValueError):
    """No version of the CRD serves objects of this apiVersion and kind."""


def find_version(crd: Crd, obj: object) -> CrdVersion | None:
    """The version that an object names, None where the CRD does not serve it."""
    if not isinstance(obj, dict) or obj.get("kind") != crd.names.kind:
        return None
    for version in crd.versions:
        if version.served and obj.get("apiVersion") == f"{crd.group}/{version.name}":
            return version
    return None


class CrdHandler:
    """One CRD, ready to judge objects of its kind.

    Each version that speaks for others remembers what it was asked by all objects so far: what is made of schemas for
    one object serves the next, and is not asked for again.

    Shortcut served-crds: what is kept for a CRD or a version depends on nothing else, and keeps the CRD alive, by whose
    identity it is found.
    """

    def __init__(self, crd: Crd, shared: SharedSchemas) -> None:
        self.crd, self._shared = crd, shared
        self._classes: dict[int, VersionClass] = {}

    def validate(
        self, servers: Iterable[Switches], obj: object, old: object, *, status: bool
    ) -> tuple[ObjectVerdict, ...]:
        """See `Server.validate`."""
        given = json_body.decode_body(obj, self.crd.names.kind)
        before = None if old is None else json_body.decode_body(old, self.crd.names.kind)
        if before is not None and before.error:
            raise ValueError(f"the old object is none: {before.error}")
        found: list[tuple[tuple[int, ...], ObjectVerdict, bool]] = []
        waiting = list(servers)
        while waiting:
            speaker = self._get_class(waiting[-1])
            verdict = self._validate_object(given, before, speaker.resources, status=status)
            spelling = _depends_on_spelling(verdict) and JSON_VALUES in speaker.switches
            minors, waiting = speaker.split_servers(waiting)
            found.append((minors, verdict, spelling))
        return _merge_verdicts(found)

    def _get_class(self, switches: Switches) -> VersionClass:
        known = self._classes.get(switches.minor)
        if known is None:
            known = self._classes[switches.minor] = VersionClass(self.crd, switches, self._shared)
        return known

    def _validate_object(
        self, given: DecodedBody, before: DecodedBody | None, resources: VersionHandlers, *, status: bool
    ) -> ObjectVerdict:
        if given.error:
            return ObjectVerdict((), decode_error=given.error)
        version = find_version(self.crd, given.value)
        if version is None or version.schema is None:
            raise NotServedError(f"{self.crd.name} serves no such object")
        resource = resources.get_handler(version)
        if given.number_error:
            return ObjectVerdict((), decode_error=resource.format_decode_error(given.number_error))
        try:
            if before is None:
                return object_strategy.create_object(resource, given)
            return object_strategy.update_object(resource, given, before.value, status=status)
        except ResourceLimitError as error:
            return ObjectVerdict((), status_error=f"not judged: {error}")


def _depends_on_spelling(verdict: ObjectVerdict) -> bool:
    """Whether it depends on the version how values are written in the error messages.

    Shortcut spelled-alike: scalars are written in the same way by all versions, so their errors have one message.
    """
    return any(type(error.value) not in _SPELLED_ALIKE for error in verdict.errors)


def _merge_verdicts(found: Sequence[tuple[tuple[int, ...], ObjectVerdict, bool]]) -> tuple[ObjectVerdict, ...]:
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


class VersionClass:
    """The versions that one of them speaks for: those that answer as it does all that objects have asked so far.

    Shortcut version-classes: a version answers for another while the other has the same answers to all that has been
    asked, which is compared again whenever more is asked.
    """

    def __init__(self, crd: Crd, switches: Switches, shared: SharedSchemas) -> None:
        self.switches = RecordingSwitches(switches)
        self.resources = VersionHandlers(crd, self.switches, shared)
        self._others: dict[int, tuple[int, bool]] = {switches.minor: (sys.maxsize, True)}

    def split_servers(self, servers: Sequence[Switches]) -> tuple[tuple[int, ...], list[Switches]]:
        """The minor versions that say the same, and the servers that may not."""
        alike = {server.minor: self._has_same_answers(server) for server in servers}
        return (
            tuple([minor for minor, agrees in alike.items() if agrees]),
            [server for server in servers if not alike[server.minor]],
        )

    def _has_same_answers(self, server: Switches) -> bool:
        count, agrees = self._others.get(server.minor, (-1, True))
        if agrees and count < self.switches.count:
            agrees = self.switches.has_same_answers(server)
            self._others[server.minor] = self.switches.count, agrees
        return agrees
