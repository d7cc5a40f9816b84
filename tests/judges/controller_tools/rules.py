"""Asks what controller-gen and Istio's generator read in spellings of a rule: `JUDGES CEL` writes the recorded answers.

Run with `python -m tests.judges.controller_tools.rules` from the root. JUDGES is the folder of this judge's two
binaries, CEL the binary of tests/judges/cel. Istio's generator puts the rule, printed by cel-go, in quotes of Go
before it asks controller-tools v0.20.1: these few lines are here as well, all that they call is the real code.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.judges.cel.record import judged
from tests.judges.controller_tools.record import DATA, VERSIONS, ask

SPELLINGS, RECORDED = DATA / "rule-spellings.txt", DATA / "rule-spellings.jsonl"
_OWN_PREFIX = r"^protoc-gen-crd:(list|map)-value-validation:"


def spellings() -> list[tuple[str, str]]:
    """Whose reading counts, and the marker without its plus."""
    lines = SPELLINGS.read_text("utf-8").splitlines()
    pairs = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(word, marker) for word, marker in pairs]


def _as_istio(cel: str, marker: str) -> tuple[str, dict[str, str]]:
    """What Istio's generator asks of controller-tools, and the rule as it stands and as it is printed."""
    head, separator, rule = marker.partition(",rule=")
    if "kubebuilder:validation:XValidation:" not in marker:
        return marker, {}
    if not separator or len(rule) < 2:
        return "", {}
    ((_, _, judged_rule),) = judged(cel, [(rule[1:-1], "m")])
    if "error" in judged_rule:
        return "", {}
    return f"{head},rule={json.dumps(judged_rule['printed'])}", {"rule": rule[1:-1], "printed": judged_rule["printed"]}


def _read(judge: Path, marker: str) -> dict[str, Any] | None:
    (parsed,) = ask(judge, [{"op": "parse", "target": "field", "marker": marker}])
    if "error" in parsed or not parsed.get("found"):
        return None
    return {name: value for name, value in parsed["values"].items() if value not in (None, "")}


def record(judges: list[Path], cel: str) -> None:
    """Write how both parse each spelling; null is a rejection."""
    rows = []
    for _, spelling in spellings():
        marker = re.sub(_OWN_PREFIX, "kubebuilder:validation:", spelling)
        question, texts = _as_istio(cel, marker)
        answer = _read(judges[0], question)
        row = [spelling, _read(judges[1], marker), answer and {**answer, **texts}]
        rows.append(json.dumps(row, ensure_ascii=False, sort_keys=True))
    RECORDED.write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    record([Path(sys.argv[1], f"controller-tools-{version}") for version in VERSIONS], sys.argv[2])
