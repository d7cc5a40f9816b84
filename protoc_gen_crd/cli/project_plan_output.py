"""The project that `init` plans for the working folder, and the lines to print about it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.cli.findings_output import has_errors
from protoc_gen_crd.cli.output_folder import read_content
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.scaffold.ci_files import OR_FAIL
from protoc_gen_crd.scaffold.folder_survey import FolderSurvey, is_surveyed, survey_folder
from protoc_gen_crd.scaffold.known_losses import find_known_losses
from protoc_gen_crd.scaffold.project_planner import PlannedFile, Project, ProjectPlanner
from protoc_gen_crd.settings.plugin_parameters import combine_settings
from protoc_gen_crd.settings.settings import Settings

_PROGRAM = "protoc-gen-crd"
_NO_RESOURCE = """\

no message of the .proto files is a custom resource yet: mark one with a comment such as

    // +protoc-gen-crd:resource={group: "acme.example", versions: "v1"}
"""
_ERRORS = """\

the .proto files have errors, which `generate` reports: fix them, then run init again
"""
_INIT = (f"{_PROGRAM} init", "write settings that generate these CRDs")


def plan_project(settings: Settings, problems: Problems) -> tuple[Project, str] | None:
    """Return the project, and a hint if it has no kinds; None if there are errors."""
    survey = survey_folder(Path(), problems)
    if has_errors(problems, settings):
        return None
    own = settings if Path(settings.settings).parent == Path() else Settings()
    survey, crds = _generate(survey, settings, errors := Problems())
    losses = find_known_losses(errors.findings, crds, survey.crds, own.findings)
    planner = ProjectPlanner(survey, crds, own, losses)
    hint = "" if planner.has_resources else _ERRORS if has_errors(errors, settings) else _NO_RESOURCE
    return planner.plan(), hint


def format_next_steps(folder: str, settings_file: str) -> Iterator[str]:
    """Yield lines about the next steps after an import to a folder: `init`, or what existing files lack."""
    if not is_surveyed(folder):
        return
    if not settings_file:
        yield from format_commands([_INIT])
    elif Path(settings_file).parent == Path():
        settings = combine_settings({"settings": settings_file}, Problems())  # without the flags of `import`
        if planned := plan_project(settings, Problems()):
            yield from _describe_additions(*planned)


def _describe_additions(project: Project, hint: str) -> Iterator[str]:
    """Yield what the settings and other files with this tool lack, the notes, and the next commands."""
    contents = [(file, read_content(Path(file.path))) for file in project.files]
    additions = [
        line
        for file, content in contents
        if content is not None and (file.is_settings or _PROGRAM.encode() in content)
        for line in describe_addition(file, content)
    ]
    if additions and not hint:
        yield from ("", *project.notes) if project.notes else ()
        yield from additions
        yield from format_commands(project.commands)


def format_commands(commands: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield lines with the next commands and their purposes."""
    yield from ("", "next:")
    width = max(len(command) for command, _ in commands if command.startswith(_PROGRAM))
    yield from (f"  {command:{width}}  # {purpose}" for command, purpose in commands)


def describe_addition(file: PlannedFile, content: bytes) -> Iterator[str]:
    """Yield what a file that exists lacks, if anything. A file that names this tool only lacks single commands."""
    addition = file.addition
    if not file.is_settings and _PROGRAM.encode() in content:
        lines = file.text.replace(OR_FAIL, "").splitlines(keepends=True)
        addition = "".join([line for line in lines if _lacks(content, line)])
    if addition:
        yield from ("", f"{file.path} exists: add these lines to it", "")
        yield from textwrap.indent(addition, "    ").splitlines()


def _lacks(content: bytes, line: str) -> bool:
    return f"{_PROGRAM} " in line and line.strip().encode() not in content


def _generate(survey: FolderSurvey, settings: Settings, problems: Problems) -> tuple[FolderSurvey, Sequence[Crd]]:
    """Return the CRDs of the .proto files, and the survey without folders whose files do not compile.

    If no folder defines a kind, the survey keeps all. `problems` receives errors, which `generate` reports, too.
    """
    crds = generate_crds(survey.proto_roots, settings, {}, problems) if survey.proto_roots else ()
    if crds or len(survey.proto_roots) < 2 or not has_errors(problems, settings):
        return survey, crds
    roots = tuple(root for root in survey.proto_roots if generate_crds([root], settings, {}, Problems()))
    if not roots:
        return survey, ()
    ignored = tuple(root for root in survey.proto_roots if root not in roots)
    return survey.replace(proto_roots=roots, ignored_roots=ignored), generate_crds(roots, settings, {}, Problems())
