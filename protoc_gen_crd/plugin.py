"""The protoc plugin: a request on standard input, a response on standard output, warnings on standard error."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from protoc_gen_crd.findings.finding import Problems, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse

    from protoc_gen_crd.crd.crd import Crd
    from protoc_gen_crd.emit.output_file import OutputFile
    from protoc_gen_crd.proto.request import Request
    from protoc_gen_crd.settings.settings import Settings

_PART = 2**16  # characters of a file that are encoded at once

# Only this module writes to standard output in a plugin run: any other output would cause protoc's error "Plugin output
# is unparseable".


def main() -> int:
    """Run as a plugin. Exit status 0 with a response, 2 without a request. Raises OSError for a lost response."""
    if sys.__stdout__ is None:
        raise OSError(0, "it must be open to take the response", "standard output")
    data = sys.stdin.buffer.read()
    if not data:
        sys.stderr.write(
            "protoc-gen-crd: expected a CodeGeneratorRequest on standard input, found nothing; try --help\n"
        )
        return 2
    gc.disable()  # objects are needed until the end of the run
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    problems = Problems()
    request, settings = read_request(data, problems)
    del data  # the request contains a copy
    response = _respond(request, settings, problems)
    try:
        with out:
            out.writelines(response)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None
    return 0


def respond(data: bytes) -> Iterator[bytes]:
    """Return the bytes of the CodeGeneratorResponse for the bytes of a request; warnings go to standard error.

    There is a part for each file, since protobuf merges concatenated messages. A single message would need two more
    copies of all files in memory.
    """
    problems = Problems()
    return _respond(*read_request(data, problems), problems)


def read_request(data: bytes, problems: Problems) -> tuple[Request | None, Settings]:
    """Return the request, None if it is invalid, and the settings that its parameter names."""
    from protoc_gen_crd.proto.request import Request
    from protoc_gen_crd.settings.plugin_parameters import parse_parameter
    from protoc_gen_crd.settings.settings import Settings

    request = Request.from_bytes(data, problems)
    if request is None:
        return None, Settings()
    settings = _resolve_release(parse_parameter(request.parameter, problems))
    _dump_request(data, settings.dump_request, problems)
    return request, settings


def _respond(request: Request | None, settings: Settings, problems: Problems) -> Iterator[bytes]:
    from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse

    response = CodeGeneratorResponse()
    _declare_features(response)
    return _serialize_response(response, fill_response(request, settings, response, problems))


def _serialize_response(response: CodeGeneratorResponse, files: list[OutputFile]) -> Iterator[bytes]:
    """Yield the parts of a response. The list is emptied, so that no file is in memory more often than necessary."""
    yield response.SerializeToString()
    files.reverse()
    while files:
        yield from _serialize_file(response, files.pop())


def _serialize_file(response: CodeGeneratorResponse, file: OutputFile) -> Iterator[bytes]:
    """Yield the parts of a response with one file. protobuf would copy the whole content four times.

    Source: protobuf.dev/programming-guides/encoding.
    """
    from protoc_gen_crd.proto.wire_format import encode_tag

    named = response.File(name=file.name)
    size = sum([len(part) if part.isascii() else len(part.encode()) for part in file.parts])
    head = named.SerializeToString() + encode_tag(named.CONTENT_FIELD_NUMBER, size)
    yield encode_tag(response.FILE_FIELD_NUMBER, len(head) + size) + head
    for part in file.parts:
        for start in range(0, len(part), _PART):
            yield part[start : start + _PART].encode()


def _declare_features(response: CodeGeneratorResponse) -> None:
    from google.protobuf.descriptor_pb2 import Edition

    response.supported_features = response.FEATURE_PROTO3_OPTIONAL | response.FEATURE_SUPPORTS_EDITIONS
    response.minimum_edition = Edition.EDITION_PROTO2
    response.maximum_edition = Edition.EDITION_2024


def fill_response(
    request: Request | None, settings: Settings, response: CodeGeneratorResponse, problems: Problems
) -> list[OutputFile]:
    """Run the pipeline. Set the error of the response or return the files; warnings go to standard error."""
    from protoc_gen_crd.pipeline import generate_files
    from protoc_gen_crd.pipeline import report_differences as differences

    files: tuple[OutputFile, ...] = ()
    packages: list[str] = []  # packages of this run: entries of the settings for others are not reported as unused
    if request is not None:
        if settings.compat == "istio":
            response.Clear()  # Istio's generator declares no features: protoc rejects proto3 optional, buf warns
        if not problems.findings:
            files = generate_files(request, settings, problems, _make_check(request, settings, problems))
            packages = [request.files[name].package for name in request.targets]
    has_report = problems.findings or settings.findings
    if has_report and (error := _report_findings(request, settings, problems, packages)):
        response.error = error
        return []
    if request is not None:
        sys.stderr.write(differences(request, settings))
    return [file for file in files if not file.is_written_once]  # protoc does not know whether the file exists


def _report_findings(request: Request | None, settings: Settings, problems: Problems, packages: Sequence[str]) -> str:
    """Return the error of the response if a finding is severe; otherwise write the findings to standard error."""
    from protoc_gen_crd.findings.report_order_and_limits import build_report
    from protoc_gen_crd.findings.source_lines import SourceFiles

    sources = SourceFiles(_find_paths(request.files) if request and problems.findings else {})
    report = build_report(problems.findings, settings.findings, sources, packages=packages, command="generate")
    if report.items:
        from protoc_gen_crd.findings.renderers.text import render_findings, render_response_error

        if report.has_severity(Severity[settings.fail_on.upper()]):
            return render_response_error(report)
        sys.stderr.write(render_findings(report))
    return ""


def _find_paths(names: Iterable[str]) -> dict[str, str]:
    from protoc_gen_crd.proto.module_paths import find_module_paths

    return find_module_paths(names)


def _make_check(request: Request, settings: Settings, problems: Problems) -> Callable[[tuple[Crd, ...]], None] | None:
    """Return the check of the generated CRDs: their changes since the old API, if the option names one."""
    if not settings.old:
        return None
    from protoc_gen_crd.old_descriptor_sets import report_changes

    return lambda crds: report_changes(crds, request, settings, problems)


def _resolve_release(settings: Settings) -> Settings:
    """Return the settings for the next release, like commands do, if there is a settings file."""
    if not settings.settings:
        return settings
    from protoc_gen_crd.history.release_names import resolve_release

    return resolve_release(settings)


def _dump_request(data: bytes, path: str, problems: Problems) -> None:
    """Save the request for --request, if the option asks for it."""
    if not path:
        return
    from protoc_gen_crd.proto.request_dump import save_request

    try:
        save_request(data, path, problems)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problems.report("option-value", f'cannot write the request to "{path}": {reason}')
