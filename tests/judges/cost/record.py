"""Records what servers say of the bounds that `cost` names; see README.md."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from .bounds import JUDGED, Json, bounded, cases, claims


def over(judge: str, crds: list[Json], rules: list[str]) -> list[bool]:
    """Whether rules of CRDs are over the limit."""
    asked = "".join([json.dumps({"op": "cost", "crd": crd}) + "\n" for crd in crds])
    told = subprocess.run([judge], input=asked, capture_output=True, text=True, check=True).stdout
    found = []
    for line, path in zip(told.splitlines(), rules, strict=True):
        (rule,) = [rule for schema in json.loads(line)["schemas"] for rule in schema["rules"] if rule["path"] == path]
        found.append(rule.get("over", False))
    return found


def main() -> None:
    """Ask every judge."""
    judged: dict[str, Any] = {}
    for argument in sys.argv[1:]:
        minor, _, judge = argument.partition("=")
        for name, crd in cases().items():
            told = list(claims(crd, int(minor)))
            rules = [rule for rule, _, _ in told]
            fits = over(judge, [bounded(crd, places, bound) for _, places, bound in told], rules)
            not_ = over(judge, [bounded(crd, places, bound + 1) for _, places, bound in told], rules)
            judged.setdefault(name, {})[minor] = [
                {"rule": rule, "places": places, "bound": bound, "over": [at, above]}
                for (rule, places, bound), at, above in zip(told, fits, not_, strict=True)
            ]
    JUDGED.write_text(json.dumps(judged, indent=1) + "\n")


if __name__ == "__main__":
    main()
