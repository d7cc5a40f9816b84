"""Records the judge's answers to the APIConversions of testdata/kcp, objects of their kinds, and claims."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.cases.test_kcp import SUPPORTED, converted, objects
from tests.support.conversion import Case, Object
from tests.support.kcp import CLAIMS, claimed, record_of, resource_of, schemas_of

COUNT = 12  # objects of each version

_Row = dict[str, Any]


def _asked(judge: str, conversion: Object, schemas: dict[str, Object], rows: list[_Row]) -> Object:
    text = json.dumps({"conversion": conversion, "schemas": schemas, "objects": rows})
    output = subprocess.run([judge], input=text + "\n", capture_output=True, text=True, check=True).stdout
    answer: Object = json.loads(output)
    return answer


def _rows(judge: str, case: Case) -> list[_Row]:
    conversion, schemas = resource_of(case), schemas_of(case.crd)
    pair = case.plan.pairs[0]
    rows = [
        {"object": obj, "to": way.target, "from": way.source}
        for way, _ in pair.get_directions()
        for obj in objects(case, way.source, COUNT)
        if converted(case, obj, way.target) is not None
    ]
    there = _asked(judge, conversion, schemas, rows)["objects"]
    again = [{"object": answer["object"], "to": row["from"]} for row, answer in zip(rows, there, strict=True)]
    back = _asked(judge, conversion, schemas, again)["objects"]
    return [
        {"object": row["object"], "to": row["to"], "gives": one["object"], "back": two["object"]}
        for row, one, two in zip(rows, there, back, strict=True)
    ]


def main() -> None:
    """Record the cases that are named, or all of them and the claims."""
    judge, *names = sys.argv[1:]
    for case in SUPPORTED:
        if names and case.name not in names:
            continue
        record_of(case).write_text(
            "".join(f"{json.dumps(row, sort_keys=True)}\n" for row in _rows(judge, case)), "utf-8"
        )
    if names:
        return
    answers = []
    for claim in claimed():
        answer = _asked(judge, claim.conversion, claim.schemas, [{"object": claim.object, "to": "v2"}])
        answers.append({"what": claim.what, "said": answer.get("refused") or answer["objects"][0]})
    CLAIMS.with_suffix(".json").write_text(json.dumps(answers, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
