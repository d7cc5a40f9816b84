"""What servers answer: the verdict on one CRD."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.crd.held import Held
from protoc_gen_crd.admission.crd.notices import Notice
from protoc_gen_crd.admission.errors import FieldError, message
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record


class Verdict(Record):
    """What the servers of some minor versions say, all the same.

    `decode` is why a manifest is no CRD at all, and then all; `errors` refuse the object; `strict` is what kubectl's
    default validation refuses beforehand: unknown fields; `warnings` are Warning headers.
    """

    minors: tuple[int, ...]
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[Notice, ...] = ()
    strict: tuple[Notice, ...] = ()
    decode: str = ""
    held: Held | None = None
    old: Held | None = None

    @property
    def refused(self) -> bool:
        """Whether the object is not taken."""
        return bool(self.errors or self.decode)

    def text(self, error: FieldError) -> str:
        """An error as these servers word it."""
        return message(error, Switches.of(self.minors[0]))

    def stored(self) -> dict[str, Any] | None:
        """What is stored, None where it is refused: defaulted, with its status, without uid and creationTimestamp."""
        from protoc_gen_crd.admission.crd import stored  # noqa: PLC0415 - few ask

        if self.refused or self.held is None:
            return None
        switches = Switches.of(self.minors[0])
        if self.old is not None:
            return stored.updated(self.held, self.old, switches)
        return stored.created(self.held, switches)
