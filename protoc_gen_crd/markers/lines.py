"""Comment marker lines to markers: dispatch by spelling. What to say of a line without a meaning, mistakes.py knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers import cue
from protoc_gen_crd.markers.aliases import ALIASES, NAMES, NOTHING, Alias, RepeatedKeyError
from protoc_gen_crd.markers.comments import StandingLine
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.grammar import Parsed, Split, parse, split
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.markers.mistakes import VALIDATION, Mistakes
from protoc_gen_crd.markers.own import OwnReader
from protoc_gen_crd.markers.ranges import ENDS, Bounds, prefixed
from protoc_gen_crd.markers.reader import MAX_DEPTH
from protoc_gen_crd.markers.rulelines import RAW, read_rule
from protoc_gen_crd.proto.locations import CommentPlace

_OWN = "protoc-gen-crd:"
_RESOURCE = r"resource\b"
_CUE = "cue-gen:"
_ALIASED = ("kubebuilder:", "k8s:")
_NESTING = {"map-value-validation:": "values", "list-value-validation:": "items"}
_LETTERS = {"F": "F", "T": "T", "E": "ET", "V": "", "O": "O", "P": "P"}  # the targets of aliases that an element takes

Found = Marker | Members
_Finding = tuple[str, str, int | None, str]  # rule, message, offset in the text but for the whole line, hint


class _Said(Record):
    """What a line says wherever it stands: an option, or NOTHING, its value, and what is wrong with the line."""

    option: str
    value: Any
    findings: Sequence[_Finding]


class LineReader:
    """Reads marker lines of any spelling."""

    def __init__(self, mistakes: Mistakes) -> None:
        self._mistakes = mistakes
        self._report = mistakes.report
        self._own = OwnReader(mistakes.report)
        self._memo: dict[tuple[str, str], Parsed] = {}
        self._known: dict[tuple[str, str], _Said | None] = {}

    def read(self, line: StandingLine) -> Sequence[Found]:
        """The markers of one line; nothing, with a finding, if it has no meaning."""
        text = line.text[1:]
        if "\ufffd" in text and line.at.element.path in line.at.element.source.garbled:
            self._report("marker-parse", "a marker must be UTF-8, found other bytes", line, text.index("\ufffd") + 1)
            return ()
        if line.slip:
            self._mistakes.slip(line)
            return ()
        if text.startswith(_CUE):
            return self._cue(line)
        if text.startswith(_OWN):
            return self._versioned(line, text[len(_OWN) :])
        return self._alias(line, text, ())

    def _cue(self, line: StandingLine) -> Sequence[Found]:
        if line.letter not in "TF":
            self._mistakes.misplaced(line, "T")
            return ()
        found = cue.read(line, self._report)
        if line.letter == "T":
            return found
        return tuple([self._made("channel", one.values["channel"], line) for one in found])

    def _protoc_gen_crd(self, line: StandingLine, text: str) -> Iterator[Found]:
        steps: tuple[str, ...] = ()
        rest = text
        while len(steps) < MAX_DEPTH and (prefix := next((p for p in _NESTING if rest.startswith(p)), "")):
            steps = (*steps, _NESTING[prefix])
            rest = rest[len(prefix) :]
        if steps:
            if line.letter in "FT":
                yield from self._alias(line, rest if rest.startswith("kubebuilder:") else VALIDATION + rest, steps)
            else:
                self._mistakes.misplaced(line, "F")
        elif rest.startswith("duration-validation:"):
            yield from self._duration(line, rest.partition(":")[2])
        elif rest == "validation:XIntOrString":
            yield from self._schema(line, "int_or_string", True)
        elif rest.startswith("validation:IgnoreSubValidation:"):
            yield from self._ignore(line, rest.removeprefix("validation:IgnoreSubValidation:"))
        elif line.letter != "T" and re.match(_RESOURCE, rest):
            self._mistakes.misplaced(line, "T")
        else:
            yield from self._own.read(line, rest)

    def _versioned(self, line: StandingLine, text: str) -> Sequence[Found]:
        """What our own prefix stands before, perhaps with a range, and then a marker of any spelling."""
        within, rest = prefixed(text)
        if within is None:
            return tuple(self._protoc_gen_crd(line, rest))
        return [ranged for one in self._any(line, rest) if (ranged := self._ranged(one, within, line))]

    def _any(self, line: StandingLine, text: str) -> Sequence[Found]:
        """What stands behind a range: a marker of any spelling less its plus, or an option of ours by its name."""
        if text.startswith(_OWN):
            return self._versioned(line, text[len(_OWN) :])
        if text.startswith(_CUE):
            shift = len(line.text) - len(text) - 1
            at = CommentPlace(line.at.element, line.at.line, line.at.column + shift, f"+{text}")
            return self._cue(line.replace(text=f"+{text}", at=at))
        name = split(text)
        if text.startswith(_ALIASED) or (name.name in NAMES and name.name not in SCHEMA):
            return self._alias(line, text, ())
        return tuple(self._protoc_gen_crd(line, text))

    def _ranged(self, found: Found, within: Bounds, line: StandingLine) -> Found | None:
        """A marker that holds in some versions only."""
        if isinstance(found, Marker) and found.option.name not in ENDS:
            return found.replace(within=(within, *found.within))
        if isinstance(found, Members) and found.message == "Resource":
            return found.replace(within=(within, *found.within))
        problem = f'a range must stand before a marker of a schema or of a resource, found "{line.text}"'
        self._report("marker-target", problem, line, len(_OWN) + 1)
        return None

    def _duration(self, line: StandingLine, value: str) -> Iterator[Found]:
        if value == "none":
            yield from self._schema(line, "no_duration_check", True)
        else:
            self._report(
                "marker-value",
                f'duration-validation must be "none", found "{value}"',
                line,
                len(line.text) - len(value),
            )

    def _ignore(self, line: StandingLine, text: str) -> Iterator[Found]:
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - a rare marker

        try:
            messages = jsontext.loads(text)
        except ValueError:
            messages = None
        if isinstance(messages, list) and messages and all(isinstance(message, str) for message in messages):
            yield from self._schema(line, "ignore_rules", messages)
        else:
            problem = f"IgnoreSubValidation must hold a JSON list of texts, found {text}"
            self._report("marker-parse", problem, line, len(line.text) - len(text))

    def _schema(self, line: StandingLine, option: str, value: Any) -> Iterator[Found]:
        if line.letter in "FTE":
            yield self._made(option, value, line)
        else:
            self._mistakes.misplaced(line, "F")

    def _made(self, option: str, value: Any, line: StandingLine) -> Marker:
        return Marker(SCHEMA[option], (), value, line.text, line.at, line.owner)

    def _alias(self, line: StandingLine, text: str, steps: tuple[str, ...]) -> Sequence[Found]:
        key = text, line.letter
        if key not in self._known:
            alias = _alias_of(split(text), line.letter)
            self._known[key] = None if alias is None else self._said(alias, text)
        said = self._known[key]
        if said is None:
            self._mistakes.unknown(line, split(text))
            return ()
        for rule, problem, offset, hint in said.findings:
            at = 0 if offset is None else len(line.text) - len(text) + offset
            self._report(rule, problem, line, at, hint=hint)
        if said.option == NOTHING:
            return ()
        if said.option in ("resource", "package", "oneof"):
            if line.letter == "E":
                self._mistakes.misplaced(line, "T")
                return ()
            return (Members(said.option.capitalize(), said.value, line.text, line.at),)
        *more, name = said.option.split(".")
        hint = self._mistakes.where(line.element) if line.letter == "E" else ""
        return (Marker(SCHEMA[name], (*steps, *more), said.value, line.text, line.at, line.owner, hint),)

    def _said(self, alias: Alias, text: str) -> _Said:
        """What a text says with a name that is known."""
        shift, rest = len(alias.name), text[len(alias.name) :]
        parsed, ambiguity = self._parsed(alias, rest), None
        if alias.name == RAW:
            parsed, ambiguity = read_rule(rest, lambda text: self._parsed(alias, text))
        wrong: list[_Finding] = [("marker-parse", one.message, shift + one.offset, one.hint) for one in parsed.errors]
        wrong += [("marker-dialect", one.message, shift + one.offset, one.hint) for one in parsed.notes]
        if ambiguity:
            wrong.append(("rule-ambiguous", ambiguity.message, shift + ambiguity.offset, ambiguity.hint))
        if parsed.errors or alias.option == NOTHING or _is_constant(alias, parsed.values, text):
            return _Said(NOTHING, None, wrong)
        try:
            return _Said(alias.option, alias.value(parsed.values), wrong)
        except ValueError as error:
            rule = "marker-repeated" if isinstance(error, RepeatedKeyError) else "marker-value"
            return _Said(NOTHING, None, [*wrong, (rule, str(error), None, "")])

    def _parsed(self, alias: Alias, rest: str) -> Parsed:
        known = self._memo.get((alias.name, rest))
        if known is None:
            known = self._memo[alias.name, rest] = parse(rest, alias.form)
        return known


def _alias_of(parts: Split, letter: str) -> Alias | None:
    """The alias that a name is on an element of this letter."""
    places = [(name, one) for name in (parts.anonymous, parts.name) for one in _LETTERS[letter]]
    return next((ALIASES[place] for place in places if place in ALIASES), None)


def _is_constant(alias: Alias, values: Mapping[str, Any], text: str) -> bool:
    """Whether a default is a Go constant, `ref(...)`, which is none; the grammar has told of it."""
    return alias.option == "default" and values.get("") is None and "ref(" in text
