"""For programs: objects converted to another version of their kind, given its CRD.

    from protoc_gen_crd import Converter
    converter = Converter(crd)
    new = converter.convert(obj, "v1")

A CRD is a `Crd` that protos were made into (`pipeline.crds`), whose fields say how they are converted, or a plain dict
with rules, which are an APIConversion of kcp as a dict. `hub` is the version that conversions go
through, where that is not the storage version; `functions` the folder of those that are written by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.conversion.code.handwritten import check_functions
from protoc_gen_crd.conversion.code.modules import converter
from protoc_gen_crd.conversion.helpers.runtime import of_kind
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.rules.rules import Reader
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.crd.types import Crd

Json = Mapping[str, Any]


class Converter:
    """Converts objects of one kind. Raises ValueError for a CRD or rules by which something would be lost."""

    def __init__(self, crd: Crd | Json, rules: Json | None = None, *, hub: str = "", functions: str = "") -> None:
        problems = Problems()
        if rules is not None and not isinstance(rules, Mapping):
            raise ValueError("the rules must be an APIConversion, found no mapping")
        files = [Reader(lambda _: Location(""), problems).read(rules)] if rules is not None else []
        if files and not files[0].directions:
            raise ValueError("the rules must be an APIConversion, with spec.conversions")
        known = crd if isinstance(crd, Crd) else _decoded(crd)
        known = known.replace(hub=hub) if hub else known
        plan = plan_of(known, problems, [file.replace(name=known.name) for file in files])
        if plan is not None:
            check_functions(plan, functions, problems)
        faults = [finding.message for finding in problems.findings if fails([finding], (), complete=True)]
        if faults or plan is None:
            raise ValueError(
                "; ".join(faults) or "the kind must have several versions, one of them the storage version"
            )
        self.plan = plan
        self._converters = {(plan.crd.group, plan.crd.names.kind): converter(plan, functions)}

    def convert(self, obj: dict[str, Any], version: str) -> dict[str, Any]:
        """An object in a version. It shares parts with what was given. Raises ConversionError, a ValueError."""
        return of_kind(obj, version, self._converters)


def convert(obj: dict[str, Any], version: str, crd: Crd | Json, rules: Json | None = None) -> dict[str, Any]:
    """One object in another version; for many objects, keep a `Converter`."""
    return Converter(crd, rules).convert(obj, version)


def _decoded(crd: Json) -> Crd:
    found = decode(crd)
    if found.crd is None:
        raise ValueError(found.refusal(nested=True))
    return found.crd
