"""Every page of the finding catalog is correct: its example reports the rule, and its fix removes the finding.

`--update` rewrites the console blocks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from protoc_gen_crd.findings.rule_catalog import CatalogRule, load_rules, parse_topic
from tests.conftest import ROOT
from tests.support.pages import write_programs
from tests.support.rule_clusters import CLUSTERS
from tests.support.rule_pages import Execution, Shell, execute

# True once every page has an example: pages without one fail.
ALL_PAGES = True

CATALOG = ROOT / "protoc_gen_crd" / "findings"
PAGES = [rule.id for rule in load_rules().values() if ALL_PAGES or "\n### Example\n" in rule.text]

_FOLDER = Path(sys.executable).parent
PROGRAMS = {
    "buf": f'exec {_FOLDER / "buf"} "$@"',
    "protoc": f'exec {sys.executable} -m grpc_tools.protoc "$@"',
    "protoc-gen-crd": f'exec {_FOLDER / "protoc-gen-crd"} "$@"',
    "python3": f'exec {sys.executable} "$@"',
}


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the programs of the PATH."""
    folder = tmp_path_factory.mktemp("programs")
    write_programs(folder, PROGRAMS)
    return folder


def execution(rule: CatalogRule, work: Path, programs: Path) -> Execution:
    shell = Shell(work, programs, CLUSTERS.get(rule.id))
    try:
        return execute(rule, shell)
    finally:
        shell.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_rule_page_shows_what_is_so(name: str, programs: Path, tmp_path: Path, update: bool) -> None:
    rule = load_rules()[name]
    real = execution(rule, tmp_path, programs)
    if update:
        file = CATALOG / f"{rule.topic}.md"
        file.write_text(file.read_text("utf-8").replace(rule.text, real.text), "utf-8")
    assert real.problems == []
    assert update or rule.text == real.text


GOOD = """## resource-group
Severity: error

A resource has no API group.

### Why it matters
There is no CRD without a group.

### Example
```proto widget.proto
syntax = "proto3";
package example.v1;

// +kubebuilder:resource
message Widget {
  string size = 1;
}
```
```console
$ protoc-gen-crd generate widget.proto
$ cat none >&2 || echo 'none' | sed s/n/N/
```

### Fix
Name it.
```proto widget.proto
syntax = "proto3";
// +groupName=example.com
package example.v1;

// +kubebuilder:resource
message Widget {
  string size = 1;
}
```
```console
$ protoc-gen-crd generate widget.proto
```
"""


def rule_of(page: str) -> CatalogRule:
    (rule,) = parse_topic(page, "resource")
    return rule


def test_output_replaces_what_a_page_shows(programs: Path, tmp_path: Path) -> None:
    real = execution(rule_of(GOOD), tmp_path, programs)
    assert real.problems == []
    example, _, fix = real.text.partition("### Fix")
    assert "[resource-group]\n" in example
    assert (
        "\n1 error\n$ cat none >&2 || echo 'none' | sed s/n/N/\ncat: none: No such file or directory\nNone\n```\n"
        in example
    )
    assert fix.endswith(
        "$ protoc-gen-crd generate widget.proto\nwrote crds/example.com_widgets.yaml\ncrds: 1 file, 1 written\n```"
    )


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("## resource-group", "## resource-kind", "Example does not report [resource-kind]"),
        ("// +groupName=example.com\n", "", "after Fix the rule is still reported"),
        ("groupName=example.com", "groupName=Example", "after Fix a command fails"),
        ("Name it.\n", "```sh\nexit 3\n```\n", "Fix: 'exit 3\\n' ended with 3"),
        ("$ protoc-gen-crd", "protoc-gen-crd", "Fix: a console block does not begin with a command"),
        ("```proto widget.proto", "```proto", "Example: a block of proto has no file name"),
        ("### Why it matters", "### Reason", "the headings are ('Reason', 'Example', 'Fix')"),
        ("A resource has", "Summary: A resource has", "without \"Summary:\""),
        ("API group.", f"API group {'x' * 200}.", "at most 200 characters"),
    ],
)  # fmt: skip
def test_a_page_that_is_wrong_is_found(old: str, new: str, problem: str, programs: Path, tmp_path: Path) -> None:
    assert old in GOOD
    real = execution(rule_of(GOOD.replace(old, new)), tmp_path, programs)
    assert problem in "\n".join(real.problems)


def test_fix_deletes_files_and_repeats_the_commands_of_the_example(programs: Path, tmp_path: Path) -> None:
    example, _, _ = GOOD.partition("\n### Fix")
    command = "$ protoc-gen-crd generate widget.proto\n"
    page = example.replace(command, "$ test ! -f widget.proto || protoc-gen-crd generate widget.proto\n")
    real = execution(rule_of(f"{page}\n### Fix\nRemove it.\n```proto -widget.proto\n```\n"), tmp_path, programs)
    assert real.problems == []
    assert not (tmp_path / "api" / "widget.proto").exists()


def test_a_cluster_answers_commands_with_a_kubeconfig(programs: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path, programs)
    command = "protoc-gen-crd migrate widgets.acme.example --kubeconfig config --rate 0"
    status, output = shell.run(command)
    shell.close()
    assert (status, "3 objects: 3 rewritten" in output) == (0, True)


def test_a_script_of_several_commands_runs_in_a_shell(programs: Path, tmp_path: Path) -> None:
    page = GOOD.replace("```console\n", "```sh\nprotoc-gen-crd include >folder\nmv folder moved\n```\n```console\n", 1)
    real = execution(rule_of(page), tmp_path, programs)
    assert real.problems == []
    assert (tmp_path / "api" / "moved").exists()
