"""Foreign names, values, and paths in the output of commands: they contain no control characters."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main

ESCAPE = "\x1b]0;x\x07\n::error::\u202e"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]")


def crd(*names: str) -> dict[str, Any]:
    rule = {"rule": f"self != 'a{ESCAPE.partition(chr(10))[0]}'", "message": ESCAPE}
    field = {"type": "string", "maxLength": 5, "enum": ["a" + ESCAPE, "b"], "x-kubernetes-validations": [rule]}
    spec = {"type": "object", "description": ESCAPE, "properties": {name + ESCAPE: field for name in names}}
    root = {"type": "object", "properties": {"spec": spec}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    names_of_kind = {"kind": "User", "listKind": "UserList", "plural": "users", "singular": "user"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "users.acme.example"},
        "spec": {"group": "acme.example", "names": names_of_kind, "scope": "Namespaced", "versions": [version]},
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", "old", "objects"],
        ["validate", "objects", "-v", f"folder{ESCAPE}"],
        ["cost", "old"],
        ["docs", "old", "--out", f"docs{ESCAPE}"],
        ["samples", "old", "--check"],
        ["convert", "old", "objects", "--to", "v1", "--diff"],
        ["history", "record", "old", "--release", f"1.0{ESCAPE}"],
        ["explain", f"rule{ESCAPE}"],
        [f"command{ESCAPE}"],
        ["validate", f"--flag{ESCAPE}"],
    ],
    ids=lambda arguments: arguments[0].partition("\x1b")[0],
)
def test_no_control_character_is_printed(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, name in (("old", "x"), ("new", "y")):
        Path(folder).mkdir()
        Path(folder, "crd.json").write_text(json.dumps(crd(name)), encoding="utf-8")
    Path("objects").mkdir()
    Path(f"folder{ESCAPE}").mkdir(parents=True)
    results = {"apiVersion": "acme.example/v1", "kind": "User", "metadata": {"name": "a" + ESCAPE}, "spec": {ESCAPE: 1}}
    other = {"apiVersion": "v1", "kind": "Pod" + ESCAPE, "metadata": {"name": "a"}}
    for number, plain in enumerate((results, other)):
        Path("objects", f"{number}.json").write_text(json.dumps(plain), encoding="utf-8")
    with suppress(SystemExit):
        main(arguments)
    printed = capsys.readouterr()
    for line in (printed.out + printed.err).splitlines():
        assert not _CONTROL.search(line)
        assert not line.startswith("::")
