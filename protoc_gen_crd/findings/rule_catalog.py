"""The catalog of rule ids: default severity and documentation, read from `protoc_gen_crd/findings/*.md`.

Each file is one topic: a title, an introduction, and a section per rule

    ## rule-id
    Severity: warning

    What is wrong, why, how to fix it, an example.

`Severity: error, fixed` is an error whose severity settings cannot change, because no output is possible.
`Formerly: old-id` in the line below is an id that settings still accept for one release.
Loaded when there is a finding or a policy to resolve, never on a clean plugin run, and then only the topics of its
rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Severity

_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "findings")  # noqa: PTH118, PTH120

_FORMERLY = "Formerly:"
# The topics of rules of plugin runs whose ids do not start with the name of their topic. Other rules are searched for.
_TOPICS = {"field": "schema", "map": "schema", "resource": "crd", "type": "schema", "vocabulary": "marker"}
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


class RuleCatalog(Mapping[str, CatalogRule]):
    """The rules by id, in the order of the files. A file is read when one of its rules is looked up."""

    def __init__(self) -> None:
        self._topics = sorted(name.removesuffix(".md") for name in os.listdir(_FOLDER) if name.endswith(".md"))  # noqa: PTH208
        self._known: dict[str, CatalogRule] = {}
        self._is_complete = False

    def __getitem__(self, name: str) -> CatalogRule:
        prefix = name.partition("-")[0]
        topic = _TOPICS.get(prefix, prefix)
        if name not in self._known and topic in self._topics and not self._is_complete:
            self._known |= index_rules(_read_topic(topic))
        return self._known[name] if name in self._known else self._read_all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read_all())

    def __len__(self) -> int:
        return len(self._read_all())

    def _read_all(self) -> Mapping[str, CatalogRule]:
        if not self._is_complete:
            self._known = index_rules(rule for topic in self._topics for rule in _read_topic(topic))
            self._is_complete = True
        return self._known


@cache
def load_rules() -> RuleCatalog:
    """Return the catalog. Look-ups raise ValueError if it is invalid."""
    return RuleCatalog()


def _read_topic(topic: str) -> Iterator[CatalogRule]:
    """Yield the rules of a topic. Plugin runs do not import pathlib."""
    with open(os.path.join(_FOLDER, f"{topic}.md"), encoding="utf-8") as file:  # noqa: PTH118, PTH123
        yield from parse_topic(file.read(), topic)


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
