"""Parser of markers with a CEL rule, which controller-gen and Istio's generator may read differently.

The latter uses the characters after the first `,rule=` without the first and the last. For rules of items, both agree.
Source: istio/tools cmd/protoc-gen-crd.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_argument_parser import ParsedMarker
from protoc_gen_crd.markers.marker_value_scanner import GrammarError

RAW = "kubebuilder:validation:XValidation"  # the marker that Istio's generator reads differently
_RULE = ",rule="
_NEXT = "[\"'`] *, *[A-Za-z]+ *="  # the start of another argument
_QUOTES = "\"'`"
_HINT = "write it as an option"


class _RawRule(Record):
    """The reading of Istio's generator; `at` is the offset of the first character after `,rule=`."""

    parsed: ParsedMarker
    rule: str
    at: int
    quote: str  # empty if the rule is not quoted

    @property
    def values(self) -> Mapping[str, Any]:
        return {**self.parsed.values, "rule": self.rule}


def read_rule(marker_text: str, parse: Callable[[str], ParsedMarker]) -> tuple[ParsedMarker, GrammarError | None]:
    """Return the arguments of a rule, and the finding if the tools read them differently.

    The reading of controller-gen applies if it is valid, otherwise that of Istio's generator.
    """
    parsed, written = parse(marker_text), marker_text.partition(_RULE)[2]
    if not parsed.errors and len(written) > 1 and parsed.values.get("rule") == written[1:-1]:
        return parsed, None  # the usual case: both agree
    raw = _parse_raw(marker_text, parse)
    if raw is None or (not parsed.errors and parsed.values == raw.values):
        return parsed, None
    if parsed.errors:
        intended = raw.quote and (_is_cel(raw.rule) or _is_broken_off(marker_text, parsed.errors[0].offset, raw))
        return (raw.parsed.replace(values=raw.values) if intended else parsed), None
    rule, last = parsed.values["rule"], parsed.values.keys() == raw.values.keys()
    if (last and rule == raw.rule) or not _is_cel(raw.rule) or (last and _is_same_rule(rule, raw.rule)):
        return parsed, None
    counts = raw.quote and (last or not _is_cel(rule))
    return (parsed.replace(values=raw.values, notes=()) if counts else parsed), _make_ambiguity_error(rule, raw)


def _parse_raw(marker_text: str, parse: Callable[[str], ParsedMarker]) -> _RawRule | None:
    """Return the reading of Istio's generator, None if there is none."""
    head, separator, rule = marker_text.partition(_RULE)
    if len(rule) < 2 or not (rule[0] + rule[-1]).isascii():  # it cuts bytes
        return None
    parsed = parse(f"{head}{_RULE}_")
    quote = rule[0] if rule[0] in _QUOTES and rule[-1] == rule[0] else ""
    return None if parsed.errors else _RawRule(parsed, rule[1:-1], len(head + separator), quote)


def _is_broken_off(marker_text: str, offset: int, raw: _RawRule) -> bool:
    """Return whether controller-gen ends the rule too early, at a quote in it, and no argument follows."""
    inside = (
        offset > raw.at
        and marker_text[offset : offset + 1] not in ("", ",")
        and marker_text[:offset].rstrip()[-1] == raw.quote
    )
    return inside and not re.search(_NEXT, raw.rule)


def _make_ambiguity_error(rule: str, raw: _RawRule) -> GrammarError:
    problem = f"controller-gen reads the rule as {rule}, but Istio's generator reads it as {raw.rule}"
    return GrammarError(
        raw.at - len(_RULE), problem, _HINT if raw.quote == "`" else f"quote the rule with backquotes, or {_HINT}"
    )


def _is_same_rule(first: str, second: str) -> bool:
    """Return whether two strings are the same CEL expression."""
    from protoc_gen_crd.cel.parser.ast import Ast  # noqa: PLC0415 - few rules are read differently
    from protoc_gen_crd.cel.parser.parser import parse as parse_cel  # noqa: PLC0415
    from protoc_gen_crd.cel.parser.unparser import unparse  # noqa: PLC0415

    trees = [tree for tree in map(parse_cel, (first, second)) if isinstance(tree, Ast)]
    return len({unparse(tree) for tree in trees}) == 1 and len(trees) == 2


def _is_cel(rule: str) -> bool:
    from protoc_gen_crd.cel.parser.issues import Rejection  # noqa: PLC0415 - few rules are read differently
    from protoc_gen_crd.cel.parser.parser import parse as parse_cel  # noqa: PLC0415

    return not isinstance(parse_cel(rule), Rejection)
