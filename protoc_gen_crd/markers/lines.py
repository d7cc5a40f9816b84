"""Comment marker lines to markers: dispatch by spelling, with a finding for every line that has no meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Excerpt, Problems
from protoc_gen_crd.markers import cue
from protoc_gen_crd.markers.aliases import (
    ALIASES,
    INERT,
    NAMES,
    NAMESPACES,
    NOTHING,
    RULE_FORM,
    Alias,
    RepeatedKeyError,
)
from protoc_gen_crd.markers.comments import MarkerLine
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.grammar import Parsed, Split, parse, split
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.markers.own import OwnReader
from protoc_gen_crd.markers.ranges import ENDS, Bounds, prefixed
from protoc_gen_crd.markers.reader import MAX_DEPTH
from protoc_gen_crd.markers.slips import is_near, meant, nearest_marker, own_option
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import CommentPlace
from protoc_gen_crd.proto.model import Element

_OWN = "protoc-gen-crd:"
_RESOURCE = r"resource\b"
_CUE = "cue-gen:"
_VALIDATION = "kubebuilder:validation:"
_NESTING = {"map-value-validation:": "values", "list-value-validation:": "items"}
_ON = {"F": "a field", "T": "a message", "E": "an enum", "V": "an enum value", "O": "a oneof", "P": "the package line"}
_TARGETS = {"F": "FIELD", "T": "MESSAGE", "E": "ENUM"}
_FITS = {"F": "fields", "T": "messages", "E": "enums", "O": "oneofs", "P": "the package line"}
_LETTERS = {"F": "F", "T": "T", "E": "ET", "V": "", "O": "O", "P": "P"}  # the targets of aliases that an element takes
# What only the author of a file can mend. A file that is imported is judged by the run that generates for it.
_AUTHORS = frozenset(["marker-dialect", "marker-target", "marker-unknown"])

_MOST_SEARCHED = 500

Found = Marker | Members


class LineReader:
    """Reads marker lines of any spelling."""

    def __init__(self, api: ApiSet, problems: Problems) -> None:
        self._api = api
        self._problems = problems
        self._own = OwnReader(self._report)
        self._memo: dict[tuple[str, str], Parsed] = {}
        self._nearest: dict[str, str | None] = {}
        self._owner = ""  # full name of the element whose lines are read, or the package

    def read(self, line: MarkerLine, letter: str, element: Element | None) -> Sequence[Found]:
        """The markers of one line on an element of this letter; nothing, with a finding, if it has no meaning."""
        self._owner = element.full_name if element else self._api.file(line.at.element.source.file).package
        text = line.text[1:]
        if "\ufffd" in text and line.at.element.path in line.at.element.source.garbled:
            self._report("marker-parse", "a marker must be UTF-8, found other bytes", line, text.index("\ufffd") + 1)
            return ()
        if line.slip:
            self._slip(line)
            return ()
        if text.startswith(_CUE):
            return self._cue(line, letter, element)
        if text.startswith(_OWN):
            return self._versioned(line, text[len(_OWN) :], letter, element)
        return self._alias(line, text, (), letter, element)

    def _cue(self, line: MarkerLine, letter: str, element: Element | None) -> Sequence[Found]:
        if letter not in "TF":
            self._misplaced(line, letter, "T", element)
            return ()
        found = cue.read(line, letter, self._report)
        if letter == "T":
            return found
        return tuple([self._made("channel", one.values["channel"], line) for one in found])

    def _protoc_gen_crd(self, line: MarkerLine, text: str, letter: str, element: Element | None) -> Iterator[Found]:
        steps: tuple[str, ...] = ()
        rest = text
        while len(steps) < MAX_DEPTH and (prefix := next((p for p in _NESTING if rest.startswith(p)), "")):
            steps = (*steps, _NESTING[prefix])
            rest = rest[len(prefix) :]
        if steps:
            if letter in "FT":
                yield from self._alias(
                    line, rest if rest.startswith("kubebuilder:") else _VALIDATION + rest, steps, letter, element
                )
            else:
                self._misplaced(line, letter, "F", element)
        elif rest.startswith("duration-validation:"):
            yield from self._duration(line, rest.partition(":")[2], letter, element)
        elif rest == "validation:XIntOrString":
            yield from self._schema(line, "int_or_string", True, letter, element)
        elif rest.startswith("validation:IgnoreSubValidation:"):
            yield from self._ignore(line, rest.removeprefix("validation:IgnoreSubValidation:"), letter, element)
        elif letter != "T" and re.match(_RESOURCE, rest):
            self._misplaced(line, letter, "T", element)
        else:
            yield from self._own.read(line, rest, letter, self._owner)

    def _versioned(self, line: MarkerLine, text: str, letter: str, element: Element | None) -> Sequence[Found]:
        """What our own prefix stands before, perhaps with a range, and then a marker of any spelling."""
        within, rest = prefixed(text)
        if within is None:
            return tuple(self._protoc_gen_crd(line, rest, letter, element))
        if rest.startswith("kubebuilder:"):
            found = self._alias(line, rest, (), letter, element)
        else:
            found = tuple(self._protoc_gen_crd(line, rest, letter, element))
        return [ranged for one in found if (ranged := self._ranged(one, within, line))]

    def _ranged(self, found: Found, within: Bounds, line: MarkerLine) -> Found | None:
        """A marker that holds in some versions only."""
        if isinstance(found, Marker) and found.option.name not in ENDS:
            return found.replace(within=(within, *found.within))
        if isinstance(found, Members) and found.message == "Resource":
            return found.replace(within=(within, *found.within))
        problem = f'a range must stand before a marker of a schema or of a resource, found "{line.text}"'
        self._report("marker-target", problem, line, len(_OWN) + 1)
        return None

    def _duration(self, line: MarkerLine, value: str, letter: str, element: Element | None) -> Iterator[Found]:
        if value == "none":
            yield from self._schema(line, "no_duration_check", True, letter, element)
        else:
            self._report(
                "marker-value",
                f'duration-validation must be "none", found "{value}"',
                line,
                len(line.text) - len(value),
            )

    def _ignore(self, line: MarkerLine, text: str, letter: str, element: Element | None) -> Iterator[Found]:
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - a rare marker

        try:
            messages = jsontext.loads(text)
        except ValueError:
            messages = None
        if isinstance(messages, list) and messages and all(isinstance(message, str) for message in messages):
            yield from self._schema(line, "ignore_rules", messages, letter, element)
        else:
            problem = f"IgnoreSubValidation must hold a JSON list of texts, found {text}"
            self._report("marker-parse", problem, line, len(line.text) - len(text))

    def _schema(
        self, line: MarkerLine, option: str, value: Any, letter: str, element: Element | None
    ) -> Iterator[Found]:
        if letter in "FTE":
            yield self._made(option, value, line)
        else:
            self._misplaced(line, letter, "F", element)

    def _made(self, option: str, value: Any, line: MarkerLine) -> Marker:
        return Marker(SCHEMA[option], (), value, line.text, line.at, self._owner)

    def _alias(
        self, line: MarkerLine, text: str, steps: tuple[str, ...], letter: str, element: Element | None
    ) -> Sequence[Found]:
        parts = split(text)
        places = [(name, one) for name in (parts.anonymous, parts.name) for one in _LETTERS[letter]]
        alias = next((ALIASES[place] for place in places if place in ALIASES), None)
        if alias is None:
            return self._unknown(line, parts, letter, element)
        values = self._values(alias, line, text[len(alias.name) :])
        if values is None or alias.option == NOTHING or _is_constant(alias, values, text):
            return ()
        try:
            value = alias.value(values)
        except ValueError as error:
            rule = "marker-repeated" if isinstance(error, RepeatedKeyError) else "marker-value"
            self._report(rule, str(error), line, 0)
            return ()
        if alias.option in ("resource", "package", "oneof"):
            if letter == "E":
                self._misplaced(line, letter, "T", element)
                return ()
            return (Members(alias.option.capitalize(), value, line.text, line.at),)
        *more, name = alias.option.split(".")
        hint = where_it_should_stand(element, self._api) if letter == "E" else ""
        return (Marker(SCHEMA[name], (*steps, *more), value, line.text, line.at, self._owner, hint),)

    def _values(self, alias: Alias, line: MarkerLine, rest: str) -> Mapping[str, Any] | None:
        """The arguments of a marker by name; None, with findings, if they cannot be read."""
        shift = len(line.text) - len(rest)
        raw = _raw_rule(rest) if alias.form is RULE_FORM else None
        parsed = self._parsed(alias, f"{raw[0]},rule=_" if raw else rest)
        for error in parsed.errors:
            self._report("marker-parse", error.message, line, shift + error.offset, hint=error.hint)
        for note in parsed.notes:
            self._report("marker-dialect", note.message, line, shift + note.offset, hint=note.hint)
        if parsed.errors:
            return None
        if raw is None:
            return parsed.values
        return {**parsed.values, "rule": self._rule(raw[1], rest, line, shift + len(raw[0]))}

    def _parsed(self, alias: Alias, rest: str) -> Parsed:
        known = self._memo.get((alias.name, rest))
        if known is None:
            known = self._memo[alias.name, rest] = parse(rest, alias.form)
        return known

    def _rule(self, rule: str, rest: str, line: MarkerLine, offset: int) -> str:
        """A rule that controller-gen and Istio's generator read differently is not left to chance.

        Escaped quotes make no CEL unless they are read as controller-gen does, so they are.
        """
        other = parse(rest, RULE_FORM) if "\\" in rule or rest[-1] == "'" else None
        text = rule if other is None or other.errors else other.values["rule"]
        if text != rule and _is_cel(text) and not _is_cel(rule):
            return str(text)
        if text != rule:
            self._report(
                "rule-ambiguous",
                "a rule must mean the same to controller-gen and Istio's generator, found "
                f"{text} for the first and {rule} for the second",
                line,
                offset,
                hint="quote the rule with backquotes, or write it as an option",
            )
        return rule

    def misfit(self, marker: Marker, letter: str, element: Element) -> bool:
        """Whether a marker stands where its option has no meaning, with a finding if it does."""
        option = marker.option
        if option.whole and marker.steps:
            problem = f'"{option.name}" must stand on an element itself, found "{marker.name}"'
        elif option.targets and _TARGETS[letter] not in option.targets:
            where = " or ".join(_FITS[known] for known, target in _TARGETS.items() if target in option.targets)
            spelled = marker.text.partition("=")[0]
            problem = f'"{spelled}" must stand on {where}, found on {_ON[letter]}'
        else:
            return False
        if self._api.file(element.at.source.file).target:
            hint = where_it_should_stand(element, self._api)
            self._problems.report(
                "marker-target", problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt
            )
        return True

    def _unknown(self, line: MarkerLine, parts: Split, letter: str, element: Element | None) -> Sequence[Found]:
        head = parts.anonymous.strip()
        segments = head.split(":")
        first = segments[0]
        if first.partition(".")[0] in INERT or any(":".join(segments[:count]) in INERT for count in (2, 3)):
            return ()
        fits = sorted({target for known, target in ALIASES if known in (parts.anonymous, parts.name)})
        if fits:
            self._misplaced(line, letter, "".join(fits), element)
        elif first in NAMESPACES:
            self._unknown_name(line, head)
        else:
            self._foreign(line, parts, head)
        return ()

    def _unknown_name(self, line: MarkerLine, head: str) -> None:
        shown = head if head in line.text else head.removeprefix(_VALIDATION)  # below map-value-validation and its like
        near = self._near(head)
        family = head.removesuffix(shown)
        known = near and near.startswith(family) and head not in NAMESPACES
        near = near.removeprefix(family) if near and known else ""
        hint = f'did you mean "{near}"?' if near else "see the marker reference"
        if shown.rstrip(":") in NAMESPACES:
            hint = "see the marker reference"
        elif near and shown.startswith(f"{near}:"):
            hint = f'write "+{near}={shown[len(near) + 1 :]}"'
        if not shown:
            hint = f'write "{line.text}<rule>"'
        offset = line.text.find(shown) if shown else len(line.text)
        problem = f'a marker must be one that exists, found "{line.text[: offset + len(shown)]}"'
        self._report("marker-unknown", problem, line, offset, hint=hint)

    def _near(self, name: str) -> str | None:
        """The nearest marker or namespace; none once a run has asked very often, since the search is slow."""
        if name not in self._nearest and len(self._nearest) < _MOST_SEARCHED:
            self._nearest[name] = nearest_marker(name)
        return self._nearest.get(name)

    def _foreign(self, line: MarkerLine, parts: Split, head: str) -> None:
        """Text after a plus that is neither ours nor known: near to a marker it is a typing error."""
        word = head.split(maxsplit=1)[0] if head else ""
        near = own_option(head) if "=" in line.text else ""
        near = near or meant(parts, valued="=" in line.text)
        if not near and word == head and is_near(head):
            near = self._near(head) or ""
        if near:
            problem = f'a marker must be one that exists, found "+{head}"'
            self._report("marker-unknown", problem, line, 1, hint=f'did you mean "{near}"?')
        elif word != head and (name := word.rstrip(".,;")) in NAMES:
            self._report("marker-parse", f'"+{name}" must stand alone on its line, found "{head}"', line, 1 + len(name))

    def _slip(self, line: MarkerLine) -> None:
        """What stands before or right behind a plus keeps a line from being a marker."""
        found = f"{line.before} {line.text}" if line.before else line.text
        name = f"+{line.text[1:].lstrip()}"
        self._report(
            "marker-unknown",
            f'a marker must be a "+" with its name behind it at the start of a line, found "{found.partition("=")[0]}"',
            line,
            0,
            hint=f'write "{name.partition("=")[0]}", or put it in quotes if it is prose',
        )

    def _misplaced(self, line: MarkerLine, letter: str, fits: str, element: Element | None) -> None:
        where = " or ".join(_FITS[target] for target in fits if target in _FITS)
        self._report(
            "marker-target",
            f'"{line.text.partition("=")[0]}" must stand on {where}, found on {_ON[letter]}',
            line,
            0,
            hint=where_it_should_stand(element, self._api) if "T" in fits else "",
        )

    def _report(self, rule: str, message: str, line: MarkerLine, offset: int, *, hint: str = "") -> None:
        if rule in _AUTHORS and not self._api.file(line.at.element.source.file).target:
            return
        at = CommentPlace(line.at.element, line.at.line, line.at.column + offset, line.text)
        self._problems.report(rule, message, at, path=self._owner, hint=hint, excerpt=Excerpt(line.text, offset))


def _raw_rule(text: str) -> tuple[str, str] | None:
    """(the text without the rule, the rule) where a quoted rule stands last, as Istio's generator reads it."""
    head, found, rule = text.partition(",rule=")
    if not found or len(rule) < 2 or rule[0] not in "\"`'" or rule[-1] != rule[0]:
        return None
    return head, rule[1:-1]


def _is_constant(alias: Alias, values: Mapping[str, Any], text: str) -> bool:
    """Whether a default is a Go constant, `ref(...)`, which is none; the grammar has told of it."""
    return alias.option == "default" and values.get("") is None and "ref(" in text


def _is_cel(rule: str) -> bool:
    from protoc_gen_crd.cel.issues import Refusal  # noqa: PLC0415 - few rules hold an escape
    from protoc_gen_crd.cel.syntax import parse as parse_cel  # noqa: PLC0415

    return not isinstance(parse_cel(rule), Refusal)


def where_it_should_stand(element: Element | None, api: ApiSet) -> str:
    """For the first element inside a message: the comment after `{` was perhaps meant for the message itself."""
    parent = api.message(element.full_name.rpartition(".")[0]) if element else None
    if element is None or parent is None:
        return ""
    others = [*parent.fields[:1], *map(api.message, parent.messages), *map(api.enum, parent.enums)]
    line = element.at.resolve().line
    if any(0 < other.at.resolve().line < line for other in others if other is not None):
        return ""
    return (
        f'a comment right after "{{" belongs to "{element.name}"; '
        f'if it is meant for message "{parent.name}", move it above that'
    )
