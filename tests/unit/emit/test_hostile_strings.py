"""Foreign strings in generated files: the structure is the same as with a harmless name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from protoc_gen_crd.base.escapes import dockerfile_copy, shell_word
from protoc_gen_crd.comparison.summary_comparison import ADDED, CHANGED, ApiChange
from protoc_gen_crd.conversion.codegen import function_body, python_types
from protoc_gen_crd.conversion.codegen.handwritten_functions import generate_scaffold
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.plan import container_steps, copy_steps, value_steps
from protoc_gen_crd.conversion.plan.plan import Direction, Plan, VersionPair
from protoc_gen_crd.conversion.plan.python_source import format_constant_name, format_literal, format_variable_name
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.emit.converter_package import make_converter_files
from protoc_gen_crd.emit.crd_files import make_crd_files
from protoc_gen_crd.emit.kcp_files import make_kcp_files
from protoc_gen_crd.emit.manifests.deployment import make_deployment
from protoc_gen_crd.emit.manifests.dockerfile import format_dockerfile
from protoc_gen_crd.emit.manifests.monitoring import make_monitoring
from protoc_gen_crd.emit.manifests.readme import format_readme
from protoc_gen_crd.emit.manifests.service_and_network_policy import make_network
from protoc_gen_crd.emit.manifests.workload import Workload
from protoc_gen_crd.emit.output_file import format_header
from protoc_gen_crd.emit.sample_yaml import format_sample
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.history.changelog_formats import ReleaseChanges as Release
from protoc_gen_crd.history.changelog_formats import render_changelog
from protoc_gen_crd.reference.group_page import PageSample, make_pages
from protoc_gen_crd.reference.lifecycle import make_empty_index
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.yaml.writer import dump
from tests.support.foreign_strings import (
    HARMLESS,
    HOSTILE,
    LONG,
    MEGABYTES,
    counted,
    dockerfile_tree,
    markdown_tree,
    promql_tokens,
    python_tree,
    yaml_tree,
)
from tests.support.markdown import faults
from tests.support.yaml_data import load_yaml_stream

IDS = [ascii(item)[:40] for item in HOSTILE]
VERSIONS = ("v1", "v2")


def schema(name: str, version: str) -> dict[str, Any]:
    """Return a schema with the string in all places that accept one."""
    text = {"type": "string", "description": name, "enum": [f"{name}1", f"{name}2"], "default": f"{name}1"}
    ports = {"type": "array", "items": {"type": "object", "properties": {f"{name}p": {"type": "string"}}}}
    entries: dict[str, Any] = {
        "type": "object",
        "additionalProperties": {"type": "object", "properties": {f"{name}e": text}},
    }
    members: dict[str, Any] = {f"{name}{version}": text, f"{name}l{version}": ports, f"{name}m{version}": entries}
    numbers: dict[str, Any] = {f"{name}n{version}": {"type": "integer", "format": name}}
    named: dict[str, Any] = {
        "title": name,
        "pattern": "x",
        "description": name,
        "x-kubernetes-validations": [{"rule": "true", "message": name}],
    }
    spec = {"type": "object", **named, "required": [f"{name}{version}"], "properties": {**members, **numbers}}
    return {"type": "object", "properties": {"spec": spec}}


def crd_of(name: str) -> Crd:
    column = {"name": name, "type": "string", "jsonPath": name, "description": name}
    versions = [
        {
            "name": version, "served": True, "storage": version == "v2", "deprecated": True, "deprecationWarning": name,
            "schema": {"openAPIV3Schema": schema(name, version)}, "additionalPrinterColumns": [column],
        }
        for version in VERSIONS
    ]  # fmt: skip
    names = {"kind": f"{name}K", "plural": f"{name}s", "singular": name, "shortNames": [name], "categories": [name]}
    spec = {"group": f"{name}.example", "names": names, "scope": "Namespaced", "versions": versions}
    decoded = decode(
        {"kind": "CustomResourceDefinition", "metadata": {"name": f"{name}s.{name}.example"}, "spec": spec}
    )
    assert decoded.crd is not None
    return decoded.crd


# Records take what their base classes have first, which the types do not know.
STEPS: Any = value_steps
CONTAINERS: Any = container_steps
PLAIN: Any = copy_steps


def _way(name: str, source: str, target: str) -> Direction:
    """Return one step of each kind, with the string in paths, values and places."""
    at = Location(name, 1, 1)

    def path(version: str, *rest: str) -> tuple[str, ...]:
        return ("spec", f"{name}{rest[0]}{version}", *rest[1:])

    def ends(*rest: str) -> tuple[Any, ...]:
        return path(source, *rest), path(target, *rest), at

    results: list[Step] = [
        PLAIN.ObjectStep(("spec",), ("spec",)),
        PLAIN.Copy(*ends("")),
        STEPS.ValueTable(*ends("v"), True, ((name, f"{name}2"),)),
        STEPS.Wrap(*ends("w")),
        STEPS.First(*ends("f")),
        STEPS.Split(*ends("s"), True, name, 0, 2),
        STEPS.Join(*ends("j"), True, name, (path(source, "j2"),)),
        STEPS.CelExpression(*ends("c"), True, f"self + {name!r}"),
        STEPS.FunctionCall(*ends("h"), True, "by_hand"),
        STEPS.Multiply(*ends("n"), True, 60),
        PLAIN.CopyWithDefault(*ends("d"), True, name),
        PLAIN.Default((), path(target, "e"), at, True, {name: [name]}),
        CONTAINERS.EachItem(*ends("l"), True, ((f"{name}p", f"{name}p"),)),
        PLAIN.Copy(path(source, "l", "[]", f"{name}p"), path(target, "l", "[]", f"{name}q"), at),
        CONTAINERS.MapToList(*ends("m"), True, name),
        PLAIN.Copy(path(source, "m", "[key]", f"{name}e"), path(target, "m", "[]", f"{name}e"), at),
        CONTAINERS.Pick(path(source, "k", "[]", name), path(target, "k"), at, True, name),
        CONTAINERS.Fill(*ends("i"), True, (), (name,)),
    ]
    return Direction(source, target, tuple(results))


@lru_cache(maxsize=2)
def plan_of(name: str) -> Plan:
    crd = crd_of(name)
    schemas = {version.name: version.schema for version in crd.versions if version.schema}
    pair = VersionPair("v1", _way(name, "v1", "v2"), _way(name, "v2", "v1"))
    return Plan(crd, "v2", schemas, (pair,))


def workload(name: str) -> Workload:
    return Workload(name, name, 443, 8443, name, name, 5, 30, name)


def sample(name: str) -> str:
    crd = crd_of(name)
    obj: dict[str, Any] = {"apiVersion": "a/v2", "kind": name, "spec": {f"{name}v2": name, f"{name}nv2": 1}}
    return format_sample(obj, crd, crd.versions[1], full=True, header="x")


def page(name: str) -> str:
    text = PageSample(f"{name}.example", f"{name}K", "v1", name, f"a: {name}")
    (generated,) = make_pages([crd_of(name)], make_empty_index(), [text])
    return generated.text


def changes(name: str) -> str:
    facts = {"default": (name, f"{name}2"), "enum": ([name], [f"{name}2"]), "type": (None, name)}
    results = [ApiChange(f"{name}/{name}", name, name, what, facts) for what in (ADDED, CHANGED)]
    return render_changelog(
        [Release("1.0", "2026-01-01", (*results, ApiChange(f"{name}/{name}", "", "", CHANGED, facts)))]
    )


def alerts(name: str) -> list[list[str]]:
    (group,) = make_monitoring(workload(name), [name, f"{name}2"])["prometheusrule"]["spec"]["groups"]
    return [promql_tokens(rule["expr"]) for rule in group["rules"]]


def packages(name: str) -> str:
    files = make_converter_files([plan_of(name)], Settings(converters="converters"))
    return next(file.text for file in files if file.name.endswith("__init__.py"))


def documents(name: str) -> str:
    """Return all YAML files of a kind, and of the webhook."""
    crd = crd_of(name)
    files = (
        *make_crd_files([crd], Settings(), Problems()),
        *make_kcp_files([crd], (), Settings(kcp="kcp"), Problems()),
    )
    of = workload(name)
    objects = (*make_deployment(of).values(), *make_network(of).values(), *make_monitoring(of, [name]).values())
    return "".join([*(file.text for file in files), *(f"---\n{dump(manifest)}" for manifest in objects)])


EMITTERS: dict[str, tuple[Callable[[str], str], Callable[[str], Any]]] = {
    "module": (lambda name: generate_module(plan_of(name)), python_tree),
    "functions": (lambda name: generate_scaffold(plan_of(name)), python_tree),
    "package": (packages, python_tree),
    "sample": (sample, yaml_tree),
    "header": (lambda name: f"{format_header(name)}a: 1\n", yaml_tree),
    "documents": (documents, yaml_tree),
    "changelog": (changes, markdown_tree),
    "readme": (lambda name: format_readme(workload(name), [crd_of(name)], name, name), markdown_tree),
    "dockerfile": (lambda name: format_dockerfile(workload(name), name), dockerfile_tree),
}
VALUES = ("documents", "sample")  # hold the strings as values, as Kubernetes' own writer of YAML prints them


@lru_cache
def harmless(emitter: str) -> Any:
    make, tree = EMITTERS[emitter]
    return tree(make(HARMLESS))


@pytest.mark.parametrize("emitter", EMITTERS)
@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_the_tree_of_a_file_stays(emitter: str, name: str) -> None:
    make, tree = EMITTERS[emitter]
    if emitter == "documents" and name in LONG:
        pytest.skip("no API server stores it: the sizes of CRDs are limited")
    text = make(name)
    assert tree(text) == harmless(emitter)
    text.encode()  # no surrogates
    assert emitter in VALUES or counted(text) == {}


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_expressions_of_alerts_stay(name: str) -> None:
    assert alerts(name) == alerts(HARMLESS)


@pytest.mark.parametrize("name", [item for item in HOSTILE if item not in LONG])
def test_reference_pages_hold_nothing_foreign(name: str) -> None:
    assert [fault for fault in faults(page(name)) if not fault.startswith("a heading")] == []


@pytest.mark.parametrize("name", HOSTILE, ids=IDS)
def test_literals_and_identifiers_of_python(name: str) -> None:
    assert ast.literal_eval(format_literal({name: [(name,)]})) == {name: [(name,)]}
    assert format_constant_name(name).isidentifier()
    assert format_variable_name(name).isidentifier()


@pytest.mark.parametrize("name", MEGABYTES, ids=["one word", "lines"])
def test_a_megabyte_as_a_name(name: str) -> None:
    plan = plan_of("a")
    at = Location(name, 1, 1)

    def text(new: str) -> str:
        there = Direction("v1", "v2", (copy_steps.Copy(("spec", "a"), ("spec", new), at),))
        back = Direction("v2", "v1", (copy_steps.Copy(("spec", new), ("spec", "a"), at),))
        return generate_module(plan.replace(pairs=(VersionPair("v1", there, back),)))

    assert len(text(name)) < 10 * len(name)
    assert python_tree(text(name)) == python_tree(text(HARMLESS))
    assert yaml_tree(f"{format_header(name)}a: 1\n") == yaml_tree("a: 1\n")


def test_a_function_that_does_not_escape_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for part in (python_types, function_body):
        monkeypatch.setattr(part, "format_comment", lambda text: f"# {text}")
    assert python_tree(generate_module(plan_of(HARMLESS))) == harmless("module")
    with pytest.raises(SyntaxError):  # code from the name is in the module
        python_tree(generate_module(plan_of("a\n    'x': 1, #")))


def test_paths_of_dockerfiles_and_shells() -> None:
    """Compare with Docker's documentation of COPY and bash's of words in $'...'."""
    assert dockerfile_copy("deploy/crds", "/srv") == "deploy/crds /srv"
    assert dockerfile_copy("a b", "/srv") == '["a b", "/srv"]'
    assert dockerfile_copy("arr[0].txt", "/srv") == '["arr[[]0].txt", "/srv"]'
    assert [shell_word(item) for item in ("a/b", "a b", "a\nb")] == ["a/b", "'a b'", r"$'a\U0000000ab'"]


def test_values_of_yaml_are_what_they_were() -> None:
    for name in HOSTILE:
        if not any("\ud800" <= char <= "\udfff" or char == "\x85" for char in name) and name not in LONG:
            crd = next(load_yaml_stream(documents(name)))
            assert crd["spec"]["names"]["shortNames"] == [name]
