"""What servers answer: the verdict on one CRD."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.crd.held import Held
from protoc_gen_crd.admission.crd.notices import Notice
from protoc_gen_crd.admission.errors import FieldError, message
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record


class Verdict(Record):
    """What the servers of some minor versions say: the same errors, which older ones may word otherwise.

    `decode` is why a manifest is no CRD at all, found at `origin`, and then all; `errors` refuse the object; `strict`
    is what kubectl's default validation refuses beforehand: unknown fields; `warnings` are Warning headers.
    """

    minors: tuple[int, ...]
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[Notice, ...] = ()
    strict: tuple[Notice, ...] = ()
    decode: str = ""
    origin: Place | None = None
    held: Held | None = None
    old: Held | None = None

    @property
    def refused(self) -> bool:
        """Whether the object is not taken."""
        return bool(self.errors or self.decode)

    def text(self, error: FieldError, minor: int | None = None) -> str:
        """An error as the server of this version words it, else the newest of these."""
        return message(error, Switches.of(minor or self.minors[-1]))

    def stored(self, minor: int | None = None) -> dict[str, Any] | None:
        """What is stored, None where it is refused: defaulted, with its status, without uid and creationTimestamp."""
        from protoc_gen_crd.admission.crd import stored  # noqa: PLC0415 - few ask

        if self.refused or self.held is None:
            return None
        switches = Switches.of(minor or self.minors[-1])
        if self.old is not None:
            return stored.updated(self.held, self.old, switches)
        return stored.created(self.held, switches)
