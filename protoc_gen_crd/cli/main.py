"""The command line: the commands and what they have in common. The module of a command is imported when it runs.

Exit status: 0 success, 1 findings, 2 usage or environment error, 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import cast

from protoc_gen_crd import __version__
from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.base.path_hints import is_pattern
from protoc_gen_crd.base.suggestions import find_nearest, suggest
from protoc_gen_crd.cli.argument_parser import ArgumentParser
from protoc_gen_crd.cli.help_examples import format_examples
from protoc_gen_crd.cli.usage_error import SettingsError, UsageError

PROGRAM = "protoc-gen-crd"
FINDINGS, USAGE_ERROR = 1, 2

# Commands by job, with their help. The module of the same name has configure(parser) and run(arguments) -> exit status.
_JOBS = {
    "start": {
        "init": "write the first files of a project: an example, or settings, test data and CI that fit the folder",
        "import": "write annotated .proto files from CRDs",
    },
    "generate": {
        "generate": "generate CRDs from .proto files, folders, descriptor sets or buf images",
        "docs": "generate the API reference as Markdown or HTML, one page per group",
        "explore": "serve the API reference with a playground for manifests, CEL rules, and conversions",
        "schemas": "write a JSON Schema of each kind and version, for editors and validators of manifests",
        "samples": "generate a minimal and a full sample of each kind and version, and validate handwritten samples",
    },
    "validate": {
        "validate": "validate manifests and CRDs offline, as the API servers of a range of Kubernetes versions would",
        "lint": "check protos and CRDs against the conventions of Kubernetes and of an organization",
        "cost": "report the estimated cost of CEL rules and suggest bounds that bring it under the limit",
        "cel": "evaluate a CEL rule on an object: value, type, cost, and differences between Kubernetes versions",
        "fuzz": "search for documents on which an external validator and API servers disagree",
        "corpus": "write test documents as seeds for a fuzzer",
    },
    "evolve": {
        "version": "add a version to kinds, or deprecate or remove a version, field or enum value",
        "changes": "report the changes since an older API, and whether they need a new version",
        "history": "record the API of each release and report what changed",
        "convert": "convert objects to another version of their kind, and test conversions with round trips",
    },
    "operate": {
        "serve": "run the conversion and admission webhook",
        "manifests": "generate the manifests that run the webhook in a cluster",
        "patch": "set the conversion webhook of installed CRDs and change nothing else",
        "migrate": "migrate stored objects to the storage version, so that old versions can be removed",
    },
    "help": {
        "explain": "describe a finding, a marker, or a field of a kind, or list all rules",
        "include": "print the import path of options.proto and Kubernetes' messages, or copy .proto files for buf",
        "completion": "print the completion code for bash, zsh or fish",
    },
}
COMMANDS = {name: text for commands in _JOBS.values() for name, text in commands.items()}
REPLAY = "replay"

_DESCRIPTION = """\
Kubernetes CustomResourceDefinitions from Protocol Buffers.

Without arguments and with a request on standard input, it runs as a plugin of protoc and buf:

  protoc --crd_out=FOLDER API.proto"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status. Raises OSError."""
    # A file name that is not valid UTF-8 must not break a message about it.
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"{PROGRAM}: {terminal_line(str(error))}", file=sys.stderr)
        return USAGE_ERROR
    except SettingsError:
        return FINDINGS


def _run(arguments: Sequence[str]) -> int:
    if "_ARGCOMPLETE" in os.environ:
        _complete()
    arguments = arguments or ["--help"]
    name, parser = _select_command(arguments[0])
    module = import_module(f"protoc_gen_crd.cli.{name}")
    module.configure(parser)
    parsed, unknown = parser.parse_known_args(arguments[name != REPLAY :])
    if unknown and name == REPLAY and (command := next(filter(COMMANDS.__contains__, arguments), None)):
        raise UsageError(
            f'unknown argument "{unknown[0]}"; write it after the command: {PROGRAM} {command} {unknown[0]}'
        )
    if unknown:
        raise UsageError(f'unknown argument "{unknown[0]}"; {_suggest_argument(unknown[0], parser)}')
    paths = (*getattr(parsed, "paths", ()), *getattr(parsed, "given", ()))
    if "" in paths:
        raise UsageError(f'expected a path, got ""; see {parser.prog} --help')
    try:
        return cast(int, module.run(parsed))
    except FileNotFoundError as error:
        text, name = os.strerror(errno.ENOENT), error.filename
        is_input = name in paths and error.strerror == text and not is_pattern(name)
        if is_input and "--out" in parser._option_string_actions and not os.path.splitext(name)[1]:  # noqa: PTH122, SLF001
            error.strerror = f"{text} (PATH is an input; pass an output folder with --out)"
        if name not in paths and error.strerror == text:
            from protoc_gen_crd.cli.missing_inputs import report_missing_inputs

            if report_missing_inputs(parsed, str(name)):
                return FINDINGS
        raise


def _select_command(first: str) -> tuple[str, ArgumentParser]:
    """Return the command that the first argument selects, with its parser."""
    if first in COMMANDS:
        return first, _make_command_parser(first)
    if first.startswith("-"):
        return REPLAY, _make_parser()
    raise UsageError(f'unknown command "{first}"; {_suggest_command(first) or f"see {PROGRAM} --help"}')


def _suggest_argument(argument: str, parser: ArgumentParser) -> str:
    """Return a hint for an unknown argument: the flag that begins so, or the nearest one."""
    flags = [flag[2:] for flag in parser._option_string_actions]  # noqa: SLF001 - argparse has no other list
    flag = argument.partition("=")[0].lstrip("-")
    near = _find_prefixed(flag, flags) or find_nearest(flag, filter(None, flags))
    return f'did you mean "--{near}"?' if near else f"see {parser.prog} --help"


def _suggest_command(argument: str) -> str:
    """Return a hint for an unknown command: the nearest one, one that begins so, or the one that reads the file."""
    if os.path.exists(argument):  # noqa: PTH110 - as the user wrote it
        return f'did you mean "{PROGRAM} generate {argument}"?'
    near = _find_prefixed(argument, COMMANDS)
    return suggest(argument, COMMANDS) or (f'did you mean "{near}"?' if near else "")


def _find_prefixed(prefix: str, names: Iterable[str]) -> str | None:
    """Return the only name that begins with a prefix."""
    candidates = [name for name in names if name.startswith(prefix)]
    return candidates[0] if len(candidates) == 1 or (candidates and min(candidates, key=len) == prefix) else None


def _make_command_parser(name: str) -> ArgumentParser:
    description = f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}."
    return ArgumentParser(prog=f"{PROGRAM} {name}", description=description, epilog=format_examples(name, PROGRAM))


def _make_parser() -> ArgumentParser:
    groups = [
        f"\n{job}:" + "".join(f"\n  {name:10} {summary}" for name, summary in commands.items())
        for job, commands in _JOBS.items()
    ]
    epilog = "\n".join(groups).lstrip() + f"\n\nRun `{PROGRAM} COMMAND --help` for the options of a command."
    parser = ArgumentParser(prog=PROGRAM, usage=f"{PROGRAM} COMMAND ...", description=_DESCRIPTION, epilog=epilog)
    parser.help_group.add_argument(
        "--version", action="version", version=f"{PROGRAM} {__version__}", help="print the version"
    )
    return parser


def _complete() -> None:
    """Answer a shell that completes a command line; never returns."""
    import argcomplete

    parser = _make_parser()
    commands = parser.add_subparsers()
    for name in COMMANDS:
        import_module(f"protoc_gen_crd.cli.{name}").configure(commands.add_parser(name))
    argcomplete.autocomplete(parser)
