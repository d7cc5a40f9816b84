"""Records what servers say of the bounds that `cost` names; see README.md."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from .bounds import JUDGED, Json, bounded, cases, claims


def over(judge: str, crds: list[Json], paths: list[str]) -> list[bool]:
    """Return whether rules or schemas of CRDs exceed their limits; a schema also if one of its rules does."""
    questions = "".join([json.dumps({"op": "cost", "crd": crd}) + "\n" for crd in crds])
    output = subprocess.run([judge], input=questions, capture_output=True, text=True, check=True).stdout
    return [_over(json.loads(line), path) for line, path in zip(output.splitlines(), paths, strict=True)]


def _over(report: Json, path: str) -> bool:
    for schema in report["schemas"]:
        if schema["path"] == path:
            too_much: bool = schema["total"] > report["schema_limit"]
            return too_much or any(rule.get("over", False) for rule in schema["rules"])
    (rule,) = [rule for schema in report["schemas"] for rule in schema["rules"] if rule["path"] == path]
    return bool(rule.get("over", False))


def judgements(judge: str, crd: Json, minor: int) -> list[Json]:
    """Return our claims for a CRD, and whether the cost is over the limit with each bound and with one more."""
    all_claims = list(claims(crd, minor))
    paths = [path for path, _, _ in all_claims]
    fits = over(judge, [bounded(crd, places, bound) for _, places, bound in all_claims], paths)
    not_ = over(judge, [bounded(crd, places, bound + 1) for _, places, bound in all_claims], paths)
    return [
        {"of": path, "places": places, "bound": bound, "over": [at if bound else None, above]}
        for (path, places, bound), at, above in zip(all_claims, fits, not_, strict=True)
    ]


def main() -> None:
    """Ask every judge."""
    judged: dict[str, Any] = {}
    for argument in sys.argv[1:]:
        minor, _, judge = argument.partition("=")
        for name, crd in cases().items():
            judged.setdefault(name, {})[minor] = judgements(judge, crd, int(minor))
    JUDGED.write_text(json.dumps(judged, indent=1) + "\n")


if __name__ == "__main__":
    main()
