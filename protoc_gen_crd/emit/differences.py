"""report=differences: what default mode would change in the CRDs of compat mode, as text for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.types import Crd

_SHOWN = 60  # characters of a value
_BEFORE = 20  # characters shown of what two values begin with
_ABSENT = object()

Change = tuple[str, object, object]


def differences(compat: Sequence[Crd], default: Sequence[Crd]) -> str:
    """One paragraph a CRD: what is only here or there, and each changed place with both values."""
    left = {crd.name: crd for crd in compat}
    right = {crd.name: crd for crd in default}
    lines: list[str] = []
    for name in sorted(left | right):
        if name in left and name in right:
            lines += _crd(left[name], right[name])
        else:
            lines.append(f"{name}: only in {'compat=istio' if name in left else 'default mode'}")
    return "".join(f"{line}\n" for line in lines)


def _crd(old: Crd, new: Crd) -> list[str]:
    """The changes of a CRD; versions that change alike share a paragraph."""
    plain = [encode(crd) for crd in (old, new)]
    versions = [{version.pop("name"): version for version in one["spec"].pop("versions")} for one in plain]
    shared = _lines(plain[0], plain[1])
    lines = [f"{old.name}:", *shared] if shared else []
    groups: dict[str, list[str]] = {}
    for name in [version.name for version in new.versions]:
        if name in versions[0]:
            body = "\n".join(_lines(versions[0][name], versions[1][name]))
            groups.setdefault(body, []).append(name)
    for body, names in groups.items():
        lines.append(f"{old.name} {', '.join(names)}:{'' if body else ' no difference'}")
        lines += body.split("\n") if body else []
    only = sorted(versions[0].keys() ^ versions[1].keys())
    lines += [
        f"{old.name} {name}: only in {'compat=istio' if name in versions[0] else 'default mode'}" for name in only
    ]
    return lines


def _lines(old: object, new: object) -> list[str]:
    changes = list(_changes(old, new, ""))
    described = [change for change in changes if change[0].endswith(".description")]
    rest = [change for change in changes if not change[0].endswith(".description")]
    lines = [f"  {path}: {_shown(one, other)}" for path, one, other in rest]
    if described:
        lines.append(f"  descriptions that differ, being the whole comment: {len(described)}")
    return lines


def _changes(old: object, new: object, path: str) -> Iterator[Change]:
    """Every place where two plain values differ: maps by key, as many maps in a list by index, others as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _changes(old.get(key, _ABSENT), new.get(key, _ABSENT), f"{path}.{key}")
    elif _maps(old) and _maps(new) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _changes(one, other, f"{path}[{index}]")
    elif old != new:
        yield path, old, new


def _maps(value: object) -> TypeGuard[list[dict[str, object]]]:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _shown(old: object, new: object) -> str:
    """Both values, of long ones the part from where they differ."""
    one, other = _text(old), _text(new)
    length = min(len(one), len(other))
    common = next((index for index in range(length) if one[index] != other[index]), length)
    start = max(0, common - _BEFORE)
    return f"{_cut(one, start)} -> {_cut(other, start)}"


def _text(value: object) -> str:
    return "nothing" if value is _ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _cut(text: str, start: int) -> str:
    if len(text) <= _SHOWN:
        return text
    end = start + _SHOWN
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
