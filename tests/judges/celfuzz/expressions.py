"""Random expressions that are worth evaluating: literals that functions of each library take, and nearly so."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    LIST,
    MAP,
    OBJECT,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
)
from tests.judges.celtypes import expressions

from .literals import RANDOM

_TEXTS = (
    "", "a", "b", "A", "ab", "aab", "a-b", "[a-z]+", "^a*b?$", "1s", "-1.5h", "é", "😀x", "2020-01-01T00:00:00Z",
    "2024-02-29T23:59:60Z", "9999-12-31T23:59:59.999999999Z", "2020-06-01T10:00:00.5+02:00", "%s %d", "%.2f|%e", "(",
    "192.168.0.1", "10.0.0.0/8", "::1", "fe80::/10", "::ffff:1.2.3.4", "1.2.3", "v1.2", "1.0.0-rc.1+b", "1.5Gi", "100m",
    "-0.1", "5e3", "https://u@h.example:8080/p%20q?a=b&a=c&d", "/x", "http://[::1]:80/", "true", "1", "-7", "0x1",
    "1e3", "NaN", "Inf", "k", "kk", "dns1123Label", "uuid", "America/New_York", "+01:30", "-08:00", "Europe/Paris",
    " a b\t", "a,b,,c", "namespace", "\\n\\t", "\\\"q\\\"",
)  # fmt: skip
LITERALS: dict[Type, tuple[str, ...]] = {
    BOOL: ("true", "false"),
    INT: ("0", "1", "-1", "2", "3", "7", "100", "9223372036854775807", "-9223372036854775808", "4503599627370497"),
    UINT: ("0u", "1u", "2u", "18446744073709551615u"),
    DOUBLE: ("0.0", "-0.0", "1.0", "1.5", "-2e3", "1e300", "0.1", "3.0", "9007199254740993.0", "double('NaN')"),
    STRING: tuple([f'"{text}"' for text in _TEXTS]),
    BYTES: ("b''", "b'a'", "b'\\xff\\x00'", "b'\\303\\251'"),
    DURATION: ("duration('1s')", "duration('-90m')", "duration('2540400h')", "duration('1.5ms')", "duration('0')"),
    TIMESTAMP: (
        "timestamp('2020-01-01T00:00:00Z')", "timestamp('0001-01-01T00:00:00Z')",
        "timestamp('9999-12-31T23:59:59Z')", "timestamp('2021-03-14T01:59:26.535-05:00')", "timestamp(0)",
    ),
    DYN: (
        "dyn(1)", "dyn(1u)", "dyn(1.0)", "dyn('a')", "dyn(b'a')", "dyn([1])", "dyn([1, 'a', 2.0])", "dyn({'a': 1})",
        "dyn(null)", "dyn(true)", "dyn({})", "dyn([])", "dyn(duration('1s'))", "dyn(optional.of(1))", "dyn(int)",
    ),
}  # fmt: skip


class Evaluated(expressions.Expressions):
    """Makes expressions whose values differ."""

    def any(self, depth: int) -> str:
        """An expression of whatever type, of which one in eight compares or adds parts of the data."""
        return self.compared() if self.random.random() < 0.12 else super().any(depth)

    def compared(self) -> str:
        """Parts of the data of one type."""
        paths = self._paths()
        path, kind = self.random.choice(
            [typed_path for typed_path in paths if typed_path[1].kind in (LIST, MAP, OBJECT)] or paths
        )
        operands = [name for name, its in paths if its == kind] + [self.leaf(kind)]
        first, other, third = [self.random.choice(operands) for _ in range(3)]
        if kind.kind != LIST:
            return self.random.choice((f"{path} == {other}", f"{path} != {other}", f"[{path}] == [{other}]"))
        item = self.leaf(kind.params[0])
        sums = f"{path} + {other}", f"{path} + {other} + {third}", f"{path} + [{item}]", path
        left, right = self.random.choice(sums), self.random.choice(sums)
        return self.random.choice(
            (left, f"{left} == {right}", f"{left} != {first}", f"{item} in {left}", f"{left} == {first}")
        )

    def leaf(self, kind: Type) -> str:
        """Something short."""
        chosen = self.random.random()
        if kind in RANDOM and chosen < 0.25:
            return RANDOM[kind](self.random)
        if kind in LITERALS and chosen < 0.6:
            return self.random.choice(LITERALS[kind])
        return super().leaf(kind)
