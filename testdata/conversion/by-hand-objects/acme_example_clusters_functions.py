"""What is converted by hand of Cluster of acme.example."""

from __future__ import annotations

from .handwritten import Derived, function
from .runtime import Object

_SSD = {True: "ssd", False: "hdd"}


@function
def limits_of_quota(value: Object, derived: Derived) -> Object:
    """What is derived, with the bytes of the memory, the millis of the request and the classes of the disks."""
    made = derived(value)
    size, cpu = value.get("memory", ""), (value.get("cpu") or {}).get("request", "")
    if size.endswith("Mi") and _is_number(size[:-2]) and int(size[:-2]) < 2**43:
        made["memoryBytes"] = int(size[:-2]) * 2**20
    if _is_number(cpu) and int(cpu) <= 1000:
        made["cpu"] = {**made["cpu"], "millis": int(cpu) * 1000}
    if value.get("disks") is not None:
        made["disks"] = [_disk(each) for each in value["disks"]]
    return made


@function
def quota_of_limits(value: Object, derived: Derived) -> Object:
    """What is derived, with whole mebibytes, whole requests, and whether disks are fast."""
    made = derived(value)
    if "memoryBytes" in value:
        made["memory"] = f"{value['memoryBytes'] // 2**20}Mi"
    cpu = value.get("cpu") or {}
    if "millis" in cpu:
        made["cpu"] = {**made["cpu"], "request": str(cpu["millis"] // 1000)}
    if value.get("disks") is not None:
        made["disks"] = [_old_disk(each) for each in value["disks"]]
    return made


@function
def owner_from_v1(value: Object, derived: Derived) -> Object:
    """What is derived: the domain is of the address."""
    return derived(value)


@function
def owner_to_v1(value: Object, derived: Derived) -> Object:
    """What is derived, with the domain of the address."""
    domain = value.get("mail", "").rpartition("@")[2]
    return {**derived(value), "domain": domain} if domain else derived(value)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _disk(disk: Object) -> Object:
    named = {"name": disk["name"]} if "name" in disk else {}
    return {**named, "class": _SSD[disk["fast"]]} if "fast" in disk else named


def _old_disk(disk: Object) -> Object:
    named = {"name": disk["name"]} if "name" in disk else {}
    fast = [key for key, name in _SSD.items() if name == disk.get("class")]
    return {**named, "fast": fast[0]} if fast else named
