"""Examples of messages that a change of a group affects: the RPC, and the request or response with the field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.api_summary import Facts, VersionSummary
from protoc_gen_crd.comparison.groups.group_api import ENUM, MESSAGE, REQUEST, RESPONSE, RPC, get_element

_MAP = re.compile(r"map<(\w+), (.+)>")
_INTEGERS = ("int32", "sint32", "sfixed32", "uint32", "fixed32")
_LONGS = ("int64", "sint64", "sfixed64", "uint64", "fixed64")  # strings in Proto JSON


class MessageUses:
    """The shortest way from an RPC of a version to each message."""

    def __init__(self, version: VersionSummary) -> None:
        self._fields = version.fields
        self._ways: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}  # message, direction -> RPC, fields
        for way in (REQUEST, RESPONSE):
            self._find_ways(way)

    def _find_ways(self, way: str) -> None:
        rpcs = [(path, facts) for path, facts in self._fields.items() if get_element(facts) == RPC]
        queue: list[tuple[str, str, tuple[str, ...]]] = [(str(facts[way]), path, ()) for path, facts in rpcs]
        for message, rpc, steps in queue:  # the list grows
            if (message, way) not in self._ways:
                self._ways[message, way] = (rpc, steps)
                queue += [(get_type(facts), rpc, (*steps, path)) for path, facts in self._list_members(message)]

    def _list_members(self, message: str) -> Iterator[tuple[str, Facts]]:
        for path, facts in self._fields.items():
            if path.rpartition(".")[0] == message and get_element(self._fields.get(get_type(facts), {})) == MESSAGE:
                yield path, facts

    def wrap(self, message: str, way: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request or response of an RPC with a message inside; empty if no RPC uses it in the direction."""
        if (message, way) not in self._ways:
            return {}
        rpc, steps = self._ways[message, way]
        value: Any = content
        for path in reversed(steps):
            value = {path.rpartition(".")[2]: wrap_value(str(self._fields[path]["type"]), value)}
        return {"rpc": rpc, way: value}

    def make_value(self, facts: Facts, *, large: bool = False) -> Any:
        """Return a value of a field in Proto JSON that is not its default; with `large`, one of more than 32 bits."""
        single = get_type(facts)
        if single in _INTEGERS or single in _LONGS:
            number = 2**40 if large else 1
            value: Any = str(number) if single in _LONGS else number
        else:
            enum = self._fields.get(single, {})
            names = enum.get("enum", ()) if get_element(enum) == ENUM else ()
            value = [*names, *names][1] if names else _VALUES.get(single, {})
        return wrap_value(str(facts["type"]), value)


_VALUES: Mapping[str, Any] = {"string": "a", "bytes": "AA==", "bool": True, "double": 0.5, "float": 0.5}


def get_type(facts: Facts) -> str:
    """Return the type of the values of a field, without `repeated` and map keys."""
    text = str(facts.get("type", ""))
    match = _MAP.fullmatch(text)
    return match[2] if match else text.removeprefix("repeated ")


def wrap_value(type_text: str, value: Any) -> Any:
    """Return a value as the field of a type has it: in a list, in a map, or as it is."""
    match = _MAP.fullmatch(type_text)
    if match:
        return {"true" if match[1] == "bool" else "a" if match[1] == "string" else "1": value}
    return [value] if type_text.startswith("repeated ") else value
