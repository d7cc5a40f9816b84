"""Spellings of a CEL rule: whose parser default mode follows, and the results of compat=istio.

The results of the two tools are recorded: testdata/markers/rule-spellings.jsonl.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from tests.judges.controller_tools.rules import RECORDED, spellings
from tests.support.compile import compile_texts, request_for

Values = dict[str, Any]
ROWS = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
WORDS = [word for word, _ in spellings()]
CASES = pytest.mark.parametrize(
    ("number", "word", "theirs", "raw"),
    [(n, word, *row[1:]) for n, (word, row) in enumerate(zip(WORDS, ROWS, strict=True))],
    ids=[row[0] for row in ROWS],
)
RULES = "x-kubernetes-validations"
PROTO = """syntax = "proto3";
package case{number}.v1;
// +cue-gen:Case:groupName:acme.com
// +cue-gen:Case:versions:v1
message Case {{
  // +{marker}
  {type} value = 1;
}}
"""


@pytest.fixture(scope="module")
def request_of_all(tmp_path_factory: pytest.TempPathFactory) -> CodeGeneratorRequest:
    folder: Path = tmp_path_factory.mktemp("spellings")
    return compile_texts({f"{n}.proto": PROTO.format(number=n, **_typed(row[0])) for n, row in enumerate(ROWS)}, folder)


def _typed(marker: str) -> dict[str, str]:
    wrap = {"kubebuilder:validation:items": "repeated string", "protoc-gen-crd:list-": "repeated string"}
    wrap["protoc-gen-crd:map-"] = "map<string, string>"
    return {"marker": marker, "type": next((wrap[key] for key in wrap if marker.startswith(key)), "string")}


def _generate(request: CodeGeneratorRequest, number: int, compat: str) -> tuple[list[Values], set[str]]:
    """The rules in the schema of the field, and the ids of all findings."""
    problems = Problems()
    make = pipeline.build_istio_crds if compat else pipeline.build_crds
    crds = make(request_for(request, f"{number}.proto"), Settings(compat=compat), problems)
    rules = {finding.rule for finding in problems.findings}
    if not crds:
        return [], rules
    spec = encode(crds[0])["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    schema = spec["properties"]["value"]
    inner = schema.get("items") or schema.get("additionalProperties") or {}
    # Istio's generator puts a rule of items on the list itself.
    return inner.get(RULES, []) or schema.get(RULES, []), rules


@cache
def _printed(rule: str) -> str:
    tree = parse(rule)
    return rule if isinstance(tree, Rejection) else unparse(tree)


def test_every_spelling_is_recorded() -> None:
    assert [marker for _, marker in spellings()] == [row[0] for row in ROWS]
    assert len(ROWS) >= 40


@CASES
def test_word_is_what_the_two_readings_say(number: int, word: str, theirs: Values | None, raw: Values | None) -> None:
    if theirs is None or "rule" not in theirs:
        assert word == ("istio" if raw else "neither")
    elif raw is None:
        assert word == "controller-gen"
    else:
        same = {**theirs, "rule": _printed(theirs["rule"])} == _less(raw, "printed") | {"rule": _printed(raw["rule"])}
        assert word == ("both" if same else "differ")


@CASES
def test_default_mode(
    number: int, word: str, theirs: Values | None, raw: Values | None, request_of_all: CodeGeneratorRequest
) -> None:
    rules, result = _generate(request_of_all, number, "")
    assert ("rule-ambiguous" in result) == (word == "differ")
    if word == "neither":
        assert rules == []
        assert result & {"marker-parse", "marker-value"}
    elif word == "istio":
        assert raw
        assert rules == [_less(raw, "printed")]
    elif word != "differ":
        assert theirs
        good = not isinstance(parse(theirs["rule"]), Rejection)
        assert (rules, "cel-syntax" in result) == ([theirs] if good else [], not good)


@CASES
def test_compat_mode(
    number: int, word: str, theirs: Values | None, raw: Values | None, request_of_all: CodeGeneratorRequest
) -> None:
    rules, result = _generate(request_of_all, number, "istio")
    if raw is None:
        assert "istio-rejected" in result
    else:
        assert rules == [_less(raw, "printed") | {"rule": raw.get("printed", raw["rule"])}]
        assert ("rule-ambiguous" in result) == (word == "differ")


def _less(values: Values, name: str) -> Values:
    return {key: value for key, value in values.items() if key != name}
