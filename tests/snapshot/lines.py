"""The lines of a snapshot: what a case printed and wrote, without the wording of messages."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import yaml
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse
from google.protobuf.message import DecodeError

from tests.snapshot.program import Case, Output, Result, checksum
from tests.support.yaml_data import load_yaml_stream

# "api.proto:3:7: error: message [rule-id]"; a finding without a place starts with its severity.
_FINDING = re.compile(r"^(?:(.+?)(?::(\d+))?(?::(\d+))?: )?(error|warning|note): .* \[([a-z0-9-]+)\]$", re.MULTILINE)
_OMITTED = re.compile(r"^(\d+) more not shown(?:: .*)?$", re.MULTILINE)
_JSON_FINDINGS = re.compile(r'^\{\s*"findings": ', re.MULTILINE)
_UNTRACKED = (".md", ".txt")  # files that consist of wording


def lines_of(case: Case, result: Result) -> Iterator[str]:
    """Yield the lines of a case: its findings, exit codes and files."""
    files = {name: data.decode(errors="surrogateescape") for name, data in result.files.items()}
    for number, (run, output) in enumerate(zip(case.runs, result.outputs, strict=True), 1):
        name = case.name if len(case.runs) == 1 else f"{case.name}#{number}"
        yield _line("exit", name, output.status)
        if run.arguments:
            yield from _findings(name, output)
        else:
            response = _response(output)
            files |= {file.name: file.content for file in response.file}
            yield from _text_findings(name, f"{response.error}\n{output.stderr.decode(errors='replace')}")
    for file, text in files.items():
        yield _line("file", case.name, file, *_content(file, text))


def _line(*values: object) -> str:
    return "\t".join(json.dumps(str(value))[1:-1] for value in values)


def _response(output: Output) -> CodeGeneratorResponse:
    try:
        return CodeGeneratorResponse.FromString(output.stdout)
    except DecodeError:
        return CodeGeneratorResponse(error="no response")


def _findings(case: str, output: Output) -> Iterator[str]:
    stdout = output.stdout.decode(errors="replace")
    if not (start := _JSON_FINDINGS.search(stdout)):
        yield from _text_findings(case, f"{stdout}\n{output.stderr.decode(errors='replace')}")
        return
    report, _ = json.JSONDecoder().raw_decode(stdout[start.start() :])
    for finding in report["findings"]:
        place = (finding["file"] or "", finding["line"] or "", finding["column"] or "")
        yield _line("finding", case, finding["rule"], finding["severity"], *place)
    if report["omitted"]:
        yield _line("omitted", case, report["omitted"])


def _text_findings(case: str, text: str) -> Iterator[str]:
    for file, line, column, severity, rule in _FINDING.findall(text):
        yield _line("finding", case, rule, severity, file, line, column)
    for count in _OMITTED.findall(text):
        yield _line("omitted", case, count)


def _content(name: str, text: str) -> tuple[str, str]:
    """Return how a file is compared, and its checksum.

    CRDs are compared by bytes, Python modules by their syntax tree without docstrings, other YAML and JSON as data
    without comments, pages of documentation by name only.
    """
    if name.endswith(".py"):
        return "syntax", _digest(ast.dump(_without_docstrings(ast.parse(text))))
    if name.endswith(_UNTRACKED):
        return "exists", "-"
    if "CustomResourceDefinition" not in text and name.endswith((".yaml", ".yml", ".json")):
        try:
            return "data", _digest(json.dumps(list(load_yaml_stream(text)), sort_keys=True, default=str))
        except yaml.YAMLError:
            return "bytes", _digest(text)
    return "bytes", _digest(text)


def _digest(text: str) -> str:
    return checksum(text.encode(errors="surrogateescape"))


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _has_docstring(
            node
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return tree


def _has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None
