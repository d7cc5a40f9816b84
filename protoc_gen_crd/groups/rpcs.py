"""The RPCs of a group: those of all versions, with renamed ones under their newest names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.groups.deprecation_notices import find_deprecation
from protoc_gen_crd.groups.group_model import GroupVersion, Rpc, VersionRpc
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.element_model import Method

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")
_LIKENESS = 0.8  # of the names of RPCs that may be one
_KINDS = {
    (False, False): "unary",
    (False, True): "server streaming",
    (True, False): "client streaming",
    (True, True): "bidirectional streaming",
}


class _RpcMerger:
    """Merges the RPCs of versions, from the newest to the oldest."""

    def __init__(self, versions: Sequence[GroupVersion], collector: MarkerCollector, problems: Problems) -> None:
        self._versions = versions
        self._collector = collector
        self._problems = problems
        self._methods: dict[str, dict[int, VersionRpc]] = {}  # by the newest name, in order
        self._names: dict[str, str] = {}  # the name in older versions -> the newest name

    def merge(self) -> tuple[Rpc, ...]:
        """Return the RPCs in the order of the newest version, then those of older versions."""
        for version in reversed(self._versions):
            renamed = {}
            for method in version.service.methods:
                name = self._names.get(method.name, method.name)
                rpc = VersionRpc(version, method, find_deprecation(method, self._collector), self._find_policy(method))
                self._methods.setdefault(name, {})[version.index] = rpc
                old_name, at = self._find_old_name(method)
                if old_name:
                    renamed[old_name] = name
                    self._check_rename(version, method, old_name, at)
            self._names |= renamed
        return tuple([Rpc(name, methods) for name, methods in self._methods.items()])

    def _find_old_name(self, method: Method) -> tuple[str, Place]:
        for members in self._collector.collect(method).members:
            if members.values.get("renamed_from"):
                return str(members.values["renamed_from"]), members.get_place("renamed_from")
        return "", method.at

    def _find_policy(self, method: Method) -> Mapping[str, int]:
        policies = (members.values.get("policy") for members in self._collector.collect(method).members)
        return next((policy for policy in policies if policy), {})

    def _check_rename(self, version: GroupVersion, method: Method, old_name: str, at: Place) -> None:
        """Report a rename of an RPC that the previous version does not have, or that the same version still has."""
        if old_name in [other.name for other in version.service.methods]:
            problem = f'"{method.name}" is renamed from "{old_name}", which {version.name} still has'
            self._problems.report("group-rpc", problem, at, path=method.full_name)
            return
        older = [
            other.name for older_version in self._versions[: version.index] for other in older_version.service.methods
        ]
        if old_name not in older:
            hint = self._problems.suggest(old_name, older)
            problem = f'no older version has an RPC "{old_name}"'
            self._problems.report("group-rpc", problem, at, path=method.full_name, hint=hint)


def merge_rpcs(
    group: str, versions: Sequence[GroupVersion], collector: MarkerCollector, problems: Problems
) -> tuple[Rpc, ...]:
    """Return the RPCs of all versions, and report those that no single method of a server can implement."""
    rpcs = _RpcMerger(versions, collector, problems).merge()
    for rpc in rpcs:
        _check_streaming(group, rpc, problems)
        _check_messages(group, rpc, problems)
    for older, newer in pairwise(versions):
        _check_renames(group, rpcs, older, newer, problems)
    return rpcs


def _check_renames(
    group: str, rpcs: Sequence[Rpc], older: GroupVersion, newer: GroupVersion, problems: Problems
) -> None:
    """Report RPCs that seem to be renamed without a declaration, which are two methods of the server."""
    removed = [rpc.methods[older.index] for rpc in rpcs if max(rpc.methods) == older.index]
    added = [rpc.methods[newer.index] for rpc in rpcs if min(rpc.methods) == newer.index]
    for rpc in removed:
        name = rpc.method.name
        similar = [
            candidate
            for candidate in added
            if _get_kind(candidate) == _get_kind(rpc) and _is_similar(name, candidate.method.name)
        ]
        if len(similar) == 1:
            method = similar[0].method
            problem = f'RPC "{name}" of {older.name} is not in {newer.name} of group "{group}", '
            problem += f'and "{method.name}" is new: they are two methods of the server'
            hint = f'if it is renamed, set renamed_from: "{name}"'
            problems.report("group-rpc-rename", problem, method.at, path=method.full_name, hint=hint)


def _is_similar(name: str, other: str) -> bool:
    """Return whether the words of one name include those of the other, or the names differ only in some letters."""
    words, other_words = ({word.lower() for word in _WORD.findall(rpc_name)} for rpc_name in (name, other))
    return words <= other_words or other_words <= words or find_nearest(name, [other], _LIKENESS) is not None


def _get_kind(rpc: VersionRpc) -> str:
    return _KINDS[rpc.method.client_streaming, rpc.method.server_streaming]


def _check_streaming(group: str, rpc: Rpc, problems: Problems) -> None:
    kinds = {index: _get_kind(version_rpc) for index, version_rpc in rpc.methods.items()}
    if len({*kinds.values()}) > 1:
        listed = ", ".join(f"{kinds[index]} in {rpc.methods[index].version.name}" for index in sorted(kinds))
        problem = f'RPC "{rpc.name}" of group "{group}" has different kinds: {listed}'
        hint = "give the RPC of the newer version another name"
        problems.report("group-rpc", problem, rpc.newest.method.at, path=rpc.newest.method.full_name, hint=hint)


def _check_messages(group: str, rpc: Rpc, problems: Problems) -> None:
    """Report an RPC whose messages have other names in other versions, although its own name is the same."""
    by_name: dict[str, list[VersionRpc]] = {}
    for index in sorted(rpc.methods):
        by_name.setdefault(rpc.methods[index].method.name, []).append(rpc.methods[index])
    for name, methods in by_name.items():
        signatures = {method.version.name: _format_signature(method) for method in methods}
        if len({*signatures.values()}) > 1:
            listed = "; ".join(f"{version}: {signature}" for version, signature in signatures.items())
            problem = f'RPC "{name}" of group "{group}" has messages of different names: {listed}'
            hint = "use the same names in all versions, or rename the RPC with renamed_from"
            problems.report("group-rpc", problem, methods[-1].method.at, path=methods[-1].method.full_name, hint=hint)


def _format_signature(rpc: VersionRpc) -> str:
    names = rpc.version.get_relative_name
    return f"({names(rpc.method.input_type)}) returns ({names(rpc.method.output_type)})"


def list_message_pairs(rpcs: Sequence[Rpc]) -> Iterator[Mapping[int, str]]:
    """Yield the full names of the requests, and of the responses, of each RPC by version index."""
    for rpc in rpcs:
        yield {index: version_rpc.method.input_type for index, version_rpc in rpc.methods.items()}
        yield {index: version_rpc.method.output_type for index, version_rpc in rpc.methods.items()}
