"""protoc's side: a request on standard input, a response on standard output, findings in it or on standard error."""

from __future__ import annotations

import os
import sys

from protoc_gen_crd.base.diagnostics import Problems, Severity

# This module is the only writer of standard output on a plugin run: whatever else is printed there
# would make protoc's "Plugin output is unparseable".


def main() -> int:
    """Run as a plugin. Exit status 0 with a response, 2 without a request."""
    data = sys.stdin.buffer.read()
    if not data:
        sys.stderr.write("protoc-gen-crd: expected a CodeGeneratorRequest on standard input, found nothing; try --help\n")
        return 2
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with out:
        out.write(respond(data))
    return 0


def respond(data: bytes) -> bytes:
    """The bytes of the CodeGeneratorResponse to the bytes of a request; warnings go to standard error."""
    from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse
    from google.protobuf.descriptor_pb2 import Edition

    response = CodeGeneratorResponse(
        supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL
        | CodeGeneratorResponse.FEATURE_SUPPORTS_EDITIONS,
        minimum_edition=Edition.EDITION_PROTO2,
        maximum_edition=Edition.EDITION_2024,
    )
    problems = Problems()
    fill(data, response, problems)
    return response.SerializeToString()


def fill(data: bytes, response: object, problems: Problems) -> None:
    """Run the pipeline and put its files, or its errors, into the response."""
    from protoc_gen_crd.pipeline import run
    from protoc_gen_crd.proto.request import Request
    from protoc_gen_crd.settings import Settings, parse_parameter

    settings = Settings()
    files = ()
    request = Request.from_bytes(data, problems)
    if request is not None:
        settings = parse_parameter(request.parameter, problems)
        if settings.dump_request:
            from pathlib import Path

            Path(settings.dump_request).write_bytes(data)
        if not problems.findings:
            files = run(request, settings, problems)
    if problems.findings:
        from protoc_gen_crd.base.catalogue import rules
        from protoc_gen_crd.base.policy import resolve

        for finding in resolve(problems.findings, settings.findings, rules()):
            print(finding.severity, finding.at and finding.at.resolve(), finding.message, finding.hint, file=sys.stderr)
    for file in files:
        response.file.add(name=file.name, content=file.text)
