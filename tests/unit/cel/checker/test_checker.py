"""Cases that the recorded answers lack: versions between them, references, hostile input."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DYN, LIST, format_for_author
from protoc_gen_crd.cel.parser.ast import Call
from protoc_gen_crd.cel.parser.issues import Rejection

NEWEST = environment.get_stored_environment(37)


def ask(text: str, within: environment.Environment = NEWEST) -> str:
    """Return the type, or the error messages."""
    result = compile_text(text, within, {"self": DYN, "oldSelf": DYN})
    return (
        "; ".join([issue.message for issue in result.issues])
        if isinstance(result, Rejection)
        else format_for_author(result.type)
    )


def checked(text: str) -> CheckedAst:
    checked_ast = compile_text(text, NEWEST, {"self": DYN, "oldSelf": DYN})
    assert isinstance(checked_ast, CheckedAst)
    return checked_ast


def test_a_qualified_function_has_no_target() -> None:
    checked_ast = checked("ip.isCanonical('::1')")
    call = checked_ast.ast.root
    assert isinstance(call, Call)
    assert checked_ast.find_target(call) is None
    assert checked_ast.references[call.id].name == "ip.isCanonical"
    method = checked("'a'.contains('b')")
    assert isinstance(method.ast.root, Call)
    assert method.find_target(method.ast.root) is method.ast.root.target


def test_old_self_is_seen_where_it_is_used() -> None:
    assert checked("self == oldSelf").has_variable("oldSelf")
    assert not checked("self.oldSelf").has_variable("oldSelf")
    assert checked("[1].all(oldSelf, oldSelf == 1)").has_variable("oldSelf")  # servers do the same


@pytest.mark.parametrize("minor", [29, 31, 37])
@pytest.mark.parametrize("macro", ["optMap", "optFlatMap"])
def test_optionals_of_optionals_end(macro: str, minor: int) -> None:
    """Each macro call doubles the tree, whether a version copies the target or shares it."""
    within = environment.get_stored_environment(minor)
    text = "optional.of(1)" + f".{macro}(x, optional)" * 60
    assert ask(text, within) == "macro expansion size exceeds limit: 100000 nodes"


@pytest.mark.parametrize("start", ["[1]", "[[]]", "[optional.none()]"])
def test_a_type_with_equal_parts_is_checked_once(start: str) -> None:
    """Each macro call doubles the printed type."""
    assert checked(start + ".map(x, {x: x})" * 60).type.kind == LIST


def test_overload_candidates() -> None:
    checked_ast = checked("self + 1")
    assert [overload.id for overload in checked_ast.references[checked_ast.ast.root.id].overloads] == ["add_int64"]
    checked_ast = checked("size(self)")
    ids = [overload.id for overload in checked_ast.references[checked_ast.ast.root.id].overloads]
    assert ids == ["size_bytes", "size_list", "size_map", "size_string"]


@pytest.mark.parametrize(
    ("text", "minor", "new", "stored"),
    [
        ("1 < 2.0", 28, "found no matching overload for '_<_' applied to '(int, double)'", "bool"),
        ("[1].all(x, x < 2.0)", 28, "bool", "bool"),
        ("sets.contains([1], [1])", 30, "bool", "bool"),
        ("[optional.of(1)].unwrapOpt()", 33, "list(int)", "list(int)"),
        ("duration(1) == duration('1s')", 36, "invalid duration argument", "invalid duration argument"),
        ("'x'.matches('[')", 29, "bool", "invalid matches argument"),
        ("[1, 'a']", 28, "expected type 'int' but found 'string'", "expected type 'int' but found 'string'"),
        ("'%d'.format([1.5])", 30, "string", "string"),
    ],
)
def test_versions(text: str, minor: int, new: str, stored: str) -> None:
    assert ask(text, environment.get_new_environment(minor)) == new
    assert ask(text, environment.get_stored_environment(minor)) == stored


@pytest.mark.parametrize("minor", range(25, 38))
def test_every_version_has_an_environment(minor: int) -> None:
    assert ask("self.all(x, x.contains('a') && size(x) > 1)", environment.get_new_environment(minor)) == "bool"
    known = [overload.id for overload in environment.get_stored_environment(minor).list_overloads()]
    assert set(known) >= {overload.id for overload in environment.get_new_environment(minor).list_overloads()}


def test_issues_stand_at_their_places() -> None:
    checked_ast = compile_text("foo +\n 'a'.bar(1)", NEWEST, {})
    assert str(checked_ast).splitlines() == [
        "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')",
        " | foo +",
        " | ^",
        "ERROR: <input>:2:9: undeclared reference to 'bar' (in container '')",
        " |  'a'.bar(1)",
        " | ........^",
    ]


@pytest.mark.parametrize(
    "text", ["[" * 200 + "]" * 200, " + ".join(["[[1]]"] * 3000), "dyn(" * 120 + "1" + ")" * 120, "self" + ".a" * 20000]
)
def test_large_texts(text: str) -> None:
    ask(text)
