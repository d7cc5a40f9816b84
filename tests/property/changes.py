"""Changes of the code under test: memos that never hit or always hit, and values and functions replaced."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from importlib import import_module
from typing import Any

import pytest

Change = Callable[[pytest.MonkeyPatch], None]


class Forgetful(dict[Any, Any]):
    """A memo that never hits. It keeps a reference to its keys, since keys are identities."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[Any] = []

    def __setitem__(self, key: Any, value: Any) -> None:
        self._kept.append(value)
        super().__setitem__(key, value)

    def __contains__(self, _: object) -> bool:
        return False

    def get(self, _: Any, default: Any = None) -> Any:
        return default

    def setdefault(self, key: Any, default: Any = None) -> Any:
        self[key] = default
        return default


class Affirming(dict[Any, Any]):
    """A memo that answers yes for everything."""

    def __contains__(self, _: object) -> bool:
        return True

    def __getitem__(self, _: Any) -> bool:
        return True


class Coarse(dict[Any, Any]):
    """A memo that confuses different keys."""

    def __init__(self, shorten: Callable[[Any], Hashable]) -> None:
        super().__init__()
        self._shorten = shorten

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(self._shorten(key), value)

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(self._shorten(key))

    def __contains__(self, key: object) -> bool:
        return super().__contains__(self._shorten(key))

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(self._shorten(key), default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        return super().setdefault(self._shorten(key), default)


class Everything(frozenset[Any]):
    """A set that contains everything."""

    def __contains__(self, _: object) -> bool:
        return True


def find_value(path: str) -> tuple[Any, str, Any]:
    """The owner, the name and the value of `module:name` or `module:Class.name`."""
    module, _, names = path.partition(":")
    owner: Any = import_module(f"protoc_gen_crd.{module}")
    *classes, name = names.split(".")
    for message_class in classes:
        owner = getattr(owner, message_class)
    return owner, name, getattr(owner, name)


def change(path: str, make: Callable[[Any], Any]) -> Change:
    """Replace a value by a function of it, in every module that imports it."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        owner, name, value = find_value(path)
        owners = [owner]
        if not isinstance(owner, type):
            owners += [item for key, item in sys.modules.items() if key.startswith("protoc_gen_crd.")]
        replacement = make(value)
        for item in owners:
            if vars(item).get(name) is value or item is owner:
                patch.setattr(item, name, replacement)

    return apply


def change_here(path: str, make: Callable[[Any], Any]) -> Change:
    """Replace a value only in its module."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        owner, name, value = find_value(path)
        patch.setattr(owner, name, make(value))

    return apply


def put(path: str, value: Any) -> Change:
    """Replace a value."""
    return change(path, lambda _: value)


def memo(path: str, make: Callable[[], Any]) -> Change:
    """Give each object another memo as it is created; the path names the attribute, perhaps of a part of the object."""
    module, _, names = path.partition(":")
    owner, *parts, name = names.split(".")

    def replace(initialize: Callable[..., None]) -> Callable[..., None]:
        def wrapped(self: Any, *args: Any, **keywords: Any) -> None:
            initialize(self, *args, **keywords)
            for part in parts:
                self = getattr(self, part)
            setattr(self, name, make())

        return wrapped

    return change(f"{module}:{owner}.__init__", replace)


def both(*changes: Change) -> Change:
    """Several changes."""

    def apply(patch: pytest.MonkeyPatch) -> None:
        for item in changes:
            item(patch)

    return apply


def select_own_version(self: Any, minors: int) -> int:
    return int(minors & 1 << self.minor)


def select_all_versions(_: Any, minors: int) -> int:
    return minors


def say_yes(*_: Any, **__: Any) -> bool:
    return True


def say_no(*_: Any, **__: Any) -> bool:
    return False


def drop_all(*_: Any) -> None:
    """Return no key at all: the first entry always matches."""


def drop_part(index: int) -> Callable[[Any], Hashable]:
    """A key without one of its parts."""
    return lambda key: (*key[:index], *key[index + 1 :])
