"""IP addresses and ranges. Source: k8s.io/apiserver pkg/cel/library/ip.go, cidr.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import BOOL, INT, STRING, Type, make_opaque_type
from protoc_gen_crd.cel.version_differences import CONTAINED_RANGES

IP_ADDRESS, IP_RANGE = make_opaque_type("net.IP"), make_opaque_type("net.CIDR")
_TESTS = (
    ("unspecified", "isUnspecified"), ("loopback", "isLoopback"), ("link_local_multicast", "isLinkLocalMulticast"),
    ("link_local_unicast", "isLinkLocalUnicast"), ("global_unicast", "isGlobalUnicast"),
)  # fmt: skip

_RUN = "functions.net"


def _make_contains_overloads(ident: str, kind: Type, name: str) -> list[Overload]:
    row = declare_method(ident, "containsCIDR", IP_RANGE, kind, result=BOOL, run=f"{_RUN}.{name}")
    return split_by_version(row, (CONTAINED_RANGES, f"{_RUN}.old_{name}"))


IP = Library(
    "kubernetes.net.ip",
    (
        declare_function("string_to_ip", "ip", STRING, result=IP_ADDRESS, run=f"{_RUN}.parse_ip"),
        declare_method("ip_family", "family", IP_ADDRESS, result=INT, run=f"{_RUN}.get_family"),
        declare_function("ip_is_canonical", "ip.isCanonical", STRING, result=BOOL, run=f"{_RUN}.is_canonical"),
        *(
            declare_method(f"ip_is_{word}", name, IP_ADDRESS, result=BOOL, run=f"{_RUN}.is_{word}")
            for word, name in _TESTS
        ),
        declare_function("is_ip", "isIP", STRING, result=BOOL, run=f"{_RUN}.is_ip"),
        declare_function("ip_to_string", "string", IP_ADDRESS, result=STRING, run=f"{_RUN}.format_address"),
    ),
    types={IP_ADDRESS.name: IP_ADDRESS},
)

CIDR = Library(
    "kubernetes.net.cidr",
    (
        declare_function("string_to_cidr", "cidr", STRING, result=IP_RANGE, run=f"{_RUN}.parse_cidr"),
        declare_method(
            "cidr_contains_ip_string", "containsIP", IP_RANGE, STRING, result=BOOL, run=f"{_RUN}.contains_ip_string"
        ),
        declare_method(
            "cidr_contains_ip_ip", "containsIP", IP_RANGE, IP_ADDRESS, result=BOOL, run=f"{_RUN}.contains_ip"
        ),
        *_make_contains_overloads("cidr_contains_cidr_string", STRING, "contains_cidr_string"),
        *_make_contains_overloads("cidr_contains_cidr", IP_RANGE, "contains_cidr"),
        declare_method("cidr_ip", "ip", IP_RANGE, result=IP_ADDRESS, run=f"{_RUN}.get_cidr_ip"),
        declare_method("cidr_prefix_length", "prefixLength", IP_RANGE, result=INT, run=f"{_RUN}.get_prefix_length"),
        declare_method("cidr_masked", "masked", IP_RANGE, result=IP_RANGE, run=f"{_RUN}.mask_cidr"),
        declare_function("is_cidr", "isCIDR", STRING, result=BOOL, run=f"{_RUN}.is_cidr"),
        declare_function("cidr_to_string", "string", IP_RANGE, result=STRING, run=f"{_RUN}.format_address"),
    ),
    types={IP_RANGE.name: IP_RANGE},
)
