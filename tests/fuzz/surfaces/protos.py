""".proto files through protoc, and comments of their elements, which need no protoc."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.markers.marker_aliases import NAMES
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import CHARACTERS, SCALARS, encoded, mutated_text
from tests.fuzz.program import command, plugin

_PREFIXES = (
    "kubebuilder:validation:",
    "kubebuilder:",
    "k8s:",
    "cue-gen:",
    "protoc-gen-crd:",
    "listType",
    "default",
    "",
)
_OPTIONS = (
    "[(protoc_gen_crd.v1.field) = {", "option (protoc_gen_crd.v1.message) = {", "max_items: -1", "default: '{'", "}];",
    "rules: {rule: 'self.a'}", "pattern: '('", "enum: 'a'", "conversion: {", "optional ", "repeated ", "map<string, ",
    "oneof a {", "reserved 1 to max;", "extensions 4 to 9;", 'syntax = "proto2";', 'edition = "2023";',
    "option deprecated = true;",
)  # fmt: skip


class Protos(Fuzzer):
    """Mutated .proto files through `generate`."""

    name, slice, seconds = "protos", 8, 4.0

    def generate(self, random: Random) -> bytes:
        return encoded(mutated_text(random.choice(corpus.protos()), random, _OPTIONS))

    def run(self, data: bytes) -> str:
        return str(command(["generate", "api.proto", "--out", "out"], {"api.proto": data}))


@cache
def _marked() -> tuple[str, ...]:
    """Marker lines of all test data."""
    texts = [
        *corpus.protos(),
        *(path.read_text("utf-8", "replace") for path in corpus.files("markers/*.proto", "markers/**/*")),
    ]
    marker_lines = {line for text in texts for line in re.findall(r"\+[A-Za-z][^\n]*", text)}
    return tuple(sorted(marker_lines))


class Comments(Fuzzer):
    """Mutated comments on the elements of a file, mostly after a plus sign."""

    name, slice = "comments", 30

    def generate(self, random: Random) -> bytes:
        request = CodeGeneratorRequest.FromString(random.choice(corpus.requests()))
        target = random.choice(request.file_to_generate)
        (file,) = [file for file in request.proto_file if file.name == target]
        for location in random.sample(file.source_code_info.location, min(6, len(file.source_code_info.location))):
            comment = _comment(random, location.leading_comments).encode("utf-8", "replace").decode()
            setattr(location, random.choice(("leading_comments", "leading_comments", "trailing_comments")), comment)
        return request.SerializeToString(deterministic=True)

    def run(self, data: bytes) -> str:
        return plugin(data)


def _comment(random: Random, before: str) -> str:
    lines = before.split("\n") if before else [""]
    for _ in range(random.choice((1, 1, 2, 4))):
        lines.insert(random.randrange(len(lines) + 1), " " + _marker(random))
    text = "\n".join(lines)
    return mutated_text(text, random) if random.random() < 0.4 else text


def _marker(random: Random) -> str:
    kind = random.randrange(4)
    if kind == 0:
        return mutated_text(random.choice(_marked()), random, _VALUES)
    if kind == 1:
        return "+" + "".join(random.choice((*CHARACTERS, "a", "Enum", "1")) for _ in range(random.randrange(12)))
    name = random.choice(_NAMES)
    return f"+{name}{random.choice(('', '=', ':=', ':'))}{random.choice(_VALUES)}"


_NAMES = tuple(sorted(set(NAMES) | {f"{prefix}{word}" for prefix in _PREFIXES for word in ("Enum", "x", "")}))
_VALUES = (
    *(str(scalar) for scalar in SCALARS[:-3] if len(str(scalar)) < 1_000), '"a"', "'a'", "`a`", '{"a": 1}', "{a: 1}",
    "[1,2]",
    "{1,2}", "a;b", "a,b=c", 'rule="self.a",message="m"', '{"a": [{"b": ' * 300, "{" * 2_000, "a;" * 500, '"' * 99,
    "1" * 5_000,
)  # fmt: skip
