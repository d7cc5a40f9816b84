"""Random expressions on random data put to a server's code and to ours; see README.md.

python -m tests.judges.celfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import sys

from protoc_gen_crd.cel.checker.checker import CheckedAst
from tests.conformance.test_cel import as_told
from tests.judges.asking import Judge
from tests.judges.finds import Answer, Probe, Subject, main

from . import answers
from .coverage import Coverage
from .explained import explanation
from .requests import request


class Expressions(Subject):
    """Expressions of all types, made of what was compiled least so far."""

    def __init__(self, minor: int) -> None:
        super().__init__(minor)
        self.coverage, self._checked = Coverage(minor), dict[str, CheckedAst | None]()

    def meet(self, judge: Judge) -> None:
        """Which overloads it declares, if it tells."""
        (answer,) = judge.answers([{"op": "functions"}])
        declared = (answer or {}).get("functions", [])
        self.coverage.declared = {f"{each['overload']}: {each['signature']}" for each in declared}

    def probe(self, seed: int) -> Probe:
        """What a seed asks, given what was compiled so far."""
        asked = request(self.minor, seed, self.coverage.compiled)
        return {"id": f"cel/fuzz/{seed}", "op": "cel", "input": asked}

    def ours(self, probe: Probe) -> Answer:
        """What we say."""
        answer, self._checked[probe["id"]] = answers.ours(probe["input"], self.minor)
        return as_told(answer, self.minor)

    def told(self, answer: Answer | None) -> Answer | None:
        """A judge's answer."""
        told = answers.theirs(answer)
        return None if told is None else as_told(told, self.minor)

    def fate(self, theirs: Answer) -> str:
        """How far it got."""
        return next((fate for member, fate in _FATES.items() if member in theirs), "end well")

    def known(self, ours: Answer, theirs: Answer) -> str | None:
        """Whether there is an explanation."""
        return explanation(self.minor, ours, theirs)

    def agreed(self, probe: Probe, theirs: Answer) -> None:
        """Count what it used."""
        self.coverage.add(self._checked.get(probe["id"]), theirs)

    def after(self) -> None:
        """Forget expressions."""
        self._checked.clear()

    def report(self) -> str:
        """How often each overload was used."""
        return f"{self.coverage.table()}\n{self.coverage.summary()}"


_FATES = {"compile": "do not compile", "error": "fail"}


if __name__ == "__main__":
    sys.exit(main(Expressions, __doc__))
