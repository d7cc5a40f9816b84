"""`join` before 1.29, which converted lists to Go's: before 1.27, lists of data could not be joined."""

from __future__ import annotations

from typing import Any

import pytest

from tests.judges.celtypes.evaluated import answered

TEXTS = {"type": "array", "items": {"type": "string"}}
MIXED = {"type": "array", "items": {"x-kubernetes-int-or-string": True}}
SCHEMA = {"type": "object", "properties": {"texts": TEXTS, "mixed": MIXED}}
SELF = {"texts": ["a", "b"], "mixed": ["a", 1]}
PANIC = "internal error: interface conversion: interface {} is []interface {}, not []string"


def evaluate(expression: str, minor: int, **more: str) -> dict[str, Any]:
    """Return the result or the error."""
    answer = answered({"expr": expression, "self": SELF, "schema": SCHEMA, **more}, minor)
    return {key: value for key, value in answer.items() if key in ("result", "error")}


@pytest.mark.parametrize("minor", [25, 26])
def test_lists_of_data_cannot_be_joined(minor: int) -> None:
    assert evaluate("self.texts.join()", minor) == {"error": PANIC}
    assert evaluate("['a', 'b'].join('-')", minor) == {"result": {"string": "a-b"}}
    assert evaluate("self.texts.map(x, x + '!').join()", minor) == {"result": {"string": "a!b!"}}


# A server of 1.29 answers the same with the libraries of 1.28.
@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("self.texts.join('-')", {"result": {"string": "a-b"}}),
        ("(['c'] + self.texts).join()", {"result": {"string": "cab"}}),
        ("self.mixed.join()", {"error": PANIC}),
        ("[dyn('a'), dyn(1)].join()", {"error": "unsupported type conversion from 'int' to string"}),
        ("[dyn('a'), dyn(null)].join()", {"error": "type conversion error from 'null_type' to 'string'"}),
        ("[dyn('a'), dyn(quantity('1'))].join(',')", {"result": {"string": "a,1"}}),
    ],
)
def test_items_are_converted(expression: str, answer: dict[str, Any]) -> None:
    assert evaluate(expression, 29, env="new", compat="1.28") == evaluate(expression, 28) == answer
