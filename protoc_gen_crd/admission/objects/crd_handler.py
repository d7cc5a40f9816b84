"""The handler of the objects of a CRD: it selects the version of an object and runs its validation.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.objects import json_body, object_strategy
from protoc_gen_crd.admission.objects.json_body import DecodedBody
from protoc_gen_crd.admission.objects.version_handler import SharedSchemas, VersionHandlers
from protoc_gen_crd.admission.verdicts import Verdict, has_versioned_messages
from protoc_gen_crd.admission.version_differences import JSON_VALUES
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.kubernetes.shared_results import RequestSwitches, Switches
from protoc_gen_crd.kubernetes.supported_versions import list_minors
from protoc_gen_crd.regex.syntax_check import ResourceLimitError


class NotServedError(ValueError):
    """No version of the CRD serves objects of this apiVersion and kind."""


def find_version(crd: Crd, obj: object) -> CrdVersion | None:
    """Return the version that an object specifies, None if the CRD does not serve it."""
    if not isinstance(obj, dict) or obj.get("kind") != crd.names.kind:
        return None
    for version in crd.versions:
        if version.served and obj.get("apiVersion") == f"{crd.group}/{version.name}":
            return version
    return None


class CrdHandler:
    """The validation of the objects of one CRD.

    Versions in which the schemas compile alike share the compiled schemas, and versions that are alike for an object
    share its verdict (`kubernetes.shared_results`).

    Shortcut version-classes: a verdict is a function of the object, the CRD, and the switches that were read for the
    object and to compile the schemas, and it is used for no version with other values of these, and of costs, which
    only matter beyond a limit, for no version in which they could exceed it.

    Shortcut served-crds: the cached values of a CRD or a version depend on nothing else, and keep the CRD alive, whose
    identity is the key.
    """

    def __init__(self, crd: Crd, shared: SharedSchemas) -> None:
        self.crd, self._shared = crd, shared
        self._compiled: dict[int, VersionHandlers] = {}

    def validate(self, servers: Iterable[Switches], obj: object, old: object, *, status: bool) -> tuple[Verdict, ...]:
        """Return the verdicts on an object; see `AdmissionServer.validate`."""
        body = json_body.decode_body(obj, self.crd.names.kind)
        old_body = None if old is None else json_body.decode_body(old, self.crd.names.kind)
        if old_body is not None and old_body.error:
            raise ValueError(f"the old object is none: {old_body.error}")
        verdicts: list[tuple[tuple[int, ...], Verdict, bool]] = []
        pending = sum([1 << server.minor for server in servers])  # the set of versions without a verdict
        while pending:
            handlers = self._get_handlers(pending.bit_length() - 1)
            switches = handlers.switches
            switches.start_request()
            verdict = self._validate_object(body, old_body, handlers, status=status)
            depends_on_version = has_versioned_messages(verdict.causes) and JSON_VALUES in switches
            alike = switches.select(pending)
            pending &= ~alike
            verdicts.append((list_minors(alike), verdict, depends_on_version))
        return _merge_verdicts(verdicts)

    def _get_handlers(self, minor: int) -> VersionHandlers:
        handlers = self._compiled.get(minor)
        if handlers is None:
            handlers = self._compiled[minor] = VersionHandlers(self.crd, RequestSwitches(minor), self._shared)
        return handlers

    def _validate_object(
        self, body: DecodedBody, old_body: DecodedBody | None, resources: VersionHandlers, *, status: bool
    ) -> Verdict:
        if body.error:
            return object_strategy.reject_undecodable(body.error)
        version = find_version(self.crd, body.value)
        if version is None or version.schema is None:
            raise NotServedError(f"{self.crd.name} serves no such object")
        resource = resources.get_handler(version)
        if body.number_error:
            return object_strategy.reject_undecodable(resource.format_decode_error(body.number_error))
        try:
            if old_body is None:
                return object_strategy.create_object(resource, body)
            return object_strategy.update_object(resource, body, old_body.value, status=status)
        except ResourceLimitError as error:
            return Verdict(causes=(Cause(detail=f"not judged: {error}"),))


def _merge_verdicts(verdicts: Sequence[tuple[tuple[int, ...], Verdict, bool]]) -> tuple[Verdict, ...]:
    """Merge equal verdicts with equal messages, in the order of versions."""
    if len(verdicts) == 1:
        return (verdicts[0][1].assign(verdicts[0][0]),)
    merged: list[tuple[list[int], Verdict, bool]] = []
    for minors, verdict, depends_on_version in verdicts:
        same = next((minors for minors, *rest in merged if rest == [verdict, depends_on_version]), None)
        if same is None:
            merged.append((list(minors), verdict, depends_on_version))
        else:
            same += minors
    ordered = sorted([(sorted(minors), verdict) for minors, verdict, _ in merged], key=lambda group: group[0])
    return tuple([verdict.assign(minors) for minors, verdict in ordered])
