"""The page of options, from the table that the plugin, the command line and the settings file read."""

from __future__ import annotations

from docs.reference.text import paragraph
from protoc_gen_crd.settings.option_table import (
    ALL_COMMANDS,
    FILE,
    FLAG,
    HISTORY_COMMANDS,
    IGNORED,
    KEPT,
    OPTIONS,
    PARAMETER,
    READING_COMMANDS,
    REPORTED,
    SettingsOption,
)
from protoc_gen_crd.settings.option_types import BOOLEAN
from protoc_gen_crd.settings.settings import Settings

_INTRODUCTION = """# Options

Options are given in three places, each where its entry says so:

- to the plugin, as `--crd_opt=name=value` for protoc or `opt: name=value` in `buf.gen.yaml`; a comma that belongs to a
  value is written `\\,`
- to the commands, as a flag `--name value`
- in the settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of `pyproject.toml`. The
  commands find it in the working folder and the folders above it; the plugin reads the file that its option `settings`
  names. Paths in it start from its folder.

What is given on the spot stands over the settings file. An unknown option, a value that an option does not take and an
option that is given twice are errors.

"""


_COMPAT = {
    KEPT: "",
    REPORTED: "- no effect with `compat`, except on what `report` tells\n",
    IGNORED: "- no effect with `compat`\n",
}


def page() -> str:
    """Every option: what it does, what it takes, where it may be given."""
    return _INTRODUCTION + "\n".join(_option(option) for option in OPTIONS.values())


def _option(option: SettingsOption) -> str:
    dashed = option.name.replace("_", "-")
    either = (
        (f"--{dashed}", f"--no-{dashed}")
        if option.option_type is BOOLEAN and option.sources != (FLAG,)
        else (f"--{dashed}",)
    )
    flags = " or ".join(f"`{flag}`" for flag in option.flags or either)
    commands = _commands(option.commands)
    places = {PARAMETER: "plugin parameter", FLAG: f"flag {flags}{commands}", FILE: "settings file"}
    where = ", ".join(places[place] for place in option.sources)
    takes = f"{'several times ' if option.repeated else ''}{option.option_type.requirement}".replace('"', "`")
    default = getattr(Settings(), option.name)
    shown = f"\n- default: `{str(default).lower() if isinstance(default, bool) else default}`" if _said(default) else ""
    facts = f"- takes {takes}{shown}\n- given as {where}\n{_COMPAT[option.compat]}"
    return f"## {option.name}\n\n{paragraph(option.help)}\n{facts}"


def _said(default: object) -> bool:
    return isinstance(default, bool) or bool(default)


def _commands(commands: tuple[str, ...]) -> str:
    """Which commands have the flag; nothing where all have it that read an API, or simply all."""
    if commands in (READING_COMMANDS, ALL_COMMANDS):
        return ""
    whole = set(HISTORY_COMMANDS) <= set(commands)
    named = dict.fromkeys("history" if whole and name in HISTORY_COMMANDS else name for name in commands)
    return f" of {' and '.join(f'`{name}`' for name in named)}"
