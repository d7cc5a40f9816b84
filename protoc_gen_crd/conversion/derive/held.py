"""Whether a value that somebody has written is one that a field takes: as servers look at it, but for rules."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.values import Values
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.schema.types import Schema


def refusal(schema: Schema, value: Any) -> str:
    """Why a field does not take a value, in the server's words; empty where it does."""
    errors = Values(Switches.of(NEWEST)).errors(schema, value, "")
    return next((" ".join(error.detail.split()).removeprefix("in body ") or error.type for error in errors), "")
