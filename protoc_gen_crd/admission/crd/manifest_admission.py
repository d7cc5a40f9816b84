"""Admission of manifests in plain data: decoding as each server does, then validation.

An older server ignores the members that newer versions added. A manifest with such members is decoded again for the
servers that ignore them; any other manifest is decoded once for all servers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.admission.field_errors import BAD_REQUEST, Cause
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.admission.version_differences import (
    MESSAGE_EXPRESSION,
    NESTED_DECODING_PATHS,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SCHEME_110,
    SCHEME_111,
    SELECTABLE_FIELDS,
)
from protoc_gen_crd.crd.crd_decoder import DecodedCrd, decode
from protoc_gen_crd.kubernetes.api_server_limits import MAX_STRICT_ERRORS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace, Path, Places, append_steps, format_path

if TYPE_CHECKING:
    from protoc_gen_crd.admission.server import AdmissionServer
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
    server: AdmissionServer, plain: object, old: object, *, places: Places | None, established: bool
) -> tuple[Verdict, ...]:
    """Return the verdicts on a manifest; see `AdmissionServer.admit_data`.

    Shortcut decoded-once: versions decode a manifest differently only at the members of `_SINCE`, and each version that
    lacks one that occurs decodes on its own.
    """
    newest = decode(plain, places)
    newest_old = decode(old) if old is not None else None
    members = newest.features | (newest_old.features if newest_old else frozenset())
    groups: dict[frozenset[str], list[Switches]] = {}
    for switches in server.switches:
        without = frozenset(member for member in members & _SINCE.keys() if _SINCE[member] not in switches)
        groups.setdefault(without, []).append(switches)
    verdicts: list[Verdict] = []
    for without, group in groups.items():
        decoded = decode(plain, places, without=without) if without else newest
        decoded_old = decode(old, without=without) if without and old is not None else newest_old
        if decoded_old is not None and decoded_old.crd is None:
            raise ValueError(f"the old manifest is no CRD: {decoded_old.format_rejection(nested=True)}")
        verdicts += _admit_decoded(server, group, decoded, decoded_old, places=places, established=established)
    return tuple(verdicts)


def _reject_undecodable(group: list[Switches], decoded: DecodedCrd, places: Places | None) -> Iterator[Verdict]:
    minors: dict[str, list[int]] = {}
    for switches in group:
        line = 111 if SCHEME_111 in switches else 110 if SCHEME_110 in switches else 100
        message = decoded.format_rejection(nested=NESTED_DECODING_PATHS in switches, line=line)
        minors.setdefault(message, []).append(switches.minor)
    place = decoded.find_rejected_value(places) if places else None
    for message, equal_minors in minors.items():
        yield Verdict(tuple(equal_minors), (Cause(BAD_REQUEST, detail=message, place=place),))


def _select_reported(unknown: Sequence[Path]) -> list[Path]:
    """Return the unknown fields that a server reports: the first of a body in which kubectl sorts the keys."""
    reported = frozenset(sorted(unknown)[:MAX_STRICT_ERRORS])
    return [path for path in unknown if path in reported]


def _admit_decoded(
    server: AdmissionServer,
    group: list[Switches],
    decoded: DecodedCrd,
    old: DecodedCrd | None,
    *,
    places: Places | None,
    established: bool,
) -> list[Verdict]:
    if decoded.crd is None:
        return list(_reject_undecodable(group, decoded, places))
    strict = tuple(
        Cause(
            detail=f'unknown field "{format_path(path)}"',
            place=DocumentPlace(places, append_steps(path)) if places else None,
        )
        for path in _select_reported(decoded.unknown)
    )
    verdicts = server.admit_for(group, decoded.crd, old.crd if old else None, established=established)
    return [verdict.replace(unknown_fields=(*strict, *verdict.unknown_fields)) for verdict in verdicts]
