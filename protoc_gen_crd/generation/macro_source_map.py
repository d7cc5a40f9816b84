"""Map from expanded rules to rules as written, for findings at the place of an error in the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from protoc_gen_crd.admission.field_errors import Cause
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
_EXPANDS = "it expands to"
_EMPTY_CONTAINER = " (in container '')"
_MAX_HINT_LENGTH = 200  # characters of a rule that a hint shows

_MOST_FIELDS = 20  # in a message
_UNDEFINED = r"undefined field '(\w+)'"

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
        issues = list(dict.fromkeys(self._find_issues(source.rule, expanded, error)))
        if expanded != source.rule:
            hint = f"{_EXPANDS} {expanded}" if len(expanded) <= _MAX_HINT_LENGTH else ""
        for at, message, fields in issues:
            place, excerpt = self._find_place(source.marker, source.rule, at)
            problem = f"CEL rule is rejected{versions}: {message.removeprefix('found ')}{format_fields(fields)}"
            problems.report(
                "cel-type",
                problem,
                place,
                path=source.marker.owner,
                hint=_suggest_field(message, fields, hint) or _suggest_function(message),
                excerpt=excerpt,
            )
        return bool(issues)

    @staticmethod
    def _find_issues(written: str, expanded: str, error: Cause) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """Yield the issues of a rule with their offsets in the rule as written, and the fields of the operand."""
        from protoc_gen_crd.cel.source_map import map_origins  # noqa: PLC0415 - only errors need it

        places, lines = map_origins(written, expanded) if expanded != written else {}, expanded.split("\n")
        fields = {issue.at: issue.fields for issue in error.issues}
        for line, column, message in re.findall(_ISSUE, error.detail, re.MULTILINE):
            offset = sum(len(preceding) + 1 for preceding in lines[: int(line) - 1]) + int(column) - 1
            at = places.get(offset, 0 if expanded != written else offset)
            yield at, message.removesuffix(_EMPTY_CONTAINER), fields.get(offset, ())


def _suggest_field(message: str, fields: Collection[str], hint: str) -> str:
    """Return a hint for an undefined field: one that names it, or else the most similar field of the operand."""
    name = re.search(_UNDEFINED, message)
    if not name or not fields or f'"{name[1]}"' in hint or hint.startswith(_EXPANDS):
        return hint
    return suggest(name[1], fields)


def format_fields(names: Collection[str]) -> str:
    """Format the fields that a rule can select as the end of a message, up to a limit."""
    listed = sorted(names)[:_MOST_FIELDS]
    suffix = f" and {len(names) - len(listed)} more" if len(names) > len(listed) else ""
    return f" (fields: {', '.join(listed)}{suffix})" if listed else ""


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
