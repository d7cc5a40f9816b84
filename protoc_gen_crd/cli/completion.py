"""`completion SHELL`: the shell code that completes commands, options and paths.

The code calls the program: `main` then completes the line, with the values that `flags_from_options` sets for a flag.
"""

from __future__ import annotations

import argparse

from protoc_gen_crd.cli.usage_error import UsageError

SHELLS = ("bash", "zsh", "fish")
_MISSING = "completion requires argcomplete: pip install 'protoc-gen-crd[completion]'"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")


def run(arguments: argparse.Namespace) -> int:
    """Print the code. Raises UsageError without argcomplete."""
    try:
        from argcomplete.shell_integration import shellcode
    except ModuleNotFoundError:
        raise UsageError(_MISSING) from None
    print(shellcode(["protoc-gen-crd"], shell=arguments.shell))
    return 0
