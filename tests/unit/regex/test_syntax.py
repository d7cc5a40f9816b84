"""Reading: what the recorded answers do not ask."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest

from protoc_gen_crd.regex import limits, syntax
from protoc_gen_crd.regex.classes import UNIONS
from protoc_gen_crd.regex.reader import Reader
from protoc_gen_crd.regex.sets import CATEGORIES, LOOSE_NAMES, NEWER_SCRIPTS, SCRIPTS
from protoc_gen_crd.regex.tokens import CLASS, DOT_NL, END, FOLD, REPEAT, TEXT, Token
from protoc_gen_crd.regex.unicode_tables import SETS


def test_tokens() -> None:
    assert Reader("(?i)ab[^c-e\\d](?-i)x{2,}?", 26).read().tokens == [
        Token(TEXT, FOLD, "ab"),
        Token(CLASS, FOLD, members=((99, 101), ("\\d", False)), negated=True),
        Token(TEXT, 0, "x"),
        Token(REPEAT, 8, "{", low=2, high=-1),
        Token(END, 0),
    ]


def test_flags_end_with_their_group() -> None:
    kinds = [token.flags for token in Reader("((?s).).", 26).read().tokens if token.flags == DOT_NL]
    assert len(kinds) == 2  # the dot and the parenthesis that closes


@pytest.mark.parametrize("version", syntax.KUBERNETES_GO)
def test_every_kubernetes_has_a_go(version: int) -> None:
    expected = None if version >= 27 else "error parsing regexp: invalid or unsupported Perl syntax: `(?<`"
    assert syntax.check("(?<name>a)", go=syntax.KUBERNETES_GO[version]) == expected


def test_go_only_grows_newer() -> None:
    assert all(older <= newer for older, newer in pairwise(syntax.KUBERNETES_GO.values()))
    assert max(syntax.KUBERNETES_GO.values()) == syntax.LATEST_GO


def test_names_are_those_of_the_tables() -> None:
    held = {entry.split()[0] for entry in SETS.split(";")}
    assert held - CATEGORIES == SCRIPTS
    assert CATEGORIES - held == {"C", "L", "M", "N", "P", "S", "Z"} == {name for name in UNIONS if len(name) == 1}
    assert NEWER_SCRIPTS < SCRIPTS
    assert {*LOOSE_NAMES.values()} <= {*CATEGORIES, "Any", "[:ascii:]", "Assigned", "Cn", "LC"}


def test_limits_are_not_measured_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[object] = []
    monkeypatch.setattr(limits, "exceeded", measured.append)
    for pattern in ("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$", "a|b|c", "(a*|b+)" * 20, "x{1001}"):
        syntax.check.__wrapped__(pattern)
    assert not measured
    for pattern in ("(a|b){2}", "a" * 400, "((x{1000}){1000}"):
        syntax.check.__wrapped__(pattern)
    assert len(measured) == 3


def test_checking_loads_little() -> None:
    code = (
        "import sys; from protoc_gen_crd.regex.syntax import check; check('^[a-z]+(x|y)*$'); print(*sorted("
        "name for name in sys.modules if 're2' in name or name.startswith('protoc_gen_crd.regex.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [f"protoc_gen_crd.regex.{name}" for name in ("reader", "sets", "syntax", "tokens")]
