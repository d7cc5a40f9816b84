"""The catalogue of rule ids: default severity and documentation, read from `protoc_gen_crd/findings/*.md`.

Each file is one topic: a title, an introduction, and a section per rule

    ## rule-id
    Severity: warning

    What is demanded, why, how to mend it, an example.

`Severity: error, fixed` is an error that no settings can soften, because there is nothing to write without it.
`Formerly: old-id` in the line below names an id that settings still accept for one release.
Loaded when there is a finding or a policy to resolve, never on a clean plugin run.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Severity

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "findings")  # noqa: PTH118, PTH120

_FORMERLY = "Formerly:"
_SEVERITIES = {severity.name.lower(): severity for severity in Severity}


class CatalogRule(Record):
    """One rule id: severity unless the settings say otherwise, and its Markdown documentation without the heading."""

    id: str
    severity: Severity
    fixed: bool
    text: str
    topic: str
    former: str = ""  # the id that the rule had in the last release

    @property
    def summary(self) -> str:
        """The first paragraph on one line."""
        return " ".join(self.text.split("\n\n", 1)[0].split())


@cache
def load_rules() -> dict[str, CatalogRule]:
    """Every rule id, in the order of the files. Raises ValueError for a catalogue that is not well formed."""
    return index_rules(rule for topic in _read_topics() for rule in parse_topic(*topic))


def _read_topics() -> Iterator[tuple[str, str]]:
    """Text and name of each file; not by pathlib, which a plugin run has no other use for."""
    for name in sorted(os.listdir(_FOLDER)):  # noqa: PTH208
        if name.endswith(".md"):
            with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123
                yield file.read(), name.removesuffix(".md")


def index_rules(found: Iterable[CatalogRule]) -> dict[str, CatalogRule]:
    """Index rules by id. Raises ValueError for a duplicate id."""
    by_id: dict[str, CatalogRule] = {}
    for rule in found:
        if rule.id in by_id:
            raise ValueError(f'rule "{rule.id}" is declared twice, in {by_id[rule.id].topic}.md and {rule.topic}.md')
        by_id[rule.id] = rule
    return by_id


def parse_topic(text: str, topic: str) -> Iterator[CatalogRule]:
    """The rules of one topic file. Raises ValueError for a section without a severity line."""
    _, *sections = f"\n{text}".split("\n## ")
    for section in sections:
        name, _, rest = section.partition("\n")
        said, _, body = rest.lstrip("\n").partition("\n")
        severity, _, fixed = said.removeprefix("Severity:").strip().partition(", ")
        former = ""
        if body.startswith(_FORMERLY):
            former, _, body = body.removeprefix(_FORMERLY).partition("\n")
        if not said.startswith("Severity:") or severity not in _SEVERITIES or fixed not in ("", "fixed"):
            raise ValueError(f'{topic}.md: section "{name}" does not start with "Severity: error|warning|note"')
        yield CatalogRule(name.strip(), _SEVERITIES[severity], bool(fixed), body.strip(), topic, former.strip())
