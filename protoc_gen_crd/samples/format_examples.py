"""Example values of string formats such as date-time: the first ones are the most plausible."""

from __future__ import annotations

from base64 import b64encode


def _make_pem(label: str) -> str:
    """Return a PEM block of this label, in base64."""
    return b64encode(f"-----BEGIN {label}-----\nZXhhbXBsZQ==\n-----END {label}-----\n".encode()).decode()


# By format, without dashes.
FORMAT_EXAMPLES: dict[str, tuple[str, ...]] = {
    "bsonobjectid": ("507f1f77bcf86cd799439011",),
    "byte": ("ZXhhbXBsZQ==", "c2FtcGxl", *(_make_pem(label) for label in ("CERTIFICATE", "PUBLIC KEY", "PRIVATE KEY"))),
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
