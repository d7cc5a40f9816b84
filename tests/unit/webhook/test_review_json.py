"""Reviews read member by member, compared with the standard library, for all sizes of chunks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protoc_gen_crd.webhook import review_json
from protoc_gen_crd.webhook.review_types import MalformedError

VALUES = [
    0,
    -1.5e-7,
    2**63,
    "",
    'a\\"b',
    "é\u2028😀",
    [],
    {},
    [[{}]],
    {"objects": [1]},
    None,
    True,
    {"a": {"b": [1, "]"]}},
]


def whole(data: bytes) -> Any:
    """Return the review of all members."""
    review: dict[str, Any] = {}
    request: dict[str, Any] = {}
    for path, value in review_json.read_members(data):
        if path == review_json.ITEM:
            request.setdefault("objects", []).append(value)
        elif len(path) == 2:
            request[path[1]] = value
        else:
            review[path[0]] = value
    return {**review, **({"request": request} if request else {})}


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 64, 1 << 20])
@pytest.mark.parametrize("indent", [None, 2])
def test_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch, piece: int, indent: int | None) -> None:
    monkeypatch.setattr(review_json, "_CHUNK_SIZE", piece)
    review = {"kind": "K", "more": VALUES, "request": {"objects": VALUES, "uid": "u", "other": VALUES}, "last": 12345}
    for escaped in (True, False):
        assert whole(json.dumps(review, indent=indent, ensure_ascii=escaped).encode()) == review


@pytest.mark.parametrize("piece", [1, 3, 1 << 20])
@pytest.mark.parametrize(
    ("body", "at"),
    [
        ("", " at character 0"),
        ('{"a":1', " at character 6"),
        ('{"a":1,}', " at character 7"),
        ('{"a" 1}', " at character 5"),
        ("{a:1}", " at character 1"),
        ('{"a":1}x', " at character 7"),
        ('{"a":tru}', " at character 5"),
        ('{"request":{"objects":[1 2]}}', " at character 25"),
        ('{"request":{"objects":[1,]}}', " at character 25"),
        ('{"request":{"objects":[1', " at character 24"),
        ('{"a":NaN}', ""),
        ('{"a":1e999}', ""),
    ],
)
def test_invalid_json_is_reported_with_its_place(
    monkeypatch: pytest.MonkeyPatch, piece: int, body: str, at: str
) -> None:
    monkeypatch.setattr(review_json, "_CHUNK_SIZE", piece)
    with pytest.raises(MalformedError) as error:
        whole(body.encode())
    assert str(error.value) == f"the body is not valid JSON{at}"


@pytest.mark.parametrize("value", [1, None, "text", [], [{"request": {}}]])
def test_a_value_that_is_no_object(value: Any) -> None:
    assert list(review_json.read_members(json.dumps(value).encode())) == [((), value)]


def test_a_value_may_be_no_longer_than_an_object_of_a_server() -> None:
    long = json.dumps(
        {"request": {"objects": ["x" * (review_json._MAX_VALUE_LENGTH + review_json._CHUNK_SIZE)]}}
    ).encode()
    with pytest.raises(MalformedError, match="a value of the body exceeds the limit of 3,670,016 characters"):
        whole(long)


def test_half_a_character_is_written_as_servers_read_it() -> None:
    assert review_json.encode_json({"a": json.loads('"\\ud83d\\ude00 \\ud83d"')}) == '{"a":"😀 \ufffd"}'.encode()
