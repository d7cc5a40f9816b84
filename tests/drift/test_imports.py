"""The imports of a plugin run, which are limited to keep the start-up fast."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.generate_inputs import read_inputs

RULE = '  // +kubebuilder:validation:XValidation:message="short",rule="self.size() < 3"\n'
API = f"""syntax = "proto3";
package acme.v1;

// +cue-gen:Widget:groupName:acme.io
// +cue-gen:Widget:version:v1
// +cue-gen:Widget:storageVersion
// +cue-gen:Widget:scope:Namespaced
// +cue-gen:Widget:resource:categories=all,plural=widgets
message Widget {{
  // The name.
  // +kubebuilder:validation:Pattern=`^a+$`
{RULE}  string name = 1;
  repeated int64 sizes = 2;
}}
"""

# Count the lines of the compiler of regular expressions that are run: a measure of its time that load does not disturb.
COUNTER = """
import sys
counted = []
def trace(frame, event, argument):
    if frame.f_code.co_filename.endswith(("re/_compiler.py", "re/_parser.py")):
        counted.extend([1] if event == "line" else [])
        return trace
sys.settrace(trace)
"""
# Run as the plugin, then print the imports and compiled expressions beyond those of any plugin in Python.
PROBE = f"""
import google.protobuf.compiler.plugin_pb2, sys
before = set(sys.modules)
{COUNTER}
from protoc_gen_crd.__main__ import run
status = run()
sys.settrace(None)
imported = sorted(set(sys.modules) - before)
import json
sys.stderr.write(json.dumps([status, imported, len(counted)]) + chr(10))
"""

# Modules of the standard library that a run may import besides those that protobuf does, each with its reason.
STANDARD = {
    "gc": "a run that ends at once collects nothing",
    "__future__": "annotations are not evaluated",
    "importlib": "the finder of our modules",
    "errno": "built into Python; errors of a full disk name the path",
    "json": "the option `format: json` of the settings file",
    "_json": "of json",
}

# The maximum number of our modules, and of lines of the compiler of regular expressions, both a little above what runs
# need, by mode.
BUDGETS = {"": (210, 26_500), "compat=istio": (168, 26_000), "settings=protoc-gen-crd.yaml": (232, 42_500)}
SETTINGS = "format: json\nfindings:\n- {rule: resource-shape, severity: warning}\n"

# Modules that a run without findings does not need.
UNUSED = (
    "findings.renderers.github",
    "findings.renderers.gitlab",
    "findings.renderers.json_report",
    "findings.renderers.sarif",
    "emit.json_size", "findings.renderers.text", "generation.int64_marker_checks", "generation.metadata_schema",
    "cel.library.time_parser", "markers.native_marker_syntax", "markers.untyped_marker_values", "regex.quoting",
    "settings.command_option_table", "settings.option_errors",
    "settings.toml_reader", "yaml.json_stream", "yaml.libyaml_decoder",
    "admission.objects", "base.bounded_json", "cel.checker.string_format_validator", "cel.cost.estimator_1_32",
    "cel.interpreter", "cel.library.functions", "cli", "conversion", "emit.converter_package",
    "yaml.go_yaml.aliases_and_merge_keys", "yaml.go_yaml.json_values", "yaml.go_yaml.non_string_keys",
    "yaml.go_yaml.anchor_tag_and_directive_scanner",
    "markers.vocabularies.option_reader", "proto.buf_config", "proto.protoc_compiler",
    "proto.descriptor_sets", "proto.generate_inputs", "proto.import_paths", "webhook",
)  # fmt: skip
# Modules that are only needed with a settings file.
OF_SETTINGS = (
    "findings.rule_catalog",
    "findings.severity_policy",
    "kubernetes.version_ranges",
    "settings.option_value_reader",
    "settings.settings_file",
    "yaml.reader",
)
# Modules that are only needed in default mode, and only with rules.
OF_RULES = (
    "admission.crd.rules.cel_interface",
    "cel.checker.checker",
    "cel.cost",
    "cel.library",
    "cel.values.runtime_values",
)
# Libraries that must not be imported on this path, since they are expensive.
EXPENSIVE = (
    "argparse",
    "asyncio",
    "dataclasses",
    "difflib",
    "http",
    "inspect",
    "pathlib",
    "re2",
    "socket",
    "tomllib",
    "yaml",
)


def inside(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


class PluginRun(NamedTuple):
    """The imports of a plugin run, and the lines run to compile regular expressions."""

    modules: list[str]
    lines: int


def run_plugin(api: str, parameter: str, folder: Path) -> PluginRun:
    (folder / "widget.proto").write_text(api)
    (folder / "protoc-gen-crd.yaml").write_text(SETTINGS)
    problems = Problems()
    data = read_inputs([str(folder / "widget.proto")], [], [], problems).serialize_request(parameter)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, "-c", PROBE], input=data, capture_output=True, check=True, env=environment, cwd=folder
    )
    *findings, last = run.stderr.decode().splitlines()
    status, modules, lines = json.loads(last)
    assert (problems.findings, findings, status) == ([], [], 0)
    assert b"openAPIV3Schema" in run.stdout
    return PluginRun(modules, lines)


@pytest.fixture(scope="module", params=list(BUDGETS))
def parameter(request: pytest.FixtureRequest) -> str:
    """The plugin parameter of a mode."""
    return str(request.param)


@pytest.fixture(scope="module")
def plugin_run(parameter: str, tmp_path_factory: pytest.TempPathFactory) -> PluginRun:
    """A run on an API with a rule."""
    return run_plugin(API, parameter, tmp_path_factory.mktemp("api"))


@pytest.fixture(scope="module")
def imported(plugin_run: PluginRun) -> list[str]:
    """The modules that a run on an API with a rule imported."""
    return plugin_run.modules


def test_a_run_is_within_its_budget(plugin_run: PluginRun, parameter: str) -> None:
    modules, lines = BUDGETS[parameter]
    ours = [module for module in plugin_run.modules if inside(module, ("protoc_gen_crd",))]
    assert (len(ours) <= modules, plugin_run.lines <= lines) == (True, True), (len(ours), plugin_run.lines)


def test_one_expensive_expression_exceeds_the_budgets() -> None:
    """The complement of most characters takes as long as all other expressions together."""
    code = f"{COUNTER}\nimport re\nre.compile(r'[^\\x20-\\ud7ff\\ue000-\\U0010ffff]')\nprint(len(counted))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert int(done.stdout) > max(lines for _, lines in BUDGETS.values())


def test_the_run_is_ours(imported: list[str]) -> None:
    assert {"protoc_gen_crd.plugin", "protoc_gen_crd.pipeline", "protoc_gen_crd.emit.crd_files"} <= set(imported)


def test_nothing_unused_is_imported(imported: list[str], parameter: str) -> None:
    unused = UNUSED if parameter.startswith("settings") else (*UNUSED, *OF_SETTINGS)
    assert [module for module in imported if inside(module, ours(unused))] == []
    assert ("json" in imported) == parameter.startswith("settings")


def ours(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"protoc_gen_crd.{name}" for name in names)


@pytest.mark.parametrize(
    ("parameter", "api", "needed"), [("", API, True), ("", API.replace(RULE, ""), False), ("compat=istio", API, False)]
)
def test_rules_are_compiled_in_default_mode_alone(parameter: str, api: str, needed: bool, tmp_path: Path) -> None:
    modules = run_plugin(api, parameter, tmp_path).modules
    assert [any(inside(module, (name,)) for module in modules) for name in ours(OF_RULES)] == [needed] * len(OF_RULES)


def test_no_expensive_module_is_imported(imported: list[str]) -> None:
    assert [module for module in imported if inside(module, EXPENSIVE)] == []


def test_every_other_module_has_its_reason(imported: list[str]) -> None:
    others = {module.partition(".")[0] for module in imported} - {"protoc_gen_crd", "google", "encodings"}
    assert sorted(others - set(STANDARD)) == []


def test_the_list_is_of_modules_that_exist(imported: list[str]) -> None:
    """A misspelled name would always pass; a module that does not exist yet may not be listed."""
    package = Path(__file__).parents[2] / "protoc_gen_crd"
    planned = {"cel.interpreter"}
    missing = [
        name
        for name in (*UNUSED, *OF_SETTINGS, *OF_RULES)
        if not (package / name.replace(".", "/")).is_dir() and not (package / f"{name.replace('.', '/')}.py").is_file()
    ]
    assert set(missing) <= planned


DOCUMENT = """apiVersion: example.com/v1  # served
kind: Widget
metadata: {name: a}
spec:
  hosts: ["a", "b"]
"""


def test_short_documents_are_validated_without_libraries(tmp_path: Path) -> None:
    """PyYAML takes a tenth of the time of such a run, and protobuf another tenth."""
    (tmp_path / "widget.yaml").write_text(DOCUMENT)
    code = "import sys; from protoc_gen_crd.__main__ import run; run(); print(*sys.modules)"
    command = [sys.executable, "-c", code, "validate", str(tmp_path)]
    modules = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1].split()
    assert "protoc_gen_crd.yaml.line_decoder" in modules
    assert [name for name in modules if inside(name, ("google", "yaml", "protoc_gen_crd.conversion"))] == []


CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.acme.io
spec:
  group: acme.io
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size:
            type: integer
            maximum: 5
"""
# Modules that a comparison of CRDs without releases, repeated names, and changed patterns does not need.
UNCHANGED = (
    *("copy", "datetime", "google", "weakref", "yaml"),
    *ours((
        "comparison.summary_comparison", "comparison.unknown_fields", "generation", "history.early_removals",
        "history.release_store", "kubernetes.deprecation_policy", "samples.pattern_strings",
        "versioning.branch_changes",
    )),
)  # fmt: skip


def test_changes_of_crds_import_no_releases_and_no_generator(tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text(CRD)
    (tmp_path / "new.yaml").write_text(CRD.replace("5", "4"))
    code = "import sys; from protoc_gen_crd.__main__ import run; run(); print(*sys.modules)"
    command = [sys.executable, "-c", code, "changes", "new.yaml", "--old", "old.yaml"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    modules = done.stdout.splitlines()[-1].split()
    assert "change-bound-tightened" in done.stderr
    assert [name for name in modules if inside(name, UNCHANGED)] == []


def test_the_webhook_does_without_protobuf() -> None:
    """Reject imports of protobuf, which takes a fifth of the start-up time and of the memory."""
    code = "import sys, protoc_gen_crd.webhook.served_kinds, protoc_gen_crd.webhook.https_server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert [name for name in done.stdout.split() if inside(name, ("google", "protoc_gen_crd.markers"))] == []
