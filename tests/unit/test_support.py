"""Helpers that compile protos for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.compile import compile_texts, proto_text, request_for


def test_a_text_is_a_request() -> None:
    request = proto_text('syntax = "proto3"; import "google/protobuf/duration.proto"; message Foo {}')
    assert request.targets == ("api.proto",)
    assert sorted(request.files) == ["api.proto", "google/protobuf/duration.proto"]
    assert request.files["api.proto"].source_code_info.location


def test_protoc_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"api\.proto:1:20: Expected top-level statement"):
        proto_text('syntax = "proto3"; x')


def test_one_of_many_comes_with_what_it_imports(tmp_path: Path) -> None:
    texts = {"a.proto": 'import "b.proto"; message A { optional B b = 1; }', "b.proto": "message B {}", "c.proto": ""}
    request = request_for(
        compile_texts({name: f'syntax = "proto3"; {text}' for name, text in texts.items()}, tmp_path), "a.proto"
    )
    assert sorted(request.files) == ["a.proto", "b.proto"]
