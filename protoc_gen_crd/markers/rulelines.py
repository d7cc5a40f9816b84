"""A line with a CEL rule as controller-gen reads it and as Istio's generator does, and which of the two counts.

The second takes what stands behind the first `,rule=`, less a character at each end, as it is; rules of items it
reads as the first does. Source: istio/tools cmd/protoc-gen-crd.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.grammar import Parsed
from protoc_gen_crd.markers.scanner import GrammarError

RAW = "kubebuilder:validation:XValidation"  # the marker that Istio's generator reads in its own way
_RULE = ",rule="
_NEXT = "[\"'`] *, *[A-Za-z]+ *="  # where another argument begins
_QUOTES = "\"'`"
_HINT = "write it as an option"


class _Raw(Record):
    """What Istio's generator reads; `at` is where the rule's first quote, or what stands there, is."""

    parsed: Parsed
    rule: str
    at: int
    quote: str  # empty if the rule does not stand in quotes

    @property
    def values(self) -> Mapping[str, Any]:
        return {**self.parsed.values, "rule": self.rule}


def read_rule(text: str, parse: Callable[[str], Parsed]) -> tuple[Parsed, GrammarError | None]:
    """What the arguments of a rule are, and the finding that they are not the same to both readers.

    Controller-gen's reading counts where it makes sense, Istio's where it alone does.
    """
    parsed, written = parse(text), text.partition(_RULE)[2]
    if not parsed.errors and len(written) > 1 and parsed.values.get("rule") == written[1:-1]:
        return parsed, None  # as nearly all: the same is what stands before it
    raw = _raw(text, parse)
    if raw is None or (not parsed.errors and parsed.values == raw.values):
        return parsed, None
    if parsed.errors:
        meant = raw.quote and (_is_cel(raw.rule) or _breaks_off(text, parsed.errors[0].offset, raw))
        return (raw.parsed.replace(values=raw.values) if meant else parsed), None
    rule, last = parsed.values["rule"], parsed.values.keys() == raw.values.keys()
    if (last and rule == raw.rule) or not _is_cel(raw.rule) or (last and _same(rule, raw.rule)):
        return parsed, None
    counts = raw.quote and (last or not _is_cel(rule))
    return (parsed.replace(values=raw.values, notes=()) if counts else parsed), _ambiguity(rule, raw)


def _raw(text: str, parse: Callable[[str], Parsed]) -> _Raw | None:
    """Istio's reading, where there is one."""
    head, found, rule = text.partition(_RULE)
    if len(rule) < 2 or not (rule[0] + rule[-1]).isascii():  # it cuts bytes
        return None
    parsed = parse(f"{head}{_RULE}_")
    quote = rule[0] if rule[0] in _QUOTES and rule[-1] == rule[0] else ""
    return None if parsed.errors else _Raw(parsed, rule[1:-1], len(head + found), quote)


def _breaks_off(text: str, offset: int, raw: _Raw) -> bool:
    """Whether to controller-gen the rule ends within itself, as one in the raw form may, and no argument follows."""
    inside = offset > raw.at and text[offset : offset + 1] not in ("", ",") and text[:offset].rstrip()[-1] == raw.quote
    return inside and not re.search(_NEXT, raw.rule)


def _ambiguity(rule: str, raw: _Raw) -> GrammarError:
    problem = (
        "a rule must mean the same to controller-gen and Istio's generator, found "
        f"{rule} for the first and {raw.rule} for the second"
    )
    return GrammarError(
        raw.at - len(_RULE), problem, _HINT if raw.quote == "`" else f"quote the rule with backquotes, or {_HINT}"
    )


def _same(one: str, other: str) -> bool:
    """Whether two texts are the same CEL."""
    from protoc_gen_crd.cel.ast import Ast  # noqa: PLC0415 - few rules are read differently
    from protoc_gen_crd.cel.syntax import parse as parse_cel  # noqa: PLC0415
    from protoc_gen_crd.cel.unparse import unparse  # noqa: PLC0415

    trees = [tree for tree in map(parse_cel, (one, other)) if isinstance(tree, Ast)]
    return len({unparse(tree) for tree in trees}) == 1 and len(trees) == 2


def _is_cel(rule: str) -> bool:
    from protoc_gen_crd.cel.issues import Refusal  # noqa: PLC0415 - few rules are read differently
    from protoc_gen_crd.cel.syntax import parse as parse_cel  # noqa: PLC0415

    return not isinstance(parse_cel(rule), Refusal)
