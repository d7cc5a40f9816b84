"""CRDs straight from .proto files and descriptors: the generator's own passes, and no file written."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd import pipeline
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.proto.inputs import read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings import Settings


def generated(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[Crd]:
    """The CRDs of these inputs; `paths` learns where the .proto files lie. Raises OSError as reading does."""
    found = Problems()
    inputs = read_inputs(given, settings.import_paths, settings.targets, found)
    paths.update(inputs.paths)
    failed = fails(found.findings, settings.findings, complete=False)
    request = None if failed else Request.of(inputs.request, found, inputs.paths)
    make = pipeline.istio_crds if settings.compat else pipeline.crds
    made = make(request, settings, found) if request else ()
    problems.findings += found.findings
    return made


def report_none(where: str, settings: Settings, problems: Problems) -> None:
    """Tell that there is no resource, and why."""
    if settings.channel and settings.channel_fields == "left-out":
        of, hint = f' of channel "{settings.channel}"', "what is of later channels only is left out"
    else:
        of, hint = "", "mark a message as a resource, with a group and a version; marked skip or skipversion it is none"
    problems.report("output-none", f"an API must hold a resource{of}, found none in {where}", hint=hint)
