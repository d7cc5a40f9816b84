"""The argument parser of all commands: one-line errors, and help in groups with a short and a full form."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.usage_error import UsageError

_HIDDEN = "_protoc_gen_crd_hidden"  # attribute of a group that only --help-all prints
_CHECKED_WIDTH = 80  # of help that is not printed
BARE_VALUE = "_protoc_gen_crd_bare_value"  # attribute of an action: the value of the flag without =VALUE


# The error message of argparse for a value of a flag that has none, such as --check=yes.
_IGNORED_VALUE = re.compile(r""": ignored explicit argument (['"])(.*)\1""", re.DOTALL)


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """The format of help: a flag with an optional value is `--flag[=VALUE]`, and names are not broken at hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        import textwrap

        return textwrap.wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if hasattr(action, BARE_VALUE):
            return f"{', '.join(action.option_strings)}[={action.metavar}]"
        return super()._format_action_invocation(action)


class ArgumentParser(argparse.ArgumentParser):
    """A parser that raises UsageError, and that accepts positional arguments before, between and after options."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options = {"formatter_class": HelpFormatter, "allow_abbrev": False, **options}
        super().__init__(*args, **{**options, "add_help": False})
        self._is_intermixed = False
        self.help_group = self.add_argument_group("help")
        self.help_group.add_argument("-h", "--help", action="help", help="print this help")

    def add_group(self, title: str, *, hidden: bool = False) -> argparse._ArgumentGroup:
        """Return the group of this title. A hidden one is printed by --help-all only."""
        for group in self._action_groups:
            if group.title == title:
                return group
        group = self.add_argument_group(title)
        if hidden:
            setattr(group, _HIDDEN, True)
            self.help_group.add_argument(
                "--help-all", action=_FullHelp, nargs=0, default=argparse.SUPPRESS, help=f"also print: {title}"
            )
        return group

    def error(self, message: str) -> NoReturn:
        """Report the error without the usage, which would hide it."""
        message = _IGNORED_VALUE.sub(r' takes no value, got "\2"', message)
        raise UsageError(message if message.endswith("?") else f"{message}; see {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Suggest the nearest name for an unknown one, for example of a subcommand."""
        if action.choices is not None and value not in action.choices:
            names = [str(choice) for choice in action.choices]
            hint = suggest(str(value), names) or f"expected one of {', '.join(names)}"
            self.error(f'unknown {str(action.metavar).lower()} "{value}"; {hint}')

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Accept positional arguments before, between and after options."""
        args = list(self._set_bare_values(sys.argv[1:] if args is None else args))
        parsed, rest = super().parse_known_args(args, namespace)
        if self._is_intermixed or self._subparsers is not None or all(argument.startswith("-") for argument in rest):
            return parsed, rest
        self._is_intermixed = True  # the next call is recursive
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_intermixed = False

    def _set_bare_values(self, arguments: Sequence[str]) -> Iterator[str]:
        """Yield the arguments, where flags without a value have the one of their option.

        The argument after such a flag is a path. A number there is an error, since it is meant as the value.
        """
        for argument, following in pairwise([*arguments, ""]):
            value = getattr(self._option_string_actions.get(argument), BARE_VALUE, None)
            if value is not None and re.fullmatch(r"[0-9.]+%?", following):
                self.error(f"argument {argument}: write {argument}={following} to set its value")
            yield argument if value is None else f"{argument}={value}"

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print the help. An error of the write is not ignored, as argparse does."""
        (file or sys.stderr).write(message)

    def _get_formatter(self) -> HelpFormatter:
        """Return the formatter that checks arguments, without the import of the module that measures terminals."""
        return HelpFormatter(self.prog, width=_CHECKED_WIDTH)

    def format_help(self, *, full: bool = False) -> str:
        """Return the help: usage, description, the groups with the help options last, and examples."""
        formatter = HelpFormatter(self.prog)
        formatter.add_usage(self.usage or self._format_short_usage(), (), ())
        formatter.add_text(self.description)
        groups = [group for group in self._action_groups if group is not self.help_group]
        for group in (*groups, self.help_group):
            if full or not hasattr(group, _HIDDEN):
                formatter.start_section(group.title)
                formatter.add_text(group.description)
                formatter.add_arguments(group._group_actions)  # noqa: SLF001 - as argparse's own format_help
                formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _format_short_usage(self) -> str:
        operands = [
            f"{'[' * (action.nargs in ('?', '*'))}{action.metavar}{']' * (action.nargs in ('?', '*'))}"
            f"{'...' * (action.nargs == '*')}"
            for action in self._get_positional_actions()
        ]
        return " ".join(["%(prog)s", "[OPTIONS]", *operands])


class _FullHelp(argparse.Action):
    """Prints the help with hidden groups."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        if isinstance(parser, ArgumentParser):
            parser._print_message(parser.format_help(full=True), sys.stdout)  # noqa: SLF001 - as argparse's own print_help
        parser.exit()
