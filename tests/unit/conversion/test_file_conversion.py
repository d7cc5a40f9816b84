"""Conversion of objects in files by the command: written content, findings, and unchanged files."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.conversion import file_conversion, plan_builder
from protoc_gen_crd.conversion.converter_packages import load_converters
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.webhook.served_kinds import load_kinds
from protoc_gen_crd.yaml.reader import read
from tests.support.yaml_data import load_yaml

PROTO = str(Path(__file__).parents[3] / "examples/conversion/proto/acme/servers/v1/server.proto")
OLD, NEW = "servers.acme.example/v1alpha1", "servers.acme.example/v1"
BLOCK = f"apiVersion: {OLD}\nkind: Server\nspec:\n  size: l # of it\n"
ITEM = f"- apiVersion: {OLD}\n  kind: Server\n  spec:\n    size: l # of it\n"
LIST = f"apiVersion: v1\nkind: List\nitems:\n{ITEM}# next\n{ITEM}"
OF_SERVERS = f"apiVersion: {OLD}\nkind: ServerList # two\nitems:\n{ITEM}# next\n{ITEM}"
LINE = f'{{"kind":"Server","apiVersion":"{OLD}","spec":{{"size":"l"}}}}\n'
NULL = f"apiVersion: {OLD}\nkind: Server\nspec: null\n"
UNKNOWN = f"apiVersion: {OLD}\nkind: Server\nspec:\n  size: l\n  sise: x\nextra: 1\n"
ALLOW_LOSS = "findings: [{rule: document-unknown-field, severity: warning, reason: old fields}]\n"


def converted(text: str) -> str:
    return text.replace(OLD, NEW).replace("size", "class")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def convert(text: str, *arguments: str, name: str = "a.yaml", to: str = "v1") -> tuple[int, str]:
    file = Path(name)
    file.write_bytes(text.encode())
    return main(["convert", PROTO, name, "--to", to, "-w", *arguments]), file.read_bytes().decode()


@pytest.mark.parametrize(
    "text", [BLOCK, LIST, OF_SERVERS, LINE, LINE + LINE, BLOCK.replace("\n", "\r\n"), "\ufeff" + BLOCK]
)
def test_unchanged_content_is_preserved(text: str) -> None:
    assert convert(text) == (0, converted(text))


def test_standard_input_is_written_to_standard_output(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in (BLOCK, converted(BLOCK)):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        assert main(["convert", PROTO, "-", "--to", "v1"]) == 0
        assert capsys.readouterr().out == converted(BLOCK)


def print_converted(files: dict[str, str], capsys: pytest.CaptureFixture[str], *paths: str) -> str:
    """Write files, convert them, and return standard output."""
    for name, text in files.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert main(["convert", PROTO, *paths, "--to", "v1"]) == 0
    assert {name: Path(name).read_text() for name in files} == files
    return capsys.readouterr().out


OTHER = "apiVersion: v1\nkind: ConfigMap\n"


def test_one_file_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    for text in (BLOCK, LINE, f"---\n{BLOCK}", BLOCK.rstrip("\n"), f"{OTHER}---\n{BLOCK}"):
        assert print_converted({"a.yaml": text}, capsys, "a.yaml") == converted(text)


def test_files_and_folders_are_printed_as_one_stream(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"m/a.yaml": f"# first\n{BLOCK}", "m/b.yaml": f"---\n{OTHER}", "m/c.json": LINE, "n.yaml": BLOCK.rstrip()}
    expected = f"# first\n{BLOCK}---\n{OTHER}---\n{LINE}---\n{BLOCK}"
    assert print_converted(files, capsys, "m", "n.yaml") == converted(expected)


def test_crds_and_other_files_are_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    files = {"m/crd.yaml": CRD.replace("{b:", "{a:"), "m/values.yaml": "a: 1\n", "m/a.yaml": BLOCK}
    assert print_converted(files, capsys, "m") == converted(BLOCK)


def test_json_before_other_files_is_read_as_yaml(capsys: pytest.CaptureFixture[str]) -> None:
    printed = print_converted({"a.json": LINE + LINE, "b.yaml": BLOCK}, capsys, "a.json", "b.yaml")
    for minor in (25, 37):
        values = [document.value for document in read(printed, minor=minor)]
        assert values == [document.value for document in read(converted(LINE + LINE)) + read(converted(BLOCK))]


def test_json_that_is_not_yaml_is_printed_as_yaml(capsys: pytest.CaptureFixture[str]) -> None:
    surrogates = '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"\\ud83d\\ude00"}}'  # an error in YAML
    printed = print_converted({"a.yaml": OTHER, "b.json": surrogates}, capsys, "a.yaml", "b.json")
    assert [document.value for document in read(printed)] == [load_yaml(OTHER), json.loads(surrogates)]


def test_nothing_is_printed_if_an_object_cannot_be_converted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text(BLOCK)
    Path("b.yaml").write_text(BLOCK.replace("l #", "[] #"))
    assert main(["convert", PROTO, "a.yaml", "b.yaml", "--to", "v1"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("nothing printed because of errors\n")


def test_reports_do_not_mix_with_objects(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text(BLOCK)
    assert main(["convert", PROTO, "a.yaml", "--to", "v1", "--plan"]) == 0
    printed = capsys.readouterr()
    assert printed.out == converted(BLOCK)
    assert printed.err.startswith("servers.acme.example/Server, hub v1\n")
    assert printed.err.endswith("1 object converted to v1\n")


def test_only_what_is_printed_is_planned(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The conversions between spokes grow with the square of the versions, and only converters have them."""
    monkeypatch.setattr(plan_builder, "with_direct", None)
    monkeypatch.setattr(file_conversion, "load_converter", None)
    assert main(["convert", PROTO, "--plan"]) == 0
    assert capsys.readouterr().out.startswith("servers.acme.example/Server, hub v1\n")


def test_write_and_diff_can_be_combined(capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(BLOCK, "--diff") == (0, converted(BLOCK))
    assert capsys.readouterr().out.startswith("--- a.yaml\n+++ a.yaml\n")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-", "-w"], "--write cannot be used with objects on standard input"),
        (["a.yaml", "-w", "--check"], "--write and --check cannot be combined"),
        (["a.yaml", "--format-findings", "json"], "objects and json findings both go to standard output: add --write,"),
    ],
)
def test_contradicting_flags_are_usage_errors(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("a.yaml").write_text(BLOCK)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(BLOCK.encode())))
    assert main(["convert", PROTO, *arguments, "--to", "v1"]) == 2
    assert problem in capsys.readouterr().err
    assert Path("a.yaml").read_text() == BLOCK


def test_a_file_with_unknown_fields_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(UNKNOWN) == (1, UNKNOWN)
    output = capsys.readouterr().err
    assert 'a.yaml:5:3: error: unknown field "spec.sise" in Server (v1alpha1) would be lost' in output
    assert 'hint: did you mean "size"? the known fields are defined at ' in output
    assert 'a.yaml:6:1: error: unknown field "extra" in Server (v1alpha1) would be lost' in output
    assert "    5 |   sise: x\n" in output
    assert "    6 | extra: 1\n" in output


@pytest.mark.parametrize(
    ("arguments", "printed"), [([], []), (["--diff"], ["--- a.yaml"]), (["--check"], ["--- a.yaml"])]
)
def test_unknown_fields_are_errors_of_all_outputs(
    arguments: list[str], printed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.yaml").write_text(UNKNOWN)
    assert main(["convert", PROTO, "a.yaml", "--to", "v1", *arguments]) == 1
    output = capsys.readouterr()
    assert output.out.splitlines()[:1] == printed
    assert output.err.count("would be lost [document-unknown-field]") == 2


def test_settings_can_allow_the_loss_of_unknown_fields(capsys: pytest.CaptureFixture[str]) -> None:
    Path("protoc-gen-crd.yaml").write_text(ALLOW_LOSS)
    assert convert(UNKNOWN) == (0, f"apiVersion: {NEW}\nkind: Server\nspec:\n  class: l\n")
    assert 'a.yaml:5:3: warning: unknown field "spec.sise"' in capsys.readouterr().err


def test_only_some_of_many_unknown_fields_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    text = BLOCK + "".join(f"a{number}: 1\n" for number in range(102))
    assert convert(text) == (1, text)
    assert "2 more unknown fields in Server (v1alpha1) would be lost" in capsys.readouterr().err


def test_a_mapping_in_braces_that_changes_becomes_a_block() -> None:
    text = f"apiVersion: {OLD}\nkind: Server\nmetadata: {{name: a}} # kept\nspec: {{size: l, replicas: 3}} # gone\n"
    expected = f"apiVersion: {NEW}\nkind: Server\nmetadata: {{name: a}} # kept\nspec:\n  class: l\n  replicas: 3\n"
    assert convert(text) == (0, expected)


def test_nulls_are_dropped_as_by_servers() -> None:
    assert convert(NULL) == (0, f"apiVersion: {NEW}\nkind: Server\n")


def test_only_what_changes_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    convert(f"{BLOCK}---\n{converted(BLOCK)}")
    assert capsys.readouterr().out == "wrote a.yaml\n1 object converted to v1\n"


def test_an_unknown_version_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert convert(BLOCK, to="v1alhpa1") == (1, BLOCK)
    assert capsys.readouterr().err.startswith(
        'error: no kind has version v1alhpa1 (versions: v1, v1alpha1) [crd-none]\n  hint: did you mean "v1alpha1"?\n'
    )
    assert main(["convert", PROTO, "--plan", "--to", "v1"]) == 0
    assert "converted to" not in capsys.readouterr().out


def test_misspelled_kinds_of_converter_packages_are_errors(capsys: pytest.CaptureFixture[str]) -> None:
    Path("protoc-gen-crd.yaml").write_text("converters: conv\n")
    assert main(["generate", PROTO]) == 0
    Path("a.yaml").write_text(BLOCK.replace("Server", "Srever"))
    Path("b.yaml").write_text(BLOCK)
    arguments = ["--converter-package", "crds/conv", "--to", "v1", "--diff"]
    assert main(["convert", "a.yaml", *arguments]) == 1
    assert 'a.yaml:2:7: error: no CRD found for kind "Srever"' in (output := capsys.readouterr().err)
    assert 'hint: did you mean "Server"?' in output
    assert main(["convert", "b.yaml", *arguments]) == 0


def test_input_without_objects_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", PROTO, "--to", "v1"]) == 1
    assert "error: no objects to convert found [document-none]" in capsys.readouterr().err


RULES = """apiVersion: apis.kcp.io/v1alpha1
kind: APIConversion
metadata: {name: thing.acme.example}
spec: {conversions: [{from: v1, to: v2, rules: [{field: a, destination: b}]}]}
"""
VERSION = """  - name: %s
    served: true
    storage: %s
    schema: {openAPIV3Schema: {type: object, properties: {%s: {type: string}}}}
"""
CRD = f"""apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.acme.example}}
spec:
  group: acme.example
  scope: Namespaced
  names: {{plural: things, kind: Thing, singular: thing, listKind: ThingList}}
  versions:
{VERSION % ("v1", "true", "a")}{VERSION % ("v2", "false", "b")}"""


def test_a_rule_file_for_an_unknown_crd_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crd.yaml").write_text(CRD)
    Path("rules.yaml").write_text(RULES)
    assert main(["convert", "crd.yaml", "rules.yaml", "--plan"]) == 1
    output = capsys.readouterr().err
    assert 'conversion rules for unknown CRD "thing.acme.example"' in output
    assert "conversion-lost" not in output


GENERATED_API = """syntax = "proto3";
package acme.users;
import "protoc_gen_crd/v1/options.proto";
message User {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v2"};
  string a = 1 [(protoc_gen_crd.v1.field) = {until: "v1"}];
  string b = 2 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {moved_from: "spec.a" default: "x"}}];
}
"""
SETTINGS = "inputs: [u.proto]\nconverters: conv\nkcp: kcp\nkcp_prefix: r1\n"
USER = "apiVersion: acme.example/v1\nkind: User\nspec: {}\n"


@pytest.fixture
def _generated(capsys: pytest.CaptureFixture[str]) -> None:
    """Generate the files for a conversion step that kcp does not support, and write an object."""
    for name, text in {"u.proto": GENERATED_API, "protoc-gen-crd.yaml": SETTINGS, "m.yaml": USER}.items():
        Path(name).write_text(text)
    assert main(["generate"]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("_generated")
@pytest.mark.parametrize("paths", [["u.proto", "m.yaml"], ["crds", "m.yaml"], ["crds/conv", "m.yaml"], ["."]])
def test_converters_take_precedence_over_files_for_kcp(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", *paths, "--to", "v2", "-w"]) == 0
    assert "warning" not in capsys.readouterr().err
    assert "spec:\n  b: x\n" in Path("m.yaml").read_text()
    documents = InputDocuments(Settings(), ["crds"], Problems())
    load_documents(documents)
    served = load_kinds(documents, load_converters([Path("crds/conv")], Problems()))["acme.example", "User"]
    assert served.convert is not None
    obj = {"apiVersion": "acme.example/v1", "kind": "User", "spec": {}}
    assert served.convert(obj, "v2") == load_yaml(Path("m.yaml").read_text())


@pytest.mark.usefixtures("_generated")
def test_files_of_the_plugin_for_kcp_are_detected_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crds/.protoc-gen-crd.sum").unlink()
    test_converters_take_precedence_over_files_for_kcp(["crds", "m.yaml"], capsys)


@pytest.mark.usefixtures("_generated")
def test_files_for_kcp_are_used_without_converters(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree("crds/conv")
    assert main(["convert", "crds", "m.yaml", "--to", "v2"]) == 0
    output = capsys.readouterr().err
    assert (
        "warning: objects of users.acme.example are converted by a generated APIConversion, which may omit steps"
        in output
    )


def test_schemas_of_kcp_are_crds_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    crd, rules = load_yaml(CRD), load_yaml(RULES)
    rules["metadata"]["name"] = name = "rev2.things.acme.example"
    rules["spec"]["conversions"].append({"from": "v2", "to": "v1", "rules": [{"field": "b", "destination": "a"}]})
    spec = {name: crd["spec"][name] for name in ("group", "names", "scope")}
    spec["versions"] = [
        version | {"schema": version["schema"]["openAPIV3Schema"]} for version in crd["spec"]["versions"]
    ]
    schema = {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIResourceSchema", "metadata": {"name": name}}
    older = schema | {"metadata": {"name": "rev1"}, "spec": spec | {"versions": spec["versions"][:1]}}
    plans = []
    for documents in ([older, schema | {"spec": spec}, rules], [crd, rules]):
        Path("kcp.yaml").write_text(yaml.safe_dump_all(documents, sort_keys=False))
        assert main(["convert", "kcp.yaml", "--plan"]) == 0
        plans.append([line.partition("  (")[0] for line in capsys.readouterr().out.splitlines()])
    assert plans[0] == plans[1] != []
    wrong = schema | {"spec": spec | {"versions": [{"name": "v1", "schema": {"type": "strin"}}]}}
    Path("kcp.yaml").write_text(yaml.safe_dump(wrong, sort_keys=False))
    assert main(["convert", "kcp.yaml", "--plan"]) == 1
    assert "kcp.yaml:16:13: error: things.acme.example is rejected: " in capsys.readouterr().err
    unknown = schema | {"apiVersion": "apis.kcp.io/v1alpha2", "spec": spec}
    Path("kcp.yaml").write_text(yaml.safe_dump_all([unknown, rules], sort_keys=False))
    assert main(["convert", "kcp.yaml", "--plan"]) == 1
    output = capsys.readouterr().err
    assert "kcp.yaml:1:13: error: unknown version of APIResourceSchema: apis.kcp.io/v1alpha2" in output
    assert "hint: the supported version is apis.kcp.io/v1alpha1" in output


@pytest.mark.usefixtures("_generated")
def test_outdated_converters_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("u.proto").write_text(GENERATED_API.replace('"x"', '"z"'))
    assert main(["convert", ".", "--to", "v2", "-w"]) == 0
    expected = (
        "converter module of users.acme.example is out of date with the declared conversions [conversion-outdated]"
    )
    assert f"\ncrds/conv/acme_example_users.py: warning: {expected}" in capsys.readouterr().err
    assert "spec:\n  b: z\n" in Path("m.yaml").read_text()


@pytest.mark.usefixtures("_generated")
def test_converters_alone_have_no_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "crds", "--prove"]) == 1
    expected = "error: no plan for User in acme.example: there is only a generated converter module [crd-none]"
    assert f"acme_example_users.py: {expected}" in capsys.readouterr().err


def test_findings_show_the_original_files_and_errors_prevent_writing(capsys: pytest.CaptureFixture[str]) -> None:
    text = UNKNOWN.replace("size: l", "address: a:1")
    Path("protoc-gen-crd.yaml").write_text(ALLOW_LOSS)
    assert convert(text)[0] == 0
    assert "|   sise: x" in capsys.readouterr().err
    wrong = f"{BLOCK}---\n{BLOCK.replace('l #', '[] #')}"
    assert convert(wrong) == (1, wrong)
    output = capsys.readouterr()
    assert output.out == "nothing written because of errors\n"
    assert "spec.size: expected a string, found a list" in output.err


BROKEN = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: *s\n"


@pytest.mark.parametrize("command", ["convert --plan", "convert --prove", "convert --to v1", "samples"])
def test_an_unreadable_file_is_reported(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The file may declare conversions."""
    Path("a.yaml").write_text(BROKEN)
    name, *arguments = command.split()
    assert main([name, PROTO, "a.yaml", *arguments]) == 1
    output = capsys.readouterr()
    assert (output.out, output.err.count("a.yaml:3:7: error: invalid YAML or JSON: ")) == ("", 1)


def test_an_unreadable_file_prevents_the_start_of_a_webhook() -> None:
    Path("a.yaml").write_text("rules: *s\n")
    documents = InputDocuments(Settings(), [PROTO, "a.yaml"], problems := Problems())
    load_documents(documents)
    load_kinds(documents, {})
    assert "document-syntax" in {finding.rule for finding in problems.findings}


OLD_BLOCK = f"_old: # before\n  spec:\n    size: m # of it\n{BLOCK}"


@pytest.mark.parametrize(
    "text",
    [
        OLD_BLOCK,
        f"_err: immutable\n{OLD_BLOCK}",
        f"_old:\n  apiVersion: {OLD}\n  spec:\n    size: m\n{BLOCK}",
        f"_old:\n  metadata:\n    labels:\n      a: b\n  spec:\n    size: m\n{BLOCK}metadata:\n  name: a\n",
    ],
)
def test_the_old_object_of_a_test_document_is_converted(text: str) -> None:
    assert convert(text) == (0, converted(text))


@pytest.mark.parametrize(
    ("old", "error"),
    [
        ("{spec: {sise: m}}", '1:15: error: unknown field "spec.sise" in Server (v1alpha1) would be lost'),
        ("{apiVersion: servers.acme.example/v9}", '1:20: error: Server has version "v9"'),
        ("{spec: {size: [1]}}", "1:15: error: cannot convert Server: spec.size: expected a string"),
    ],
)
def test_old_objects_that_cannot_be_converted_are_errors(
    old: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"_old: {old}\n{BLOCK}"
    assert convert(text) == (1, text)
    assert f"a.yaml:{error}" in capsys.readouterr().err
