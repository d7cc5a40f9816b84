"""Rule files by their names in the settings. The only module here that reads files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.yamlread import read
from protoc_gen_crd.conversion.rules import GROUP, KIND, Reader, RuleFile


def read_rules(names: Sequence[str], problems: Problems) -> tuple[RuleFile, ...]:
    """The rules of all APIConversions in some files; what cannot be read is reported."""
    return tuple([rules for name in names for rules in _of_file(name, problems)])


def _of_file(name: str, problems: Problems) -> Iterator[RuleFile]:
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        problem = f"a rule file must be readable, found {error.strerror or error}"
        problems.report("conversion-rule", problem, Location(name))
        return
    for document in read(data, name):
        value = document.value
        if document.error is not None:
            problem = f"a rule file must be YAML, found {document.error}"
            problems.report("conversion-rule", problem, document.error_at or Location(name))
        elif isinstance(value, dict):
            group = str(value.get("apiVersion", "")).rpartition("/")[0]
            if (group, value.get("kind")) == (GROUP, KIND):
                yield Reader(document.place, problems).read(value)
            else:
                problem = f"a rule file must hold {KIND} of {GROUP}, found {value.get('kind')!r} of {group!r}"
                problems.report("conversion-rule", problem, document.place(()))
