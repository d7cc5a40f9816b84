"""The project's macros: their documented examples, the errors of misuse, and the rules of Istio."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2

from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.project_macros import PROJECT_MACROS, find_misused_macros, preprocess
from tests.conftest import shared
from tests.support.yaml_data import load_yaml_stream

EXAMPLES = [example for entries in PROJECT_MACROS.values() for macro in entries for example in macro.examples]


@pytest.mark.parametrize(("text", "expansion"), EXAMPLES)
def test_examples_are_true(text: str, expansion: str) -> None:
    assert preprocess(text) == expansion


@pytest.mark.parametrize("text", [expansion for _, expansion in EXAMPLES])
def test_what_is_expanded_stays(text: str) -> None:
    assert preprocess(text) == text


@pytest.mark.parametrize(
    ("text", "expansion"),
    [
        ("has(self.a)&&self.l.all( x ,x>1 )", "has(self.a) && self.l.all(x, x > 1)"),
        ("self.default(1)", "self.default(1)"),
        ("index(self, a)", "index(self, a)"),
        ("default(default(self.a, {}).b, 1)", "has((has(self.a) ? self.a : {}).b) ? (has(self.a) ? self.a : {}).b : 1"),
        (
            "l.unrollmap(0, 1, i, [i, {i: i.a}, T{a: i}, i.f(.i, has(i.x)), m.i])",
            "[(l.size() > 0) ? [l[0], {l[0]: l[0].a}, T{a: l[0]}, l[0].f(.i, has(l[0].x)), m.i] : 0]",
        ),
        (
            "a.unrollmap(0, 1, i, b.unrollmap(i, 1, j, i + j))",
            "[(a.size() > 0) ? [(b.size() > 0) ? (a[0] + b[0]) : (a[0])] : 0]",
        ),
        (
            "self.a == 'HTTP' && default(self.p, 80) > 0 && default(self.p, 80) < 65536 && self.x",
            'self.a == "HTTP" && (has(self.p) ? self.p : 80) > 0 && (has(self.p) ? self.p : 80) < 65536 &&\nself.x',
        ),
    ],
)
def test_expansion(text: str, expansion: str) -> None:
    assert preprocess(text) == expansion


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("1 + default(self.a)", 12, '"default" needs a field and a value, found 1 argument'),
        ("default(x, 1)", 9, '"default" needs a field such as self.name, found "x"'),
        ("default(self.?a, 1)", 13, '"default" needs a field such as self.name, found "self.?a"'),
        ("oneof()", 6, '"oneof" needs 1 to 250 fields, found 0 arguments'),
        ("oneof(self.a, 1 + 2)", 17, '"oneof" needs fields such as self.name, found "1 + 2"'),
        ("self.index({})", 11, '"index" needs a value and 1 to 249 names of fields, found 1 argument'),
        ("self.index({}, 'a')", 16, '"index" needs names of fields, found ""a""'),
        ("l.unrollmap(0, 2, i)", 12, '"unrollmap" needs a value, a count, a name and an expression, found 3 arguments'),
        ("l.unrollmap(0, n, i, i)", 16, '"unrollmap" needs a count from 1 to 250, found "n"'),
        ("l.unrollmap(0, 251, i, i)", 16, '"unrollmap" needs a count from 1 to 250, found "251"'),
        ("l.unrollmap(0, true, i, i)", 16, '"unrollmap" needs a count from 1 to 250, found "true"'),
        ("l.unrollmap(0, 2, i.a, i)", 20, '"unrollmap" needs a name for the item, found "i.a"'),
    ],
)
def test_misuse(text: str, column: int, message: str) -> None:
    answer = str(preprocess(text))
    assert answer == f"ERROR: <input>:1:{column}: {message}\n | {text}\n | {'.' * (column - 1)}^"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("self.oneof(self.a) && 'default(' != index (a)", [
            (5, '"oneof" needs no value before it, as in oneof(...)'),
            (36, '"index" needs a value before it, as in self.index(...)'),
        ]),
        ("oneof(self.a) || self.index('', a) == '' || self.l.all(x, x.size() == 1)", []),
    ],
)  # fmt: skip
def test_wrong_forms(text: str, expected: list[tuple[int, str]]) -> None:
    assert [(issue.at, issue.message) for issue in find_misused_macros(text)] == expected


def test_all_misuses_are_reported_in_order() -> None:
    answer = preprocess("default(x, 1) && oneof(y) && as")
    assert isinstance(answer, Rejection)
    assert [issue.at for issue in answer.issues] == [8, 23, 29]


def test_copies_of_copies_end() -> None:
    text = "self.a"
    for _ in range(40):
        text = f"default({text}, x).a"
    report = "ERROR: <input>:-1:0: macro expansion size exceeds limit: 100000 nodes"
    assert str(preprocess(text)) == report
    assert str(preprocess(f"{text} =")).startswith(report)


def test_a_long_chain_is_no_recursion_error() -> None:
    fields = ", ".join(f"self.f{number}" for number in range(250))
    assert str(preprocess(f"oneof({fields})")).count("has(") == 250


def _written(image: Path) -> list[tuple[str, str]]:
    """Return message and raw rule of every rule in the comments of the corpus."""
    files = descriptor_pb2.FileDescriptorSet.FromString(image.read_bytes())
    rules = []
    for file in files.file:
        for location in file.source_code_info.location:
            for line in location.leading_comments.splitlines():
                _, marker, rest = line.partition('+kubebuilder:validation:XValidation:message="')
                message, _, rule = rest.partition('",rule="')
                rules += [(message, rule.rstrip()[:-1])] if marker else []
    return rules


def _printed(node: object) -> list[tuple[str, str]]:
    """Return message and printed rule of every rule in CRDs."""
    if isinstance(node, list):
        return [pair for item in node for pair in _printed(item)]
    if not isinstance(node, dict):
        return []
    own = [(rule["message"], rule["rule"]) for rule in node.get("x-kubernetes-validations", [])]
    return own + [pair for item in node.values() for pair in _printed(item)]


def test_istio() -> None:
    """Compare every rule of Istio's networking APIs with the output of Istio's own generator."""
    printed = _printed(list(load_yaml_stream(shared("corpora/istio-networking/expected.yaml").read_text("utf-8"))))
    known = {message for message, _ in printed}
    written = [pair for pair in _written(shared("corpora/istio-networking/image.binpb")) if pair[0] in known]
    assert len(written) > 20
    assert not [pair for message, rule in written if (pair := (message, preprocess(rule))) not in printed]
