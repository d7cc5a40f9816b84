"""Random releases, with changes that others made since then, and those of a branch: what is reported of the branch."""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes, list_keys
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.severity_profiles import DEFAULT_PROFILES
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.branch_changes import find_branch_changes
from tests.fuzz.edits import Editor
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.probes import ITEM, VALUE, Path, find_differing
from tests.fuzz.random_crds import has_wrapped_bound, make_crd
from tests.fuzz.surfaces.changes import Server, check_soundness, list_common_versions

Json = Any
FindChanges = Callable[[ApiSide, ApiSide, ApiSide], Sequence[Change]]  # of a base, a release, and a branch
_TRIES = 20
_RESTORED = 0.4  # share of edits of a branch that restore a node of the release
_SIDES = ("release", "base", "branch")


def find_changes(base: ApiSide, released: ApiSide, new: ApiSide) -> Sequence[Change]:
    """Return the changes of a branch."""
    return find_branch_changes(base, released, new, Settings(), DEFAULT_PROFILES).changes


class Branches(Fuzzer):
    """Three versions of a CRD: what a branch breaks is reported, and what others did before is not.

    A change since the release is omitted only if the base has the same change, and the branch breaks nothing at the
    node or below it.
    """

    name, slice, seconds = "branches", 40, 20.0

    def __init__(self, find: FindChanges = find_changes) -> None:
        self._find = find

    def generate(self, random: Random) -> bytes:
        """Return three CRDs that a server accepts."""
        server = Server()
        while server.admit(release := make_crd(random)) is None or has_wrapped_bound(release):
            pass
        editor = Editor(random)
        base = _edit(server, release, lambda crd: editor.edit(crd)[1], random.choice((0, 1, 1, 2, 3)))
        branch = _edit(
            server, base,
            lambda crd: _restore(random, crd, release) if random.random() < _RESTORED else editor.edit(crd)[1],
            random.choice((0, 1, 1, 2)),
        )  # fmt: skip
        return json.dumps(dict(zip(_SIDES, (release, base, branch), strict=True))).encode()

    def run(self, data: bytes) -> str:
        """Compare the versions of an input. Raises PropertyError for a wrong result."""
        try:
            crds = json.loads(data)
            sides = [_make_side(crds[name]) for name in _SIDES]
        except (ValueError, KeyError, TypeError):
            return "no input"
        server = Server()
        if None in sides or None in [server.admit(crds[name]) for name in _SIDES]:
            return "no input"
        release, base, branch = (side for side in sides if side)
        changes = self._find(base, release, branch)
        expected = judge_changes(release.crds, branch.crds)
        if crds["release"] == crds["base"] and _drop_places(changes) != _drop_places(expected):
            raise PropertyError(f"{_describe(changes)} instead of {_describe(expected)}")
        if crds["base"] == crds["branch"] and changes:
            raise PropertyError(f"changes of a branch without changes: {_describe(changes)}")
        _check_reported((release, base, branch), changes, expected)
        for version in list_common_versions(crds, _SIDES):
            check_soundness(server, crds, _SIDES, version, changes, Random(zlib.crc32(data)))
        return "\n".join(_describe(changes))


def _edit(server: Server, crd: Json, edit: Callable[[Json], Json], count: int) -> Json:
    """Return a CRD with a number of edits that a server accepts."""
    for _ in range(count):
        for _ in range(_TRIES):
            edited = edit(crd)
            if edited != crd and not has_wrapped_bound(edited) and server.admit(edited) is not None:
                crd = edited
                break
    return crd


def _restore(random: Random, crd: Json, release: Json) -> Json:
    """Return a CRD with a node of a schema as in the release."""
    restored = copy.deepcopy(crd)
    schemas = [_get_schemas(side) for side in (restored, release)]
    differing = [
        (name, path, old)
        for name in schemas[0].keys() & schemas[1].keys()
        for path, _, old in find_differing(schemas[0][name], schemas[1][name])
        if path
    ]
    if not differing:
        return crd
    name, path, old = random.choice(sorted(differing, key=str))
    *around, last = path
    node = schemas[0][name]
    for step in around:
        node = node[_ELEMENTS[step]] if step in _ELEMENTS else node["properties"][step]
    owner, key = (node, _ELEMENTS[last]) if last in _ELEMENTS else (node.setdefault("properties", {}), last)
    if old:
        owner[key] = copy.deepcopy(old)
    else:
        owner.pop(key, None)
    return restored


_ELEMENTS = {ITEM: "items", VALUE: "additionalProperties"}


def _get_schemas(crd: Json) -> dict[str, Json]:
    return {version["name"]: version["schema"]["openAPIV3Schema"] for version in crd["spec"]["versions"]}


def _make_side(plain: Json) -> ApiSide | None:
    crd = decode(plain).crd
    return ApiSide("", (crd,)) if crd else None


def _drop_places(changes: Iterable[Change]) -> list[Change]:
    return [change.replace(at=None, old_at=None, nodes=None) for change in changes]


def _check_reported(
    sides: tuple[ApiSide, ApiSide, ApiSide], changes: Sequence[Change], expected: Sequence[Change]
) -> None:
    """Check that a change since the release is reported unless the branch has no part in it."""
    release, base, branch = sides
    reported = {key for change in changes for key in list_keys(change)}
    if invented := reported - {key for change in expected for key in list_keys(change)}:
        raise PropertyError(f"no changes since the release: {sorted(map(str, invented))}")
    before = judge_changes(release.crds, base.crds)
    known = {key for change in before for key in list_keys(change)}
    of_branch = [change for change in compare_apis(base.crds, branch.crds) if _is_harmful(change)]
    for change in filter(_is_harmful, expected):
        is_own = any(key not in known for key in list_keys(change)) and not _is_weakened(change, before, of_branch)
        is_touched = change.nodes is not None and any(_is_below(own, change) for own in of_branch)
        if (is_own or is_touched) and reported.isdisjoint(list_keys(change)):
            raise PropertyError(f"not reported: {_describe([change])}, but {_describe(changes)}")


def _is_harmful(change: Change) -> bool:
    return change.change_class > ChangeClass.LOOSEN


def _is_weakened(change: Change, before: Iterable[Change], of_branch: Iterable[Change]) -> bool:
    """Return whether others changed the keyword of a node at least as much, and the branch breaks nothing near it."""
    is_known = any(
        other.keyword == change.keyword and other.change_class >= change.change_class and _is_at(other, change)
        for other in before
    )
    is_broken = any(_is_below(own, change) or _is_below(change, own) for own in of_branch)
    return change.nodes is not None and is_known and not is_broken


def _is_at(change: Change, other: Change) -> bool:
    return _is_below(change, other) and _is_below(other, change)


def _is_below(change: Change, around: Change) -> bool:
    """Return whether a change is at the path of another one or below it, in one of its versions."""
    if not {*change.versions} & {*around.versions}:
        return False
    path, parent = _split(change.path), _split(around.path)
    return path[: len(parent)] == parent


def _split(path: str) -> Path:
    return tuple(path.replace("[]", f".{ITEM}").replace("{}", f".{VALUE}").split(".")) if path else ()


def _describe(changes: Iterable[Change]) -> list[str]:
    return [f"{change.rule} {change.path} {change.message}" for change in changes]
