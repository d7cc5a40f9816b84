"""Calls of library functions with arguments at random: `GENERATORS` by library."""

from __future__ import annotations

from collections.abc import Callable

from .maker import Maker, hidden, literal
from .opaque import formats, net, quantity, semver, urls


def strings(make: Maker) -> str:
    """Searching, cutting, joining."""
    text = make.text()
    inside = text[(start := make.random.randint(0, len(text))) : start + make.random.randint(0, 3)]
    part = make.pick((inside, make.text()[:2], ""))
    number, other = make.number(len(text) + 2), make.number(len(text) + 2)
    calls = (
        f"charAt({number})", f"indexOf({literal(part)})", f"indexOf({literal(part)}, {number})",
        f"lastIndexOf({literal(part)})", f"lastIndexOf({literal(part)}, {number})", "lowerAscii()", "upperAscii()",
        "trim()", f"replace({literal(part)}, {literal(make.text()[:3])})",
        f"replace({literal(part)}, {literal(make.text()[:3])}, {number})", f"split({literal(part)})",
        f"split({literal(part)}, {number})", f"substring({number})", f"substring({number}, {other})",
    )  # fmt: skip
    kind = make.random.random()
    if kind < 0.08:
        return f"strings.quote({literal(text)})"
    if kind < 0.2:
        items = ", ".join([literal(make.text()) for _ in range(make.random.randint(0, 4))])
        return f"[{items}].join({make.pick(('', literal(part)))})" if items else "['a'].filter(x, x == '').join()"
    return f"{literal(text)}.{make.pick(calls)}"


def value(make: Maker, depth: int = 2) -> str:
    """Any literal."""
    kinds = 9 if depth else 7
    kind = make.random.randrange(kinds)
    if kind == 7:
        return f"[{', '.join([value(make, depth - 1) for _ in range(make.random.randint(0, 3))])}]"
    if kind == 8:
        pairs = [f"{key(make)}: {value(make, depth - 1)}" for _ in range(make.random.randint(0, 2))]
        return f"{{{', '.join(pairs)}}}"
    return make.pick(_SCALARS)(make)


def key(make: Maker) -> str:
    """A literal that can be a key."""
    return make.pick((str(make.number()), literal(make.text()[:3]), f"{abs(make.number())}u", "true"))


def double(make: Maker) -> str:
    """A double, or a text that counts as one."""
    kind = make.random.random()
    if kind < 0.1:
        return make.pick(('double("NaN")', 'double("Infinity")', 'double("-Infinity")', "-0.0", "0.0"))
    if kind < 0.4:
        return repr(float(make.random.randint(-(10**6), 10**6)) / make.pick((1, 2, 8, 10, 1000)))
    return repr(make.random.uniform(-10, 10) * 10.0 ** make.random.randint(-12, 25))


_SCALARS: tuple[Callable[[Maker], str], ...] = (
    lambda make: str(make.number()),
    double,
    lambda make: literal(make.text()),
    lambda make: f"b{literal(make.text())}" if make.random.random() < 0.7 else r"b'\xff'",
    lambda make: make.pick(("true", "false", "null")),
    lambda make: f"{abs(make.number())}u",
    lambda make: make.pick((
        "timestamp('2024-02-29T12:30:00.5+02:00')", "duration('1h1.5s')", "type(1)", "type([])", "optional.none()",
        "quantity('1k')", "ip('::1')",
    )),
)  # fmt: skip


def formatting(make: Maker) -> str:
    """`format`: the text mostly has a clause for each value."""
    clauses, values = [], []
    for _ in range(make.random.randint(0, 3)):
        letter = make.pick("sdfebxXosdfe") if make.random.random() < 0.95 else make.pick("%qé.")
        precision = f".{make.pick((0, 1, 2, 3, 6, 10, 17, 30, 60, 300))}" if make.random.random() < 0.4 else ""
        clauses.append(f"%{precision}{letter}")
        fitting = {"d": _SCALARS[0], "f": double, "e": double, "b": _SCALARS[0], "o": _SCALARS[5], "s": value}.get(
            letter
        )
        values.append((fitting if fitting and make.random.random() < 0.85 else value)(make))
    if make.random.random() < 0.1:
        values = values[:-1]
    text = make.pick(("", "a", "é%%")) + make.pick(("", " ", ",")).join(clauses)
    return f"{hidden(text)}.format([{', '.join([f'dyn({value})' for value in values])}])"


_ATOMS = (
    "a",
    "b",
    "é",
    ".",
    "[ab]",
    "[^a]",
    "(a|b)",
    "(?:ab)",
    "\\w",
    "\\d",
    "\\s",
    "^",
    "$",
    "\\b",
    "\\pL",
    "(?i)A",
    "[[:alpha:]]",
    "(?P<n>a)",
)


def regex(make: Maker) -> str:
    """Finding."""
    pattern = "".join(
        [
            make.pick(_ATOMS) + make.pick(("", "", "*", "+", "?", "{1,2}", "*?"))
            for _ in range(make.random.randint(0, 4))
        ]
    )
    pattern = hidden(make.damaged(pattern, "ab*+?()[]{}\\|^$.é"))
    text = literal(make.some("abé A1\n😀", 10))
    call = make.pick(("find({})", "findAll({})", f"findAll({{}}, {make.number(5)})", "matches({})"))
    return f"{text}.{call.format(pattern)}"


def items(make: Maker) -> str:
    """A list, mostly of one type that has an order."""
    kind = make.pick(_SCALARS) if make.random.random() < 0.3 else make.pick((
        lambda make: str(make.random.randint(-3, 9)), lambda make: literal(make.some("aAbé", 2)), double,
        lambda make: f"{make.random.randint(0, 5)}u", lambda make: make.pick(("true", "false")),
        lambda make: f"duration('{make.random.randint(-3, 3)}s')",
        lambda make: f"timestamp({make.random.randint(0, 4)})",
        lambda make: f"b{literal(make.some('aAb', 2))}",
    ))  # fmt: skip
    length = make.pick((0, 1, 2, 3, 5, 8, 14, 30)) if make.random.random() < 0.9 else 60
    list_items = [f"dyn({kind(make)})" for _ in range(length)]
    if list_items and make.random.random() < 0.1:
        list_items[make.random.randrange(len(list_items))] = f"dyn({value(make)})"
    return f"[{', '.join(list_items)}]"


def lists(make: Maker) -> str:
    """Order, places, parts."""
    first = items(make)
    number, other = make.number(9), make.number(9)
    item = f"dyn({value(make, 0)})" if make.random.random() < 0.5 else str(make.random.randint(-3, 9))
    calls = (
        "isSorted()", "sum()", "min()", "max()", f"indexOf({item})", f"lastIndexOf({item})", f"includes({item})",
        f"slice({number}, {other})", f"flatten({make.number(3)})", "sort()", "reverse()", "distinct()",
        f"sortBy(x, dyn({make.pick(('x', 'x == x', 'type(x) == int ? dyn(x % 3) : dyn(0)', 'x'))}))",
    )  # fmt: skip
    kind = make.random.random()
    if kind < 0.04:
        return f"lists.range({make.random.randint(-3, 20)})"
    if kind < 0.1:
        return f"[{first}, [{items(make)}], dyn({value(make)})].{make.pick((calls[8], 'flatten()'))}"
    if kind < 0.14:
        return f"dyn({value(make)}).includes({item})"
    if kind < 0.2:
        count = make.pick((13, 20, 49, 51, 120))
        return f"lists.range({count}).sortBy(x, (x * {make.random.randint(1, 99)}) % {make.random.randint(1, count)})"
    return f"{first}.{make.pick(calls)}"


def sets(make: Maker) -> str:
    """Lists as sets."""
    first, second = items(make), items(make)
    return f"sets.{make.pick(('contains', 'equivalent', 'intersects'))}({first}, {make.pick((first, second, second))})"


_ZONES = (
    "UTC", "", "Local", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
    "Asia/Kathmandu", "US/Central", "+02:00", "-02:30", "02:00", "-00:30", "14:00", "+1:5", "23:59", "-25:00", "99:99",
    "america/new_york", "Nowhere", "../etc", "/etc", ":", "1:", ":1", "a:b", "+:1", "1:2:3", "America", "zone.tab",
    "9999999999:00", "99999999999999999999:00", "Africa/Monrovia", "Europe/Dublin", "Antarctica/Troll", "UTC+1",
    "Etc/GMT+5", "EST5EDT", "a b", "é", "a..b",
)  # fmt: skip


def time(make: Maker) -> str:
    """Parts of timestamps and durations."""
    if make.random.random() < 0.25:
        amount = make.pick((make.random.randint(-(10**6), 10**6), make.random.randint(-(1 << 53), 1 << 53)))
        part = make.pick(("getHours", "getMinutes", "getSeconds", "getMilliseconds"))
        return f"duration({hidden(f'{amount}' + make.pick(('ns', 'us', 'ms', 's', 'm')))}).{part}()"
    year = make.pick((1, 2, 1583, 1800, 1883, 1916, 1970, 1999, 2000, 2023, 2024, 2038, 2100, 9999))
    day = f"{year:04d}-{make.random.randint(1, 12):02d}-{make.random.randint(1, 28):02d}"
    moment = f"{day}T{make.random.randint(0, 23):02d}:30:59"
    moment += make.pick(("", ".5", ".123456789")) + make.pick(("Z", "+02:00", "-11:30"))
    part = make.pick((
        "getFullYear", "getMonth", "getDayOfYear", "getDayOfMonth", "getDate", "getDayOfWeek", "getHours", "getMinutes",
        "getSeconds", "getMilliseconds",
    ))  # fmt: skip
    zone = literal(make.pick(_ZONES)) if make.random.random() < 0.8 else ""
    return f"timestamp({hidden(moment)}).{part}({zone})"


GENERATORS: dict[str, Callable[[Maker], str]] = {
    "strings": strings, "formatting": formatting, "quantity": quantity, "semver": semver, "net": net, "urls": urls,
    "regex": regex, "formats": formats, "lists": lists, "sets": sets, "time": time,
}  # fmt: skip
