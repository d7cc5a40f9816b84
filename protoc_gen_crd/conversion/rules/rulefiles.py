"""Rules of the settings: those that stand in them, and those in files that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.inputfiles import input_bytes
from protoc_gen_crd.base.yamlread import read
from protoc_gen_crd.conversion.rules.rules import GROUP, KIND, Places, Reader, RuleFile
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
    found = read(data, name)
    if all(document.value is None and document.error is None for document in found):
        problems.report("conversion-rule", f"a rule file must hold {KIND} of {GROUP}, found nothing", Location(name))
    for document in found:
        value = document.value
        if document.error is not None:
            problem = f"a rule file must be YAML, found {document.error}"
            problems.report("conversion-rule", problem, document.error_at or Location(name))
        elif isinstance(value, dict):
            for at, what in document.repeated():
                problems.report("document-duplicate", f"a key must stand once, found {what}", at)
            if _named(value) == (GROUP, KIND):
                yield Reader(document.place, problems).read(value)
            else:
                report_stranger(value, document.place, problems)


def _named(value: Mapping[str, Any]) -> tuple[str, Any]:
    return str(value.get("apiVersion", "")).rpartition("/")[0], value.get("kind")


def report_stranger(value: Mapping[str, Any], places: Places, problems: Problems) -> None:
    """Report a document that should hold rules, and has the group or kind of something else."""
    group, kind = _named(value)
    problem = f"a rule file must hold {KIND} of {GROUP}, found {kind!r} of {group!r}"
    problems.report("conversion-rule", problem, places(()))


def is_meant(value: Mapping[str, Any]) -> bool:
    """Whether a document of any kind has the form of rules."""
    spec = value.get("spec")
    given = spec.get("conversions") if isinstance(spec, dict) else None
    wanted = {"from", "to", "rules"}
    return isinstance(given, list) and bool(given) and all(isinstance(one, dict) and wanted <= {*one} for one in given)
