"""Converts random kinds, rules, and objects with kcp's own converter, and records the results."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.judges.kcp.drawn import drawn
from tests.support.kcp import OWN

COUNT = 40  # kinds


def main() -> None:
    """Record the answers of `tests/judges/kcp/own`."""
    rows = []
    for seed in range(COUNT):
        example = drawn(seed)
        recorded_rows = [{"object": obj, "to": target} for obj, target in example.objects]
        text = json.dumps({"conversion": example.conversion, "schemas": example.schemas, "objects": recorded_rows})
        output = subprocess.run([sys.argv[1]], input=text + "\n", capture_output=True, text=True, check=True).stdout
        answer = json.loads(output)
        if "refused" not in answer:  # expressions on maps
            objects = [
                {**row, "gives": converted["object"]}
                for row, converted in zip(recorded_rows, answer["objects"], strict=True)
            ]
            row = {"seed": seed, "schemas": example.schemas, "conversion": example.conversion, "objects": objects}
            rows.append(json.dumps(row, sort_keys=True, ensure_ascii=False) + "\n")
    OWN.write_text("".join(rows), "utf-8")


if __name__ == "__main__":
    main()
