"""Generation of CRDs from .proto files and descriptors in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd import pipeline
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.proto.inputs import read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings


def generate_crds(
    sources: Sequence[str],
    settings: Settings,
    paths: dict[str, str],
    problems: Problems,
    format_name: Callable[[str, str], str] | None = None,
) -> Sequence[Crd]:
    """Generate the CRDs of inputs. `paths` receives the paths of the .proto files by name.

    `format_name` returns the name of a file in locations from its name and its path, which is empty for a file of a
    descriptor set. Raises OSError if an input cannot be read.
    """
    generator_problems = Problems()
    inputs = read_inputs(sources, settings.import_paths, settings.targets, generator_problems)
    paths.update(inputs.paths)
    failed = has_error(generator_problems.findings, settings.findings, complete=False)
    request = None if failed else Request.from_message(inputs.request, generator_problems, inputs.paths)
    if request and format_name:
        shown_names = {name: format_name(name, inputs.paths.get(name, "")) for name in request.files}
        request = request.replace(shown_names=shown_names)
    build = pipeline.build_istio_crds if settings.compat else pipeline.build_crds
    crds = build(request, settings, generator_problems) if request else ()
    problems.findings += generator_problems.findings
    return crds


def report_no_resources(where: str, settings: Settings, problems: Problems) -> None:
    """Report that there are no resources, and why."""
    if settings.channel and settings.channel_fields == "omit":
        suffix, hint = f' of channel "{settings.channel}"', "resources of later channels are left out"
    else:
        suffix, hint = "", "mark a message as a resource with a group and a version, without skip and skipversion"
    problems.report("output-none", f"no resources{suffix} found in {where}", hint=hint)
