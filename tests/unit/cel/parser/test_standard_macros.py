"""Printing of macros: the project's are expanded, standard ones kept. Their expansions are in the recorded trees."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel.parser import standard_macros
from protoc_gen_crd.cel.parser.ast import Ast, Comprehension
from protoc_gen_crd.cel.parser.macro_expansion import build_table
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.parser_options_and_limits import ParserOptions
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.cel.project_macros import PROJECT_MACROS, preprocess

OWN = [macro for macros in PROJECT_MACROS.values() for macro in macros]
BOTH = ParserOptions(macros=build_table(*OWN, *standard_macros.STANDARD, *standard_macros.OPTIONALS))


@pytest.mark.parametrize(
    "text",
    [
        "default(default(self.a, {}).b, has(self.c))",
        "oneof(self.a, self.b) && self.l.all(i, default(i.a, 1) == 1)",
        "default(self.l.filter(i, i > 1)[0].a, {'x': has(self.b)})",
        "self.l.unrollmap(0, 2, i, [i.m.exists(k, has(i.n))])",
    ],
)
def test_both_tables_print_the_same(text: str) -> None:
    parsed = parse(text, BOTH)
    assert isinstance(parsed, Ast)
    assert unparse(parsed) == preprocess(text)


def test_the_tree_is_expanded_all_the_way() -> None:
    parsed = parse("self.l.all(i, default(i.a, 1) == 1)", BOTH)
    assert isinstance(parsed, Ast)
    assert isinstance(parsed.root, Comprehension)
    assert "Call(id=0" not in repr(parsed.root)
    assert "'has'" not in repr(parsed.root)


def test_copies_are_printed_with_their_own_names() -> None:
    text = "l.unrollmap(0, 1, i, m.all(j, j == i).optMap(k, k))"
    parsed = parse(text, BOTH)
    assert isinstance(parsed, Ast)
    assert unparse(parsed) == "[(l.size() > 0) ? (m.all(j, j == l[0]).optMap(k, k)) : 0]"
