"""Take a snapshot of what the program reports and generates for testdata, or compare two snapshots.

    python -m tests.snapshot take > OLD
    python -m tests.snapshot compare OLD NEW --renamed MAP

A line of MAP is `OLD NEW`, for rule ids and for cases. To take a snapshot of an older commit, copy this folder into a
checkout of it: it calls the entry point of the installed program and the helpers of tests/support, nothing else.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from pathlib import Path

from tests.snapshot.cases import all_runs
from tests.snapshot.difference import difference, read_renamed
from tests.snapshot.lines import lines_of
from tests.snapshot.program import Case, execute, import_program


def snapshot(only: str = "") -> list[str]:
    """Return the sorted lines of all cases whose names start with `only`."""
    with tempfile.TemporaryDirectory() as work:
        cases = [case for case in all_runs(Path(work)) if case.name.startswith(only)]
        import_program()
        with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
            return sorted(line for lines in pool.imap_unordered(_lines, cases, chunksize=4) for line in lines)


def _lines(case: Case) -> list[str]:
    return list(lines_of(case, execute(case)))


def _take(options: argparse.Namespace) -> int:
    sys.stdout.write("".join(f"{line}\n" for line in snapshot(options.only)))
    return 0


def _compare(options: argparse.Namespace) -> int:
    old, new = (Path(path).read_text("utf-8").splitlines() for path in (options.old, options.new))
    renamed = read_renamed(Path(options.renamed).read_text("utf-8")) if options.renamed else {}
    found = difference(old, new, renamed)
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code, 1 for snapshots that differ."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.snapshot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    take = commands.add_parser("take", help="print a snapshot of this checkout")
    take.add_argument("--only", default="", metavar="PREFIX", help="cases whose names start with this")
    take.set_defaults(run=_take)
    compare = commands.add_parser("compare", help="print the difference between two snapshots")
    compare.add_argument("old", metavar="OLD")
    compare.add_argument("new", metavar="NEW")
    compare.add_argument("--renamed", metavar="MAP", help="file of renamed rule ids and cases")
    compare.set_defaults(run=_compare)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
