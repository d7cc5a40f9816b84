"""Loader of a side of a comparison from files, by the names that they have in locations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd_loader import generate_crds, summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.documents.crd_text_cache import KnownCrds
from protoc_gen_crd.documents.document_files import find_files, read_content
from protoc_gen_crd.documents.document_reader import CRD_KIND, DocumentCase, is_test_file, read_cases
from protoc_gen_crd.documents.misspelled_crds import find_misspelled_crds
from protoc_gen_crd.findings.finding import Finding, Location, Problems, Severity
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.group_loader import load_groups
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.crd_loader import CrdBuilder
    from protoc_gen_crd.proto.request import Request

_CRD_MARK = CRD_KIND.encode()
_INVALID_HINT = "compare the committed CRDs with --artifacts, or another commit or release"
_SOURCE_HINT = "build the image with `buf build` without --exclude-source-info, or protoc with --include_source_info"


class SideReader:
    """Reads the files of a side.

    `format_name` returns the name of a path in locations, by default the path itself. CRDs that are `known` are not
    read again, and have no case. `build` is as in `generate_crds`.
    """

    def __init__(
        self,
        label: str,
        settings: Settings,
        problems: Problems,
        format_name: Callable[[str], str] = str,
        known: KnownCrds | None = None,
        build: CrdBuilder | None = None,
    ) -> None:
        self._label = label
        self._settings = settings
        self._problems = problems
        self._format_name = format_name
        self._known = known or KnownCrds()
        self._taken: list[Crd] = []
        self._build = build
        self._copies: dict[str, str] = {}
        self._findings: list[Finding] = []  # warnings and notes

    def read(self, paths: Sequence[str], test_paths: Sequence[str] = (), *, is_partial: bool = False) -> ApiSide:
        """Read paths; of test paths, only documents other than CRDs. Raises OSError if a path cannot be read.

        With `is_partial`, findings in files without CRDs are not reported.
        """
        before = len(self._problems.findings)
        side = self._read(paths, test_paths, is_partial=is_partial)
        names = [crd.name for crd in side.decoded]
        if self._taken and len(names) > len(set(names)):  # known CRDs have the places and the order of the other side
            del self._problems.findings[before:], self._findings[:]
            self._known, self._taken = KnownCrds(), []
            side = self._read(paths, test_paths, is_partial=is_partial)
        return side

    def _read(self, paths: Sequence[str], test_paths: Sequence[str], *, is_partial: bool) -> ApiSide:
        # A folder without documents is reported as an empty side.
        files = find_files(paths, Problems() if is_partial else self._problems, self._settings.output_folders)
        requests: list[Request] = []
        generated = self._generate(files.generator_inputs, requests) if files.generator_inputs else ()
        # Errors of groups are those of the past.
        groups = load_groups(requests, self._settings, Problems()).api if requests and self._settings.groups else None
        cases = [case for file in files.documents for case in self._read_file(file, is_partial=is_partial)]
        tests = find_files(test_paths, Problems(), self._settings.output_folders).documents
        others = [file for file in tests if file not in files.documents]
        cases += [case for file in others for case in self._read_file(file, is_partial=True) if not case.is_crd]
        side = self._make_side(generated, cases).replace(groups=groups, protos=summarize_protos(requests))
        self._report_misspelled(side)
        return side

    def read_contents(self, contents: Mapping[str, bytes]) -> ApiSide:
        """Read documents that are not on disk, by their names in locations."""
        cases = [case for name, data in contents.items() for case in read_cases(data, name, self._problems)]
        return self._make_side((), cases).replace(contents=contents)

    def _make_side(self, generated: Sequence[Crd], cases: Sequence[DocumentCase]) -> ApiSide:
        pairs = [(case, self._decode(case) if case.is_crd else None) for case in cases]
        decoded = (*self._taken, *(crd for _, crd in pairs if crd))
        accepted = tuple(case for case, crd in pairs if crd or not case.is_crd)
        side = ApiSide(self._label, tuple(generated), decoded, accepted, self._copies)
        return side.replace(findings=tuple(self._findings))

    def _report_misspelled(self, side: ApiSide) -> None:
        """Report misspelled CRDs: as errors if the side has no others, since files of the past cannot be fixed."""
        errors = self._select_errors(list(find_misspelled_crds(side.cases, self._settings.skip_kinds)))
        if side.is_empty:
            self._problems.findings += errors
        elif errors:
            self._report_incomplete(errors[0], errors[0].hint)

    def _show(self, path: str) -> str:
        name = self._format_name(path)
        if name != path:
            self._copies[name] = path
        return name

    def _generate(self, inputs: Sequence[str], requests: list[Request]) -> Sequence[Crd]:
        """Generate CRDs. Findings are reported only if they prevent it."""
        problems, paths = Problems(), dict[str, str]()
        crds = generate_crds(inputs, self._settings, paths, problems, self._name_file, requests, self._build)
        if any(finding.rule == "source-missing" for finding in problems.findings):
            message = f"{self._label} (--old) has no source info, so constraints in comments would look new"
            self._problems.report("old-source-missing", message, hint=_SOURCE_HINT)
            return ()
        findings = [self._relocate(finding, paths) for finding in self._select_findings(problems.findings)]
        errors = self._select_errors(findings)
        if errors and not crds:
            self._problems.findings += errors
            message = f"no CRDs can be generated from {self._label} (--old)"
            self._problems.report("old-invalid", message, hint=_INVALID_HINT)
        elif errors:
            self._report_incomplete(errors[0], _INVALID_HINT)
        return crds

    def _report_incomplete(self, error: Finding, hint: str) -> None:
        message = f"{self._label} (--old) has errors, so its CRDs may be incomplete: {error.message}"
        self._problems.report("old-invalid", message, error.at, hint=hint, severity=Severity.WARNING)

    def _select_errors(self, findings: Sequence[Finding]) -> list[Finding]:
        """Return the errors of a file, and keep its other findings."""
        is_error = [has_error([finding], self._settings.findings, complete=False) for finding in findings]
        self._findings += (finding for finding, error in zip(findings, is_error, strict=True) if not error)
        return [finding for finding, error in zip(findings, is_error, strict=True) if error]

    def _select_findings(self, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Yield the findings that are not about overrides, which may be for the new files."""
        from protoc_gen_crd.markers.override_place import OverridePlace  # noqa: PLC0415 - it is loaded with the generator

        return (finding for finding in findings if not isinstance(finding.at, OverridePlace))

    def _name_file(self, name: str, path: str) -> str:
        """Return the name of a .proto file in locations: by its path, or in its descriptor set."""
        return self._show(path) if path else f"{self._label}:{name}"

    def _relocate(self, finding: Finding, paths: Mapping[str, str]) -> Finding:
        """Return a finding of the compiler, which knows only the names of files, with its place on this side."""
        if finding.at is None:
            return finding
        at = finding.at.resolve()
        path = paths.get(at.file, at.file)
        return finding.replace(at=at if at.file in self._copies else at.replace(file=self._show(path)))

    def _read_file(self, file: str, *, is_partial: bool) -> list[DocumentCase]:
        problems = Problems()
        data = read_content(file, problems)
        data, taken = (data, []) if is_test_file(file) else self._known.take(data)
        self._taken += taken
        cases = read_cases(data, self._show(file), problems, similar=self._known.similar)
        if not cases and not taken and not problems.findings:
            problems.report("document-none", "no objects found in a path of --old", Location(self._show(file)))
        if not is_partial or _CRD_MARK in data:
            # Findings on a file without objects explain why it has none.
            self._problems.findings += self._select_errors(problems.findings) if cases or taken else problems.findings
        return [case for case in cases if not case.expectation.is_rejected]

    def _decode(self, case: DocumentCase) -> Crd | None:
        decoded = decode(case.object, case.get_place, known=self._known.structs)
        if decoded.crd is None:
            message = f"old CRD is rejected: {decoded.format_rejection(nested=True)}"
            at = decoded.find_rejected_value(case.get_place)
            self._problems.report("crd-rejected", message, at, path=case.name)
        return decoded.crd
