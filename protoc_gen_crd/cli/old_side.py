"""The old side of a command, from --old: a commit, a recorded release, a cluster, or files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, suggest
from protoc_gen_crd.documents.api_side import ApiSide, merge_sides
from protoc_gen_crd.documents.crd_text_cache import KnownCrds
from protoc_gen_crd.documents.side_reference import (
    CLUSTER,
    FORMS,
    GIT,
    GIT_FORMS,
    HISTORY,
    MERGE_BASE,
    PATH,
    SideReference,
    parse_reference,
)
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader

if TYPE_CHECKING:
    from protoc_gen_crd.crd_loader import CrdBuilder

_NO_SIDE_HINT = (
    "name the older API with --old, such as git:REF, a file or a folder, or record releases with `history record`"
)
# Hints for a side without content, by its form.
_EMPTY_HINTS = {
    CLUSTER: "if the API is installed in another cluster, pass --context or --kubeconfig; otherwise everything is new",
    PATH: "pass the files that contain the older API",
}
_EMPTY_HINT = "if the API is in another folder of the commit, pass git:REF:DIR; otherwise everything is new"


class SideInputs(Record):
    """The inputs of a side: paths of the command line, otherwise options with paths, and options with tests.

    `groups` limits the CRDs of a cluster; without groups, all CRDs are read. With `requires_crds`, a side that contains
    only other documents is reported, and with `accepts_protos` not one with .proto files; with `may_be_empty`, not even
    one without any. CRDs that are `known` are not read again. `build` is as in `generate_crds`. With `reads_releases`,
    a merge base has the last release that it records.
    """

    paths: Sequence[str] = ()
    options: Sequence[str] = ("inputs", "documents")
    test_options: Sequence[str] = ("documents", "samples")
    groups: Collection[str] = ()
    requires_crds: bool = False
    accepts_protos: bool = False
    known: KnownCrds | None = None
    may_be_empty: bool = False
    build: CrdBuilder | None = None
    reads_releases: bool = False


def find_default_references(inputs: SideInputs, settings: Settings, problems: Problems) -> Sequence[str]:
    """Return the last recorded release, or else the merge base with the default branch; report if there is neither."""
    if list_releases(settings.history):
        return (HISTORY,)
    from protoc_gen_crd.documents.git_repository import GitError, open_repository

    try:
        repository = open_repository(inputs.paths, settings.settings)
        if branch := repository.find_default_branch():
            return (f"{MERGE_BASE}:{branch}",)
        reason, hint = "no default branch", repository.explain_absence(_NO_SIDE_HINT)
        if not repository.has_commits:
            reason, hint = "no commit", "commit the API first: later changes are compared with the commit"
    except GitError as error:
        reason, hint = str(error), _NO_SIDE_HINT
    problems.report("old-missing", f"no older API to compare with: no recorded release, and {reason}", hint=hint)
    return ()


@contextmanager
def open_old_side(
    references: Sequence[str], inputs: SideInputs, settings: Settings, problems: Problems
) -> Iterator[ApiSide | None]:
    """Open the old side; None, with findings, if it cannot be read. Copies of its files exist in the context only.

    Raises OSError if a path of --old cannot be read.
    """
    with ExitStack() as stack:
        opener = _SideOpener(inputs, settings, problems, stack)
        before = len(problems.findings)
        parsed = [parse_reference(reference) for reference in references]
        sides = [opener.open(reference) for reference in parsed if reference.form != PATH]
        paths = [reference.value for reference in parsed if reference.form == PATH]
        if [path for path in paths if opener.report_missing_path(path)]:
            sides.append(None)
        elif paths:
            own = _select_import_paths(settings, paths, inputs)
            reader = SideReader(", ".join(paths), own, problems, known=inputs.known, build=inputs.build)
            sides.append(reader.read(paths))
        side = merge_sides([side for side in sides if side], problems)
        is_empty = side.is_empty and not inputs.may_be_empty and not (inputs.accepts_protos and side.protos)
        is_usable = not inputs.requires_crds and side.cases
        if sides and is_empty and not is_usable and len(problems.findings) == before:
            content = "CRDs" if inputs.requires_crds else "CRDs or documents"
            is_named = any(reference.form == PATH or reference.folder for reference in parsed)
            severity = Severity.ERROR if is_named else None
            report_empty_side(side, content, problems, severity, parsed[0].form)
        yield side if all(sides) else None


def _select_import_paths(settings: Settings, paths: Sequence[str], inputs: SideInputs) -> Settings:
    """Return the settings of older files: import paths of the new side are not theirs."""
    if not settings.import_paths:
        return settings
    from protoc_gen_crd.proto.import_paths import select_import_paths

    own = select_import_paths(settings.import_paths, paths, inputs.paths or settings.inputs)
    return settings.replace(import_paths=own)


def exclude_old_import_paths(settings: Settings, inputs: Sequence[str]) -> Settings:
    """Return the settings of newer files: import paths of an old side that is given as paths are not theirs."""
    references = [parse_reference(reference) for reference in settings.old]
    old = [reference.value for reference in references if reference.form == PATH]
    if not settings.import_paths or not old:
        return settings
    from protoc_gen_crd.proto.import_paths import exclude_import_paths

    return settings.replace(import_paths=exclude_import_paths(settings.import_paths, old, inputs))


def report_empty_side(
    side: ApiSide, content: str, problems: Problems, severity: Severity | None = None, form: str = ""
) -> None:
    """Report a side without content, with the folders of its commits that have CRDs, or with a hint for its form."""
    folders = ", or ".join([f"--old {folder}" for folder in side.other_folders])
    hint = f"the commit has CRDs in another folder: pass {folders}" if folders else _EMPTY_HINTS.get(form, _EMPTY_HINT)
    problems.report("old-empty", f"no {content} found in {side.label} (--old)", hint=hint, severity=severity)


class _SideOpener:
    """Opens the sides of references. Temporary folders are removed by the stack."""

    def __init__(self, inputs: SideInputs, settings: Settings, problems: Problems, stack: ExitStack) -> None:
        self._inputs = inputs
        self._settings = settings
        self._problems = problems
        self._stack = stack

    def open(self, reference: SideReference) -> ApiSide | None:
        """Open a side that is not a path; None, with a finding, if it cannot be found."""
        if reference.form in GIT_FORMS:
            return self._open_commit(reference)
        if reference.form == HISTORY:
            return self._open_release(reference)
        return self._open_cluster()

    def report_missing_path(self, path: str) -> bool:
        """Report a path that does not exist, with the form of a git ref, or else the nearest form of a reference."""
        if path == "-" or os.path.lexists(path):
            return False
        nearest = did_you_mean(find_nearest(path.partition(":")[0], FORMS))
        hint = self._suggest_git_form(path) or nearest or _NO_SIDE_HINT
        self._problems.report("old-reference", f"cannot read {path}: no such file or folder", hint=hint)
        return True

    def _suggest_git_form(self, ref: str) -> str:
        """Return a hint if a path is a git ref without the name of its form; empty if it is none."""
        from protoc_gen_crd.documents.git_repository import GitError, open_repository

        try:
            repository = open_repository(self._inputs.paths, self._settings.settings)
            repository.resolve(ref)
        except GitError:
            return ""
        if repository.is_branch(ref):
            return f'did you mean "{GIT}:{ref}", or "{MERGE_BASE}:{ref}" for the changes of the current branch?'
        return did_you_mean(f"{GIT}:{ref}")

    def _open_commit(self, reference: SideReference) -> ApiSide | None:
        from protoc_gen_crd.cli.commit_side import CommitOpener

        return CommitOpener(self._inputs, self._settings, self._problems, self._stack).open(reference)

    def _open_release(self, reference: SideReference) -> ApiSide | None:
        from protoc_gen_crd.history.release_store import load_releases
        from protoc_gen_crd.versioning.recorded_sides import RecordedSideReader

        folder = Path(self._settings.history)
        before = len(self._problems.findings)
        releases = {release.name: release for release in load_releases(folder, self._problems)}
        names = list(releases)
        if len(self._problems.findings) > before:
            return None
        name = reference.value or (names[-1] if names else "")
        if name not in names:
            message = f'no release "{name}" in "{folder}"' if name else f'no releases found in "{folder}"'
            hint = suggest(name, names) or (f"recorded releases: {', '.join(names)}" if names else _RECORD_HINT)
            self._problems.report("old-reference", f"cannot read {reference}: {message}", hint=hint)
            return None
        reads_samples = "samples" in self._inputs.test_options
        reader = SideReader(f"{HISTORY}:{name}", self._settings, self._problems, known=self._inputs.known)
        return RecordedSideReader(folder, reader, self._problems, reads_samples=reads_samples).read(releases[name])

    def _open_cluster(self) -> ApiSide | None:
        from protoc_gen_crd.cli.cluster_side import read_cluster

        return read_cluster(self._inputs.groups, self._settings, self._problems)


_RECORD_HINT = "run `protoc-gen-crd history record` to record the first one"
