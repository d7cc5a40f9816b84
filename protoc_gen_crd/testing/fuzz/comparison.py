"""One document put to API servers as we know them and to an external validator: whether they agree."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.testing.answers import Answer, Said
from protoc_gen_crd.testing.complaints import FOLLOWS
from protoc_gen_crd.testing.definitions import Definition
from protoc_gen_crd.testing.fuzz.external import Answered, Asked, External, Json

_VALUES = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|\[[^\]]*\]|[-+]?[0-9][0-9.e+]*')
_UNJUDGED = "not judged: "


class Difference(Record):
    """A document on which the two disagree, and the reasons of the one that refuses it, without values."""

    document: Json
    ours: Answer
    theirs: Answered
    reasons: frozenset[str]

    @property
    def refused(self) -> bool:
        """Whether API servers refuse the document."""
        return bool(self.ours.errors)

    def explains(self, other: Difference) -> bool:
        """Whether another document differs for the same reasons, and perhaps more."""
        return self.refused is other.refused and self.reasons <= other.reasons

    @property
    def size(self) -> tuple[int, int, str]:
        """What is to be small: first how much is wrong, then the document."""
        text = json.dumps(self.document, sort_keys=True)
        return len(self.reasons), len(text), text


class Comparison:
    """Asks both, each document once. `strict` refuses unknown fields."""

    def __init__(self, external: External, minor: int, *, strict: bool) -> None:
        self.asked = self.answered = 0
        self._external, self._minor, self._strict = external, minor, strict
        self._known: dict[str, Difference | None] = {}

    def __call__(self, document: Json, definition: Definition) -> Difference | None:
        """How they differ on a document, None where they agree. Raises ValidatorError."""
        key = json.dumps(document, sort_keys=True)
        if key not in self._known:
            self._known[key] = self._compared(document, definition)
        return self._known[key]

    def _compared(self, document: Json, definition: Definition) -> Difference | None:
        (ours,) = definition.answers(document, None, (self._minor,), status=False)
        if any(said.text.startswith(_UNJUDGED) for said in ours.errors):
            return None
        if self._strict:
            ours = ours.replace(errors=(*map(Said, ours.strict), *ours.errors))
        resource = definition.crd.names.plural if definition.crd else ""
        self.asked += 1
        theirs = self._external.ask(Asked(document, document if ours.seen is None else ours.seen, resource))
        self.answered += 1
        if theirs.allowed is not bool(ours.errors):
            return None
        return Difference(document, ours, theirs, _told(ours.errors) if ours.errors else _said(theirs.message))


def _told(errors: Sequence[Said]) -> frozenset[str]:
    """Our errors; one that only follows from others says nothing."""
    reasons = frozenset(_bare(_shown(said)) for said in errors if FOLLOWS not in said.text)
    return reasons or frozenset((FOLLOWS,))


def _shown(said: Said) -> str:
    error = said.error
    return said.text if error is None else f"{error.type} {error.path} {error.detail}"


def _said(message: str) -> frozenset[str]:
    """Theirs, as far as they can be told apart."""
    return frozenset(re.split("[,;\n]+ *", _bare(message)))


def _bare(text: str) -> str:
    return _VALUES.sub("#", text)
