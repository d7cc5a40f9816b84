"""IP addresses and ranges. Source: k8s.io/apiserver pkg/cel/library/ip.go, cidr.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import BOOL, INT, STRING, opaque

IP_ADDRESS, IP_RANGE = opaque("net.IP"), opaque("net.CIDR")
_TESTS = (
    ("unspecified", "isUnspecified"), ("loopback", "isLoopback"), ("link_local_multicast", "isLinkLocalMulticast"),
    ("link_local_unicast", "isLinkLocalUnicast"), ("global_unicast", "isGlobalUnicast"),
)  # fmt: skip

IP = Library(
    "kubernetes.net.ip",
    (
        function("string_to_ip", "ip", STRING, result=IP_ADDRESS),
        method("ip_family", "family", IP_ADDRESS, result=INT),
        function("ip_is_canonical", "ip.isCanonical", STRING, result=BOOL),
        *(method(f"ip_is_{word}", name, IP_ADDRESS, result=BOOL) for word, name in _TESTS),
        function("is_ip", "isIP", STRING, result=BOOL),
        function("ip_to_string", "string", IP_ADDRESS, result=STRING),
    ),
    types={IP_ADDRESS.name: IP_ADDRESS},
)

CIDR = Library(
    "kubernetes.net.cidr",
    (
        function("string_to_cidr", "cidr", STRING, result=IP_RANGE),
        method("cidr_contains_ip_string", "containsIP", IP_RANGE, STRING, result=BOOL),
        method("cidr_contains_ip_ip", "containsIP", IP_RANGE, IP_ADDRESS, result=BOOL),
        method("cidr_contains_cidr_string", "containsCIDR", IP_RANGE, STRING, result=BOOL),
        method("cidr_contains_cidr", "containsCIDR", IP_RANGE, IP_RANGE, result=BOOL),
        method("cidr_ip", "ip", IP_RANGE, result=IP_ADDRESS),
        method("cidr_prefix_length", "prefixLength", IP_RANGE, result=INT),
        method("cidr_masked", "masked", IP_RANGE, result=IP_RANGE),
        function("is_cidr", "isCIDR", STRING, result=BOOL),
        function("cidr_to_string", "string", IP_RANGE, result=STRING),
    ),
    types={IP_RANGE.name: IP_RANGE},
)
