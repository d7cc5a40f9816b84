"""Command-line flags from the table of options, and the settings of a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.cli.argument_parser import BARE_VALUE, ArgumentParser
from protoc_gen_crd.cli.findings_output import has_errors, make_report, report_findings
from protoc_gen_crd.cli.help_groups import ORDER, PROTO_INPUT, get_group
from protoc_gen_crd.cli.usage_error import SettingsError, UsageError
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.history.release_names import resolve_release
from protoc_gen_crd.settings.merged_options import list_options
from protoc_gen_crd.settings.option_declaration import FLAG, SettingsOption
from protoc_gen_crd.settings.option_types import BOOLEAN, suggest_value
from protoc_gen_crd.settings.plugin_parameters import combine_settings
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.settings.settings_file import find_settings

_FORMER_FLAGS = "former_flags"  # attribute of the namespace: flags of the last release that were used, and the new ones

_NO_SETTINGS = "create a settings file with `protoc-gen-crd init` (none found in this folder or above)"


def add_flags(parser: argparse.ArgumentParser, command: str) -> None:
    """Add a flag for each option of a command. Flags that are not set are not in the namespace."""
    options = {name: option for name, option in list_options(FLAG).items() if command in option.commands}
    for name in sorted(options, key=lambda name: ORDER.index(get_group(name, command))):
        option, group = options[name], _get_group(parser, get_group(name, command))
        flags = option.flags or (f"--{name.replace('_', '-')}",)
        default = option.get_default()
        help_text = option.get_flag_help(command) + (
            f" (default: {default})" if default and default is not True else ""
        )
        help_text = help_text.replace("%", "%%")
        if option.option_type is BOOLEAN:
            action = "store_true" if option.sources == (FLAG,) else argparse.BooleanOptionalAction
            group.add_argument(*flags, dest=name, action=action, default=argparse.SUPPRESS, help=help_text)
        else:
            argument = group.add_argument(
                *flags, dest=name, action="append" if option.repeated else _StoreOnce, default=argparse.SUPPRESS,
                metavar=option.option_type.placeholder, type=_make_parser(option), help=help_text,
            )  # fmt: skip
            _set_details(argument, option)
            for flag in option.former_flags:
                former: Any = partial(_FormerFlag, argument)  # argparse only calls it
                group.add_argument(flag, dest=name, action=former, type=_make_parser(option), help=argparse.SUPPRESS)


def _set_details(argument: argparse.Action, option: SettingsOption) -> None:
    """Set the attributes that completion and help read."""
    if option.option_type.names:
        argument.completer = _make_completer(option.option_type.names)  # type: ignore[attr-defined]
    if option.bare_value:
        setattr(argument, BARE_VALUE, option.bare_value)


def _get_group(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    if isinstance(parser, ArgumentParser):
        return parser.add_group(title, hidden=title == PROTO_INPUT)
    return parser.add_argument_group(title)


def _make_completer(names: tuple[str, ...]) -> Callable[..., tuple[str, ...]]:
    """Return the completion of a choice, in the form that argcomplete calls."""
    return lambda **_: names


class _StoreOnce(argparse.Action):
    """Stores a value and rejects a second one."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        if hasattr(namespace, self.dest):
            parser.error(f"{option} is repeated")
        setattr(namespace, self.dest, values)


class _FormerFlag(argparse.Action):
    """Sets an option by the flag of the last release, and records the flag."""

    def __init__(self, current: argparse.Action, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "default": argparse.SUPPRESS})
        self._current = current

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        self._current(parser, namespace, values, option)
        former_flags = getattr(namespace, _FORMER_FLAGS, {})
        setattr(namespace, _FORMER_FLAGS, {**former_flags, option: self._current.option_strings[-1]})


def _make_parser(option: SettingsOption) -> Callable[[str], object]:
    def parse(value: str) -> object:
        try:
            return option.option_type.parse(value)
        except (ValueError, KeyError):
            near = suggest_value(option.option_type, value)
            problem = f'expected {option.option_type.requirement}, got "{value}"'
            raise argparse.ArgumentTypeError(f"{problem}; {near}" if near else problem) from None

    return parse


def read_command_settings(arguments: argparse.Namespace, problems: Problems) -> Settings:
    """Read the settings of a command: its flags, then the settings file, which is searched for without --settings.

    Raises SettingsError if they have errors, which are reported: other results would be those of other settings.
    """
    options = list_options(FLAG)
    values = {name: value for name, value in vars(arguments).items() if name in options}
    values |= {name: tuple(value) for name, value in values.items() if options[name].repeated}
    if "settings" in values:
        os.stat(values["settings"])  # noqa: PTH116 - for the error, as of any other path of a command line
    values.setdefault("settings", find_settings(Path.cwd(), problems))
    for former, flag in getattr(arguments, _FORMER_FLAGS, {}).items():
        hint = f'replace "{former}" with "{flag}"'
        problems.report("option-renamed", f'flag "{former}" is renamed to "{flag}"', hint=hint)
    settings = resolve_release(combine_settings(values, problems))
    if settings.verbose:
        _print_origin(settings, getattr(arguments, "paths", None))
    if has_errors(problems, settings):
        report_findings(make_report(problems.findings, settings, SourceFiles({})), settings)
        raise SettingsError
    return settings


def require_inputs(inputs: Sequence[str], settings: Settings, *options: str, argument: str = "a path") -> None:
    """Raise UsageError if a command has no inputs: neither arguments, described by `argument`, nor in the options."""
    if inputs:
        return
    names = " or ".join(f'"{name}"' for name in options)
    hint = f"set {names} in the settings file" if settings.settings else _NO_SETTINGS
    raise UsageError(f"no input: pass {argument}, or {hint}")


def _print_origin(settings: Settings, paths: Sequence[str] | None) -> None:
    """Print where the settings and the inputs come from."""
    print(terminal_line(f"settings file: {settings.settings or 'none'}"), file=sys.stderr)
    inputs = paths or settings.inputs
    print(terminal_line(f"inputs: {', '.join(inputs) or 'none'}"), file=sys.stderr)
