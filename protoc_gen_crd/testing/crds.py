"""The CRDs of paths: made of .proto files and descriptors, and read from documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.rules import GROUP, KIND, Reader, RuleFile
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.cases import Case, read_cases
from protoc_gen_crd.testing.files import content, find_files

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


def rules_of(given: Sequence[str], problems: Problems) -> list[RuleFile]:
    """The rule files among documents of paths. Raises OSError as reading does."""
    found = []
    for file in find_files(given, problems).documents:
        cases = read_cases(content(file, problems), file, problems)
        found += [Reader(case.place, problems).read(case.object) for case in cases if (case.group, case.kind) == RULES]
    return found


def _decoded(case: Case, problems: Problems) -> Iterator[Crd]:
    decoded = decode(case.object, case.place)
    if decoded.crd is not None:
        yield decoded.crd
    else:
        message = f"an API server must accept {case.name}, found {decoded.refusal(nested=True)}"
        problems.report("crd-refused", message, case.at, path=case.name)
