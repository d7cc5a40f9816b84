"""Random workloads for the generation of CRDs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.pipeline import build_crds, build_istio_crds
from protoc_gen_crd.settings.settings import Settings
from tests.property.workloads.draws import Outcome
from tests.support.compile import compile_texts, request_for

_RANGES = ("", "", "", "since=v1beta1", "since=v1", "until=v1alpha1", "until=v1beta1")


_RULES = ("", "", "has(self.a)", "default(self.b, 1) > 0", "!has(self.c)", "oneof(self.a, self.b)")


_TYPES = ("string", "int64", "bool", "Letter", "repeated string", "map<string, string>")


_COLUMN = 'during: {since: "v1" columns: {name: "A" type: "string" json_path: ".spec.a"}}'


_KIND = f'{{group: "acme.com" versions: ["v1alpha1", "v1beta1", "v1", "v2"] {_COLUMN}}}'


_RARELY = 0.1  # the share of skipped fields, and of oneofs with a default


def _draw_api(random: Random) -> str:
    """A .proto file of one kind whose messages, fields, rules and enum values have ranges of versions."""
    others = Random(random.random())
    lines = ['syntax = "proto3";', "package acme;"]
    for level in range(4):
        marker = f"// +protoc-gen-crd:resource={_KIND}\n// +protoc-gen-crd:resource.storage_version=v1"
        rule = random.choice(_RULES)
        lines += (
            [marker]
            if not level
            else [f"// +kubebuilder:validation:XValidation:rule={json.dumps(rule)}"]
            if rule
            else []
        )
        span = others.choice(_RANGES) if level else ""
        lines += [f"// +protoc-gen-crd:{span}"] if span else []
        lines.append(f"message M{level} {{")
        below = [f"M{item}" for item in range(level + 1, 4)]
        for number, name in enumerate(("a", "b", "c"), start=1):
            span = random.choice(_RANGES)
            lines += [f"// +protoc-gen-crd:{span}"] if span else []
            lines += ["// +protoc-gen-crd:skip"] if others.random() < _RARELY else []
            lines.append(f"{random.choice((*_TYPES, *below, *below))} {name} = {number};")
        default = ['// +kubebuilder:default="x"'] if others.random() < _RARELY else []
        lines += ["oneof choice {", *default, "string d = 4;", "string e = 5;", "}", "}"]
    value = random.choice(_RANGES[3:])
    return "\n".join([*lines, "enum Letter {", "A = 0;", f"// +protoc-gen-crd:{value}", "B = 1;", "}"])


_BLOCK = 20  # APIs that one run of protoc compiles


def _list_seeds(block: int) -> range:
    return range(block * _BLOCK, (block + 1) * _BLOCK)


@lru_cache(maxsize=2)
def _compile_apis(block: int) -> CodeGeneratorRequest:
    texts = {
        f"{seed}/api.proto": _draw_api(Random(seed)).replace("acme;", f"acme{seed};") for seed in _list_seeds(block)
    }
    with TemporaryDirectory() as folder:
        return compile_texts(texts, Path(folder))


def generate_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """CRDs and findings of random APIs."""
    for seed in seeds:
        compiled = _compile_apis(seed // _BLOCK)
        problems = Problems()
        crds = build_crds(request_for(compiled, f"{seed}/api.proto"), Settings(), problems)
        matching = [
            finding for finding in problems.findings if not finding.rule.startswith("version-")
        ]  # once for shared schemas
        findings = {(item.rule, str(item.at and item.at.resolve()), item.message) for item in matching}
        yield json.dumps([encode(crd) for crd in crds]), sorted(findings)


_LINES = ("MaxLength=3", "MinLength=1", "Pattern=^a", "MaxLength=x", "Enum=a;b", "XValidation:rule=true", "Maximum=9")


_BASIC_TYPES = ("string", "string", "string", "int32", "repeated string", "google.protobuf.StringValue", "Part")


_METADATA = ("name", "namespace", "uid")


def _draw_fields(names: Iterable[str], types: Iterable[str], random: Random) -> Iterator[str]:
    """The fields of a message with two markers each, some required by an option."""
    for number, (name, kind) in enumerate(zip(names, types, strict=False), start=1):
        yield from [f"// +kubebuilder:validation:{line}" for line in random.choices(_LINES, k=random.randrange(3))]
        option = random.choice(("", "", " [(google.api.field_behavior) = REQUIRED]"))
        yield f"{kind} {name} = {number}{option};"


def _draw_istio_api(random: Random) -> Iterator[str]:
    """A .proto file of a kind with tags of Istio, and of a kind that only default mode reads, with metadata."""
    yield from [f'import "google/{file}.proto";' for file in ("api/field_behavior", "protobuf/wrappers")]
    tags = ("groupName:acme.com", "versions:v1", "storageVersion", "scope:Namespaced")
    yield from [f"// +cue-gen:Kind:{tag}" for tag in tags]
    yield "message Kind {"
    yield from _draw_fields("abcd", random.choices(_BASIC_TYPES, k=4), random)
    yield from ("}", "message Part {", *_draw_fields("ab", ("string", "int32"), random), "}")
    yield '// +protoc-gen-crd:resource={group: "acme.com" versions: ["v1"]}'
    yield from ("message Whole {", "Meta metadata = 1;", "Part spec = 2;", "}")
    yield from ("message Meta {", *_draw_fields(_METADATA, ("string", "string", "string"), random), "}")


@lru_cache(maxsize=2)
def _compile_istio(block: int) -> CodeGeneratorRequest:
    texts = {
        f"{seed}/api.proto": "\n".join(['syntax = "proto3";', f"package acme{seed};", *_draw_istio_api(Random(seed))])
        for seed in _list_seeds(block)
    }
    with TemporaryDirectory() as folder:
        return compile_texts(texts, Path(folder))


def generate_istio_crds(seeds: Iterable[int]) -> Iterator[Outcome]:
    """CRDs of Istio's generator, and the findings."""
    for seed in seeds:
        compiled = _compile_istio(seed // _BLOCK)
        problems = Problems()
        crds = build_istio_crds(request_for(compiled, f"{seed}/api.proto"), Settings(), problems)
        findings = [(str(finding.at and finding.at.resolve()), finding.message) for finding in problems.findings]
        yield json.dumps([encode(crd) for crd in crds]), findings
