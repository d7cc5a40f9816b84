"""Manifests as plain data: decoded as each server does, then judged.

A CRD is decoded once for all versions. Only where that fails, it is decoded for each without the members that it is
too old to know: a server overlooks what it does not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.notices import Notice
from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    NESTED_MISFITS,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SELECTABLE_FIELDS,
    Switches,
)
from protoc_gen_crd.crd.decode import Decoded, decode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.wire import At, Places, joined

if TYPE_CHECKING:
    from protoc_gen_crd.admission.server import Server
_SINCE = {
    "ValidationRule.messageExpression": MESSAGE_EXPRESSION,
    "ValidationRule.reason": REASON_AND_FIELD_PATH,
    "ValidationRule.fieldPath": REASON_AND_FIELD_PATH,
    "ValidationRule.optionalOldSelf": OPTIONAL_OLD_SELF,
    "CustomResourceDefinitionVersion.selectableFields": SELECTABLE_FIELDS,
    "CustomResourceDefinitionStatus.observedGeneration": OBSERVED_GENERATION,
    "CustomResourceDefinitionCondition.observedGeneration": OBSERVED_GENERATION,
}


def admit_data(
    server: Server, plain: object, old: object, *, places: Places | None, established: bool
) -> tuple[Verdict, ...]:
    """See `Server.admit_data`."""
    before = None
    if old is not None:
        decoded = decode(old)
        if decoded.crd is None:
            raise ValueError(f"the old manifest is no CRD: {decoded.refusal(nested=True)}")
        before = decoded.crd
    decoded = decode(plain, places)
    if decoded.crd is not None:
        strict = tuple(_unknown(decoded, places))
        verdicts = server.admit(decoded.crd, before, established=established)
        return tuple(verdict.replace(strict=(*strict, *verdict.strict)) for verdict in verdicts)
    return tuple(
        [
            _decoded_by(switches, server, plain, before, places=places, established=established)
            for switches in server.switches
        ]
    )


def _unknown(decoded: Decoded, places: Places | None) -> list[Notice]:
    return [Notice(f'unknown field "{joined(path)}"', At(places, path) if places else None) for path in decoded.unknown]


def _decoded_by(
    switches: Switches, server: Server, plain: object, before: Crd | None, *, places: Places | None, established: bool
) -> Verdict:
    without = frozenset(member for member, since in _SINCE.items() if since not in switches)
    decoded = decode(plain, places, without=without)
    if decoded.crd is None:
        return Verdict((switches.minor,), decode=decoded.refusal(nested=NESTED_MISFITS in switches))
    (verdict,) = type(server)((switches.minor,), server.cel).admit(decoded.crd, before, established=established)
    return verdict.replace(strict=tuple(_unknown(decoded, places)))
