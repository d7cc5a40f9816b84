"""The files of a project that fit the content of a folder: settings, test data, CI, and the commands to run next."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.escapes import shell_word
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.scaffold import ci_files
from protoc_gen_crd.scaffold.example_files import PROTO_FOLDER, make_example
from protoc_gen_crd.scaffold.folder_survey import FolderSurvey, SurveyedDocument
from protoc_gen_crd.scaffold.install_source import find_install_source
from protoc_gen_crd.scaffold.known_losses import KnownLoss
from protoc_gen_crd.scaffold.path_cover import drop_nested, is_below
from protoc_gen_crd.scaffold.removal_commands import list_removals
from protoc_gen_crd.scaffold.sample_manifests import make_sample_manifests
from protoc_gen_crd.scaffold.settings_lines import (
    Options,
    format_scalar,
    format_toml,
    format_toml_losses,
    format_yaml,
    format_yaml_losses,
)
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.settings.settings_file import NAME

_PROGRAM = "protoc-gen-crd"
_OUT, _MANIFESTS, _SAMPLES = "crds", "manifests", "samples"
_KUBERNETES = f"1.{NEWEST - 3}..1.{NEWEST}"
_PURPOSES = {
    "inputs": "the .proto files",
    "out": "the folder of the generated CRDs",
    "documents": "manifests, test documents, and CRDs to validate",
    "kubernetes": "the versions of Kubernetes to validate for",
    "field_validation": "reject unknown fields, as kubectl does",
}
_REPLACED = "replaces the existing `documents`"
_REPLACED_CRDS = f"{_REPLACED}: the inputs now define the CRDs"
_LOSSES = "differences between versions that the existing CRDs already have"
_LOSSES_ADDED = f"add these entries to the existing ones: {_LOSSES}"
_LOSSES_NOTE = f"its `findings` accept {_LOSSES}: review them"
_INSTALL_NOTE = (
    "CI cannot install the tool from this machine: replace the command that fails with `pip install "
    "git+https://ADDRESS@COMMIT`, with the address of a repository of the tool that CI can read"
)
_BUF_PLUGIN = """\
  - local: protoc-gen-crd
    out: {out}
    opt: settings={settings}
    strategy: all
"""


class PlannedFile(Record):
    """A file to write, or only to complete if `text` is empty. If it exists, `addition` is what it lacks.

    `is_settings` is the settings file, whose options are compared one by one. Other files lack nothing if they name
    this tool. `note` is what the user has to do once the file is written.
    """

    path: str
    text: str
    addition: str = ""
    is_settings: bool = False
    note: str = ""


class Project(Record):
    """The files of a project, lines to add to existing files, the next commands with their purpose, and notes."""

    files: tuple[PlannedFile, ...]
    commands: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()


class ProjectPlanner:
    """Plans a project.

    Args:
        survey: What the folder contains.
        generated: The CRDs of its .proto files.
        settings: The settings of the folder's own settings file, if it has one.
        losses: Findings of `generate` about differences between versions that the existing CRDs have, too.
    """

    def __init__(
        self, survey: FolderSurvey, generated: Sequence[Crd], settings: Settings, losses: Sequence[KnownLoss] = ()
    ) -> None:
        self._survey = survey
        self._settings = settings
        self._losses = losses
        self._is_empty = not survey.proto_roots and not survey.crds
        # .proto files without resources are of other APIs if there are CRDs.
        roots = survey.proto_roots if generated or not survey.crds else ()
        self._inputs = (PROTO_FOLDER,) if self._is_empty else roots
        self._crds = generated if self._inputs else survey.crds
        self._manifests = survey.find_manifest_paths(self._crds)
        # The folder of new manifests: one without files of other purposes, such as the bundles of an installation.
        is_occupied = any(document.path.startswith(f"{_MANIFESTS}/") for document in survey.documents)
        self._samples = _SAMPLES if is_occupied else _MANIFESTS

    @property
    def has_resources(self) -> bool:
        """Report whether there are kinds; .proto files may have no resource yet, or errors."""
        return self._is_empty or bool(self._crds)

    def plan(self) -> Project:
        """Return the project. Without kinds, only `generate` succeeds."""
        test_data = list(self._make_test_data())
        settings = self._make_settings(has_test_data=bool(test_data))
        others = [*self._plan_ci(), *self._plan_buf()] if self.has_resources else []
        commands = list(self._list_next())
        return Project(
            (*test_data, settings, *others),
            tuple(commands if self.has_resources else commands[:1]),
            tuple(self._list_notes()),
        )

    def _list_notes(self) -> Iterator[str]:
        """Yield what the user may want to change: input that is ignored, and CRDs that are replaced."""
        for root in self._survey.ignored_roots:
            yield f"ignored {root}: its .proto files have errors, which `generate {root}` reports"
        replaced = self._find_replaced_files()
        for document in replaced:
            if document.has_others:
                yield f"{document.path}: after `generate`, delete its CRDs, but keep its other objects"
        for document in self._survey.documents:
            if not document.listed.isdisjoint(other.path for other in replaced):
                yield f"{document.path}: after `generate`, list the files in {self._out}/ instead of the deleted ones"
        if not self._inputs and "documents" not in self._settings.places:
            for (used, other), count in self._survey.find_repeated_crds().most_common(1):
                crds = f"{count} CRD{'s' * (count > 1)}"
                yield f'{other} is not used: {used} also defines {crds} of it; to change that, edit "documents"'

    def _find_replaced_files(self) -> Sequence[SurveyedDocument]:
        """Return the files with CRDs that `generate` writes to other files, if the settings have no inputs yet."""
        if not self._inputs or "inputs" in self._settings.places:
            return ()
        generated = {crd.name: f"{self._out}/{_name_file(crd)}" for crd in self._crds}
        return [
            document
            for document in self._survey.find_crd_documents()
            if all(generated.get(crd.name, document.path) != document.path for crd in document.crds)
        ]

    @property
    def _out(self) -> str:
        """The folder of the CRDs if their files contain nothing else; of several folders, a parent that is for CRDs."""
        names = {crd.name for crd in self._crds}
        documents = [
            document
            for document in self._survey.find_crd_documents()
            if any(crd.name in names for crd in document.crds)
        ]
        folders = {posixpath.dirname(document.path) for document in documents}
        folder = posixpath.commonpath(folders) if folders else ""
        is_own = len(folders) == 1 and not any(document.has_others for document in documents)
        if folder and (is_own or "crd" in folder):
            return folder
        occupied = any(document.path.startswith(f"{_OUT}/") for document in self._survey.documents)
        return "generated" if occupied else _OUT

    def _make_test_data(self) -> Iterator[PlannedFile]:
        """Yield the example, or else a manifest of each kind if there is none and the kinds are few."""
        if self._is_empty:
            yield from (PlannedFile(*file) for file in make_example(self._survey.go_module, self._samples))
        elif not self._manifests:
            samples = make_sample_manifests(self._crds, _KUBERNETES)
            yield from (PlannedFile(f"{self._samples}/{kind}.yaml", samples[kind]) for kind in sorted(samples))

    def _make_settings(self, *, has_test_data: bool) -> PlannedFile:
        documents = [*self._manifests, *([self._samples] if has_test_data else [])]
        if not self._inputs:
            documents = [*self._survey.find_crd_paths(), *documents]
        lines: Options = {"inputs": list(self._inputs), "out": self._out} if self._inputs else {}
        lines |= {"documents": list(drop_nested(documents))} if documents else {}
        lines |= {"kubernetes": _KUBERNETES}
        missing = {name: line for name, line in lines.items() if name not in self._settings.places}
        purposes = _PURPOSES
        if others := self._find_other_documents(has_test_data=has_test_data):
            missing["documents"] = others
            are_fewer = not {*others}.issuperset(self._settings.documents)
            purposes = _PURPOSES | {"documents": _REPLACED_CRDS if are_fewer else _REPLACED}
        lines |= {"field_validation": "strict"}  # only in new settings: existing ones may rely on warnings
        path = self._settings.settings or NAME
        is_toml = path.endswith(".toml")
        addition = (format_toml if is_toml else format_yaml)(missing, purposes)
        text = format_yaml(lines, _PURPOSES)
        if self._losses:
            purpose = _LOSSES_ADDED if "findings" in self._settings.places else _LOSSES
            addition += (format_toml_losses if is_toml else format_yaml_losses)(self._losses, purpose)
            text += format_yaml_losses(self._losses, _LOSSES)
        return PlannedFile(path, text, addition, is_settings=True, note=_LOSSES_NOTE if self._losses else "")

    def _find_other_documents(self, *, has_test_data: bool) -> list[str]:
        """Return the documents of the settings without paths of generated CRDs, and with new test data.

        The result is empty if the documents do not change.
        """
        current = list(self._settings.documents)
        others = [path for path in current if not self._is_generated(path)]
        if has_test_data and not any(is_below(self._samples, path) for path in others):
            others.append(self._samples)
        others = others or list(drop_nested(self._manifests))
        return others if current and others != current else []

    def _is_generated(self, path: str) -> bool:
        """Return whether a path contains CRDs, all of which the inputs define."""
        crds = {crd.name for crd in self._survey.find_crds_in(path)} if self._inputs else set()
        return bool(crds) and crds <= {crd.name for crd in self._crds}

    def _plan_ci(self) -> Iterator[PlannedFile]:
        source, survey = find_install_source(), self._survey
        commands = ci_files.list_commands(has_protos=bool(self._inputs))
        if survey.has_github:
            text = ci_files.make_github_workflow(commands, source)
            yield PlannedFile(ci_files.GITHUB_FILE, text, text, note="" if source.requirement else _INSTALL_NOTE)
        if survey.has_gitlab:
            text = ci_files.make_gitlab_job(commands, source)
            yield PlannedFile(ci_files.GITLAB_FILE, text, text, note="" if source.requirement else _INSTALL_NOTE)
        yield PlannedFile(ci_files.PRE_COMMIT_FILE, "", ci_files.make_pre_commit_hooks(commands, source))

    def _plan_buf(self) -> Iterator[PlannedFile]:
        path = self._settings.settings or NAME
        yield PlannedFile("buf.gen.yaml", "", _BUF_PLUGIN.format(out=format_scalar(self._out), settings=path))

    def _list_next(self) -> Iterator[tuple[str, str]]:
        if self._inputs:
            replaced = [document.path for document in self._find_replaced_files() if not document.has_others]
            others = {document.path for document in self._survey.documents}.difference(replaced)
            yield from list_removals(replaced, others)
            yield f"{_PROGRAM} generate", f"write the CRDs to {self._out}/"
        yield f"{_PROGRAM} validate", "validate CRDs and manifests"
        folder = self._find_former_folder()
        has_old_crds = bool(self._survey.crds) and "inputs" not in self._settings.places
        if has_old_crds:
            old = f"git:HEAD{folder}"
            yield f"{_PROGRAM} lint --old {old}", "check API conventions in the changes since the last commit"
        else:
            yield f"{_PROGRAM} lint", "check API conventions"
        if not self._inputs:
            yield f"{_PROGRAM} import", "write .proto files for the CRDs to proto/"
        old = f" --old git:HEAD{folder}" if folder else ""
        condition = "" if self._survey.crds or self._settings.settings else "after the first commit: "
        yield f"{_PROGRAM} changes{old}", f"{condition}check that changes are compatible"

    def _find_former_folder(self) -> str:
        """Return the folder of the CRDs in the last commit if `generate` writes them to another one, after a colon."""
        folders = [posixpath.dirname(document.path) for document in self._find_replaced_files()]
        if all(is_below(folder, self._out) for folder in folders):
            return ""
        return f":{shell_word(posixpath.commonpath(folders) or '.')}"


def _name_file(crd: Crd) -> str:
    """Return the name of the file that `generate` writes."""
    return f"{crd.group}_{crd.names.plural}.yaml"
