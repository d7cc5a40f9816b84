"""Manifests as plain data: decoded as each server does, then judged.

A server overlooks members that it is too old to know. So a manifest that has any is decoded again for the servers that
do not know them; one that has none is decoded once for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.crd.notices import Notice
from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    NESTED_MISFITS,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SCHEME_110,
    SCHEME_111,
    SELECTABLE_FIELDS,
    Switches,
)
from protoc_gen_crd.crd.decode import Decoded, decode
from protoc_gen_crd.schema.wire import At, Places, joined

if TYPE_CHECKING:
    from protoc_gen_crd.admission.server import Server
_SINCE = {
    "v1.ValidationRule.messageExpression": MESSAGE_EXPRESSION,
    "v1.ValidationRule.reason": REASON_AND_FIELD_PATH,
    "v1.ValidationRule.fieldPath": REASON_AND_FIELD_PATH,
    "v1.ValidationRule.optionalOldSelf": OPTIONAL_OLD_SELF,
    "v1.CustomResourceDefinitionVersion.selectableFields": SELECTABLE_FIELDS,
    "v1.CustomResourceDefinitionStatus.observedGeneration": OBSERVED_GENERATION,
    "v1.CustomResourceDefinitionCondition.observedGeneration": OBSERVED_GENERATION,
}


def admit_data(
    server: Server, plain: object, old: object, *, places: Places | None, established: bool
) -> tuple[Verdict, ...]:
    """See `Server.admit_data`."""
    known = decode(plain, places)
    before = decode(old) if old is not None else None
    met = known.met | (before.met if before else frozenset())
    groups: dict[frozenset[str], list[Switches]] = {}
    for switches in server.switches:
        without = frozenset(member for member in met & _SINCE.keys() if _SINCE[member] not in switches)
        groups.setdefault(without, []).append(switches)
    verdicts: list[Verdict] = []
    for without, group in groups.items():
        decoded = decode(plain, places, without=without) if without else known
        replaced = decode(old, without=without) if without and old is not None else before
        if replaced is not None and replaced.crd is None:
            raise ValueError(f"the old manifest is no CRD: {replaced.refusal(nested=True)}")
        verdicts += _judged(server, group, decoded, replaced, places=places, established=established)
    return tuple(verdicts)


def _refused(group: list[Switches], decoded: Decoded, places: Places | None) -> Iterator[Verdict]:
    minors: dict[str, list[int]] = {}
    for switches in group:
        line = 111 if SCHEME_111 in switches else 110 if SCHEME_110 in switches else 100
        text = decoded.refusal(nested=NESTED_MISFITS in switches, line=line)
        minors.setdefault(text, []).append(switches.minor)
    origin = At(places, decoded.misfit.path if decoded.misfit else ()) if places else None
    for text, same in minors.items():
        yield Verdict(tuple(same), decode=text, origin=origin)


def _judged(
    server: Server,
    group: list[Switches],
    decoded: Decoded,
    old: Decoded | None,
    *,
    places: Places | None,
    established: bool,
) -> list[Verdict]:
    if decoded.crd is None:
        return list(_refused(group, decoded, places))
    strict = tuple(
        Notice(f'unknown field "{joined(path)}"', At(places, path) if places else None) for path in decoded.unknown
    )
    verdicts = server.admit_by(group, decoded.crd, old.crd if old else None, established=established)
    return [verdict.replace(strict=(*strict, *verdict.strict)) for verdict in verdicts]
