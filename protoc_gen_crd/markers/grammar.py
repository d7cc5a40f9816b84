"""The grammar of marker values: what stands behind the name in `name=value` and `name:argument=value,argument=value`.

Source: sigs.k8s.io/controller-tools pkg/markers; DEFAULT is v0.23.0 with its defects mended, the other dialects are to
the letter. Knows texts and kinds of values; which markers there are, and what they do, is the business of others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.guess import any_value, item_value
from protoc_gen_crd.markers.reader import (
    LIST_HINT,
    QUOTE_HINT,
    SEPARATED_HINT,
    Dialect,
    Read,
    Reader,
    list_of,
    map_of,
    shown,
)
from protoc_gen_crd.markers.scanner import DOUBLE_HINT, END, IDENT, GrammarError, Refused


class Kind(Enum):
    """What a value may be, and what it is read as.

    INT is an int of 64 bits; NUMBER an int where Go's JSON writer prints one (`1e3` is 1000, `1.0` is 1) and else a
    float. ANY guesses; its lists hold items of one kind. The items of ANYS are guessed one by one. COUNT and BOUND are
    INT and NUMBER for the markers that have a parser of their own since v0.23.0 (maxItems, minimum, maximum). JSON is
    JSON, None for `null` and for a reference `ref(...)` to a Go constant.
    """

    INT = auto()
    NUMBER = auto()
    BOOL = auto()
    STRING = auto()
    STRINGS = auto()
    STRING_MAP = auto()
    ANY = auto()
    ANYS = auto()
    COUNT = auto()
    BOUND = auto()
    JSON = auto()


class Argument(Record):
    """An argument of a marker; the name of an anonymous one is empty."""

    name: str
    kind: Kind
    optional: bool = False


class Form(Record):
    """What a marker takes: nothing (a flag), one anonymous argument, or named ones in any order.

    `comments`: a COUNT or BOUND ends before a `#`, as those of the `k8s:` markers do.
    """

    arguments: tuple[Argument, ...]
    comments: bool = False


class Split(Record):
    """The two names that a marker's definition may have: `anonymous`, to be looked up first, and `name`.

    `anonymous` is all before the first `=`; `name` is that without its last `:` segment, which then names an argument.
    """

    anonymous: str
    name: str


class Parsed(Record):
    """What was read: values by argument name, those only that were given and could be read; and all errors.

    Notes tell of a text that controller-gen v0.23.0 refuses or reads differently, and of what it ignores: an argument
    given twice, a segment before the `=`, a default that refers to Go.
    """

    values: Mapping[str, Any]
    errors: tuple[GrammarError, ...] = ()
    notes: tuple[GrammarError, ...] = ()


_SEPARATED = 'arguments are separated by ","'
_NEXT = r"[A-Za-z]+[ \t]*=(?!=)"
_SINGLE_HINT = "single quotes belong to the text: put one with a comma between double quotes or backquotes"

DEFAULT = Dialect("")
CT_0_23 = Dialect("v0.23.0", defects=True)
CT_0_20 = Dialect("v0.20.1", defects=True, stops=",;}:", eager_numbers=True, own_parsers=False)

_READERS: dict[Kind, Read] = {
    Kind.INT: Reader.integer,
    Kind.NUMBER: Reader.number,
    Kind.BOOL: Reader.boolean,
    Kind.STRING: Reader.string,
    Kind.STRINGS: list_of(Reader.string),
    Kind.STRING_MAP: map_of(Reader.string),
    Kind.ANY: any_value,
    Kind.ANYS: list_of(item_value),
    Kind.COUNT: Reader.count,
    Kind.BOUND: Reader.bound,
    Kind.JSON: Reader.json,
}
_LISTS = (Kind.STRINGS, Kind.ANYS)


def split(text: str) -> Split:
    """The names in a marker's text, which comes without its `+`."""
    anonymous, equals, _ = text.partition("=")
    return Split(anonymous, anonymous.rpartition(":")[0] if equals and ":" in anonymous else anonymous)


def parse(text: str, form: Form, dialect: Dialect = DEFAULT) -> Parsed:
    """Read what stands behind the name of a marker's definition: nothing, `=value`, or `:argument=value,...`."""
    read = _Marker(text, form, dialect)
    if read.mended and not dialect.defects and not read.errors:
        read.compare(_Marker(text, form, CT_0_23))
    return Parsed(read.values, tuple(read.errors), tuple(read.reader.notes))


class _Marker:
    """One marker read in one dialect. `mended` holds by argument what the reader holds for one value."""

    __slots__ = ("arguments", "errors", "mended", "reader", "unseen", "values")

    def __init__(self, text: str, form: Form, dialect: Dialect) -> None:
        self.values: dict[str, Any] = {}
        self.errors: list[GrammarError] = []
        self.mended: dict[str, tuple[int, str]] = {}
        self.arguments = {argument.name: argument for argument in form.arguments}
        self.unseen = dict(self.arguments)
        named = self.arguments and "" not in self.arguments
        start = 1 if named else text.find("=") + 1 or len(text)
        self.reader = Reader(text, start, dialect, comments=form.comments)
        if named:
            self._named(text)
        else:
            self._note_segment(text[: start - 1])
            self._anonymous()
        self._report_missing()

    def _note_segment(self, segment: str) -> None:
        if segment not in ("", ":"):  # `:=` is as usual as `=`
            message = f'nothing stands between a name and its "=", found {shown(segment)}, which is ignored'
            self.reader.notes.append(GrammarError(0, message))

    def _anonymous(self) -> None:
        reader = self.reader
        try:
            if self.arguments and not reader.at_end():
                self._value("")
        except Refused as refused:
            self.errors.append(refused.error)
            return
        if reader.peek():
            requirement = "nothing may follow the value" if self.arguments else "a flag takes no value"
            found = shown(reader.text[reader.position :])
            hint = _behind(reader.text, reader.position, self.arguments[""].kind) if self.arguments else ""
            self.errors.append(GrammarError(reader.position, f"{requirement}, found {found}", hint))

    def _value(self, name: str) -> None:
        reader, kind = self.reader, self.arguments[name].kind
        self.unseen.pop(name, None)
        value = _READERS[kind](reader)
        self.values[name] = [] if value is None and kind in _LISTS else value
        mended = reader.take_mended()
        if mended:
            self.mended[name] = mended

    def _named(self, text: str) -> None:
        if text.startswith("="):
            self.errors.append(GrammarError(0, f"arguments are written :name=value, found {shown(text)}"))
            self.unseen.clear()
        elif not self.reader.at_end():
            self._arguments()

    def _arguments(self) -> None:
        while True:
            try:
                self._argument()
                if self.reader.at_end():
                    return
                if self._lacks_comma():
                    continue
                hint = _behind(self.reader.text, self.reader.position)
                self.reader.expect(",", _SEPARATED, hint)
            except Refused as refused:
                self.errors.append(refused.error)
                if refused.final:
                    self.unseen.clear()
                if refused.final or not self._recovered():
                    return

    def _lacks_comma(self) -> bool:
        """Whether the next argument follows at once, with a finding if it does."""
        reader = self.reader
        start = reader.after_blanks(reader.position)
        if not re.match(_NEXT, reader.text[start:]):
            return False
        self.errors.append(reader.refused(_SEPARATED, start, 'put "," before it').error)
        return True

    def _argument(self) -> None:
        reader = self.reader
        if reader.scan() != IDENT:
            raise reader.refused("an argument is written name=value", reader.start)
        name, start = reader.spelled, reader.start
        reader.expect("=", f'argument "{name}" is written {name}=value', _SINGLE_HINT if "='" in reader.text else "")
        if name not in self.arguments:
            known = ", ".join(self.arguments)
            raise Refused(start, f'arguments are {known}, found "{name}"', suggestion(name, self.arguments))
        if name not in self.unseen:
            reader.notes.append(
                GrammarError(start, f'argument "{name}" is given once, found it again: the last one counts')
            )
        self._value(name)

    def _recovered(self) -> bool:
        """Go on behind the next comma outside braces, if there is one."""
        reader = self.reader
        depth, reader.depth = reader.depth, 0
        try:
            while reader.kind != "," or depth > 0:
                depth = max(depth + (reader.kind == "{") - (reader.kind == "}"), 0)
                if reader.scan() == END:
                    return False
        except Refused:
            self.unseen.clear()
            return False
        return True

    def _report_missing(self) -> None:
        for name, argument in self.unseen.items():
            if not argument.optional:
                what = f'argument "{name}" is required' if name else "a value is required"
                self.errors.append(GrammarError(len(self.reader.text), f"{what}, found none"))

    def compare(self, theirs: _Marker) -> None:
        """Note where the values of controller-gen are others than these."""
        from json import dumps  # noqa: PLC0415 - a note is rare

        tool = f"controller-gen {theirs.reader.dialect.version}"
        notes, first = self.reader.notes, next(iter(self.mended.values()))
        if theirs.errors:
            notes.append(GrammarError(first[0], f"{tool} refuses this", first[1]))
            return
        for name, value in self.values.items():
            other = theirs.values.get(name)
            if other != value:
                what = f'argument "{name}"' if name else "this value"
                message = f"{tool} reads {what} as {dumps(other, ensure_ascii=False, sort_keys=True)}"
                offset, advice = self.mended.get(name, first)
                notes.append(GrammarError(offset, message, advice))


_OTHER_QUOTES = {'"': DOUBLE_HINT, "`": "put a text that holds a backquote between double quotes"}


def _behind(text: str, position: int, kind: Kind | None = None) -> str:
    """A hint for what stands behind a value: the value goes on, perhaps past a quote within it."""
    quote, rest = text[:position].rstrip()[-1:], text[position:].lstrip()
    if kind in _LISTS and rest.startswith(",") and ";" not in text and "[" not in text:
        return f"{SEPARATED_HINT}, and a text that holds a comma stands between quotes"
    if rest.startswith(("//", "#")):
        return "a comment stands on a line of its own"
    if text.partition("=")[2].lstrip().startswith("["):
        return LIST_HINT
    if quote not in _OTHER_QUOTES:
        return QUOTE_HINT
    return _OTHER_QUOTES[quote] if quote in rest else ""
