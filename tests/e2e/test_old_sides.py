"""`--old` with real git repositories: what it reads, and what it reports."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.apiserver import FakeServer, serving
from tests.support.fork_server import run_program
from tests.support.repositories import ENVIRONMENT, Repository, write_files

PROTO = """syntax = "proto3";
package acme.widget.v1;

// +protoc-gen-crd:resource={group: "acme.example"}
message Widget {
  // +kubebuilder:validation:MaxLength=%d
  string name = 1;
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable"
  int32 size = 2;
}
"""
DOCUMENT = """apiVersion: acme.example/v1
kind: Widget
metadata:
  name: one
spec:
  size: %d
"""
API = "api/acme/widget/v1/widget.proto"
FILES = {API: PROTO % 10, "manifests/one.yaml": DOCUMENT % 1}
NEW = {API: PROTO % 20, "manifests/one.yaml": DOCUMENT % 2}
IMMUTABLE = "manifests/one.yaml:6:9: error: Widget/one is rejected: spec.size: Invalid value: 2: immutable"


def run(folder: Path, *arguments: str, temporary: Path | None = None, path: str = "") -> tuple[int, str]:
    """Run a command. Return its exit status and what it prints."""
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    environment |= {"TMPDIR": str(temporary)} if temporary else {}
    environment |= {"PATH": path} if path else {}
    done = run_program(arguments, folder, environment)
    return done.returncode, done.stdout + done.stderr


def validate(folder: Path, old: str, *paths: str) -> tuple[int, str]:
    return run(folder, "validate", *(paths or ("api", "manifests")), "--old", old)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with one tagged commit and other files in its work tree."""
    repo = Repository(tmp_path / "repository")
    repo.commit(FILES, "v1.0.0")
    write_files(repo.folder, NEW)
    return repo


@pytest.mark.parametrize(
    "old", ["git:HEAD", "git:v1.0.0", "git:main", "latest-tag", "latest-tag:v1.*", "merge-base:main", "merge-base"]
)
def test_documents_update_those_of_a_commit(old: str, repository: Repository) -> None:
    before = repository.git("status", "--porcelain=v2", "--branch")
    status, output = validate(repository.folder, old)
    assert (status, IMMUTABLE in output, "1 CRD (1 update), 1 document validated (1 update)" in output) == (
        1,
        True,
        True,
    )
    assert repository.git("status", "--porcelain=v2", "--branch") == before


def test_a_folder_of_a_commit(repository: Repository) -> None:
    status, output = validate(repository.folder, "git:HEAD:manifests")
    assert (status, IMMUTABLE in output, "1 CRD (0 updates)" in output) == (1, True, True)
    status, output = validate(repository.folder, "git:HEAD:manifest")
    assert status == 1
    assert 'error: cannot read git:HEAD:manifest: no .proto files or documents in "manifest" [old-reference]' in output
    assert 'hint: did you mean "manifests"?' in output


CRD = """kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


def test_folders_with_crds_are_named_if_the_inputs_of_a_commit_have_none(repository: Repository) -> None:
    repository.commit({"deploy/crds/widgets.yaml": CRD, API: None, "manifests/one.yaml": None})
    write_files(repository.folder, {"new/widgets.yaml": CRD})
    status, output = run(repository.folder, "changes", "new", "--old", "git:HEAD")
    assert (status, "hint: the commit has CRDs in another folder: pass --old git:HEAD:deploy/crds" in output) == (
        0,
        True,
    )
    status, output = run(repository.folder, "changes", "new", "--old", "git:HEAD:nowhere")
    assert (status, 'hint: the commit has CRDs in "deploy/crds"' in output) == (1, True)


def test_a_subdirectory(repository: Repository) -> None:
    status, output = validate(repository.folder / "manifests", "git:HEAD", ".", "../api")
    assert (status, "1 CRD (1 update), 1 document validated (1 update)" in output) == (1, True)
    assert validate(repository.folder / "api", "git:HEAD:./acme", ".")[1].startswith("1 CRD (1 update)")


def test_a_linked_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "--quiet", tmp_path / "linked")
    write_files(tmp_path / "linked", NEW)
    status, output = validate(tmp_path / "linked", "git:main")
    assert (status, IMMUTABLE in output) == (1, True)


@pytest.mark.parametrize("old", [("--old", "git:HEAD"), ("--old", "merge-base"), ()])
def test_a_repository_that_does_not_contain_the_working_folder(
    old: tuple[str, ...], repository: Repository, tmp_path: Path
) -> None:
    """The first path selects the repository, else the settings file, even if the working folder has one, too."""
    settings = {"protoc-gen-crd.yaml": "inputs: [api]\n"}
    repository.commit({**settings, **FILES})
    write_files(repository.folder, NEW)
    for elsewhere in (tmp_path / "plain", Repository(tmp_path / "other").folder):
        elsewhere.mkdir(exist_ok=True)
        for inputs in (("--settings", "../repository/protoc-gen-crd.yaml"), ("../repository/api",)):
            status, output = changes(elsewhere, *inputs, *old)
            place = f"../repository/{API}:6:6: note: "
            assert (status, place in output, "change-bound-loosened" in output) == (0, True, True), output
        if old:
            status, output = validate(elsewhere, old[1], "../repository/api", "../repository/manifests")
            assert (status, f"../repository/{IMMUTABLE}" in output) == (1, True), output


def test_inputs_outside_of_any_repository(repository: Repository, tmp_path: Path) -> None:
    """The repository of the working folder is used, also for links, and GIT_DIR names another one."""
    write_files(tmp_path, {"outside/widget.proto": PROTO % 20})
    arguments = ("../outside", "--old", "git:HEAD:api")
    assert "change-bound-loosened" in changes(repository.folder, *arguments)[1]
    (repository.folder / "linked").symlink_to(tmp_path / "outside")
    assert "change-bound-loosened" in changes(repository.folder, "linked", *arguments[1:])[1]
    (tmp_path / "link").symlink_to(repository.folder / "api")
    assert "change-bound-loosened" in changes(tmp_path, "link", "--old", "git:HEAD")[1]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), "GIT_DIR": str(repository.folder / ".git")}
    Repository(tmp_path / "outside")
    done = run_program(("changes", "outside", "--old", "git:HEAD:api"), tmp_path, environment)
    assert "change-bound-loosened" in done.stdout + done.stderr


def test_symbolic_links(repository: Repository) -> None:
    (repository.folder / "linked").symlink_to("manifests")
    (repository.folder / "manifests" / "absolute.yaml").symlink_to("/etc/hostname")
    (repository.folder / "manifests" / "outside.yaml").symlink_to("../../outside.yaml")
    write_files(repository.folder, FILES)
    repository.commit({})
    (repository.folder / "manifests" / "absolute.yaml").unlink()
    (repository.folder / "manifests" / "outside.yaml").unlink()
    write_files(repository.folder, NEW)
    status, output = validate(repository.folder, "git:HEAD", "api", "linked")
    assert (status, IMMUTABLE.replace("manifests", "linked") in output) == (1, True)
    _, output = validate(repository.folder, "git:HEAD")
    assert output.count("[old-link]") == 2
    assert 'symbolic link "manifests/outside.yaml" of HEAD leads to no input in the commit' in output


def test_the_latest_tag_is_a_release_that_head_contains(repository: Repository) -> None:
    for tag in ("v1.10.0", "v1.9.0", "v1.11.0-rc.1", "other/v3"):
        repository.git("tag", tag)
    repository.git("checkout", "--quiet", "--force", "--orphan", "elsewhere")
    repository.commit({"README": ""}, "v2.0.0")
    repository.git("checkout", "--quiet", "--force", "main")
    write_files(repository.folder, {"api/broken.proto": "syntax"})
    repository.commit({})
    repository.git("tag", "--force", "v1.10.0")
    write_files(repository.folder, {"api/broken.proto": None})
    _, output = validate(repository.folder, "latest-tag:v*")
    assert "v1.10.0:api/broken.proto:1:7: error: " in output
    repository.git("tag", "zzz", "v1.9.0")
    repository.git("tag", "--delete", "other/v3")
    _, output = validate(repository.folder, "latest-tag")
    assert "v1.10.0:api/broken.proto:1:7: error: " in output
    assert "compared with latest-tag:z* (zzz)\n" in changes(repository.folder, "api", "--old", "latest-tag:z*")[1]
    _, output = validate(repository.folder, "latest-tag:x*")
    assert 'error: cannot read latest-tag:x*: no git tag matches "x*" [old-reference]' in output


def test_a_side_that_does_not_compile(repository: Repository) -> None:
    repository.commit({API: "syntax = 1;"}, "broken")
    write_files(repository.folder, NEW)
    status, output = validate(repository.folder, "git:broken")
    assert status == 1
    assert f"broken:{API}:1:10: error: Expected syntax identifier" in output
    assert "    1 | syntax = 1;" in output
    assert "error: no CRDs can be generated from broken (--old) [old-invalid]" in output


def test_a_shallow_clone(repository: Repository, tmp_path: Path) -> None:
    repository.commit(NEW)
    source = f"file://{repository.folder}"
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", source, "shallow"], cwd=tmp_path, env=ENVIRONMENT, check=True
    )
    for old in ("git:v1.0.0", "latest-tag", "merge-base:v1.0.0"):
        status, output = validate(tmp_path / "shallow", old)
        assert (status, "[old-reference]" in output, '"fetch-depth: 0"' in output) == (1, True, True), output


def test_unknown_refs(repository: Repository, tmp_path: Path) -> None:
    for old, message in (
        ("git:v1.0.1", 'unknown git ref "v1.0.1" [old-reference]\n  hint: did you mean "v1.0.0"?'),
        ("git:HEDA", 'unknown git ref "HEDA" [old-reference]\n  hint: did you mean "HEAD"?'),
        ("git:mian~1", 'unknown git ref "mian~1" [old-reference]\n  hint: did you mean "main~1"?'),
        ("git:HEAD~9", 'unknown git ref "HEAD~9" [old-reference]\n  hint: branches of the repository: main'),
        ("git:--help", 'unknown git ref "--help" [old-reference]'),
        ("merge-base:nothing", 'unknown git ref "nothing" [old-reference]\n  hint: branches of the repository: main'),
        ("lastest-tag", 'no such file or folder [old-reference]\n  hint: did you mean "latest-tag"?'),
        (
            "crds/gone.yaml",
            "cannot read crds/gone.yaml: no such file or folder [old-reference]",
        ),
        ("v1.0.0", 'no such file or folder [old-reference]\n  hint: did you mean "git:v1.0.0"?'),
        ("main", 'hint: did you mean "git:main", or "merge-base:main" for the changes of the current branch?'),
        ("hitory:1.0", 'no such file or folder [old-reference]\n  hint: did you mean "history"?'),
    ):
        status, output = validate(repository.folder, old)
        assert (status, message in output) == (1, True), output
    outside = tmp_path / "outside"
    write_files(outside, NEW)
    status, output = validate(outside, "git:HEAD")
    assert (status, "cannot read git:HEAD: not a git repository" in output) == (1, True), output


def test_without_a_default_branch(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    write_files(tmp_path, NEW)
    status, output = changes(tmp_path, "api", "--old", "merge-base")
    assert (status, "\n  hint: the repository has no commits: name a file\n" in output) == (1, True), output
    repository.commit({})
    repository.git("branch", "--move", "trunk")
    status, output = changes(tmp_path, "api", "--old", "merge-base")
    hint = "name a branch with merge-base:REF; branches of the repository: trunk"
    assert (status, f"no default branch [old-reference]\n  hint: {hint}\n" in output) == (1, True), output


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    write_files(tmp_path, NEW)
    status, output = changes(tmp_path, "api", "--old", "git:HEAD")
    assert (status, "acme.example/Widget: kind is added" in output) == (0, True), output
    status, output = changes(tmp_path, "api", "--old", "git:HEAD~1")
    assert (status, 'unknown git ref "HEAD~1" [old-reference]' in output) == (1, True), output
    repository.commit({})
    assert changes(tmp_path, "api", "--old", "git:HEAD") == (0, "verdict: compatible\n")


def test_without_git(repository: Repository, tmp_path: Path) -> None:
    status, output = run(repository.folder, "validate", "api", "--old", "git:HEAD", path=str(tmp_path))
    assert (status, "cannot read git:HEAD: git is not installed [old-reference]" in output) == (1, True), output


def test_temporary_files_are_removed(repository: Repository, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run(repository.folder, "validate", "api", "manifests", "--old", "git:HEAD", temporary=temporary)
    assert list(temporary.iterdir()) == []


def test_a_recorded_release(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    for release in ("1.0", "1.1"):
        assert run(tmp_path, "history", "record", release, "api", "--date", "2026-01-01")[0] == 0
        write_files(tmp_path, NEW)
    for old in ("history", "history:1.0"):
        assert validate(tmp_path, old) == (0, "1 CRD (1 update), 1 document validated (0 updates) (Kubernetes 1.37)\n")
    status, output = validate(tmp_path, "history:1.2")
    message = 'cannot read history:1.2: no release "1.2" in "history" [old-reference]\n  hint: did you mean "1.1"?'
    assert (status, message in output) == (1, True), output
    (tmp_path / "history" / "1.0" / "api.json").write_text("{}")
    assert "[history-changed]" in validate(tmp_path, "history")[1]


def test_the_settings_of_a_commit(tmp_path: Path) -> None:
    """The API has moved, and both settings files have overrides."""
    repo = Repository(tmp_path)
    override = "overrides: {acme.widget.v1.Widget.name: {min_length: %d}}\n"
    old = {"old/acme/widget/v1/widget.proto": PROTO % 10, "protoc-gen-crd.yaml": "inputs: [old]\n" + override % 300}
    repo.commit(old, "v1.0.0")
    new = {**dict.fromkeys(old), API: PROTO % 10, "protoc-gen-crd.yaml": "inputs: [api]\n" + override % 2}
    write_files(tmp_path, {**new, "protoc-gen-crd.yaml": "inputs: [api]\n" + override % 2})
    status, output = validate(tmp_path, "git:v1.0.0", "api")
    assert (status, output) == (0, "1 CRD (1 update), 0 documents validated (0 updates) (Kubernetes 1.37)\n")
    write_files(tmp_path, {"protoc-gen-crd.yaml": "inputs: [api]\n\toverrides"})
    repo.commit({}, "broken")
    write_files(tmp_path, {"protoc-gen-crd.yaml": "inputs: [api]\n"})
    assert "broken:protoc-gen-crd.yaml:2:1: error: invalid YAML" in validate(tmp_path, "git:broken", "api")[1]


def test_imports_from_downloaded_folders(tmp_path: Path) -> None:
    repo = Repository(tmp_path)
    shared = 'syntax = "proto3";\npackage shared;\nmessage Size { int32 value = 1; }\n'
    text = (PROTO % 10).replace("\n\n", '\nimport "shared.proto";\n\n', 1).replace("int32 size", "shared.Size size")
    repo.commit({API: text, "protoc-gen-crd.yaml": "inputs: [api]\nimport_paths: [api, vendor]\n"})
    write_files(tmp_path, {"vendor/shared.proto": shared})
    assert validate(tmp_path, "git:HEAD", "api")[1].startswith("1 CRD (1 update)")


def test_a_cluster(tmp_path: Path) -> None:
    write_files(tmp_path, {"crds/widget.yaml": json.dumps({**FakeServer().crd})})
    with serving(FakeServer(), tmp_path) as config:
        arguments = ("validate", "crds", "--old", "cluster", "--kubeconfig", str(config))
        status, output = run(tmp_path, *arguments)
        assert "1 CRD (1 update)" in output, output
    status, output = run(tmp_path, *arguments)
    assert (status, "cannot read cluster: cannot connect to" in output) == (1, True), output


def test_two_crds_with_one_name(repository: Repository) -> None:
    assert run(repository.folder, "generate", "api")[0] == 0
    crd = (repository.folder / "crds" / "acme.example_widgets.yaml").read_text()
    files = {"crds/a.yaml": crd, "crds/b.yaml": crd, "crds/c.yaml": crd.replace("maxLength: 20", "maxLength: 30")}
    repository.commit(files)
    status, output = validate(repository.folder, "git:HEAD:crds", "api")
    assert (status, output.count("[crd-repeated]")) == (1, 1)
    assert "HEAD:crds/c.yaml:" in output
    assert "the CRD at HEAD:crds/a.yaml:2:1 is used" in output


def test_a_killed_run_leaves_nothing_behind(repository: Repository, tmp_path: Path) -> None:
    """The folder of a run that could not remove it is removed by the next run."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    kill = "from protoc_gen_crd.documents import git_tree, git_repository; import os, signal, sys;"
    kill += "git_repository.GitRepository.copy_objects = lambda *_: os.kill(os.getpid(), signal.SIGKILL);"
    kill += "from protoc_gen_crd.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", kill, "validate", "api", "--old", "git:HEAD"]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    assert subprocess.run(command, cwd=repository.folder, env=environment, check=False).returncode == -signal.SIGKILL
    assert len(list(temporary.iterdir())) == 1
    run(repository.folder, "validate", "api", "--old", "git:HEAD", temporary=temporary)
    assert list(temporary.iterdir()) == []


def changes(folder: Path, *arguments: str) -> tuple[int, str]:
    return run(folder, "changes", *arguments)


def test_changes_since_a_commit(repository: Repository) -> None:
    """A wider bound is compatible; a removed field has its old place."""
    status, output = changes(repository.folder, "api", "--old", "git:v1.0.0")
    assert (status, "change-bound-loosened" in output) == (0, True), output
    removed = (PROTO % 10).replace("  // +kubebuilder:validation:MaxLength=10\n  string name = 1;\n", "")
    write_files(repository.folder, {API: removed})
    status, output = changes(repository.folder, "api", "--old", "git:v1.0.0", "--format-findings", "sarif")
    log, _ = json.JSONDecoder().raw_decode(output[output.index("{") :])
    (run_,) = log["runs"]
    (removal,) = [result for result in run_["results"] if result["ruleId"].endswith("-removed")]
    (place,) = removal["relatedLocations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "v1.0.0%3A" + API
    assert place["physicalLocation"]["region"]["startLine"] == 7
    assert (status, removal["baselineState"]) == (1, "new")


def test_findings_that_the_old_side_has_are_not_reported(repository: Repository) -> None:
    """Neither findings of `generate` nor of documents; without old .proto files, no warnings of `generate`."""
    marker, key = "// kubebuilder:validation:MinLength=1\n", CRD.replace("scope:", "group: acme.example\n  scope:")
    repository.commit({API: PROTO.replace("string", f"{marker}string") % 10, "crds/old.yaml": key})
    assert run(repository.folder, "history", "record", "1.0", "api", "--date", "2026-01-01")[0] == 0
    moved = PROTO.replace("string", f"// A name.\n{marker}string") % 10
    write_files(repository.folder, {API: moved, "crds/old.yaml": f"# Widgets\n{key}"})
    for path, old in (("api", "git:HEAD"), ("api", "history:1.0"), ("crds", "git:HEAD"), ("crds", "crds")):
        found = changes(repository.folder, path, "--old", old, "--fail-on", "note")
        assert found == (0, "verdict: compatible\n"), (path, old)
    twice = {API: moved.replace("int32", f"{marker}int32"), "crds/old.yaml": f"{key}  scope: Namespaced\n"}
    write_files(repository.folder, twice)
    for path, rule in (("api", "marker-missing-plus"), ("crds", "document-duplicate")):
        status, output = changes(repository.folder, path, "--old", "git:HEAD", "--fail-on", "warning")
        assert (status, output.count(rule)) == (1, 1), output


def test_the_default_old_side(repository: Repository) -> None:
    """The merge base with the default branch, as long as no release is recorded."""
    base = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "--create", "feature")
    write_files(repository.folder, NEW)
    repository.commit({})
    repository.git("switch", "--quiet", "main")
    repository.commit({API: PROTO % 5})
    repository.git("switch", "--quiet", "feature")
    status, output = changes(repository.folder, "api")
    assert (status, f"compared with merge-base:main ({base[:12]})" in output) == (0, True), output
    assert "maxLength 10 is now 20" in output
    assert run(repository.folder, "history", "record", "1.0", "api", "--date", "2026-01-01")[0] == 0
    status, output = changes(repository.folder, "api")
    assert (status, output) == (0, "compared with history:1.0\nverdict: compatible\n")


def test_the_default_before_the_first_commit(tmp_path: Path) -> None:
    Repository(tmp_path)
    write_files(tmp_path, NEW)
    status, output = changes(tmp_path, "api")
    expected = "no older API to compare with: no recorded release, and no commit [old-missing]\n  hint: commit the API"
    assert (status, expected in output) == (1, True), output


def test_without_a_default_old_side(tmp_path: Path) -> None:
    write_files(tmp_path, NEW)
    status, output = changes(tmp_path, "api")
    expected = "no older API to compare with: no recorded release, and not a git repository"
    assert (status, expected in output) == (1, True), output


def test_generated_files_are_compared_on_request(repository: Repository) -> None:
    """The committed files are older than the protos: another generator wrote them."""
    write_files(repository.folder, FILES)
    assert run(repository.folder, "generate", "api")[0] == 0
    file = repository.folder / "crds" / "acme.example_widgets.yaml"
    new = file.read_text()
    repository.commit({"crds/acme.example_widgets.yaml": new.replace("maxLength: 10", "maxLength: 30")}, "v2")
    file.write_text(new)
    assert changes(repository.folder, "api", "--old", "git:v2") == (0, "verdict: compatible\n")
    status, output = changes(repository.folder, "--artifacts", "--old", "git:v2")
    assert (status, "maxLength 30 is now 10" in output) == (1, True), output
    status, output = changes(repository.folder, "api", "--old", "git:v2:crds")
    assert (status, "maxLength 30 is now 10" in output) == (1, True), output


def test_a_side_without_crds(repository: Repository) -> None:
    write_files(repository.folder, {"other/map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
    status, output = changes(repository.folder, "api", "--old", "other")
    assert (status, "error: no CRDs found in other (--old) [old-empty]" in output) == (1, True), output
    assert "hint: pass the files that contain the older API" in output
    repository.git("rm", "--quiet", "-r", "--force", "api")
    repository.commit({API: None} if (repository.folder / API).exists() else {}, "empty")
    write_files(repository.folder, NEW)
    status, output = changes(repository.folder, "api", "--old", "git:empty")
    assert (status, "warning: no CRDs found in git:empty (--old) [old-empty]" in output) == (0, True), output
    assert "change-kind-added" in output


def test_inputs_outside_the_repository_have_no_old_state(repository: Repository, tmp_path: Path) -> None:
    """Inputs outside of the repository are not compared with themselves, but with those of the commit's settings."""
    write_files(tmp_path / "outside", NEW)
    status, output = changes(repository.folder, "../outside", "--old", "git:HEAD")
    assert (status, "[old-empty]" in output, "[change-kind-added]" in output) == (0, True, True), output
    repository.commit({"protoc-gen-crd.yaml": "inputs: [api]\n"})
    write_files(tmp_path / "outside", {API: PROTO % 5})
    status, output = changes(repository.folder, "../outside", "--old", "git:HEAD")
    assert (status, "maxLength 20 is now 5" in output) == (1, True), output


def test_a_kind_that_only_the_old_side_has(repository: Repository) -> None:
    """A removed kind has its old place, with the line of the old file."""
    other = (PROTO % 10).replace("Widget", "Gadget")
    gadget = "api/acme/widget/v1/gadget.proto"
    repository.commit({gadget: other}, "v2")
    write_files(repository.folder, {gadget: None})
    status, output = changes(repository.folder, "api", "--old", "git:v2")
    assert status == 1
    assert f"v2:{gadget}:5:1: error: acme.example/Gadget: " in output, output
    assert "    5 | message Gadget {\n      | ^" in output


def test_a_cluster_has_other_groups(tmp_path: Path) -> None:
    """CRDs of groups that the new side does not have are not removed."""
    server = FakeServer()
    write_files(tmp_path, {"crds/widget.yaml": json.dumps(server.crd).replace("acme.example", "other.example")})
    with serving(server, tmp_path) as config:
        status, output = changes(tmp_path, "crds", "--old", "cluster", "--kubeconfig", str(config))
    assert (status, "change-kind-added" in output, "change-kind-removed" in output) == (0, True, False), output
    assert "hint: if the API is installed in another cluster, pass --context or --kubeconfig" in output


def test_descriptor_sets_and_images(repository: Repository) -> None:
    """The same names of files on both sides are different files."""
    buf = [str(Path(sys.executable).parent / "buf"), "build", "api", "-o", "old.binpb"]
    write_files(repository.folder, FILES)
    subprocess.run(buf, cwd=repository.folder, env=ENVIRONMENT, check=True)
    write_files(repository.folder, {API: (PROTO % 5).replace("// +protoc", "\n// +protoc")})
    status, output = changes(repository.folder, "api", "--old", "old.binpb")
    assert (status, f"{API}:7:6: error: " in output, "maxLength 10 is now 5" in output) == (1, True, True), output
    subprocess.run([*buf, "--exclude-source-info"], cwd=repository.folder, env=ENVIRONMENT, check=True)
    status, output = changes(repository.folder, "api", "--old", "old.binpb")
    assert (status, "[old-source-missing]" in output) == (1, True), output


def test_crds_that_were_imported_to_a_project_with_other_protos_are_the_old_side(tmp_path: Path) -> None:
    """The commit has inputs and documents, but no CRDs in them."""
    repository = Repository(tmp_path / "project")
    write_files(repository.folder, {API: PROTO % 20})
    assert run(repository.folder, "generate", "api", "--out", "crds")[0] == 0
    crd = (repository.folder / "crds/acme.example_widgets.yaml").read_text()
    (repository.folder / API).unlink()
    files = {
        "rpc/rpc.proto": 'syntax = "proto3";\npackage rpc;\nmessage Request {}\n',
        "manifests/one.yaml": DOCUMENT % 1,
    }
    (repository.folder / "crds/.protoc-gen-crd.sum").unlink()
    repository.commit({"crds/widgets.yaml": crd, **files}, "imported")
    settings = "inputs: [api, rpc]\ndocuments: [manifests]\nout: crds\n"
    write_files(repository.folder, {API: PROTO % 5, "protoc-gen-crd.yaml": settings})
    status, output = run(repository.folder, "changes", "--old", "git:imported")
    assert (status, "maxLength 20 is now 5" in output) == (1, True), output
    assert "old-empty" not in output


def test_crds_that_were_imported_are_the_old_side(repository: Repository) -> None:
    """The commit has CRDs from before the .proto files: in the output folder, or else in one that a hint names."""
    assert run(repository.folder, "generate", "api")[0] == 0
    crd = (repository.folder / "crds/acme.example_widgets.yaml").read_text()
    repository.git("rm", "--quiet", "-r", "--force", "api")
    repository.commit({"crds/widgets.yaml": crd}, "imported")
    write_files(repository.folder, {API: PROTO % 5})
    status, output = changes(repository.folder, "api", "--old", "git:imported")
    assert (status, "maxLength 20 is now 5" in output) == (1, True), output
    write_files(repository.folder, {"protoc-gen-crd.yaml": "out: generated\n"})
    status, output = changes(repository.folder, "api", "--old", "git:imported")
    assert "[old-empty]" in output
    assert "pass --old git:imported:crds" in output


@pytest.mark.parametrize("flags", ["", "new", "new old", "old new", "new third", "new third old"])
def test_each_side_has_its_own_imports(flags: str, tmp_path: Path) -> None:
    """Import paths of one side do not resolve the imports of the other."""
    widget = PROTO.replace("\n\n", '\n\nimport "acme/part.proto";\n', 1) % 9
    widget = widget.replace("int32 size", "acme.Part part = 3;\n  int32 size")
    bound = "  // +kubebuilder:validation:MaxLength=%d"
    part = f'syntax = "proto3";\npackage acme;\nmessage Part {{\n{bound}\n  string a = 1;\n}}\n'
    for side, limit in (("old", 8), ("new", 5)):
        write_files(tmp_path / side, {"acme/widget/widget.proto": widget, "acme/part.proto": part % limit})
    (tmp_path / "third").mkdir()
    paths = [argument for folder in flags.split() for argument in ("-I", folder)]
    status, output = changes(tmp_path, "new/acme/widget", "--old", "old/acme/widget", *paths)
    assert (status, "maxLength 8 is now 5" in output) == (1, True), output


def test_an_output_folder_without_crds_is_no_error(repository: Repository) -> None:
    """A project with gRPC API groups only has generated Python in its output folder."""
    settings = "inputs: [proto]\nout: gen\ngroups: groups\n"
    service = 'syntax = "proto3";\npackage dummy.v1;\nservice Dummy {\n  rpc %s(A) returns (A);\n}\nmessage A {}\n'
    proto = "proto/dummy/v1/api.proto"
    repository.commit({"protoc-gen-crd.yaml": settings, proto: service % "One", "gen/dummy.py": "\n"}, "groups")
    write_files(repository.folder, {proto: service % "Two"})
    status, output = changes(repository.folder, "--old", "git:groups")
    assert (status, "[change-rpc-renamed]" in output, "document-none" in output) == (1, True, False), output
