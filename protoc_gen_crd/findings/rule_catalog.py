"""The catalog of rule ids: default severity and documentation, read from `protoc_gen_crd/findings/*.md`.

Each file is one topic: a title, an introduction, and a section per rule

    ## rule-id
    Severity: warning

    What is wrong, why, how to fix it, an example.

`Severity: error, fixed` is an error whose severity settings cannot change, because no output is possible.
`Formerly: old-id` in the line below is an id that settings still accept for one release.
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
    """Return all rules by id, in the order of the files. Raises ValueError for an invalid catalog."""
    return index_rules(rule for topic in _read_topics() for rule in parse_topic(*topic))


def _read_topics() -> Iterator[tuple[str, str]]:
    """Yield the content and the name of each file. Plugin runs do not import pathlib."""
    for name in sorted(os.listdir(_FOLDER)):  # noqa: PTH208
        if name.endswith(".md"):
            with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:  # noqa: PTH118, PTH123
                yield file.read(), name.removesuffix(".md")


def index_rules(rules: Iterable[CatalogRule]) -> dict[str, CatalogRule]:
    """Index rules by id. Raises ValueError for a duplicate id."""
    by_id: dict[str, CatalogRule] = {}
    for rule in rules:
        if rule.id in by_id:
            raise ValueError(f'rule "{rule.id}" is declared twice, in {by_id[rule.id].topic}.md and {rule.topic}.md')
        by_id[rule.id] = rule
    return by_id


def parse_topic(content: str, topic: str) -> Iterator[CatalogRule]:
    """Yield the rules of one topic file. Raises ValueError for a section without a severity line."""
    _, *sections = f"\n{content}".split("\n## ")
    for section in sections:
        name, _, rest = section.partition("\n")
        severity_line, _, body = rest.lstrip("\n").partition("\n")
        severity, _, fixed = severity_line.removeprefix("Severity:").strip().partition(", ")
        former = ""
        if body.startswith(_FORMERLY):
            former, _, body = body.removeprefix(_FORMERLY).partition("\n")
        if not severity_line.startswith("Severity:") or severity not in _SEVERITIES or fixed not in ("", "fixed"):
            raise ValueError(f'{topic}.md: section "{name}" does not start with "Severity: error|warning|note"')
        yield CatalogRule(name.strip(), _SEVERITIES[severity], bool(fixed), body.strip(), topic, former.strip())
