"""Asks the Go judge beside this file how Kubernetes reads texts.

python -m tests.judges.yamlread.record record JUDGE                write testdata/yamlread
python -m tests.judges.yamlread.record compare JUDGE COUNT [SEED]  compare COUNT fresh texts of every kind
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import mock

from protoc_gen_crd.yaml import fast_decoder
from tests.judges.yamlread.ours import differences, digest, with_floats
from tests.judges.yamlread.texts import Texts

ROOT = Path(__file__).parents[3]
TESTDATA = ROOT / "testdata" / "yamlread"
BY_HAND = Path(__file__).with_name("by_hand.jsonl")
CORPUS = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", ROOT.parent / "shared")) / "corpora" / "istio-networking"
PER_KIND, SEED, LONGEST = 30, 1, 500
BATCH = 5000
REPEATS = 12  # the order of Go's maps is random and may affect errors, so only stable answers are kept
TRIES = 400  # before a text counts as read differently


def judged(judge: str, texts: Iterable[bytes]) -> list[dict[str, Any]]:
    """The judge's answers."""
    lines = b"".join(base64.b64encode(text) + b"\n" for text in texts)
    run = subprocess.run([judge], input=lines, capture_output=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def row(name: str, text: bytes, answer: dict[str, Any]) -> str:
    """A line of a recorded table; a text that JSON cannot hold is in base 64."""
    try:
        recorded = {"text": text.decode()}
    except UnicodeDecodeError:
        recorded = {"base64": base64.b64encode(text).decode()}
    return json.dumps({"id": name, "input": recorded, "answer": answer}) + "\n"


def record(judge: str) -> None:
    """Write the stable answers of the judge to our own documents, generated ones, and a corpus."""
    by_hand = [json.loads(line) for line in BY_HAND.read_text("utf-8").splitlines()]
    questions = [(row["id"], row["text"].encode(errors="surrogatepass")) for row in by_hand]
    drawn = list(Texts(SEED).all(PER_KIND))
    questions += [
        (f"made/{kind}/{index % PER_KIND}", text) for index, (kind, text) in enumerate(drawn) if len(text) <= LONGEST
    ]
    tables = [judged(judge, [text for _, text in questions]) for _ in range(REPEATS)]
    answers = zip(questions, *tables, strict=True)
    lines = [
        row(name, text, first) for (name, text), first, *others in answers if all(first == other for other in others)
    ]
    (TESTDATA / "recorded.jsonl").write_text("".join(lines), "utf-8")
    files = sorted([*CORPUS.glob("*.yaml"), *CORPUS.glob("testdata/*.yaml")])
    with (TESTDATA / "corpus.jsonl").open("w", encoding="utf-8") as table:
        for file, answer in zip(files, judged(judge, [file.read_bytes() for file in files]), strict=True):
            digests = [digest(with_floats(document.get("value"))) for document in answer["documents"]]
            table.write(json.dumps({"file": str(file.relative_to(CORPUS)), "documents": digests}) + "\n")


def compare(judge: str, count: int, seed: int = 1) -> int:
    """Print generated documents that we read differently, with libyaml or without it, and return their number."""
    texts = list(Texts(seed).all(count))
    wrong = 0
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        for (kind, text), answer in zip(batch, judged(judge, [text for _, text in batch]), strict=True):
            for libyaml in (True, False):
                with mock.patch("yaml.__with_libyaml__", libyaml), mock.patch.object(fast_decoder, "_IMPORT_SIZE", 0):
                    differing = differences(text, answer)
                    if differing and all(differences(text, repeated) for repeated in judged(judge, [text] * TRIES)):
                        wrong += 1
                        sys.stdout.write(f"{kind}\n  {text!r}\n  {differing}\n  {json.dumps(answer)}\n")
    return wrong


if __name__ == "__main__":
    command, binary, *numbers = sys.argv[1:]
    if command == "record":
        record(binary)
    else:
        wrong = compare(binary, *map(int, numbers))
        sys.exit(f"{wrong} texts are read differently" if wrong else 0)
