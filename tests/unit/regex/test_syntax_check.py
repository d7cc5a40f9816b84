"""Parsing: cases that the recorded results do not cover."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO
from protoc_gen_crd.regex import parse_tree_builder, syntax_check
from protoc_gen_crd.regex.character_classes import UNIONS
from protoc_gen_crd.regex.character_set_names import CATEGORIES, LOOSE_NAMES, NEWER_SCRIPTS, SCRIPTS
from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.pattern_tokens import CLASS, DOT_NL, END, FOLD, LITERAL, REPEAT, Token
from protoc_gen_crd.regex.unicode_tables import SETS


def test_tokens() -> None:
    assert PatternParser("(?i)ab[^c-e\\d](?-i)x{2,}?", 26).parse().tokens == [
        Token(LITERAL, FOLD, "ab"),
        Token(CLASS, FOLD, members=((99, 101), ("\\d", False)), negated=True),
        Token(LITERAL, 0, "x"),
        Token(REPEAT, 8, "{", low=2, high=-1),
        Token(END, 0),
    ]


def test_flags_end_with_their_group() -> None:
    kinds = [token.flags for token in PatternParser("((?s).).", 26).parse().tokens if token.flags == DOT_NL]
    assert len(kinds) == 2  # the dot and the parenthesis that closes


@pytest.mark.parametrize("version", KUBERNETES_GO)
def test_every_kubernetes_has_a_go(version: int) -> None:
    expected = None if version >= 27 else "error parsing regexp: invalid or unsupported Perl syntax: `(?<`"
    assert syntax_check.check("(?<name>a)", go=KUBERNETES_GO[version]) == expected


def test_go_only_grows_newer() -> None:
    assert all(older <= newer for older, newer in pairwise(KUBERNETES_GO.values()))
    assert max(KUBERNETES_GO.values()) == syntax_check.LATEST_GO


def test_names_are_those_of_the_tables() -> None:
    names = {entry.split()[0] for entry in SETS.split(";")}
    assert names - CATEGORIES == SCRIPTS
    assert CATEGORIES - names == {"C", "L", "M", "N", "P", "S", "Z"} == {name for name in UNIONS if len(name) == 1}
    assert NEWER_SCRIPTS < SCRIPTS
    assert {*LOOSE_NAMES.values()} <= {*CATEGORIES, "Any", "[:ascii:]", "Assigned", "Cn", "LC"}


def test_limits_are_not_measured_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[object] = []
    monkeypatch.setattr(parse_tree_builder, "find_exceeded_limit", measured.append)
    for pattern in ("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", "a|b|c", "(a*|b+)" * 20, "x{1001}"):
        syntax_check.check.__wrapped__(pattern)
    assert not measured
    for pattern in ("(a|b){2}", "a" * 400, "((x{1000}){1000}"):
        syntax_check.check.__wrapped__(pattern)
    assert len(measured) == 3


def test_checking_loads_little() -> None:
    code = (
        "import sys; from protoc_gen_crd.regex.syntax_check import check; check('^[a-z]+(x|y)*$'); print(*sorted("
        "name for name in sys.modules if 're2' in name or name.startswith('protoc_gen_crd.regex.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [
        f"protoc_gen_crd.regex.{name}"
        for name in ("character_set_names", "pattern_parser", "pattern_tokens", "syntax_check")
    ]
