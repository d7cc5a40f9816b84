"""The command line: the commands and what they have in common. The module of a command is imported when it runs.

Exit status: 0 success, 1 findings, 2 usage or environment error, 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn, cast

from protoc_gen_crd import __version__
from protoc_gen_crd.base.suggestions import find_nearest, suggest
from protoc_gen_crd.cli.usage_error import UsageError

PROGRAM = "protoc-gen-crd"
USAGE_ERROR = 2

# Name and help. The module of the same name has configure(parser) and run(arguments) -> exit status.
COMMANDS = {
    "generate": "write the CRDs of .proto files, folders of them, descriptor sets or buf images",
    "validate": "validate manifests and CRDs offline, as the API servers of a range of Kubernetes versions would",
    "cost": "report the estimated cost of CEL rules and suggest bounds that bring it under the limit",
    "convert": "convert objects to another version of their kind, and test conversions with round trips",
    "migrate": "migrate stored objects to the storage version, so that old versions can be removed",
    "serve": "serve the conversion and admission webhook over TLS",
    "manifests": "write the manifests that run the conversion and admission webhook in a cluster",
    "patch": "set the conversion webhook of installed CRDs and change nothing else",
    "samples": "write a minimal and a full sample of each kind and version, and validate handwritten samples",
    "docs": "write the API reference as Markdown, one page per group",
    "history": "record the API of each release and report what changed",
    "fuzz": "search for documents on which an external validator and API servers disagree",
    "corpus": "write test documents as seeds for a fuzzer",
    "explain": "print the documentation of a rule, or a list of all rules",
    "include": "print the import path of protoc_gen_crd/v1/options.proto, for -I of protoc",
}
REPLAY = "replay"

_DESCRIPTION = """\
Kubernetes CustomResourceDefinitions from Protocol Buffers.

Without arguments and with a request on standard input, it runs as a plugin of protoc and buf:

  protoc --crd_out=FOLDER API.proto"""


class _ArgumentParser(argparse.ArgumentParser):
    _is_intermixed = False

    def error(self, message: str) -> NoReturn:
        """Report the error without the usage, which would hide it."""
        raise UsageError(message if message.endswith("?") else f"{message}; see {self.prog} --help")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Accept positional arguments before, between and after options."""
        parsed, rest = super().parse_known_args(args, namespace)
        if self._is_intermixed or self._subparsers is not None or all(argument.startswith("-") for argument in rest):
            return parsed, rest
        self._is_intermixed = True  # the next call is recursive
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_intermixed = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status. Raises OSError."""
    # A file name that is not valid UTF-8 must not break a message about it.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return USAGE_ERROR


def _run(arguments: Sequence[str]) -> int:
    arguments = arguments or ["--help"]
    first = arguments[0]
    if first in COMMANDS:
        name, parser = (
            first,
            _ArgumentParser(prog=f"{PROGRAM} {first}", allow_abbrev=False, description=_get_help(first)),
        )
    elif first.startswith("-"):
        name, parser = REPLAY, _make_parser()
    else:
        raise UsageError(f'unknown command "{first}"; {_suggest_command(first) or f"see {PROGRAM} --help"}')
    module = import_module(f"protoc_gen_crd.cli.{name}")
    module.configure(parser)
    bare = getattr(module, "FLAGS_WITHOUT_VALUE", {})  # flags with an optional value, and its default
    given = [f"{each}={bare[each]}" if each in bare else each for each in arguments[name != REPLAY :]]
    found, rest = parser.parse_known_args(given)
    if rest:
        known = [flag[2:] for flag in parser._option_string_actions]  # noqa: SLF001 - argparse has no other list
        given_flag = rest[0].partition("=")[0].lstrip("-")
        near = find_nearest(given_flag, filter(None, known)) or _find_prefixed(given_flag, known)
        hint = f'did you mean "--{near}"?' if near else f"see {parser.prog} --help"
        raise UsageError(f'unknown argument "{rest[0]}"; {hint}')
    return cast(int, module.run(found))


def _suggest_command(text: str) -> str:
    """A hint for an unknown command: the nearest one, one that begins so, or the command that reads the file."""
    if os.path.exists(text):  # noqa: PTH110 - as the user wrote it
        return f'did you mean "{PROGRAM} generate {text}"?'
    near = _find_prefixed(text, COMMANDS)
    return suggest(text, COMMANDS) or (f'did you mean "{near}"?' if near else "")


def _find_prefixed(text: str, names: Iterable[str]) -> str | None:
    """The only name that begins with a text."""
    found = [name for name in names if name.startswith(text)]
    return found[0] if len(found) == 1 or (found and min(found, key=len) == text) else None


def _make_parser() -> _ArgumentParser:
    rows = "".join(f"\n  {name:10} {text}" for name, text in COMMANDS.items())
    epilog = f"commands:{rows}\n\nRun `{PROGRAM} COMMAND --help` for more about a command."
    parser = _ArgumentParser(
        prog=PROGRAM, usage=f"{PROGRAM} COMMAND ...", description=_DESCRIPTION, epilog=epilog, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    return parser


def _get_help(name: str) -> str:
    return f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
