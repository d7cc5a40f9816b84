"""What is converted by hand of Gadget of acme.example."""

from __future__ import annotations

from typing import Any

from .handwritten import Derived, function
from .runtime import Object

_UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


@function
def millis_of_cpu(value: Any) -> Any:
    """Millis of `1500m` or `2`; nothing of what is no number."""
    number = value.removesuffix("m")
    if not (number.isascii() and number.isdigit() and len(number) < 20):
        return None
    millis = int(number) if value.endswith("m") else int(number) * 1000
    return millis if millis < 2**63 else None


@function
def cpu_of_millis(value: Any) -> Any:
    """The shortest text of so many millis."""
    return str(value // 1000) if value % 1000 == 0 else f"{value}m"


@function
def limits_from_v1(value: Object, derived: Derived) -> Object:
    """What is derived, and the bytes of the memory."""
    made = derived(value)
    number, unit = value.get("memory", "")[:-2], value.get("memory", "")[-2:]
    if unit in _UNITS and number.isascii() and number.isdigit() and len(number) < 8:
        made["memoryBytes"] = int(number) * _UNITS[unit]
    return made


@function
def limits_to_v1(value: Object, derived: Derived) -> Object:
    """What is derived, and the memory in its largest whole unit."""
    made = derived(value)
    size = value.get("memoryBytes")
    for unit, factor in reversed(_UNITS.items()):
        if size is not None and size % factor == 0:
            return {**made, "memory": f"{size // factor}{unit}"}
    return made


@function
def number_of_address(value: Any) -> Any:
    """The port behind the colon, as a float, which is an integer to servers."""
    number = value.rpartition(":")[2]
    return float(number) if number.isascii() and number.isdigit() and int(number) < 65536 else None
