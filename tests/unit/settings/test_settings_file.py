from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from protoc_gen_crd.findings.finding import Location, Problems, Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.settings.plugin_parameters import combine_settings, parse_parameter
from protoc_gen_crd.settings.settings import Settings, TypeEntry
from protoc_gen_crd.settings.settings_file import find_settings, read_settings


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def messages(problems: Problems) -> list[str]:
    assert all(finding.rule in load_rules() for finding in problems.findings)
    return [
        f"{finding.at and finding.at.resolve()}: {finding.message} [{finding.rule}]" for finding in problems.findings
    ]


def toml(text: str) -> tuple[dict[str, object], list[str]]:
    Path("pyproject.toml").write_text(text, "utf-8")
    problems = Problems()
    return read_settings("pyproject.toml", problems), messages(problems)


def yaml(text: str, name: str = "protoc-gen-crd.yaml") -> tuple[dict[str, object], list[str]]:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, "utf-8")
    problems = Problems()
    return read_settings(name, problems), messages(problems)


def test_options_of_every_type() -> None:
    settings, findings = yaml(
        """\
compat: istio
include_description: false
node_limit: 100
kubernetes: "1.30..1.34"
inputs: [api, more/a.proto]
header: |
  Two
  lines
types:
  acme.v1.Money: {type: string}
findings:
  - {rule: crd-size, severity: note}
  - rule: marker-target
    path: acme.v1.Widget.size
    severity: off
    reason: never in force
"""
    )
    at = [Location("protoc-gen-crd.yaml", line, 5) for line in (12, 13)]
    assert findings == []
    row = cast(Mapping[str, TypeEntry], settings.pop("types"))["acme.v1.Money"]
    assert (row.schema, row.places(("type",))) == ({"type": "string"}, Location("protoc-gen-crd.yaml", 10, 19))
    assert settings == {
        "compat": "istio", "include_description": False, "node_limit": 100, "kubernetes": "1.30..1.34",
        "inputs": ("api", "more/a.proto"), "header": "Two\nlines\n",
        "findings": (
            PolicyEntry("crd-size", Severity.NOTE, at=at[0]),
            PolicyEntry("marker-target", Severity.OFF, "acme.v1.Widget.size", "never in force", at[1]),
        ),
    }  # fmt: skip


def test_paths_start_from_the_folder_of_the_file() -> None:
    settings, _ = yaml(
        "inputs: [api, ../x, /abs]\nout: crds\nbundle: all.yaml\nkcp: kcp/a/\n", "sub/protoc-gen-crd.yaml"
    )
    assert settings == {"inputs": ("sub/api", "x", "/abs"), "out": "sub/crds", "bundle": "all.yaml", "kcp": "kcp/a"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fromat: json\n", '1:1: unknown option "fromat" [option-unknown]'),
        ("check: true\n", '1:1: option "check" can only be set as a flag [option-unknown]'),
        ("out: a\nkubernetes: 1.30\n", ('2:1: invalid value for "kubernetes": expected a Kubernetes version from '
                                        '1.25 to 1.37, "latest", or a '
         'range such as "1.30..1.34", got the number 1.3 [option-value]')),
        ('inputs: ["\\0"]\n', '1:10: invalid value for "inputs": expected a path, got "\\0" '
                              '[option-value]'.replace("\\0", "\0")),
        ("node_limit: '5'\n", ('1:1: invalid value for "node_limit": expected a whole number from 1 to 999999999, '
                              'got "5" [option-value]')),
        ("node_limit: true\n", ('1:1: invalid value for "node_limit": expected a whole number from 1 to 999999999, '
                                'got the boolean true '
         "[option-value]")),
        ("out: a\nbundle: ../b.yaml\n", ('2:1: invalid value for "bundle": expected the name of a file in the '
                                         'output folder, got '
         '"../b.yaml" [option-value]')),
        ("kcp: ../b/\n", ('1:1: invalid value for "kcp": expected the name of a folder in the output folder, got '
                         '"../b/" [option-value]')),
        ("converters: /b\n", ('1:1: invalid value for "converters": expected the name of a folder in the output '
                              'folder, got "/b" '
         "[option-value]")),
        ("inputs: api\n", '1:1: invalid value for "inputs": expected a list, got "api" [option-value]'),
        ("inputs:\n- a\n- [b]\n", '3:3: invalid value for "inputs": expected a path, got a list [option-value]'),
        ("types: [a]\n", ('1:1: invalid value for "types": expected a mapping of message names to schemas, got a '
                         'list [option-value]')),
        ("policy_namespaces: team\n", ('1:1: invalid value for "policy_namespaces": expected a mapping with '
                                       'matchLabels or matchExpressions, got "team" [option-value]')),
        ("findings: {a: b}\n", ('1:1: invalid value for "findings": expected a list of entries, got a mapping '
                               '[option-value]')),
        ("findings: [a]\n", '1:12: entry is "a", expected a mapping [option-value]'),
        ("findings:\n- severity: error\n", '2:3: entry has no "rule" [option-value]'),
        ("findings:\n- rule: a\n", '2:3: entry has neither a "severity" nor a "path" [option-value]'),
        ("findings:\n- rule: a\n  path: b\n", ('2:3: suppression of "b" has no reason '
         "[policy-reason]")),
        ("findings:\n- rule: a\n  severity: high\n", ('3:3: invalid value for "severity": expected one of off, '
                                                      'note, warning, error, '
         'got "high" [option-value]')),
        ("findings:\n- rule: a\n  serverity: off\n  severity: off\n", ("3:3: unknown key \"serverity\" in an "
                                                                       "entry, expected one of "
         'rule, severity, path, reason, until [option-unknown]')),
        ("findings:\n- rule: a\n  severity: off\n  reason: [x]\n", ('4:3: invalid value for "reason": expected a '
                                                                    'string, got a list '
         "[option-value]")),
        ("policy_namespaces: {labels: {a: b}}\n", ('1:1: invalid value for "policy_namespaces": expected a mapping '
                                                   'with matchLabels or '
         "matchExpressions, got labels [option-value]")),
        ("policy_namespaces: {matchLabels: {a: true}}\n", ('1:35: invalid value for '
                                                           '"policy_namespaces.matchLabels.a": expected the value '
         "of a label as a string, got the boolean true [option-value]")),
        ("policy_namespaces: {matchLabels: {a/b/c: b}}\n", ('1:35: invalid value for '
                                                            '"policy_namespaces.matchLabels.a/b/c": expected the '
         'key of a label, got "a/b/c" [option-value]')),
        ("policy_namespaces: {matchLabels: [a]}\n", ('1:21: invalid value for "policy_namespaces.matchLabels": '
                                                     'expected a mapping of '
         "labels to their values, got a list [option-value]")),
        ("policy_namespaces: {matchExpressions: {key: a}}\n", ('1:21: invalid value for '
                                                               '"policy_namespaces.matchExpressions": expected a '
         "list of key, operator and values, got a mapping [option-value]")),
        ("policy_namespaces: {matchExpressions: [{key: a, operator: Is}]}\n", (
         '1:40: invalid value for "policy_namespaces.matchExpressions.0": expected an expression with one of the '
         'operators In, NotIn, Exists, '
         'DoesNotExist, got "Is" [option-value]')),
        ("policy_namespaces: {matchExpressions: [{key: a, operator: In}]}\n", (
         '1:40: invalid value for "policy_namespaces.matchExpressions.0": expected an In expression with label '
         'values, got '
         "a list [option-value]")),
        ("policy_namespaces: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}\n", (
         '1:40: invalid value for "policy_namespaces.matchExpressions.0": expected an Exists expression with no '
         'values, got a list '
         "[option-value]")),
        ("channels: []\n", '1:1: "channels" is empty, expected at least one name [option-value]'),
        ("channels: [a, b, a]\n", '1:18: duplicate name "a" in "channels" [option-value]'),
        ("deprecation_policy: 3\n", ('1:1: invalid value for "deprecation_policy": expected a mapping of stages or '
                                     'channels to their '
         '"months" and "releases", got the number 3 [option-value]')),
        ("deprecation_policy: {gamma: {months: 3}}\n", ('1:22: unknown stage or channel "gamma" in '
                                                      '"deprecation_policy" [option-value]')),
        ("deprecation_policy: {beta: {months: 1000}}\n", ('1:29: invalid value for "months": expected a whole '
         'number from 0 to 999, got the number 1000 [option-value]')),
        ("channels: [a, b]\ndeprecation_policy: {b: {days: 3}}\n", ('2:26: unknown key "days" in "b" '
         '(keys: months, releases) [option-value]')),
        ("channels: [stable, Beta]\n", ('1:20: invalid value for "channels": expected a name of lower-case '
                                        'letters, digits and dashes, '
         'got "Beta" [option-value]')),
        ("- a\n", "1:1: expected a mapping of options, got a list [settings-file]"),
        ("out: a\nout: b\n", '2:1: duplicate key: key "out" already set in map [settings-file]'),
        ("overrides:\n  acme.v1.Job: {title: a}\n  acme.v1.Task: {}\n  acme.v1.Job:\n    title: b\n",
         '4:3: duplicate key: key "acme.v1.Job" already set in map [settings-file]'),
        ("findings:\n  - &a {rule: map-keys, severity: note}\n  - {severity: off, <<: *a}\n",
         '2:25: duplicate key: key "severity" already set in map [settings-file]'),
        ("findings:\n  - &a {rule: map-keys, severity: note}\n  - {<<: *a, severity: off, severity: note}\n",
         '3:29: duplicate key: key "severity" already set in map [settings-file]'),
        ("out: ~/x\n", '1:1: invalid value for "out": expected a path, got "~/x" [option-value]'),
        ("bundle: '\"a.yaml\"'\n",
         ('1:1: invalid value for "bundle": expected the name of a file in the output folder, got ""a.yaml"" '
         '[option-value]')),
        ("a: 1\n---\nb: 1\n", "3:1: settings file has 2 documents, expected one [settings-file]"),
    ],
)  # fmt: skip
def test_a_mistake_is_a_finding_at_its_line(text: str, expected: str) -> None:
    assert f"protoc-gen-crd.yaml:{expected}" in yaml(text)[1]


def test_former_names_are_reported() -> None:
    settings, findings = yaml("seed: 1\nfound: differences\n")
    assert settings == {"seed": 1, "disagreements": "differences"}
    assert findings == ['protoc-gen-crd.yaml:2:1: option "found" is renamed to "disagreements" [option-renamed]']


def test_the_value_of_a_former_name_is_checked_at_its_place() -> None:
    assert yaml("found: [a]\n")[1][1].startswith('protoc-gen-crd.yaml:1:1: invalid value for "disagreements"')


def test_the_current_name_overrides_the_former_one() -> None:
    assert yaml("disagreements: new\nfound: old\n")[0] == {"disagreements": "new"}


def test_an_entry_merges_another_and_changes_it() -> None:
    entries = (
        "- &a {rule: map-keys, severity: note}\n- <<: *a\n  severity: warning\n- <<: [*a]\n  path: a\n  reason: b\n"
    )
    settings, findings = yaml(f"findings:\n{entries}")
    assert findings == []
    result = cast("tuple[PolicyEntry, ...]", settings["findings"])
    assert [(entry.rule, entry.severity, entry.path) for entry in result] == [
        ("map-keys", Severity.NOTE, ""), ("map-keys", Severity.WARNING, ""), ("map-keys", Severity.NOTE, "a"),
    ]  # fmt: skip


HOME_HINT = "write the path of the home folder instead of ~"


@pytest.mark.parametrize(
    ("text", "hint"),
    [("out: ~", ""), ("out: ~/x", HOME_HINT), ("inputs: ['~']", HOME_HINT),
     ("bundle: '\"a\"'", "remove the quotes"), ("out: ~x", None)],
)  # fmt: skip
def test_what_only_a_shell_takes_away(text: str, hint: str | None) -> None:
    Path("s.yaml").write_text(text)
    problems = Problems()
    read_settings("s.yaml", problems)
    assert [finding.hint.partition(":")[0] for finding in problems.findings] == ([] if hint is None else [hint])


def test_a_bare_number_is_to_be_quoted() -> None:
    Path("s.yaml").write_text("kubernetes: 1.30\n")
    problems = Problems()
    read_settings("s.yaml", problems)
    assert [finding.hint for finding in problems.findings] == ["quote the value"]


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_file_sets_nothing(text: str) -> None:
    assert yaml(text) == ({}, [])


def test_text_that_is_not_yaml() -> None:
    settings, findings = yaml("a: [1\nb: 2\n")
    assert settings == {}
    assert len(findings) == 1
    assert findings[0].startswith("protoc-gen-crd.yaml:2:2: invalid YAML: ")


def test_a_toml_table() -> None:
    settings, findings = toml(
        '[tool.protoc-gen-crd]\nout = "x"\nnode_limit = 5\n[[tool.protoc-gen-crd.findings]]\nrule = "map-keys"\n'
    )
    assert settings == {"out": "x", "node_limit": 5, "findings": ()}
    assert findings == ['pyproject.toml:4:1: entry has neither a "severity" nor a "path" [option-value]']


def test_toml_without_the_table() -> None:
    message = 'pyproject.toml: no table "[tool.protoc-gen-crd]" found [settings-file]'
    assert toml("[tool.other]\n") == ({}, [message])
    assert toml("tool = 1\n") == ({}, [message])


def test_text_that_is_not_toml() -> None:
    expected = "pyproject.toml:1:5: invalid TOML: Invalid value [settings-file]"
    assert toml("a = ?\n") == ({}, [expected])


def test_a_file_that_cannot_be_read() -> None:
    problems = Problems()
    Path("latin.yaml").write_bytes(b"out: a\nheader: \xff\n")
    assert read_settings("gone.yaml", problems) == read_settings("latin.yaml", problems) == {}
    assert messages(problems) == [
        'gone.yaml: cannot read the settings file "gone.yaml": No such file or directory [settings-file]',
        'latin.yaml: cannot read the settings file "latin.yaml": not UTF-8 in line 2 [settings-file]',
    ]


def test_a_parameter_stands_over_the_file_it_names() -> None:
    Path("s.yaml").write_text("format: json\nbundle: b.json\n")
    problems = Problems()
    settings = parse_parameter("bundle=c.json,settings=s.yaml", problems)
    assert settings.replace(places={}) == Settings(settings="s.yaml", format="json", bundle="c.json")
    assert settings.places == {"format": Location("s.yaml", 1, 1)}
    assert messages(problems) == []


def test_the_nearest_file_of_the_repository_is_found(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    below = tmp_path / "api" / "v1"
    below.mkdir(parents=True)
    assert find_settings(below, Problems()) == ""
    (tmp_path / "pyproject.toml").write_text("[tool.protoc-gen-crd]\n")
    assert find_settings(below, Problems()) == "../../pyproject.toml"
    (tmp_path / "protoc-gen-crd.yaml").write_text("")
    assert find_settings(below, Problems()) == "../../protoc-gen-crd.yaml"
    (tmp_path / "api" / "pyproject.toml").write_text("[tool.other]\n")
    (below / "pyproject.toml").write_text("[tool.protoc-gen-crd]\n")
    assert find_settings(below, Problems()) == "pyproject.toml"


def test_a_table_beside_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "protoc-gen-crd.yaml").touch()
    (tmp_path / "pyproject.toml").write_text('[tool.protoc-gen-crd]\nout = "x"\n')
    problems = Problems()
    assert find_settings(tmp_path, problems) == "protoc-gen-crd.yaml"
    assert [finding.rule for finding in problems.findings] == ["option-unused"]


def test_files_above_the_repository_are_not_its_own(tmp_path: Path) -> None:
    (tmp_path / "protoc-gen-crd.yaml").write_text("")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert find_settings(tmp_path / "repository", Problems()) == ""


def test_a_file_with_nearly_the_right_name_is_reported(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "protoc-gen-crd.yml").write_text("out: x\n")
    problems = Problems()
    assert find_settings(tmp_path, problems) == ""
    message = 'settings file "protoc-gen-crd.yml" is ignored: its name is misspelled [settings-file]'
    assert messages(problems) == [f"protoc-gen-crd.yml: {message}"]
    assert [finding.hint for finding in problems.findings] == ['rename it to "protoc-gen-crd.yaml"']


@pytest.mark.parametrize("text", ["[tool]\nprotoc-gen-crd = 5\n", '[tool.protoc_gen_crd]\nout = "x"\n'])
def test_a_table_that_is_nearly_ours_is_reported(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    problems = Problems()
    file = find_settings(tmp_path, problems)
    assert read_settings(str(tmp_path / file), problems) == {}
    assert len(problems.findings) == 1


def test_default_paths_are_relative_to_the_folder_of_the_file() -> None:
    yaml("inputs: [api]\nsamples: examples\n", "project/protoc-gen-crd.yaml")
    settings = combine_settings({"settings": "project/protoc-gen-crd.yaml", "schemas": "editor"}, Problems())
    assert (settings.out, settings.history, settings.samples) == ("project/crds", "project/history", "project/examples")
    assert settings.schemas == "editor"  # a flag is relative to the working folder
    assert settings.certificates == "/tls"
    assert Settings(settings="/dev/fd/3").out == "crds"
    assert Settings(settings="/proc/self/fd/3").out == "crds"
    memory = "/dev/shm"  # noqa: S108 - no file is written
    assert Settings(settings=f"{memory}/protoc-gen-crd.yaml").out == f"{memory}/crds"


def test_the_hint_of_a_duplicate_key_has_the_line_of_the_other_one(tmp_path: Path) -> None:
    file = tmp_path / "protoc-gen-crd.yaml"
    file.write_text("overrides:\n  acme.v1.Job: {title: a}\n  acme.v1.Task: {}\n  acme.v1.Job: {title: b}\n")
    problems = Problems()
    read_settings(str(file), problems)
    assert [finding.hint for finding in problems.findings] == ["the key is also on line 2: remove one of them"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("fromat", 'did you mean "format"?'),
        ("Kubernetes", 'did you mean "kubernetes"?'),
        ("kubernetes_version", 'did you mean "kubernetes"?'),
        ("output", 'did you mean "out"?'),
        ("out_dir", 'did you mean "out"?'),
        ("imports", 'did you mean "import_paths"?'),
        ("proto_path", 'did you mean "import_paths"?'),
        ("lint", 'set the severities of rules under "findings", and the conventions of the linter with "profile"'),
        ("rules", 'set the severities of rules under "findings", and the conventions of the linter with "profile"'),
        ("crds", ""),
        ("exclude", ""),
        ("version", ""),
    ],
)
def test_only_related_options_are_suggested(name: str, hint: str) -> None:
    problems = Problems()
    Path("protoc-gen-crd.yaml").write_text(f"{name}: x\n")
    read_settings("protoc-gen-crd.yaml", problems)
    assert [(finding.rule, finding.hint) for finding in problems.findings] == [("option-unknown", hint)]
