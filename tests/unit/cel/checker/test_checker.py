"""What the recorded answers do not show: versions between them, references, hostile input."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import DYN, format_for_author
from protoc_gen_crd.cel.parser.ast import Call
from protoc_gen_crd.cel.parser.issues import Rejection

NEWEST = environment.get_stored_environment(37)


def ask(text: str, within: environment.Environment = NEWEST) -> str:
    """The type, or the messages."""
    found = compile_text(text, within, {"self": DYN, "oldSelf": DYN})
    return (
        "; ".join([issue.message for issue in found.issues])
        if isinstance(found, Rejection)
        else format_for_author(found.type)
    )


def checked(text: str) -> CheckedAst:
    found = compile_text(text, NEWEST, {"self": DYN, "oldSelf": DYN})
    assert isinstance(found, CheckedAst)
    return found


def test_a_qualified_function_has_no_target() -> None:
    found = checked("ip.isCanonical('::1')")
    call = found.ast.root
    assert isinstance(call, Call)
    assert found.find_target(call) is None
    assert found.references[call.id].name == "ip.isCanonical"
    method = checked("'a'.contains('b')")
    assert isinstance(method.ast.root, Call)
    assert method.find_target(method.ast.root) is method.ast.root.target


def test_old_self_is_seen_where_it_is_used() -> None:
    assert checked("self == oldSelf").has_variable("oldSelf")
    assert not checked("self.oldSelf").has_variable("oldSelf")
    assert checked("[1].all(oldSelf, oldSelf == 1)").has_variable("oldSelf")  # so it is for the server


def test_overloads_that_may_be_meant() -> None:
    found = checked("self + 1")
    assert [overload.id for overload in found.references[found.ast.root.id].overloads] == ["add_int64"]
    found = checked("size(self)")
    ids = [overload.id for overload in found.references[found.ast.root.id].overloads]
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
    found = compile_text("foo +\n 'a'.bar(1)", NEWEST, {})
    assert str(found).splitlines() == [
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
