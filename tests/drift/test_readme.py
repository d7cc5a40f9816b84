"""README and the other handwritten pages are correct: every block is run. `--update` writes the actual output."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from protoc_gen_crd import __version__
from protoc_gen_crd.cli.main import COMMANDS
from protoc_gen_crd.scaffold import project_planner
from protoc_gen_crd.scaffold.install_source import InstallSource
from tests.conftest import ROOT
from tests.support.apiserver import FakeServer, serving
from tests.support.pages import PageError, Stage, blocks_of, is_skipped, write_programs
from tests.support.yaml_data import load_yaml

# The content of a clone, as far as pages mention it and the package is built from it.
CLONE = (
    "LICENSE", "Makefile", "README.md", "constraints.txt", "examples", "options", "protoc_gen_crd", "pyproject.toml",
    "setup.py",
)  # fmt: skip
PAGES = (
    "README.md", "CONTRIBUTING.md", "docs/coming-from-istio.md", "docs/coming-from-controller-gen.md",
    "docs/changes.md", "docs/channels.md", "docs/ci.md", "docs/controllers-go.md", "docs/controllers-python.md",
    "docs/explorer.md", "docs/groups.md", "docs/conversion.md",
    "docs/conversion-options.md", "docs/conversion-rules.md",
    "docs/conversion-safety.md", "docs/cost.md", "docs/editors.md", "docs/fuzz.md", "docs/history.md", "docs/import.md",
    "docs/init.md", "docs/kcp.md", "docs/lint.md",
    "docs/version-command.md", "docs/manifests.md", "docs/microversions.md", "docs/migration.md", "docs/overrides.md",
    "docs/playground.md", "docs/plugin.md", "docs/reference-docs.md",
    "docs/release-guard.md", "docs/samples.md", "docs/tutorial.md", "docs/validate.md",
    "docs/versions.md", "docs/webhook.md", "docs/wellknown.md",
    "examples/conversion/README.md", "examples/evolving/README.md",
)  # fmt: skip
# Pages whose commands other tests run, because they need a server.
RUN_ELSEWHERE = {
    "examples/dummy/README.md": "tests/e2e/test_grpcurl.py",
    "examples/volumes/README.md": "tests/e2e/test_microversions.py",
}
LINKED = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in (".", "docs", "examples", "examples/evolving")
    for path in (ROOT / folder).glob("*.md")
)

# Programs on the PATH of a user. `make test` must not run itself, so its commands are replaced by ones that only print.
PROGRAMS = {
    "buf": f'exec {Path(sys.executable).with_name("buf")} "$@"',
    "pip": f'exec {sys.executable} -m pip --quiet "$@"',
    "protoc": f'exec {sys.executable} -m grpc_tools.protoc "$@"',
    "python": "echo started",
    "python3": f'exec {sys.executable} "$@"',
    "ruff": "echo started",
    "mypy": "echo started",
}

# The author and time of commits, so that their ids are the same in each run.
COMMIT = {
    f"GIT_{role}_{name}": value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in (("NAME", "Ada"), ("EMAIL", "ada@example.com"), ("DATE", "2026-01-01T00:00:00Z"))
}

INSTALLATION = "README.md"  # the page that shows the installation: its commands run the installed program


def stage_in(work: Path, installed: Path | None = None) -> Stage:
    """Return a clone in a folder, and an environment where `pip install` installs the program into `installed`.

    Without `installed`, the environment has the program of this checkout, which runs in this process where possible.
    """
    folder, programs = work / "protoc-gen-crd", work / "programs"
    without_bytecode = shutil.ignore_patterns("__pycache__")
    for name in CLONE:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if installed is None and name == "protoc_gen_crd":
            (folder / name).symlink_to(ROOT / name)
        elif (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=without_bytecode)
        else:
            shutil.copy(ROOT / name, folder / name)
    programs.mkdir()
    program = installed / "bin/protoc-gen-crd" if installed else Path(sys.executable).with_name("protoc-gen-crd")
    write_programs(programs, {**PROGRAMS, "protoc-gen-crd": f'exec {program} "$@"'})
    environment = {
        **COMMIT,
        "HOME": str(work),
        "MAKEFLAGS": f"-- BIN={programs} READY=",
        "NO_COLOR": "1",
        "PATH": f"{programs}:/usr/bin:/bin",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        **({} if installed else {"PIP_DRY_RUN": "1"}),  # one page installs, the others only resolve
        "PIP_TARGET": str(installed or work / "unused"),
        **({"PYTHONPATH": str(installed)} if installed else {}),
    }
    return Stage(folder, environment, processes=installed is not None)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_is_so(name: str, tmp_path: Path, update: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    source = InstallSource("git+https://git.example.com/protoc-gen-crd@v0.1.0")
    monkeypatch.setattr(project_planner, "find_install_source", lambda: source)
    clone = stage_in(tmp_path, tmp_path / "installed" if name == INSTALLATION else None)
    page = (ROOT / name).read_text("utf-8")
    with serving(FakeServer(203), tmp_path) as config:
        clone.environment = {**clone.environment, "KUBECONFIG": str(config)}
        real = clone.play(page)
    if update:
        (ROOT / name).write_text(real, "utf-8")
    assert update or page == real


def test_the_commands_of_all_pages_are_run() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")]
    with_commands = {path.relative_to(ROOT).as_posix() for path in pages if has_commands(path.read_text("utf-8"))}
    assert with_commands - {*PAGES} == {*RUN_ELSEWHERE}
    assert all((ROOT / test).is_file() for test in RUN_ELSEWHERE.values())


def has_commands(page: str) -> bool:
    return any(block.language in ("console", "sh") and not is_skipped(block) for block in blocks_of(page))


def fenced(text: str, comment: str = "", language: str = "console") -> str:
    return f"{comment}```{language}\n{text}```\n"


def test_a_page_that_is_wrong_is_found(tmp_path: Path) -> None:
    stage = Stage(tmp_path, {"PATH": "/usr/bin:/bin"})
    (tmp_path / "a").write_text("one\n  two\n")
    good = fenced("$ cat a\none\n  two\n") + fenced("one\n  two\n", "<!-- shows a -->\n", "text")
    assert stage.play(good) == good
    assert stage.play(good.replace("two", "too")) == good
    assert stage.play(fenced("two\n", "<!-- part of a -->\n", "text")) == fenced(
        "two\n", "<!-- part of a -->\n", "text"
    )


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (fenced("$ false\n"), "'false' ended with 1"),
        (fenced("$ false\n$ true\n", "<!-- ends with 0 -->\n"), "'false' ended with 1"),
        (fenced("$ true\n", "<!-- ends with 1 -->\n"), "'true' ended with 0"),
        (fenced("exit 3\n", language="sh"), "'exit 3\\n' ended with 3"),
        (fenced("a: 1\n", language="yaml"), "nobody looks at this block of yaml"),
        (fenced("one\ntwo\n", "<!-- part of a -->\n", "text"), "this is no part of the file"),
        ("<!-- change a: three -> four -->\n", "nothing to change"),
        (fenced("inptus: [proto]\n", "<!-- settings -->\n", "yaml"), 'unknown option "inptus"'),
    ],
)
def test_a_page_that_cannot_be_right_stops(page: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\nand two\n")
    with pytest.raises(PageError, match=re.escape(f"line 3: {message}")):
        Stage(tmp_path, {"PATH": "/usr/bin:/bin"}).play(f"# Title\n\n{page}")


def test_the_reference_names_every_command() -> None:
    text = (ROOT / "docs/commands.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"| `protoc-gen-crd {name}" not in text] == []


def test_the_ci_guide_names_the_hooks() -> None:
    hooks_example = re.search(r"```yaml\n(repos:.*?)```", (ROOT / "docs/ci.md").read_text("utf-8"), re.DOTALL)
    (repository,) = load_yaml(hooks_example[1] if hooks_example else "repos: []")["repos"]
    hooks = load_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert repository["rev"] == f"v{__version__}"
    assert repository["hooks"] == [{"id": hook["id"]} for hook in hooks]
    entries = ["generate --check", "validate", "changes", "lint --fail-on warning"]
    assert [hook["entry"].removeprefix("protoc-gen-crd ") for hook in hooks] == entries


def anchors(page: Path) -> set[str]:
    """Return the headings of a page in the form of GitHub's links."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", LINKED)
def test_links_lead_somewhere(name: str) -> None:
    broken = []
    prose = re.sub("```.*?```|``.+?``|`[^`\n]+`", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        if not target.startswith("https://") and not (page.exists() and (not anchor or anchor in anchors(page))):
            broken.append(target)
    assert broken == []
