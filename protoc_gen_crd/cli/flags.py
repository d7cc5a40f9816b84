"""Flags from the table of options, and the settings that a command line and the settings file make together."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.kinds import BOOLEAN, hint_of
from protoc_gen_crd.history.names import released
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.settings_file import find_settings
from protoc_gen_crd.settings_given import combine
from protoc_gen_crd.settings_options import FLAG, Option, options_in


def add_flags(parser: argparse.ArgumentParser, command: str) -> None:
    """One flag for each option that the command has. What is not given is not in the namespace."""
    defaults = Settings()
    for name, option in options_in(FLAG).items():
        if command not in option.commands:
            continue
        flags = option.flags or (f"--{name.replace('_', '-')}",)
        default = getattr(defaults, name)
        text = " ".join(option.help.split()) + (f" (default: {default})" if default and default is not True else "")
        text = text.replace("%", "%%")
        if option.kind is BOOLEAN:
            action = "store_true" if option.where == (FLAG,) else argparse.BooleanOptionalAction
            parser.add_argument(*flags, dest=name, action=action, default=argparse.SUPPRESS, help=text)
        else:
            parser.add_argument(
                *flags, dest=name, action="append" if option.repeated else _Once, default=argparse.SUPPRESS,
                metavar=option.kind.shown, type=_typed(option), help=text,
            )  # fmt: skip


class _Once(argparse.Action):
    """Stores a value, the only one."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        if hasattr(namespace, self.dest):
            parser.error(f"{option} must be given once, found it again")
        setattr(namespace, self.dest, values)


def _typed(option: Option) -> Callable[[str], object]:
    def parse(text: str) -> object:
        try:
            return option.kind.parse(text)
        except (ValueError, KeyError):
            near = hint_of(option.kind, text)
            problem = f'must be {option.kind.demand}, found "{text}"'
            raise argparse.ArgumentTypeError(f"{problem}; {near}" if near else problem) from None

    return parse


def settings_of(arguments: argparse.Namespace, problems: Problems) -> Settings:
    """The settings: flags over the settings file, which is looked for where no flag names it."""
    known = options_in(FLAG)
    given = {name: value for name, value in vars(arguments).items() if name in known}
    given |= {name: tuple(value) for name, value in given.items() if known[name].repeated}
    if "settings" in given:
        os.stat(given["settings"])  # noqa: PTH116 - for the error, as of any other path of a command line
    given.setdefault("settings", find_settings(Path.cwd(), problems))
    return released(combine(given, problems))
