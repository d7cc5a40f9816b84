"""IP addresses and ranges. Source: k8s.io/apiserver pkg/cel/library/ip.go, cidr.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, Overload, by_version, function, method
from protoc_gen_crd.cel.types import BOOL, INT, STRING, Type, opaque

IP_ADDRESS, IP_RANGE = opaque("net.IP"), opaque("net.CIDR")
_TESTS = (
    ("unspecified", "isUnspecified"), ("loopback", "isLoopback"), ("link_local_multicast", "isLinkLocalMulticast"),
    ("link_local_unicast", "isLinkLocalUnicast"), ("global_unicast", "isGlobalUnicast"),
)  # fmt: skip

_FIRST = 31  # servers: up to there, containsCIDR looks at the first address of what is contained alone
_RUN = "functions.net"


def _contains(ident: str, kind: Type, name: str) -> list[Overload]:
    row = method(ident, "containsCIDR", IP_RANGE, kind, result=BOOL, run=f"{_RUN}.{name}")
    return by_version(row, (_FIRST, f"{_RUN}.old_{name}"))


IP = Library(
    "kubernetes.net.ip",
    (
        function("string_to_ip", "ip", STRING, result=IP_ADDRESS, run=f"{_RUN}.ip"),
        method("ip_family", "family", IP_ADDRESS, result=INT, run=f"{_RUN}.family"),
        function("ip_is_canonical", "ip.isCanonical", STRING, result=BOOL, run=f"{_RUN}.is_canonical"),
        *(method(f"ip_is_{word}", name, IP_ADDRESS, result=BOOL, run=f"{_RUN}.is_{word}") for word, name in _TESTS),
        function("is_ip", "isIP", STRING, result=BOOL, run=f"{_RUN}.is_ip"),
        function("ip_to_string", "string", IP_ADDRESS, result=STRING, run=f"{_RUN}.string"),
    ),
    types={IP_ADDRESS.name: IP_ADDRESS},
)

CIDR = Library(
    "kubernetes.net.cidr",
    (
        function("string_to_cidr", "cidr", STRING, result=IP_RANGE, run=f"{_RUN}.cidr"),
        method("cidr_contains_ip_string", "containsIP", IP_RANGE, STRING, result=BOOL, run=f"{_RUN}.contains_ip_text"),
        method("cidr_contains_ip_ip", "containsIP", IP_RANGE, IP_ADDRESS, result=BOOL, run=f"{_RUN}.contains_ip"),
        *_contains("cidr_contains_cidr_string", STRING, "contains_cidr_text"),
        *_contains("cidr_contains_cidr", IP_RANGE, "contains_cidr"),
        method("cidr_ip", "ip", IP_RANGE, result=IP_ADDRESS, run=f"{_RUN}.cidr_ip"),
        method("cidr_prefix_length", "prefixLength", IP_RANGE, result=INT, run=f"{_RUN}.prefix_length"),
        method("cidr_masked", "masked", IP_RANGE, result=IP_RANGE, run=f"{_RUN}.masked"),
        function("is_cidr", "isCIDR", STRING, result=BOOL, run=f"{_RUN}.is_cidr"),
        function("cidr_to_string", "string", IP_RANGE, result=STRING, run=f"{_RUN}.string"),
    ),
    types={IP_RANGE.name: IP_RANGE},
)
