"""Convert objects to another version of their kind, from Python.

    from protoc_gen_crd import Converter
    converter = Converter(crd)
    new = converter.convert(obj, "v1")

A CRD is a `Crd` that was generated from protos with conversion options (`pipeline.crds`), or a plain dict with rules,
which are kcp's APIConversion as a dict. `hub` is the hub version, by default the storage version; `functions` is the
folder of hand-written functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.conversion.codegen.handwritten_functions import check_functions
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.conversion.runtime.runtime import convert_by_kind
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.severity_policy import has_error

Json = Mapping[str, Any]


class Converter:
    """A converter of the objects of one kind.

    Args:
        crd: The CRD, as data or as a manifest.
        rules: The conversions, as an APIConversion of kcp; none for options in protos.
        hub: The hub version, if it is not the storage version.
        functions: The folder of handwritten functions.

    Raises:
        ValueError: The CRD is invalid, or a conversion would lose data.
    """

    def __init__(self, crd: Crd | Json, rules: Json | None = None, *, hub: str = "", functions: str = "") -> None:
        problems = Problems()
        if rules is not None and not isinstance(rules, Mapping):
            raise ValueError("the rules are not an APIConversion: expected a mapping")
        files = [RuleReader(lambda _: Location(""), problems).read(rules)] if rules is not None else []
        if files and not files[0].directions:
            raise ValueError("the rules are not an APIConversion: spec.conversions is missing")
        decoded = crd if isinstance(crd, Crd) else _decode_crd(crd)
        decoded = decoded.replace(hub=hub) if hub else decoded
        plan = build_plan(decoded, problems, [file.replace(name=decoded.name) for file in files])
        if plan is not None:
            check_functions(plan, functions, problems)
        errors = [finding.message for finding in problems.findings if has_error([finding], (), complete=True)]
        if errors or plan is None:
            raise ValueError("; ".join(errors) or "the kind has only one version, or no storage version")
        self.plan = plan
        self._converters = {(plan.crd.group, plan.crd.names.kind): load_converter(plan, functions)}

    def convert(self, obj: dict[str, Any], version: str) -> dict[str, Any]:
        """Convert an object.

        Args:
            obj: The object, which is not changed; the result shares parts with it.
            version: The name of the target version.

        Raises:
            ConversionError: The object cannot be converted. It is a ValueError.
        """
        return convert_by_kind(obj, version, self._converters)


def convert(obj: dict[str, Any], version: str, crd: Crd | Json, rules: Json | None = None) -> dict[str, Any]:
    """Convert one object; for many objects, use a `Converter`.

    Args:
        obj: The object, which is not changed; the result shares parts with it.
        version: The name of the target version.
        crd: The CRD, as data or as a manifest.
        rules: The conversions, as an APIConversion of kcp; none for options in protos.

    Raises:
        ValueError: The CRD is invalid, a conversion would lose data, or the object cannot be converted
            (ConversionError).
    """
    return Converter(crd, rules).convert(obj, version)


def _decode_crd(crd: Json) -> Crd:
    result = decode(crd)
    if result.crd is None:
        raise ValueError(result.format_rejection(nested=True))
    return result.crd
