"""A CRD as it is served: which of its versions an object is of, and what that version makes of it.

Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.objects.prune import prune
from protoc_gen_crd.admission.objects.values import Values
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
    """One CRD, ready to judge objects."""

    def __init__(self, crd: Crd) -> None:
        self.crd = crd

    def validate(
        self,
        servers: Sequence[Switches],
        obj: Any,
        old: Any,  # noqa: ARG002 - updates are not judged yet
        *,
        status: bool,  # noqa: ARG002
    ) -> tuple[ObjectVerdict, ...]:
        """See `Server.validate`."""
        version = version_of(self.crd, obj)
        if version is None or version.schema is None:
            raise NotServedError(f"{self.crd.name} serves no such object")
        verdicts = []
        for switches in servers:
            made = prune(obj, version.schema, resource=True)
            errors = tuple(Values(switches).errors(version.schema, made))
            verdicts.append(ObjectVerdict((switches.minor,), errors, object=made, stored=None if errors else made))
        return tuple(verdicts)
