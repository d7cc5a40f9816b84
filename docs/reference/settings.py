"""The page of options, from the table that the plugin, the command line and the settings file read."""

from __future__ import annotations

import inspect

from docs.reference.text import listed, paragraph
from protoc_gen_crd.settings.merged_options import OPTIONS
from protoc_gen_crd.settings.option_declaration import (
    ALL_COMMANDS,
    FILE,
    FLAG,
    HISTORY_COMMANDS,
    IGNORED,
    KEPT,
    PARAMETER,
    READING_COMMANDS,
    REPORTED,
    SettingsOption,
)
from protoc_gen_crd.settings.option_types import BOOLEAN
from protoc_gen_crd.settings.settings import Settings

_INTRODUCTION = """# Options

This reference is for developers who configure the commands or the plugin. It lists all options.
Set an option in one of three places, as listed for each option:

- as a plugin parameter: `--crd_opt=name=value` for protoc, or `opt: name=value` in `buf.gen.yaml`; write a comma in a
  value as `\\,`
- as a flag of a command: `--name value`
- in the settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of `pyproject.toml`. Commands search
  for it in the working folder and its parents. The plugin reads the file that its option `settings` names. Paths in the
  file, and default paths of options, are relative to its folder.

Flags and plugin parameters take precedence over the settings file. Unknown options, invalid values, and repeated
options are errors.

"""


_COMPAT = {
    KEPT: "",
    REPORTED: "- no effect with `compat`, except on the output of `report`\n",
    IGNORED: "- no effect with `compat`\n",
}


def page() -> str:
    """Return the page: every option with its meaning, values, and places."""
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
    where = "; ".join(places[place] for place in option.sources)
    takes = f"{option.option_type.requirement}{', repeatable' if option.repeated else ''}".replace('"', "`")
    default = getattr(Settings(), option.name)
    shown = f"\n- default: `{str(default).lower() if isinstance(default, bool) else default}`" if _said(default) else ""
    facts = f"- value: {takes}{shown}\n- set as {where}\n{_COMPAT[option.compat]}"
    return f"## {option.name}\n\n{_describe(option)}{facts}"


def _describe(option: SettingsOption) -> str:
    """Return the paragraphs of the help, and the help of commands where it differs."""
    blocks = inspect.cleandoc(option.help).split("\n\n")
    commands: dict[str, list[str]] = {}
    for command in option.command_help:
        commands.setdefault(option.get_flag_help(command), []).append(f"`{command}`")
    blocks += [f"For {listed(names)}: {text}" for text, names in commands.items()]
    return "".join(f"{block}\n\n" if block.startswith("- ") else paragraph(block) for block in blocks)


def _said(default: object) -> bool:
    return isinstance(default, bool) or bool(default)


def _commands(commands: tuple[str, ...]) -> str:
    """Return the commands with the flag; nothing if all commands that read an API have it."""
    if commands in (READING_COMMANDS, ALL_COMMANDS):
        return ""
    whole = set(HISTORY_COMMANDS) <= set(commands)
    named = dict.fromkeys("history" if whole and name in HISTORY_COMMANDS else name for name in commands)
    *others, last = (f"`{name}`" for name in named)
    comma = "," if len(others) > 1 else ""
    return f" of {', '.join(others)}{comma} and {last}" if others else f" of {last}"
