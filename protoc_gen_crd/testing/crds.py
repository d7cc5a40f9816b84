"""The CRDs of paths: made of .proto files and descriptors, and read from documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.rules.rulefiles import read_rules
from protoc_gen_crd.conversion.rules.rules import GROUP, KIND, Reader, RuleFile
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.cases import Case, read_cases
from protoc_gen_crd.testing.files import content, find_files, is_listed

RULES = GROUP, KIND


def crds_of(
    given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems, made: Problems
) -> Iterator[Crd]:
    """The CRDs of .proto files and descriptors, then those of documents. `made` takes what the generator finds.

    `paths` learns where the .proto files lie. Raises OSError as reading does.
    """
    files = find_files(given, problems, settings.written)
    if files.apis:
        from protoc_gen_crd.testing.generated import generated  # noqa: PLC0415 - it loads the generator

        yield from generated(files.apis, settings, paths, made)
    for file in files.documents:
        for case in read_cases(content(file, problems), file, problems):
            if case.is_crd:
                yield from _decoded(case, problems)


def some_crds(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> tuple[Crd, ...]:
    """The CRDs of paths; that there is none is reported where nothing else says so. Raises OSError as reading does."""
    crds = tuple(crds_of(given, settings, paths, problems, problems))
    if not crds and not problems.findings:
        problems.report("crd-none", "the paths must hold a CRD, found none")
    return crds


def rules_of(given: Sequence[str], problems: Problems) -> list[RuleFile]:
    """The rule files among documents of paths. Raises OSError as reading does."""
    found = []
    for file in find_files(given, problems).documents:
        cases = read_cases(content(file, problems), file, problems)
        found += [Reader(case.place, problems).read(case.object) for case in cases if (case.group, case.kind) == RULES]
    return found


def with_rules(given: Sequence[str], crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """The CRDs with the settings' webhook where paths or settings convert them; rules in two places are told."""
    from protoc_gen_crd.conversion.planning import check_once, with_webhook  # noqa: PLC0415 - it loads the planner

    files = rules_of(given, Problems())
    theirs = [file for file in files if not is_for_kcp(file.origin.file)]
    named = read_rules(settings, Problems())  # what is wrong with them is told by what runs them
    places = {(Path(file.origin.file).resolve(), file.origin.line): file for file in (*theirs, *named)}
    check_once(list(places.values()), crds, problems)
    return with_webhook(crds, settings, problems, files)


def is_for_kcp(file: str) -> bool:
    """Whether a file of rules is one that a run, or protoc, has written for kcp."""
    path = Path(file)
    start, _, rest = path.name.partition("-")
    return is_listed(file) or (start == KIND.lower() and path.with_name(f"apiresourceschema-{rest}").exists())


def _decoded(case: Case, problems: Problems) -> Iterator[Crd]:
    decoded = decode(case.object, case.place)
    if decoded.crd is not None:
        yield decoded.crd
    else:
        message = f"an API server must accept {case.name}, found {decoded.refusal(nested=True)}"
        problems.report("crd-refused", message, case.at, path=case.name)
