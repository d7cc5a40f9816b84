"""Believable texts and numbers, by format and by what a property is called."""

from __future__ import annotations

import re

FORMATS: dict[str, tuple[str, ...]] = {
    "bsonobjectid": ("507f1f77bcf86cd799439011",),
    "byte": ("ZXhhbXBsZQ==", "c2FtcGxl"),
    "cidr": ("10.0.0.0/8", "192.168.0.0/16"),
    "creditcard": ("4111111111111111",),
    "date": ("2025-01-31", "2025-02-28"),
    "datetime": ("2025-01-31T12:00:00Z", "2025-02-28T12:00:00Z"),
    "duration": ("10s", "1m", "1h", "100ms"),
    "email": ("user@example.com", "admin@example.com"),
    "hexcolor": ("#336699",),
    "hostname": ("www.example.com", "example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.2"),
    "ipv6": ("2001:db8::1", "2001:db8::2"),
    "isbn": ("0306406152",),
    "isbn10": ("0306406152",),
    "isbn13": ("9780306406157",),
    "k8slongname": ("example.com", "sample"),
    "k8sshortname": ("example", "sample"),
    "mac": ("00:00:5e:00:53:01",),
    "password": ("secret",),
    "rgbcolor": ("rgb(51,102,153)",),
    "ssn": ("078-05-1120",),
    "uri": ("https://example.com/", "https://www.example.com/path"),
    "uuid": ("3d813cbb-47fb-42ba-91df-831e1593ac29",),
    "uuid3": ("6fa459ea-ee8a-3ca4-894e-db77e160355e",),
    "uuid4": ("3d813cbb-47fb-42ba-91df-831e1593ac29",),
    "uuid5": ("886313e1-3b8a-5372-9b90-0c9aee199e5d",),
}

# The last word of a property's name, in lower case and without a plural s, to what stands there.
_TEXTS: dict[str, tuple[str, ...]] = {
    "address": ("192.0.2.1",), "apiversion": ("v1",), "cidr": ("10.0.0.0/8",), "class": ("standard",),
    "cpu": ("500m",), "date": ("2025-01-31",), "delay": ("5s",), "digest": ("sha256:abc123",),
    "domain": ("example.com",),
    "duration": ("10s",), "email": ("user@example.com",), "endpoint": ("192.0.2.1:8080",), "host": ("example.com",),
    "hostname": ("example.com",), "image": ("registry.example.com/app:1.0",), "interval": ("10s",),
    "ip": ("192.0.2.1",),
    "key": ("key",), "kind": ("ConfigMap",), "label": ("app",), "locality": ("region/zone",), "memory": ("128Mi",),
    "message": ("A message.",), "method": ("GET",), "mode": ("default",), "name": ("example",),
    "namespace": ("default",),
    "path": ("/path",), "percentage": ("50%",), "period": ("10s",), "port": ("8080",), "prefix": ("/prefix",),
    "protocol": ("TCP",), "region": ("region-1",), "regex": (".*",), "schedule": ("0 * * * *",), "scheme": ("https",),
    "service": ("example",), "size": ("10Gi",), "storage": ("10Gi",), "time": ("2025-01-31T12:00:00Z",),
    "timeout": ("30s",), "ttl": ("1h",), "uri": ("https://example.com/",), "url": ("https://example.com/",),
    "user": ("user",), "value": ("value",), "version": ("v1",), "zone": ("zone-1",),
}  # fmt: skip
_NUMBERS: dict[str, tuple[int, ...]] = {
    "code": (200,), "percent": (50,), "percentage": (50,), "port": (8080,), "priority": (10,), "replica": (3,),
    "second": (30,), "status": (200,), "timeout": (30,), "weight": (50,),
}  # fmt: skip

GENERAL = (
    "10s", "1", "10.0.0.0/8", "192.0.2.1", "example.com", "*", "/path", "https://example.com/", "v1",
    "user@example.com",
    "2001:db8::1", "100m", "10Gi", "10%", "example/name", "example.com/name", "2025-01-31T12:00:00Z", "EXAMPLE",
    "Example", "a",
)  # fmt: skip


def words(name: str) -> list[str]:
    """The words of a property's name in lower case: those of `matchLabels` are match and labels."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)]


def _hint(name: str) -> str:
    found = words(name)
    last = found[-1] if found else ""
    return last if last in _TEXTS or last in _NUMBERS else last.removesuffix("s")


def texts_for(name: str) -> tuple[str, ...]:
    """Texts that a property of this name may hold, the likeliest first."""
    own = "-".join(words(name))
    return (*_TEXTS.get(_hint(name), ()), *((own,) if own else ()), "example", "sample")


def numbers_for(name: str) -> tuple[int, ...]:
    """The same for numbers."""
    return _NUMBERS.get(_hint(name), ())
