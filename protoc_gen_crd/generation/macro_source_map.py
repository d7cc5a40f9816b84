"""Rules as they were written: what servers say of the text that was made of one, told at its place in that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.schema import ValidationRule

_ISSUE = r"^(?:.*compilation failed: )?ERROR: <input>:(\d+):(\d+): (.*)$"
_UNDECLARED = r"undeclared reference to '(\w+)'"
_MEMBERS = {"rule": "rule", "messageExpression": "message_expression"}
_EMPTY_CONTAINER = " (in container '')"
_MAX_HINT_LENGTH = 200  # characters of a rule that a hint shows

PlaceFinder = Callable[[Marker, str, int], tuple[Place, Excerpt]]


class _WrittenRule(Record):
    """The marker of a rule, and its text as it was written."""

    marker: Marker
    text: str


class MacroSourceMap:
    """The rules of a run, by marker and text."""

    def __init__(self, inside: PlaceFinder) -> None:
        self._inside = inside
        self._known: dict[tuple[int, str], _WrittenRule] = {}

    def add(self, marker: Marker, written: str, made: str) -> None:
        """Remember what a rule was made from."""
        self._known[id(marker.at), made] = _WrittenRule(marker, written)

    def report(self, error: FieldError, versions: str, problems: Problems, hint: str) -> bool:
        """Report what does not compile of such a rule where it is to be mended; whether it is that."""
        made = _get_text(error)
        source = self._known.get((id(error.origin), made))
        if source is None:
            return False
        issues = list(dict.fromkeys(self._find_issues(source.text, made, error.detail)))
        for at, message in issues:
            place, excerpt = self._inside(source.marker, source.text, at)
            if made != source.text:
                hint = f"it expands to {made}" if len(made) <= _MAX_HINT_LENGTH else ""
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
    def _find_issues(written: str, made: str, detail: str) -> Iterator[tuple[int, str]]:
        """Yield the issues of a rule with offsets in its source as written."""
        from protoc_gen_crd.cel.source_map import map_origins  # noqa: PLC0415 - only an error pays for it

        places, lines = map_origins(written, made) if made != written else {}, made.split("\n")
        for line, column, message in re.findall(_ISSUE, detail, re.MULTILINE):
            offset = sum(len(one) + 1 for one in lines[: int(line) - 1]) + int(column) - 1
            yield places.get(offset, 0 if made != written else offset), message.removesuffix(_EMPTY_CONTAINER)


def _suggest_function(message: str) -> str:
    """A hint for a function that is not there: a macro of ours or what servers have, in its spelling."""
    from protoc_gen_crd.cel.environment import get_new_environment  # noqa: PLC0415 - only an error pays for it
    from protoc_gen_crd.cel.macros import PROJECT_MACROS  # noqa: PLC0415

    name = re.search(_UNDECLARED, message)
    known = [*get_new_environment(NEWEST).functions, *PROJECT_MACROS]
    return suggest(name[1], [one for one in known if one.isidentifier()]) if name else ""


def _get_text(error: FieldError) -> str:
    """The text that an error is about, empty if it is about no rule."""
    member = _MEMBERS.get(error.path.rpartition(".")[2], "")
    rule = error.value.value if isinstance(error.value, GoTypedValue) else None
    return str(getattr(rule, member)) if member and isinstance(rule, ValidationRule) else ""
