"""Source maps of expansions: the offset of each node in the original rule."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel.project_macros import preprocess
from protoc_gen_crd.cel.source_map import map_origins


@pytest.mark.parametrize(
    ("written", "part", "source"),
    [
        ("default(self.a, 1) == 2", "? self", "1)"),
        ("default(self.a, 1) == 2", ".a)", ".a,"),
        ("default(self.a, 1) == 2", "2", "2"),
        ("self.index('', m, n)", "? self", "''"),
        ("self.index('', m, n)", '""', "''"),
        ("self.index('', m, n)", ".n :", "n)"),
        ("self.index('', a, b, c, d) == '' && self.x", ".d :", "d)"),
        ("self.index('', a, b, c, d) == '' && self.x", "&&\nself.x", "&& self.x"),
        ("oneof(self.a, self.b) + 1", ".b) ?", ".b)"),
        ("oneof(self.a, self.b) + 1", "<= 1", "(self.a"),
        ("oneof(self.a, self.b) + 1", "+ 1", "+ 1"),
        ("self.l.unrollmap('', 2, i, i.n + 'x')", '+ "x")', "+ 'x'"),
        ("self.l.unrollmap('', 2, i, i.n + 'x')", ".n", ".n"),
        ("self.l.unrollmap('', 2, i, i.n + 'x')", '? (self.l[1].n + "x")', "''"),
        ("self.l.unrollmap('', 2, i, i.n + 'x')", '[1].n + "x")', ".l.unroll"),
        ("self.l.all(x, default(x.a, '') != '' && x.b)", ".b)", ".b)"),
        ("{'a': default(self.a, 1)}", "? self", "1)"),
    ],
)
def test_parts(written: str, part: str, source: str) -> None:
    printed = preprocess(written)
    assert isinstance(printed, str)
    assert part in printed
    assert map_origins(written, printed)[printed.rindex(part)] == written.index(source)


@pytest.mark.parametrize(("written", "printed"), [("a ==", "a"), ("a", "a ==")])
def test_what_is_no_cel_has_no_places(written: str, printed: str) -> None:
    assert map_origins(written, printed) == {}


def test_what_is_printed_otherwise_stands_where_it_belongs() -> None:
    assert set(map_origins("f(a, default(b.c, 1))", "f(a, g(b, c), 2 + 3)").values()) == {1}
