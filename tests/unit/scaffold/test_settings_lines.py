from __future__ import annotations

import tomllib

import pytest
import yaml

from protoc_gen_crd.scaffold.known_losses import KnownLoss
from protoc_gen_crd.scaffold.settings_lines import format_toml, format_toml_losses, format_yaml, format_yaml_losses
from tests.support.foreign_strings import HOSTILE

# Paths of files that are not printable are not in the settings, and names with surrogates are not in protos.
STRINGS = ["\U0001f600", "a\x7fb", *(item for item in HOSTILE if item.isprintable())]


@pytest.mark.parametrize("string", STRINGS, ids=[ascii(item)[:40] for item in STRINGS])
def test_strings_are_read_as_they_were(string: str) -> None:
    options: dict[str, str | list[str]] = {"out": string, "inputs": [string, string]}
    purposes = dict.fromkeys(options, "purpose")
    losses = [KnownLoss("version-differs", string)]
    assert tomllib.loads(format_toml(options, purposes)) == options
    assert tomllib.loads(format_toml_losses(losses, "purpose"))["findings"][0]["path"] == string
    if string.isprintable():
        assert yaml.safe_load(format_yaml(options, purposes)) == options
        assert yaml.safe_load(format_yaml_losses(losses, "purpose"))["findings"][0]["path"] == string
