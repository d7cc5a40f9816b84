"""Map from expanded rules to rules as written, for findings at the place of an error in the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from protoc_gen_crd.admission.causes import Cause
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.schema import ValidationRule

_ISSUE = r"^(?:.*compilation failed: )?ERROR: <input>:(\d+):(\d+): (.*)$"
_UNDECLARED = r"undeclared reference to '(\w+)'"
_MEMBERS = {"rule": "rule", "messageExpression": "message_expression"}
_EMPTY_CONTAINER = " (in container '')"
_MAX_HINT_LENGTH = 200  # characters of a rule that a hint shows

PlaceFinder = Callable[[Marker, str, int], tuple[Place, Excerpt]]


class _WrittenRule(Record):
    """The marker of a rule, and the rule as written."""

    marker: Marker
    rule: str


class MacroSourceMap:
    """The rules of a run by marker and expanded rule."""

    def __init__(self, find_place: PlaceFinder) -> None:
        self._find_place = find_place
        self._rules: dict[tuple[int, str], _WrittenRule] = {}

    def add(self, marker: Marker, written: str, expanded: str) -> None:
        """Record the source of an expanded rule."""
        self._rules[id(marker.at), expanded] = _WrittenRule(marker, written)

    def report(self, error: Cause, versions: str, problems: Problems, hint: str) -> bool:
        """Report a compile error of a rule at its source. Return False if the error is another one."""
        expanded = _get_expression(error)
        source = self._rules.get((id(error.place), expanded))
        if source is None:
            return False
        issues = list(dict.fromkeys(self._find_issues(source.rule, expanded, error.detail)))
        for at, message in issues:
            place, excerpt = self._find_place(source.marker, source.rule, at)
            if expanded != source.rule:
                hint = f"it expands to {expanded}" if len(expanded) <= _MAX_HINT_LENGTH else ""
            problem = f"CEL rule is rejected{versions}: {message.removeprefix('found ')}"
            problems.report(
                "cel-type",
                problem,
                place,
                path=source.marker.owner,
                hint=hint or _suggest_function(message),
                excerpt=excerpt,
            )
        return bool(issues)

    @staticmethod
    def _find_issues(written: str, expanded: str, detail: str) -> Iterator[tuple[int, str]]:
        """Yield the issues of a rule, with their offsets in the rule as written."""
        from protoc_gen_crd.cel.source_map import map_origins  # noqa: PLC0415 - only errors need it

        places, lines = map_origins(written, expanded) if expanded != written else {}, expanded.split("\n")
        for line, column, message in re.findall(_ISSUE, detail, re.MULTILINE):
            offset = sum(len(preceding) + 1 for preceding in lines[: int(line) - 1]) + int(column) - 1
            yield places.get(offset, 0 if expanded != written else offset), message.removesuffix(_EMPTY_CONTAINER)


def _suggest_function(message: str) -> str:
    """Return a hint for an undeclared function: the most similar macro or function of API servers."""
    from protoc_gen_crd.cel.environment import get_new_environment  # noqa: PLC0415 - only errors need it
    from protoc_gen_crd.cel.project_macros import PROJECT_MACROS  # noqa: PLC0415

    name = re.search(_UNDECLARED, message)
    functions = [*get_new_environment(NEWEST).functions, *PROJECT_MACROS]
    return suggest(name[1], [function for function in functions if function.isidentifier()]) if name else ""


def _get_expression(error: Cause) -> str:
    """Return the expression with an error, empty if the error is not about a rule."""
    member = _MEMBERS.get(error.path.rpartition(".")[2], "")
    rule = error.value.value if isinstance(error.value, GoTypedValue) else None
    return str(getattr(rule, member)) if member and isinstance(rule, ValidationRule) else ""
