import json

from hypothesis import given
from hypothesis import strategies as st

from protoc_gen_crd.emit.json_size import measure_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@given(VALUES)
def test_the_size_is_that_of_the_text(value: object) -> None:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert measure_json(value, {}) == len(text.encode("utf-8", "surrogatepass"))


def test_shared_data_is_measured_once() -> None:
    shared = {"a": "b"}
    memo: dict[int, int] = {}
    assert measure_json([shared, shared], memo) == 21
    assert len(memo) == 1
