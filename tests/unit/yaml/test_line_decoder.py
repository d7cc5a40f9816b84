"""The decoder of lines against libyaml: each form, and random documents."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from protoc_gen_crd.yaml import line_decoder
from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument
from protoc_gen_crd.yaml.libyaml_decoder import decode_by_libyaml
from protoc_gen_crd.yaml.line_decoder import decode_lines
from tests.conftest import ROOT

COUNT = 6_000
FORMS = {
    "mapping": "a: b\nc: 1\n",
    "nested": "a:\n  b:\n    c: d\n  e: f\n",
    "list in the column of its key": "a:\n- b\n- c: d\n  e:\n  - f\nh: i\n",
    "indented list": "a:\n  - b\n  - c: d\n    e: f\nh: i\n",
    "list of documents": "- a: b\n- c\n",
    "scalars": "a: 1.5\nb: -1\nc: true\nd: null\ne: 0x1f\nf: 9223372036854775808\ng: http://a/b:c#d\nh: .\n",
    "quotes": "a: 'b: c'\nb: \"#\"\nc: ''\nd: 'it''s'\n'e f': g\n\"\": h\n",
    "literals": "a: |-\n  b\n\n   c\nd: |\n  e\n\nf: |2-\n    g\nh:\n- |\n  i\n",
    "literal that starts with empty lines": "a: |-\n\n\n  b\n",
    "plain strings of several lines": "a: b\n  c\n\n\n  d - e\nf:\n- g\n  h\n",
    "quoted strings of several lines": "a: 'b\n\n  it''s\n  '\nc: '\n  d'\n",
    "empty collections": "a: {}\nb: []\nc:\n- {}\n- []\n",
    "lists of strings on a line": 'a: ["b"]\nc:\n- ["d: e", "[f", ""]\n- ["g","h"]\ni: ["ä # j"]\n',
    "comments after values": "a: b # c\nd: 'e' # f\ng: \"h # i\"  # j\nk: 1 # l\nm: b  # n # o\np: ~ #\n",
    "comments after collections, keys and headers": 'a: # b\n  c:  # d\n  - ["e"] # f\n  - {} # g\nh: | # i\n  j\n',
    "comments and empty lines": "# a\n\nb: c\n  # d\n\ne:\n# f\n  - g\n",
    "separator": "---\na: b\n",
    "nothing": "\n# a\n\n",
    "characters of several bytes": "a: äöü\n'ö': ä\nb:\n- \"ß\": 'é'\n",
}
OTHER_FORMS = (
    "a: b: c\n", "a: &b c\n", "a: *b\n", "a: !b c\n", "a: [b]\n", "a: {b: c}\n", "a: >-\n  b\n", "a: b # c\n  d\n",
    "a: 'b'# c\n", "a: b: # c\n", "- # a\n", "a: 'b\n  c' # d\n", "a: ['b']\n", 'a: ["b\\n"]\n', 'a: ["b",]\n',
    'a: ["b"] c\n', 'a: ["b": "c"]\n', 'a: ["b"]: c\n', '["a"]\n', 'a: ["b",\n  "c"]\n',
    'a: "b\\n"\n', 'a: "b\n  c"\n', "? a\n", "- - a\n", "-\n  a: b\n", "a:\n", "a:\n  b\n", "yes: a\n",
    "1: a\n", "<<: a\n", "a: b\na: c\n", "a: b\n  c: d\n", "a:\n  b: c\n d: e\n", "a: b\n- c\n", "a\n",
    "a: b", "a: b \n", "a:\tb\n", "a: b\n...\n", "a: b\n---\nc: d\n", "%YAML 1.1\n---\na: b\n", "\ufeffa: b\n",
    "a: \x85\n", "a: \u2028\n", "a: b\n  # c\n  d\n", "a: 'b\n", "a: 'b\nc'\n", "a: 'b'c'\n", "a: |-\nb: c\n",
    "a: |-\n  b\n c\n", "a: |+\n  b\n", "a:  b\n", "a: @b\n", "a: `b\n", "a: ,b\n", "a: b:\n", "a: |-\n  b\n \n  c\n",
    "---\n", "a: -\n", "a: - b\n",
)  # fmt: skip
PARTS = (
    "a", "b: c", "key:", "- ", "- x", "- k: v", "'q'", '"d"', "''", "|-", "|", "|2-", "|1", "{}", "[]", "# c", " #c",
    "text here", "a: b: c", "-1", "1.5", "yes", "null", "~", "it''s", "end'", "...", "---", "? x", "&a", "*a", "!t",
    "<<", ">-", "é", "x:y", "http://x/y", "0x1f", ".", "\\x", "(a", "[b", "{c", "%d", "@e", "k: 'open", "k: |-",
    "k: a", "k: |2-", "'k': v", '["a", "b"]', 'k: ["a","b"]', '["a"', ', "b"]', " # d", "#", "k: # c",
    "k: v # c", '"k": v', "k:", "=", "  ", ":", "\t", "\x85",
)  # fmt: skip


def describe(document: DecodedDocument | None) -> object:
    """Return everything that a document consists of; numbers as they are written."""
    if document is None:
        return None
    problems = document.duplicates, document.overrides, document.deepest
    return repr(document.value), document.place, document.changes, problems


def list_blocks() -> list[list[str]]:
    """Return parts of CRDs and other documents, without their indentation."""
    files = [*ROOT.glob("examples/*/crds/*.yaml"), *ROOT.glob("testdata/validate/*/*.yaml")]
    blocks = []
    for file in sorted(files):
        lines = file.read_text("utf-8", errors="replace").splitlines()
        for start in range(0, len(lines), 12):
            block = lines[start : start + 12]
            width = min((get_column(line) for line in block if line.strip()), default=0)
            first = next((at for at, line in enumerate(block) if line.strip() and get_column(line) == width), 0)
            blocks.append([line[width:] for line in block[first:]])
    return blocks


def get_column(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def draw_document(random: Random, blocks: list[list[str]]) -> bytes:
    """Return lines of a document, some of them changed, or lines that consist of random parts."""
    if random.random() < 0.4:
        columns = [random.choice((0, 0, 2, 2, 4)) for _ in range(random.randint(1, 5))]
        lines = [" " * column + random.choice(PARTS) + random.choice(("", "", *PARTS)) for column in columns]
        return ("\n".join(lines) + "\n").encode()
    lines = list(random.choice(blocks))
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(lines))
        column = random.randint(0, len(lines[at]))
        match random.randrange(6):
            case 0:
                lines[at] = lines[at][:column] + random.choice(PARTS) + lines[at][column:]
            case 1:
                lines[at] = random.choice((" ", "  ")) + lines[at]
            case 2:
                lines[at] = lines[at][random.choice((1, 2)) :]
            case 3:
                lines.insert(at, random.choice(("", "  ", "# c", lines[at])))
            case 4:
                lines[at] += random.choice((":", " ", "'", '"', " x"))
            case _:
                del lines[at : at + 1]
                lines.append("")
    return ("\n".join(lines) + "\n").encode()


def count_differences(count: int) -> Counter[str]:
    """Return how many random documents are decoded, and how many differ from libyaml's value and places."""
    random, blocks, counts = Random(16), list_blocks(), Counter[str]()  # noqa: S311 - not a secret
    for _ in range(count):
        data = draw_document(random, blocks)
        decoded = decode_lines(data)
        counts["decoded"] += decoded is not None
        counts["different"] += decoded is not None and describe(decoded) != describe(decode_by_libyaml(data))
    return counts


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_each_form_has_the_value_and_the_places_of_libyaml(text: str) -> None:
    decoded = decode_lines(text.encode())
    assert decoded is not None
    assert describe(decoded) == describe(decode_by_libyaml(text.encode()))


@pytest.mark.parametrize("text", OTHER_FORMS)
def test_other_documents_are_left_to_the_parsers(text: str) -> None:
    assert decode_lines(text.encode()) is None


def test_invalid_characters_are_left_to_the_parsers() -> None:
    assert decode_lines(b"a: \xff\n") is None


def test_deep_documents_are_left_to_the_parsers() -> None:
    lines = [" " * depth + "a:" for depth in range(99)]
    assert decode_lines(("\n".join(lines) + " b\n").encode()) is not None
    assert decode_lines(("\n".join([*lines, " " * 99 + "a:", " " * 100 + "a: b"]) + "\n").encode()) is None


def test_random_documents_have_the_value_and_the_places_of_libyaml() -> None:
    counts = count_differences(COUNT)
    assert counts["different"] == 0
    assert counts["decoded"] > COUNT / 10


@pytest.mark.parametrize("name", ["_close", "_continue_string"])
def test_a_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_decoder._LineReader, name, lambda *_, **__: None)
    assert count_differences(600)["different"] > 0
