"""Random expressions on random data put to a server's code and to ours; see README.md.

python -m tests.judges.celfuzz JUDGE MINOR [--count N] [--seed N] [--keep PROBES.jsonl]
"""

from __future__ import annotations

import sys

from protoc_gen_crd.cel.checker.checker import CheckedAst
from tests.conformance.test_cel import normalize
from tests.judges.asking import Judge
from tests.judges.finds import Answer, Probe, Subject, main

from . import answers
from .coverage import Coverage
from .explained import explanation
from .requests import request


class Expressions(Subject):
    """Expressions of all types, which prefer the overloads that were compiled least so far."""

    def __init__(self, minor: int) -> None:
        super().__init__(minor)
        self.coverage, self._checked = Coverage(minor), dict[str, CheckedAst | None]()

    def meet(self, judge: Judge) -> None:
        """Record the overloads that the server declares, if it lists them."""
        (answer,) = judge.answers([{"op": "functions"}])
        declared = (answer or {}).get("functions", [])
        self.coverage.declared = {f"{overload['overload']}: {overload['signature']}" for overload in declared}

    def probe(self, seed: int) -> Probe:
        """Return the probe of a seed, given the overloads that were compiled so far."""
        question = request(self.minor, seed, self.coverage.compiled)
        return {"id": f"cel/fuzz/{seed}", "op": "cel", "input": question}

    def ours(self, probe: Probe) -> Answer:
        """Return our answer."""
        answer, self._checked[probe["id"]] = answers.ours(probe["input"], self.minor)
        return normalize(answer, self.minor)

    def normalize(self, answer: Answer | None) -> Answer | None:
        """Return a judge's answer in our form."""
        theirs = answers.theirs(answer)
        return None if theirs is None else normalize(theirs, self.minor)

    def fate(self, theirs: Answer) -> str:
        """Return the outcome of an expression."""
        return next((fate for member, fate in _FATES.items() if member in theirs), "end well")

    def known(self, ours: Answer, theirs: Answer) -> str | None:
        """Return the name of the explanation, if there is one."""
        return explanation(self.minor, ours, theirs)

    def agreed(self, probe: Probe, theirs: Answer) -> None:
        """Count what it used."""
        self.coverage.add(self._checked.get(probe["id"]), theirs)

    def after(self) -> None:
        """Forget expressions."""
        self._checked.clear()

    def report(self) -> str:
        """Return a table with the uses of each overload."""
        return f"{self.coverage.table()}\n{self.coverage.summary()}"


_FATES = {"compile": "do not compile", "error": "fail"}


if __name__ == "__main__":
    sys.exit(main(Expressions, __doc__))
