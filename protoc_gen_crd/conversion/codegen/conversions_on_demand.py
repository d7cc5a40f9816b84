"""Convert objects with the functions of a generated module, each of which is generated when it is called first.

A module has functions for each pair of versions, and an object needs few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from threading import RLock
from typing import Any, TypeVar

from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions
from protoc_gen_crd.conversion.codegen.module_generator import (
    find_relevant_gaps,
    generate_fields_module,
    generate_module,
)
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import DirectPairs, Plan, VersionPair
from protoc_gen_crd.conversion.runtime.hub_changes import convert_across_hubs
from protoc_gen_crd.conversion.runtime.runtime import Object

Ends = tuple[str, str]  # the source and the target version
ModuleLoader = Callable[[Plan, str], Mapping[str, Any]]  # from a plan and source to the names of a module
Key = TypeVar("Key")
Value = TypeVar("Value")


class ConverterOnDemand:
    """The function `convert` of a plan whose conversions between spokes are derived on demand.

    Shortcut functions-on-demand: the functions of a pair depend on nothing but the pair and the schemas of both of its
    versions, and modules find them by their versions.
    """

    def __init__(self, plan: Plan, direct: DirectPairs, load_module: ModuleLoader) -> None:
        """Load the functions that call hand-written ones at once; errors of these are raised."""
        self._plan, self._direct, self._load_module = plan, direct, load_module
        self._pairs = {ends: pair for pair in plan.pairs for ends in ((pair.spoke, plan.hub), (plan.hub, pair.spoke))}
        self._modules: dict[str, Mapping[str, Any]] = {}
        self._lock = RLock()  # objects are converted in several threads
        spokes = list(permutations([pair.spoke for pair in plan.pairs], 2))
        self._conversions = _OnDemand(list(self._pairs), self._pairs.get, self._make_conversion)
        direct_conversions = _OnDemand(spokes, lambda ends: self._find_direct(ends)[0], self._make_conversion)
        self._between = direct_conversions, _OnDemand(spokes, self._find_gap, lambda _, fields: fields)
        versions = {version.name: version for version in plan.crd.versions if version.schema is not None}
        self._fields = _OnDemand(list(versions), versions.get, lambda name, _: self._make_fields(name))
        for pair in plan.pairs:
            if find_required_functions(plan.replace(pairs=(pair,))):
                self._load_pair(pair)

    def convert(self, source: Object, version: str) -> Object:
        """Convert an object to a version; raises ConversionError."""
        plan = self._plan
        return convert_across_hubs(
            source, version, plan.crd.group, plan.hub, self._conversions, self._fields, self._between
        )

    def _make_conversion(self, ends: Ends, pair: VersionPair) -> Callable[[Object], Object]:
        def convert(source: Object) -> Object:
            result: Object = self._load_pair(pair)["CONVERSIONS"][ends](source)
            return result

        return convert

    def _load_pair(self, pair: VersionPair) -> Mapping[str, Any]:
        name = f"{pair.spoke} {pair.to_hub.target}"
        return self._load(name, lambda: generate_module(self._plan.replace(pairs=(pair,))))

    def _make_fields(self, name: str) -> Callable[[Any, str], Any]:
        versions = tuple([version for version in self._plan.crd.versions if version.name == name])
        plan = self._plan.replace(crd=self._plan.crd.replace(versions=versions))

        def select_fields(value: Any, path: str) -> Any:
            return self._load(name, lambda: generate_fields_module(plan))["FIELDS"][name](value, path)

        return select_fields

    def _load(self, name: str, generate: Callable[[], str]) -> Mapping[str, Any]:
        with self._lock:
            if name not in self._modules:
                self._modules[name] = self._load_module(self._plan, generate())
            return self._modules[name]

    def _find_direct(self, ends: Ends) -> tuple[VersionPair | None, tuple[Any, ...]]:
        """Return the conversion between two spokes, and its gaps; nothing for other versions."""
        if ends[0] == ends[1] or not all((name, self._plan.hub) in self._pairs for name in ends):
            return None, ()
        with self._lock:
            return self._direct.find(*ends)

    def _find_gap(self, ends: Ends) -> tuple[Path, ...] | None:
        """Return the fields of a gap; None if there is no gap that matters to a module."""
        gaps = find_relevant_gaps(self._plan, self._find_direct(ends)[1], self._has_direct)
        return next((gap.fields for gap in gaps if (gap.spoke, gap.other) == ends), None)

    def _has_direct(self, one: str, other: str) -> bool:
        return self._find_direct((one, other))[0] is not None


class _OnDemand(Mapping[Key, Value]):
    """A mapping of those keys that something is found for, whose values are made on access."""

    def __init__(self, keys: list[Key], find: Callable[[Key], Any], make: Callable[[Key, Any], Value]) -> None:
        self._keys, self._find, self._make = keys, find, make
        self._values: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._values:
            found = self._find(key)
            if found is None:
                raise KeyError(key)
            self._values[key] = self._make(key, found)
        return self._values[key]

    def __contains__(self, key: object) -> bool:
        return key in self._values or self._find(key) is not None  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Key]:
        return (key for key in self._keys if key in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
