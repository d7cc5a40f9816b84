"""Plausible example values by the name of the property."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

Entry = TypeVar("Entry")


_DIGEST = "0123456789abcdef" * 4

# Values by the last words of a property name, in lower case and without a plural s.
_STRINGS: dict[str, tuple[str, ...]] = {
    "address": ("192.0.2.1",), "alt name": ("www.example.com",), "annotation": ("example",), "api group": ("apps",),
    "api version": ("v1",), "arg": ("--verbose",), "argument": ("--verbose",), "bind": ("192.0.2.1",),
    "branch": ("main",), "bucket": ("example-bucket",), "ca certificate": ("/etc/example/ca.crt",),
    "ca": ("/etc/example/ca.crt",), "capacity": ("10Gi",), "certificate": ("/etc/example/tls.crt",),
    "checksum": ("0123456789abcdef",), "cidr": ("10.0.0.0/8",), "cipher suite": ("TLS_AES_128_GCM_SHA256",),
    "class name": ("standard",), "class": ("standard",), "cluster": ("example",), "command": ("/bin/app",),
    "config map name": ("example-config",), "cost": ("10",), "cpu": ("500m",), "crl": ("/etc/example/ca.crl",),
    "cron": ("0 * * * *",), "currency": ("EUR",), "date": ("2025-01-31",), "delay": ("5s",),
    "description": ("An example.",), "digest": (f"sha256:{_DIGEST}", "sha256:abc123"), "display name": ("Example",),
    "dns name": ("example.com",), "domain": ("example.com",), "duration": ("10s",), "effect": ("NoSchedule",),
    "email": ("user@example.com",), "endpoint": ("192.0.2.1:8080",), "env": ("production",),
    "environment": ("production",), "expiration": ("24h",), "expression": ("true",), "field path": ("metadata.name",),
    "file name": ("config.yaml",), "file": ("/etc/example/config.yaml",), "finalizer": ("example.com/finalizer",),
    "fqdn": ("www.example.com",), "gateway": ("example",), "group": ("example.com",), "hash": (_DIGEST,),
    "header": ("x-example",), "host ip": ("192.0.2.1",), "host path": ("/var/lib/example",), "host": ("example.com",),
    "hostname": ("www.example.com",), "image": ("registry.example.com/app:1.0",), "interval": ("10s",),
    "ip": ("192.0.2.1",), "issuer": ("https://issuer.example.com",), "json path": (".spec",), "key": ("key",),
    "kind": ("ConfigMap",), "label": ("app",), "language": ("en",), "level": ("info",), "limit": ("1Gi",),
    "locale": ("en-US",), "locality": ("region/zone",), "location": ("region-1",), "mac": ("00:00:5e:00:53:01",),
    "memory": ("128Mi",), "message": ("A message.",), "method": ("GET",), "mode": ("default",),
    "mount path": ("/var/lib/example",), "name": ("example",), "namespace": ("default",), "node name": ("node-1",),
    "node": ("node-1",), "operator": ("In", "Exists", "Equal"), "origin": ("https://example.com",),
    "path": ("/path",), "percent": ("50%",), "percentage": ("50%",), "period": ("10s",), "phase": ("Active",),
    "policy": ("Default",), "port name": ("http",), "port": ("8080",), "prefix": ("/prefix",),
    "private key": ("/etc/example/tls.key",), "protocol": ("TCP",), "provider": ("example",), "query": ("up == 1",),
    "rate": ("100",), "reason": ("Example",), "ref": ("main",), "regex": (".*",), "region": ("region-1",),
    "registry": ("registry.example.com",), "repo": ("https://git.example.com/team/app.git",),
    "repository": ("https://git.example.com/team/app.git",), "resource": ("pods",), "retention": ("168h",),
    "revision": ("main",), "role": ("example-role",), "runtime": ("10m",), "schedule": ("0 * * * *",),
    "scheme": ("https",), "scope": ("Namespaced",), "script": ("echo example",), "secret name": ("example-secret",),
    "secret": ("example-secret",), "selector": ("app=example",), "server": ("https://server.example.com",),
    "service account name": ("default",), "service account": ("default",), "service name": ("example-service",),
    "service": ("example",), "size": ("10Gi",), "sni": ("www.example.com",), "source": ("example",),
    "storage": ("10Gi",), "subject": ("user@example.com",), "subset": ("v1",), "tag": ("1.0",),
    "time zone": ("Etc/UTC",), "time": ("2025-01-31T12:00:00Z", "10s"), "timeout": ("30s",), "timezone": ("Etc/UTC",),
    "title": ("Example",), "token": ("example",), "topology key": ("kubernetes.io/hostname",),
    "trust domain": ("cluster.local",), "ttl": ("1h",), "uid": ("3d813cbb-47fb-42ba-91df-831e1593ac29",),
    "unit": ("s",), "uri": ("https://example.com/",), "url": ("https://example.com/",), "user name": ("user",),
    "user": ("user",), "username": ("user",), "uuid": ("3d813cbb-47fb-42ba-91df-831e1593ac29",), "value": ("value",),
    "verb": ("get",), "version": ("v1",), "volume": ("data",), "window": ("5m",), "zone": ("zone-1",),
}  # fmt: skip
_NUMBERS: dict[str, tuple[int, ...]] = {
    "attempt": (3,), "burst": (200,), "byte": (1048576,), "code": (200,), "concurrency": (2,), "connection": (100,),
    "count": (3,), "day": (7,), "depth": (5,), "group": (1000,), "hour": (24,), "limit": (10,), "max replica": (10,),
    "max size": (10,), "millisecond": (100,), "min replica": (1,), "min size": (1,), "minute": (10,),
    "node port": (30080,), "number": (1,), "parallelism": (2,), "percent": (50,), "percentage": (50,),
    "port": (8080,), "port number": (8080,), "priority": (10,), "rate": (100,), "redirect code": (301,),
    "replica": (3,), "request": (100,), "retry": (3,), "second": (30,), "size": (3,), "status": (200,),
    "threshold": (5,), "timeout": (30,), "ttl": (3600,), "user": (1000,), "weight": (50,), "worker": (2,),
}  # fmt: skip

# Entries of maps in the same way: a key, and the name that the value is generated for.
_ENTRIES: dict[str, tuple[str, str]] = {
    "annotation": ("example.com/note", "name"), "attribute": ("example", "name"), "capacity": ("storage", "storage"),
    "data": ("example.conf", "value"), "env": ("EXAMPLE", "value"), "header": ("x-example", "value"),
    "label": ("app", "name"), "limit": ("cpu", "cpu"), "node selector": ("kubernetes.io/os", "value"),
    "request": ("cpu", "cpu"), "selector": ("app", "name"), "tag": ("environment", "environment"),
}  # fmt: skip

# Other keys of maps, tried if rules reject the first one.
MAP_KEYS = ("8080", "example.com", "example.com/name", "default", "EXAMPLE", "1", "a")

# Words of booleans that a sample should set to false.
_OFF_SWITCHES = frozenset((
    "deny", "disable", "disabled", "force", "insecure", "pause", "paused", "privileged", "skip", "suspend", "suspended",
    "unsafe",
))  # fmt: skip

GENERAL_STRINGS = (
    "10s", "1", "10.0.0.0/8", "192.0.2.1", "example.com", "*", "/path", "https://example.com/", "v1",
    "user@example.com",
    "2001:db8::1", "100m", "10Gi", "10%", "example/name", "example.com/name", "2025-01-31T12:00:00Z", "EXAMPLE",
    "Example", f"registry.example.com/app@sha256:{_DIGEST}", f"sha256:{_DIGEST}", _DIGEST, "a",
)  # fmt: skip

_UNSPECIFIED = frozenset(("", "none", "undefined", "unknown", "unset", "unspecified", "invalid"))
_MAX_HINT_WORDS = 3


def split_words(name: str) -> list[str]:
    """Split the name of a property into words in lower case: `matchLabels` into match and labels."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def _lookup_words(name: str, table: Mapping[str, Entry]) -> Entry | None:
    """Return the table entry of the longest sequence of last words that has one."""
    words = split_words(name)
    for start in range(max(len(words) - _MAX_HINT_WORDS, 0), len(words)):
        hint = " ".join(words[start:])
        for key in (hint, singularize(hint)):
            if key in table:
                return table[key]
    return None


def get_hints(name: str) -> tuple[str, ...]:
    """Return the strings of the table for properties of this name; empty if there are none."""
    return _lookup_words(name, _STRINGS) or ()


def get_strings(name: str) -> tuple[str, ...]:
    """Return plausible strings for a property, the likeliest first; the name may be qualified, as in `port.name`."""
    words = split_words(name.rpartition(".")[2])
    joined = "-".join(words)
    general = (joined, "example") if len(words) > 1 else ("example", joined)
    return (*get_hints(name), *(value for value in general if value), "sample")


def get_numbers(name: str) -> tuple[int, ...]:
    """Return the numbers of the table for properties of this name; empty if there are none."""
    return _lookup_words(name, _NUMBERS) or ()


def get_entry(name: str) -> tuple[str, str]:
    """Return the key of a map entry, and the name that its value is generated for."""
    return _lookup_words(name, _ENTRIES) or ("example", singularize(name))


def qualify_name(parent: str, name: str) -> str:
    """Qualify the name of a property by that of its parent, which distinguishes `port.number` from other numbers."""
    return f"{parent.rpartition('.')[2]}.{name}" if parent else name


def singularize(name: str) -> str:
    """Return the singular of a name."""
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name.removesuffix("s")


def get_booleans(name: str) -> tuple[bool, bool]:
    """Return the values of a boolean of this name, the likeliest first."""
    return (False, True) if _OFF_SWITCHES.intersection(split_words(name)) else (True, False)


def is_unspecified(choice: object) -> bool:
    """Check whether an enum value is a placeholder, such as MODE_UNSPECIFIED."""
    return isinstance(choice, str) and re.split("[_-]", choice.lower())[-1] in _UNSPECIFIED
