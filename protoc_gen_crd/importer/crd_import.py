"""Import of CRDs with its proof: the CRDs that are generated from the files equal the imported ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd import pipeline
from protoc_gen_crd.base.output_files import write_file as write_content
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.temporary_files import temporary_folder
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_differences import find_differences
from protoc_gen_crd.crd.normalized_manifest import make_manifest
from protoc_gen_crd.findings.finding import Finding, Location, Problems, Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.importer.crd_places import locate_field, locate_key
from protoc_gen_crd.importer.proto_files import declare_files
from protoc_gen_crd.importer.proto_writer import write_file
from protoc_gen_crd.importer.shared_types import share_types
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.go_type_decoder import Path as MemberPath
from protoc_gen_crd.schema.go_type_decoder import format_path
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.settings.settings import Settings

Json = dict[str, Any]
_HINT = "set import-difference to warning in the settings to write the files without it"
_CONVERSION = ("spec", "conversion")
_CONVERSION_HINT = (
    "declare the conversions and set webhook_service or webhook_url in the settings, or patch the generated CRD, for "
    "example with kustomize"
)
_METADATA_HINT = "patch the generated CRD, for example with kustomize"
_METADATA_OF_USERS = ("finalizers", "ownerReferences")  # API servers set the others, except name, labels, annotations
_MAX_SHOWN = 20  # differences of one CRD that are findings


class ProtoFile(Record):
    """A .proto file: its name and text."""

    name: str
    text: str


def import_crds(crds: Sequence[Crd], problems: Problems) -> tuple[ProtoFile, ...]:
    """Return the .proto files of CRDs, and report what the CRDs generated from them lack.

    Args:
        crds: The CRDs, as `select_crds` returns them.
        problems: Receives the differences, and the errors of protoc and of the generator.
    """
    trials = {crd.name: _Trial(make_manifest(crd)) for crd in crds}
    findings: dict[str, list[Finding]] = {}  # by file, or empty
    while pending := _write_files(list(trials.values())):
        for name in {file.name for trial in pending for file in (*trial.replaced, *trial.files)}:
            findings.pop(name, None)
        for finding in _run(pending):
            findings.setdefault(finding.at.resolve().file if finding.at else "", []).append(finding)
        for trial in pending:
            trial.simplify(is_faulty=any(file.name in findings for file in trial.files))
    origins = {file.name: crd for crd in reversed(crds) for file in trials[crd.name].files}
    for name, group in findings.items():
        problems.findings += [_relocate(finding, origins.get(name)) for finding in group]
    for crd in crds:
        if trials[crd.name].is_generated or not findings:  # else the findings are the reasons
            _report_differences(crd, trials[crd.name], problems)
    return tuple(dict.fromkeys(file for trial in trials.values() for file in trial.files))


def _relocate(finding: Finding, crd: Crd | None) -> Finding:
    """Return a finding of a file at its CRD, since no file is written if there is an error."""
    if crd is None:
        return finding
    at = locate_field(crd, finding.path)
    return finding.replace(at=at, excerpt=None, message=f"{finding.path or crd.name}: {finding.message}")


class _Trial:
    """The files of a CRD, and the differences between the CRD generated from them and the imported one."""

    def __init__(self, manifest: Json) -> None:
        self.manifest = manifest
        self.declarations = tuple(declare_files(manifest))
        self.files: tuple[ProtoFile, ...] = ()
        self.replaced: tuple[ProtoFile, ...] = ()  # the files before these
        self.differences: list[tuple[MemberPath, str]] = []  # without that of `has_webhook`
        self.has_webhook = False
        self.is_generated = False
        self.is_sharing = True  # messages with other CRDs
        self._is_merged = True  # versions that are alike are ranges of one message
        self._raw: set[str] = set()  # keywords without options of their own

    def compare(self, generated: Crd | None) -> None:
        """Set the differences to a generated CRD."""
        self.is_generated = generated is not None
        if generated is None:
            self.differences = [(("metadata", "name"), "differs")]
            return
        differences = list(find_differences(self.manifest, make_manifest(generated)))
        self.differences = [pair for pair in differences if pair[0][:2] != _CONVERSION]
        self.has_webhook = len(self.differences) < len(differences)

    def simplify(self, *, is_faulty: bool) -> None:
        """Replace the declarations by simpler ones if they are faulty or have differences, if there are simpler ones.

        Shared messages are replaced by own ones if there are differences, then ranges by a package for each version,
        then options by the option `keywords`, if they differ.
        """
        if not is_faulty and not self.differences:
            return
        if self.differences and self.is_sharing and len(self.files) > len(self.declarations):
            self.is_sharing = False
            return
        before = self.declarations
        if self._is_merged:
            self._is_merged = False
            self.declarations = tuple(declare_files(self.manifest, merge=False))
            if self.declarations != before:
                return
        paths = [[str(step) for step in path] for path, _ in self.differences]
        raw = {next((step for step in reversed(path) if step in KEYWORDS), "") for path in paths} - {""}
        if not raw <= self._raw:
            self._raw |= raw
            self.declarations = tuple(declare_files(self.manifest, self._raw, merge=False))


def _write_files(trials: Sequence[_Trial]) -> list[_Trial]:
    """Write the files of declarations, and return the trials whose files change."""
    own, shared = share_types([file for trial in trials if trial.is_sharing for file in trial.declarations])
    sharing = {file.name: file for file in own}
    texts = {file.name: ProtoFile(file.name, write_file(file)) for file in shared}
    changed = []
    for trial in trials:
        files: dict[str, ProtoFile] = {}
        for declaration in trial.declarations:
            file = sharing[declaration.name] if trial.is_sharing else declaration
            files.update((name, texts[name]) for name in file.imports)
            files[file.name] = ProtoFile(file.name, write_file(file))
        if trial.files != (written := tuple(files.values())):
            trial.replaced, trial.files = trial.files, written
            changed.append(trial)
    return changed


def _run(trials: Sequence[_Trial]) -> list[Finding]:
    """Compile the files, generate CRDs and compare them. Return the errors of protoc and of the generator."""
    own = Problems()
    files = list({file.name: file for trial in trials for file in trial.files}.values())
    with temporary_folder() as folder:
        names = {file.name: str(Path(folder, str(index))) for index, file in enumerate(files)}
        for file in files:
            write_content(names[file.name], file.text.encode())
        request = Request.from_message(compile_files(names, (), own), own) if files else None
    crds = pipeline.build_unvalidated_crds(request, Settings(), own) if request else ()
    generated = {crd.name: crd for crd in crds}
    for trial in trials:
        trial.compare(generated.get(trial.manifest["metadata"]["name"]))
    rules = load_rules()
    sources = {path: Location(name) for name, path in names.items()}
    own.findings = [_move(finding, sources) for finding in own.findings]
    severities = [finding.severity or rules[finding.rule].severity for finding in own.findings]
    return [finding for finding, severity in zip(own.findings, severities, strict=True) if severity is Severity.ERROR]


def _move(finding: Finding, sources: Mapping[str, Location]) -> Finding:
    """Return a finding of protoc at the imported file, not at its temporary copy."""
    at = sources.get(finding.at.resolve().file) if finding.at else None
    return finding if at is None else finding.replace(at=at, excerpt=None)


def _report_differences(crd: Crd, trial: _Trial, problems: Problems) -> None:
    if trial.has_webhook:
        message = f"{format_path(_CONVERSION)} of {crd.name} is not imported: .proto files do not contain it"
        at = locate_key(crd, _CONVERSION)
        problems.report("import-conversion", message, at, path=crd.name, hint=_CONVERSION_HINT)
    for member in _METADATA_OF_USERS:
        if crd.metadata.get(member):
            message, at = f"metadata.{member} is missing in the generated CRD", locate_key(crd, ("metadata", member))
            warning = Severity.WARNING
            problems.report("import-difference", message, at, path=crd.name, hint=_METADATA_HINT, severity=warning)
    differences = trial.differences
    for path, description in differences[:_MAX_SHOWN]:
        message = f"{format_path(path)} {description} in the generated CRD"
        problems.report("import-difference", message, locate_key(crd, path), path=crd.name, hint=_HINT)
    if len(differences) > _MAX_SHOWN:
        message = f"{len(differences) - _MAX_SHOWN} more differences"
        problems.report("import-difference", message, crd.origin, path=crd.name, hint=_HINT)
