"""Jobs and hooks that run the commands of a project, for GitHub, GitLab, and pre-commit."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.scaffold.install_source import InstallSource

GITHUB_FILE = ".github/workflows/crds.yaml"
GITLAB_FILE = ".gitlab-ci.yml"
PRE_COMMIT_FILE = ".pre-commit-config.yaml"

_GITHUB = """\
name: CRDs
on: [pull_request]
permissions:
  contents: read
jobs:
  crds:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: {fetch-depth: 0} # "lint" and "changes" compare with the target branch
      - uses: actions/setup-python@v5
        with: {python-version: "3.13"}
"""
_GITLAB = """\
crds:
  image: python:3.13
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: 0 # "lint" and "changes" compare with the target branch
  script:
"""
_EXAMPLE = "pip install git+https://ADDRESS@COMMIT"
_GITHUB_PIP = """\
      - run: pip install {}
        id: install
"""
# Without a source that CI can install, the job fails until the user replaces a line.
_GITHUB_INSTALL = f"""\
      # CI cannot install the tool from your machine. Replace the next command, with the address of a repository of the
      # tool that CI can read:
      # - run: {_EXAMPLE}
      - run: echo "::error::replace this command of {GITHUB_FILE} with one that installs the tool" && exit 1
        id: install
"""
_GITLAB_INSTALL = f"""\
    # CI cannot install the tool from your machine. Replace the next line, with the address of a repository of the tool
    # that CI can read:
    # - {_EXAMPLE}
    - echo "replace this line of {GITLAB_FILE} with one that installs the tool" && exit 1
"""
# If the tool is installed, all commands run, even if one fails.
_GITHUB_STEP = """\
      - run: protoc-gen-crd {arguments} --format-findings github
        if: ${{{{ !cancelled() && steps.install.outcome != 'failure' }}}}
"""
OR_FAIL = " || status=1"
_GITLAB_CHECKS = """\
    - status=0
{}    - test $status = 0
"""
_HOOKS = """\
  - repo: {repository}
    rev: {revision}
    hooks:
"""
_HOOK = """\
      - id: {id}
"""
_LOCAL_HOOKS = """\
  - repo: local
    hooks:
"""
_LOCAL_HOOK = """\
      - id: {command.id}
        name: {command.name}
        entry: protoc-gen-crd {command.arguments}
{language}
        files: (\\.proto|\\.ya?ml|\\.json)$
        pass_filenames: false
"""
_INSTALLED = """\
        language: python
        additional_dependencies: [{requirement}]"""
_ON_PATH = """\
        language: system # the tool that is on the PATH"""
_OLD = """\
        args: [--old, "git:HEAD"]
"""


class ProjectCommand(Record):
    """A command that CI runs. `id` is the hook of pre-commit, `name` what it checks."""

    id: str
    name: str
    arguments: str
    compares: bool = False  # with the target branch


_GENERATE = ProjectCommand("protoc-gen-crd", "CRDs are up to date", "generate --check")
_OTHERS = (
    ProjectCommand("protoc-gen-crd-validate", "manifests and CRDs are valid", "validate"),
    ProjectCommand("protoc-gen-crd-lint", "new fields follow API conventions", "lint", compares=True),
    ProjectCommand("protoc-gen-crd-changes", "API changes are compatible", "changes", compares=True),
)


def list_commands(*, has_protos: bool) -> Sequence[ProjectCommand]:
    """Return the commands for a project with or without .proto files."""
    return (_GENERATE, *_OTHERS) if has_protos else _OTHERS


def make_github_workflow(commands: Sequence[ProjectCommand], source: InstallSource) -> str:
    """Return a workflow that checks pull requests and annotates findings."""
    install = _GITHUB_PIP.format(source.requirement) if source.requirement else _GITHUB_INSTALL
    lines = []
    for command in commands:
        old = ' --old "merge-base:origin/$GITHUB_BASE_REF"' if command.compares else ""
        lines.append(_GITHUB_STEP.format(arguments=command.arguments + old))
    return _GITHUB + install + "".join(lines)


def make_gitlab_job(commands: Sequence[ProjectCommand], source: InstallSource) -> str:
    """Return a job that checks merge requests."""
    install = f"    - pip install {source.requirement}\n" if source.requirement else _GITLAB_INSTALL
    lines = []
    for command in commands:
        old = ' --old "merge-base:$CI_MERGE_REQUEST_DIFF_BASE_SHA"' if command.compares else ""
        lines.append(f"    - protoc-gen-crd {command.arguments}{old}{OR_FAIL}\n")
    return _GITLAB + install + _GITLAB_CHECKS.format("".join(lines))


def make_pre_commit_hooks(commands: Sequence[ProjectCommand], source: InstallSource) -> str:
    """Return an entry of `repos`: the hooks of the tool's repository, or else hooks that install or find the tool."""
    if source.repository:
        head = _HOOKS.format(repository=source.repository, revision=source.revision)
        hooks = [_HOOK.format(id=command.id) for command in commands]
    else:
        head = _LOCAL_HOOKS
        language = _INSTALLED.format(requirement=source.requirement) if source.requirement else _ON_PATH
        hooks = [_LOCAL_HOOK.format(command=command, language=language) for command in commands]
    return head + "".join(hook + _OLD * command.compares for hook, command in zip(hooks, commands, strict=True))
