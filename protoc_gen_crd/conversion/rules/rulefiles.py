"""Rules of the settings: those that stand in them, and those in files that they name."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.inputfiles import input_bytes
from protoc_gen_crd.base.yamlread import read
from protoc_gen_crd.conversion.rules.rules import GROUP, KIND, Reader, RuleFile
from protoc_gen_crd.settings import Settings


def read_rules(settings: Settings, problems: Problems) -> tuple[RuleFile, ...]:
    """The rules of the settings file and of the files that it names; what cannot be read is reported."""
    given = settings.conversions.items()
    here = [Reader(row.places, problems).listed(name, row.conversions, ()) for name, row in given]
    return (*here, *(rules for name in settings.conversion_rules for rules in _of_file(name, problems)))


def _of_file(name: str, problems: Problems) -> Iterator[RuleFile]:
    try:
        data = input_bytes(name)
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
