"""The lines of options in a settings file, YAML or TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from protoc_gen_crd.scaffold.known_losses import KnownLoss
from protoc_gen_crd.yaml.writer import dump

Options = dict[str, str | list[str]]

_MAX_WIDTH = 60  # characters of a list on one line
_PLAIN = re.compile(r"[A-Za-z0-9_/-][A-Za-z0-9_./-]*[A-Za-z_/-][A-Za-z0-9_./-]*|[A-Za-z]")
_LOSS_REASON = "the imported CRD already had it"


def format_yaml(options: Options, purposes: Mapping[str, str]) -> str:
    """Return the lines of options with their purposes. A list is on one line unless it is long."""
    lines: list[str] = []
    for name, value in options.items():
        items = [format_scalar(item) for item in (value if isinstance(value, list) else ())]
        line = f" [{', '.join(items)}]" if isinstance(value, list) else f" {format_scalar(value)}"
        is_long = len(line) > _MAX_WIDTH and bool(items)
        lines.append(f"{name}:{'' if is_long else line} # {purposes[name]}")
        lines += (f"  - {item}" for item in items if is_long)
    return "".join(f"{line}\n" for line in lines)


def format_scalar(value: str) -> str:
    """Return a string, quoted unless it is a plain path in YAML."""
    return value if _PLAIN.fullmatch(value) and dump(value).strip() == value else json.dumps(value, ensure_ascii=False)


def format_toml(options: Options, purposes: Mapping[str, str]) -> str:
    """Return the lines of options for their table in a pyproject.toml."""
    lines = (f"{name} = {_format_toml(value)} # {purposes[name]}" for name, value in options.items())
    return "".join(f"{line}\n" for line in lines)


def format_yaml_losses(losses: Sequence[KnownLoss], purpose: str) -> str:
    """Return the option `findings`, which turns off the findings about losses."""
    entries = (
        f"  - {{rule: {loss.rule}, path: {format_scalar(loss.path)}, reason: {_LOSS_REASON}}}\n" for loss in losses
    )
    return "".join([f"findings: # {purpose}\n", *entries])


def _format_toml(value: str | list[str]) -> str:
    """Return a value. JSON's strings are strings of TOML, except for its pairs of surrogates and U+007F."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def format_toml_losses(losses: Sequence[KnownLoss], purpose: str) -> str:
    """Return the same in TOML."""
    entries = (
        f'  {{ rule = "{loss.rule}", path = {_format_toml(loss.path)}, reason = "{_LOSS_REASON}" }},\n'
        for loss in losses
    )
    return "".join([f"findings = [ # {purpose}\n", *entries, "]\n"])
