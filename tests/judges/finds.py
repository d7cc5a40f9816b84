"""What a judge says otherwise: gathered, grouped by what it has in common, kept as probes."""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conformance.crd_verdicts import differing

Answer = dict[str, Any]
AGAIN = 12  # times a judge is asked where Go's maps may decide


class Finds:
    """Probes that are answered otherwise, with our answer and a judge's."""

    def __init__(self) -> None:
        self.rows: list[tuple[dict[str, Any], Answer, Answer]] = []

    def compare(self, probe: dict[str, Any], ours: Answer, theirs: Answer, again: Callable[[], list[Answer]]) -> None:
        """Note a difference, unless the judge gives our answer when it is asked again."""
        if ours != theirs and ours not in again():
            self.rows.append((probe, ours, theirs))

    def tell(self, shown: int = 2) -> None:
        """Print groups of finds, the smallest of each."""
        groups: dict[str, list[tuple[dict[str, Any], Answer, Answer]]] = defaultdict(list)
        for row in self.rows:
            groups[_signature(row[1], row[2])].append(row)
        for name, rows in sorted(groups.items(), key=lambda item: -len(item[1])):
            sys.stdout.write(f"{len(rows)} times {name}\n")
            for probe, ours, theirs in sorted(rows, key=lambda row: len(json.dumps(row[0])))[:shown]:
                sys.stdout.write(f"  {probe['id']} {json.dumps(probe['input'])[:2500]}\n")
                for key, (mine, told) in differing(ours, theirs).items():
                    sys.stdout.write(f"    {key}\n      us  {mine!r}\n      srv {told!r}\n"[:1500] + "\n")

    def keep(self, path: Path) -> None:
        """Add the probes to a file."""
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(probe) + "\n" for probe, _, _ in self.rows)


def _signature(ours: Answer, theirs: Answer) -> str:
    members = differing(ours, theirs)
    if "raised" in ours:
        return str(ours["raised"]).strip().rsplit("\n", 1)[-1]
    told = {key: value for key, value in members.items() if key in ("errors", "decode", "status", "warnings", "strict")}
    one, other = [{text for pair in told.values() for text in _texts(pair[side])} for side in (0, 1)]
    words = [_gist(text) for text in sorted((one - other) | (other - one))[:2]]
    return f"{'+'.join(sorted(members))} {' | '.join(words)}"


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    return [] if value is None else [str(value)]


def _gist(text: str) -> str:
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text.partition(": ")[2] or text))[:90]
