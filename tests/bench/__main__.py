"""`make bench`: prints the table and writes it to .bench/generate.md."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.bench.measure import Result, measure
from tests.bench.requests import networking, scaled

ROOT = Path(__file__).parent.parent.parent
SHARED = Path(os.environ.get("PROTOC_GEN_CRD_SHARED", ROOT.parent / "shared"))
PLUGIN = (sys.executable, "-m", "protoc_gen_crd")
SETTINGS = ROOT / "testdata" / "istio" / "protoc-gen-crd.yaml"

# name, scale (0: the networking API), parameter, pairs, at most S, goal S, at most MiB
ROWS = (
    ("networking, compat=istio", 0, "compat=istio", 15, 3.2, 2.2, 60),
    ("networking, default mode", 0, f"settings={SETTINGS}", 15, None, None, None),
    ("150 CRDs, compat=istio", 10, "compat=istio", 10, 27.0, 12.0, 220),
    ("750 CRDs, compat=istio", 50, "compat=istio", 3, 160.0, 60.0, 1024),
)


def main() -> None:
    """Measure every row whose input is at hand."""
    base = networking(SHARED)
    if base is None:
        sys.exit("bench: upstream's networking API is not here; see PROTOC_GEN_CRD_SHARED")
    lines = ["| request | S | at most | goal | MiB | at most |", "|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for name, scale, parameter, pairs, most, goal, memory in ROWS:
            request = scaled(scale, SHARED) if scale else networking(SHARED)
            if request is None:
                continue
            request.parameter = parameter
            result = measure(PLUGIN, request.SerializeToString(), base.SerializeToString(), pairs, Path(folder))
            lines.append(_row(name, result, most, goal, memory))
            print(lines[-1], flush=True)
    target = ROOT / ".bench" / "generate.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(lines) + "\n")
    print(f"written to {target}")


def _row(name: str, result: Result, most: float | None, goal: float | None, memory: int | None) -> str:
    shown = [f"{value:g}" if value else "" for value in (most, goal)]
    return f"| {name} | {result.ratio:.2f} | {shown[0]} | {shown[1]} | {result.memory:.0f} | {memory or ''} |"


if __name__ == "__main__":
    main()
