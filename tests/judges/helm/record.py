"""Records how the judge renders the template of a policy with the values of charts."""

from __future__ import annotations

import json
import subprocess
import sys

from protoc_gen_crd.base.checksums import compute_digest
from tests.conftest import ROOT

CASE = ROOT / "testdata" / "channels" / "helm"
TEMPLATE = CASE / "expected" / "all.beta.yaml"
RECORDED = CASE / "rendered.jsonl"
VALUES: tuple[dict[str, object], ...] = (
    {},
    {"channels": None},
    {"channels": {}},
    {"channels": {"alpha": None}},
    {"channels": {"alpha": {}}},
    {"channels": {"alpha": {"enabled": False}}},
    {"channels": {"alpha": {"enabled": True}}},
)


def main() -> None:
    """Record."""
    template = TEMPLATE.read_text()
    question_lines = "".join(f"{json.dumps({'template': template, 'values': values})}\n" for values in VALUES)
    judge = subprocess.run([sys.argv[1]], input=question_lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in judge.stdout.splitlines()]
    rows = [{"values": values, **answer} for values, answer in zip(VALUES, answers, strict=True)]
    lines = [{"template": compute_digest(template.encode())}, *rows]
    RECORDED.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


if __name__ == "__main__":
    main()
