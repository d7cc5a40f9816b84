"""Calls of the functions of Kubernetes' own values at random: quantities, versions, addresses, URLs, formats."""

from __future__ import annotations

from .maker import Maker, literal

_QUANTITIES = "0123456789.+-eEinumkKMGTP"
_SUFFIXES = (
    "",
    "",
    "n",
    "u",
    "m",
    "k",
    "M",
    "G",
    "T",
    "P",
    "E",
    "Ki",
    "Mi",
    "Gi",
    "Ti",
    "Pi",
    "Ei",
    "e3",
    "E-3",
    "e+19",
)


def quantity_text(make: Maker) -> str:
    """A quantity's text, sometimes damaged."""
    whole = make.some("0123456789", make.pick((1, 3, 6, 18, 25)))
    fraction = "." + make.some("0012345678900", make.pick((1, 3, 9, 15))) if make.random.random() < 0.4 else ""
    suffix = make.pick(_SUFFIXES)
    if make.random.random() < 0.05:
        suffix = f"e{make.random.randint(-400, 400)}"
    sign = make.pick(("", "", "", "-", "+"))
    return make.damaged(sign + whole + fraction + suffix, _QUANTITIES + "xé ")


def quantity(make: Maker) -> str:
    """Parsing, printing, sums, comparisons; a quantity may be used again."""
    first, second = f"quantity({literal(quantity_text(make))})", f"quantity({literal(quantity_text(make))})"
    number = make.number()
    tests = ("isInteger()", "asInteger()", "asApproximateFloat()")
    sums = (f"add({second})", f"sub({second})", f"add({number})", f"sub({number})")
    kind = make.random.random()
    if kind < 0.25:
        return make.pick((first, f"isQuantity({literal(quantity_text(make))})", f"sign({first})"))
    if kind < 0.6:
        return f"{make.pick((first, f'{first}.{make.pick(sums)}'))}.{make.pick((*sums, *tests))}"
    if kind < 0.7:
        return f"{make.pick((first, f'{first}.{sums[0]}'))} == {make.pick((second, f'{second}.add(1)'))}"
    if kind < 0.8:
        return f"[{first}].map(q, [q.{make.pick(sums)}, q.compareTo({second}) == 0 ? q : q, q.{make.pick(sums)}])[0]"
    if kind < 0.85:
        return f"[{first}].map(q, [q.compareTo({second}) > 0, q.isInteger()])[0]"
    return f"{first}.{make.pick(('isGreaterThan', 'isLessThan', 'compareTo'))}({second})"


def semver_text(make: Maker) -> str:
    """A version, sometimes damaged."""
    parts = [
        make.pick(
            ("0", "1", "2", "10", "01", "00", "18446744073709551615", "18446744073709551616", "9223372036854775808")
        )
        if make.random.random() < 0.1
        else str(make.random.randint(0, 3))
        for _ in range(make.pick((1, 2, 3, 3, 3, 3, 3, 3, 3)))
    ]
    text = make.pick(("",) * 8 + ("v", "vv")) + ".".join(parts)
    if make.random.random() < 0.4:
        text += "-" + ".".join(
            [
                make.pick(
                    ("a", "b", "1", "2", "10", "alpha", "x-y", "0") if make.random.random() < 0.9 else ("01", "", "é")
                )
                for _ in range(make.random.randint(1, 3))
            ]
        )
    if make.random.random() < 0.2:
        text += "+" + make.pick(("a", "b.1", "01", "b", "c.d", "a..b"))
    return make.damaged(text, "0123456789.-+vaé")


def semver(make: Maker) -> str:
    """Parsing, with and without normalizing, and comparisons."""
    first, second = literal(semver_text(make)), literal(semver_text(make))
    normal = make.pick(("", ", true", ", false"))
    call = f"semver({first}{normal})"
    kind = make.random.random()
    if kind < 0.4:
        return make.pick((call, f"isSemver({first}{normal})"))
    if kind < 0.6:
        return f"{call}.{make.pick(('major', 'minor', 'patch'))}()"
    other = f"semver({second}{normal})"
    if kind < 0.7:
        return f"{call} == {other}"
    return f"{call}.{make.pick(('isGreaterThan', 'isLessThan', 'compareTo'))}({other})"


def address_text(make: Maker) -> str:
    """An address, sometimes damaged."""
    if make.random.random() < 0.45:
        octets = [make.pick(("0", "1", "10", "127", "169", "224", "254", "255", "192", "239")) for _ in range(4)]
        if make.random.random() < 0.1:
            octets[make.random.randrange(4)] = make.pick(("256", "01", "", "a"))
        if make.random.random() < 0.3:
            octets = make.pick((["127"], ["169", "254"], ["224", "0", "0"], ["255", "255", "255", "255"])) + octets
        text = ".".join(octets[:4])
    else:
        groups = [
            make.pick(("0", "0", "1", "ff", "fe80", "ff02", "ffff", "2001", "db8", "0db8", "ABCD")) for _ in range(8)
        ]
        if make.random.random() < 0.05:
            groups[make.random.randrange(8)] = "12345"
        text = ":".join(groups[: make.pick((8, 8, 8, 7))])
        if make.random.random() < 0.6:
            start = make.random.randint(0, 7)
            end = make.random.randint(start + (make.random.random() < 0.95), 8)
            text = f"{':'.join(groups[:start])}::{':'.join(groups[end:])}"
        if make.random.random() < 0.15:
            text += ":1.2.3.4" if not text.endswith(":") else "1.2.3.4"
        if make.random.random() < 0.05:
            text += make.pick(("%eth0", "%", "%25"))
    return make.damaged(text, "0123456789abcdefgAF.:%/é")


def prefix_text(make: Maker) -> str:
    """A range, sometimes damaged."""
    bits: int | str = make.pick((0, 1, 8, 9, 15, 16, 24, 31, 32))
    if make.random.random() < 0.2:
        bits = make.pick((33, 48, 64, 127, 128, 129, "08", "+8", "", "-1", "99999999999999999999"))
    return make.damaged(f"{address_text(make)}/{bits}", "0123456789abcdefgAF.:%/é")


def net(make: Maker) -> str:
    """Addresses and ranges."""
    first, second = literal(address_text(make)), literal(address_text(make))
    here, there = literal(prefix_text(make)), literal(prefix_text(make))
    tests = (
        "family", "isUnspecified", "isLoopback", "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast",
    )  # fmt: skip
    address, place, inner = f"ip({first})", f"cidr({here})", f"cidr({there})"
    return make.pick((
        address, f"isIP({first})", f"ip.isCanonical({first})", f"string({address})", f"{address}.{make.pick(tests)}()",
        f"{address}.{make.pick(tests)}()", f"{address} == ip({second})", place, f"isCIDR({here})", f"string({place})",
        f"{place}.masked()", f"{place}.prefixLength()", f"{place}.ip()", f"{place}.containsIP({first})",
        f"{place}.containsIP({address})", f"{place}.containsCIDR({there})", f"{place}.containsCIDR({inner})",
        f"{place} == {inner}", f"{place}.masked() == {place}", f"{place}.containsIP({place}.masked().ip())",
        f"{place}.containsCIDR({place}.masked())", f"{place}.masked().containsCIDR({here})",
    ))  # fmt: skip


_URL = "abcABC019-._~:/?#[]@!$&'()*+,;=%<>\"\\ |é%2F%41%ff%zz"


def url_text(make: Maker) -> str:
    """A URL, sometimes damaged."""
    scheme = make.pick(("http", "https", "HTTPS", "ftp", "mailto", "", "a+b", "1a"))
    user = make.pick(("", "", "", "u@", "u:p@", "u%40:p:q@", "u p@"))
    host = make.pick(
        (
            "a",
            "a.example:80",
            "[::1]:443",
            "[fe80::1%25eth0]",
            "é",
            "a:1:2",
            "a:",
            "",
            "a%20b",
            "a%e4b",
            "[1.2.3.4]",
            "[::1",
            "a b",
        )
    )
    path = make.pick(
        ("", "/", "/a/b", "/a%2Fb", "/a b", "/é", "/a%41", "/(a)'*", "/[a]", "/%zz", "//x", "/a:b", "/%ff", "/a%20b%7e")
    )
    query = make.pick(
        ("", "", "?", "?a=b", "?a=b&a=c&d", "?a=%41+b&%zz=1", "?a;b", "?=x&&y=", "??", "?a=é%ff", "?a=b?c")
    )
    fragment = make.pick(("", "", "", "#", "#f", "#a%zz", "#é(", "#a b?"))
    text = make.pick(
        (f"{scheme}://{user}{host}{path}", f"{scheme}:{path}", path, f"//{host}{path}", "*", make.some(_URL, 9))
    )
    return make.damaged(text + query + fragment, _URL)


def urls(make: Maker) -> str:
    """Parsing, parts, equality."""
    first, second = literal(url_text(make)), literal(url_text(make))
    parts = ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "getQuery")
    kind = make.random.random()
    if kind < 0.35:
        return f"url({first})"
    if kind < 0.45:
        return f"isURL({first})"
    if kind < 0.5:
        return f"url({first}) == url({make.pick((first, second))})"
    return f"url({first}).{make.pick(parts)}()"


_NAMES = [
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
]


def formats(make: Maker) -> str:
    """Validating."""
    name = make.pick(_NAMES)
    if name == "uri":
        text = url_text(make)
    elif name in ("uuid", "byte", "date", "datetime"):
        good = {
            "uuid": ("123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"),
            "byte": ("", "aGVsbG8=", "aGVsbA==", "aGVs", "aGVsbG8", "aGVs bG8="),
            "date": ("2024-02-29", "2023-02-29", "0000-01-01", "2024-13-01"),
            "datetime": (
                "2024-02-29T12:30:00Z",
                "2024-02-29t12:30:00.123+02:00",
                "2024-02-30T00:00:00Z",
                "2024-01-01T24:00:00Z",
                "2024-01-01 00:00:00Z",
            ),
        }[name]
        text = make.damaged(make.pick(good), "0123456789-:TZtz.+=é")
    else:
        text = (
            make.some("ab1-./_A", make.pick((4, 12)))
            if make.random.random() < 0.8
            else make.pick(("a" * 63, "a" * 64, "a." * 127, "é" * 40, ""))
        )
        text = make.damaged(text, "ab1-./_Aé\n")
    call = make.pick((f"format.{name}()", f"format.named({literal(make.damaged(name, 'aL1'))}).value()"))
    return f"{call}.validate({literal(text)})"
