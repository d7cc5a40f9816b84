"""Go's regular expressions, formats of strings, quantities and other values with their own grammar."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from protoc_gen_crd.cel.library.functions import quantity, semver, string_format
from protoc_gen_crd.cel.values.format_values import FORMATS
from protoc_gen_crd.cel.values.runtime_values import CelError
from protoc_gen_crd.golang import rfc3339
from protoc_gen_crd.golang.netip import AddressError, parse_address, parse_prefix
from protoc_gen_crd.golang.url import UrlError, parse
from protoc_gen_crd.kubernetes import date_byte_and_uuid_formats
from protoc_gen_crd.kubernetes.json_path import JsonPathError, read
from protoc_gen_crd.regex import matcher as match
from protoc_gen_crd.regex.syntax_check import ResourceLimitError, check
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.mutations import CHARACTERS, encoded, mutated_text

_PIECES = (
    "(?i)", "(?P<n>", "(?<n>", "(?:", "(?s-m:", "[[:alpha:]]", "[^", "\\pL", "\\p{Greek}", "\\PN", "\\x{10FFFF}",
    "\\Q", "\\E", "\\b", "\\B",
    "\\A", "\\z", "\\C", "{1000}", "{0,1001}", "{,5}", "{2,1}", "*?", "+?", "??", "|", "a-z", "\\d\\w\\S", "\\1",
    "(?=", "\\u00e9", "$^",
    "{99}{99}", "(((((", "[\\", "\\8", "\\07",
)  # fmt: skip


@cache
def _patterns() -> tuple[str, ...]:
    rows = [row for name in ("verdicts", "versions", "sets") for row in corpus.lines(f"regex/{name}.jsonl")]
    return tuple(sorted({row["pattern"] for row in rows if len(row.get("pattern", "x" * 999)) < 300}))


class Patterns(Fuzzer):
    """Mutated regular expressions, checked and matched."""

    name, slice = "patterns", 150

    def generate(self, random: Random) -> bytes:
        text = random.choice(_patterns())
        for _ in range(random.choice((0, 0, 1, 3))):
            text += random.choice((*_patterns(), *_PIECES))
        return encoded(mutated_text(text, random, _PIECES))

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "surrogateescape")
        errors = [check(text, go=go) for go in (19, 22, 26)]
        try:
            matcher = match.compile(text)
        except ValueError as error:
            if str(error) != errors[-1]:
                raise PropertyError(f"two verdicts: {error}, {errors[-1]}") from None
            return str(errors)
        except ResourceLimitError as error:
            return f"{errors} {error}"
        matches = [matcher.find_all(sample, 50) for sample in ("", "abcABC019 é\n", "aaaa" * 200, text[:500])]
        return f"{errors} {matches}"


_CLAUSES = (
    "%s",
    "%d",
    "%f",
    "%.3f",
    "%e",
    "%.12e",
    "%b",
    "%x",
    "%X",
    "%o",
    "%%",
    "%",
    "%.",
    "%.99999f",
    "%.-1f",
    "%5d",
    "%é",
    "%.1s",
)
_ARGUMENTS: tuple[Any, ...] = (
    1, -1, True, None, "a", "é\0", b"\xff", 1.5, float("nan"), float("inf"), -0.0, 1e308, 5e-324, 2**63 - 1, -(2**63),
    [1, "a"], [],
)  # fmt: skip
_STRINGS = (
    "2020-01-01", "2020-01-01T00:00:00Z", "2020-02-30T24:60:60.123456789+14:00", "1h2m3s", "1d", "-1.5h",
    "99999999999h", "aGVsbG8=", "a===",
    "::1", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3.4/33", "::/128", "http://[::1]:80/a?b#c", "http://%zz", "//a",
    "mailto:a@b", "1.2.3-rc.1+b",
    "v1.2", "{.spec.a[0:1:2]}", ".spec.conditions[?(@.type=='a')].status", ".a..b", "[*]", "['a','b']", "a" * 300,
    "0" * 99,
    "123e4567-e89b-12d3-a456-426614174000", "#fff", "rgb(1,2,3)", "978-3-16-148410-0", "4111 1111 1111 1111", "a@b.c",
)  # fmt: skip


class Formats(Fuzzer):
    """Mutated strings of formats, and of the clauses that `format` replaces."""

    name, slice = "formats", 200

    def generate(self, random: Random) -> bytes:
        if random.random() < 0.4:
            text = "".join(random.choice((*_CLAUSES, "a", *CHARACTERS)) for _ in range(random.randrange(8)))
        else:
            text = mutated_text(random.choice(_STRINGS), random, _STRINGS)
        return encoded(text)

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        results: list[object] = [FORMATS[name](text) for name in sorted(FORMATS)]
        results += [
            getattr(date_byte_and_uuid_formats, name)(text)
            for name in sorted(vars(date_byte_and_uuid_formats))
            if name.startswith("is_")
        ]
        results.append(rfc3339.parse_error(text))
        with suppress(AddressError):
            results.append(parse_address(text))
        with suppress(AddressError):
            results.append(parse_prefix(text))
        for strict in (True, False):
            with suppress(UrlError):
                results.append(parse(text, strict=strict))
        with suppress(JsonPathError):
            results.append(read(text))
        for at in range(len(_ARGUMENTS)):
            with suppress(CelError):
                results.append(string_format.format_text(text, list(_ARGUMENTS[at:])))
        return repr(results)


_QUANTITIES = (
    "1",
    "0",
    "-1.5Gi",
    "1e3",
    "1E",
    "100m",
    "9223372036854775807",
    "1n",
    ".5",
    "5.",
    "+1Ki",
    "1e-9",
    "1e999999999",
    "0.000000001",
    "12Ei",
)
_PARTS = (
    "e",
    "E",
    "Ki",
    "m",
    "u",
    "n",
    "k",
    "i",
    ".",
    "-",
    "+",
    "e9999999999",
    "0" * 400,
    "9" * 1_000,
    "9",
    "1" * 5_000,
)


class Quantities(Fuzzer):
    """Two mutated quantities or semantic versions, and calculations with them."""

    name, slice = "quantities", 100

    def generate(self, random: Random) -> bytes:
        pair = [mutated_text(random.choice((*_QUANTITIES, "1.2.3", "1.2.3-a.1")), random, _PARTS) for _ in range(2)]
        return encoded("\n".join(pair))

    def run(self, data: bytes) -> str:
        first, _, second = data.decode("utf-8", "surrogateescape").partition("\n")
        results: list[object] = [semver.is_semver(first, True), semver.is_semver(second)]
        with suppress(CelError):
            results.append(semver.compare(semver.parse_semver(first), semver.parse_semver(second)))
        if not (quantity.is_quantity(first) and quantity.is_quantity(second)):
            return str(results)
        for work in (quantity.compare, quantity.is_less, quantity.is_greater):
            with suppress(CelError):
                results.append(work(quantity.parse_cel_quantity(first), quantity.parse_cel_quantity(second)))
        sums = [
            work(quantity.parse_cel_quantity(first), quantity.parse_cel_quantity(second))
            for work in (quantity.add, quantity.subtract, quantity.old_add)
        ]
        for parsed in (quantity.parse_cel_quantity(first), *sums):
            for ask in (quantity.get_sign, quantity.as_float, quantity.as_integer, quantity.is_integer):
                with suppress(CelError):
                    results.append(ask(parsed))
        return str(results)
