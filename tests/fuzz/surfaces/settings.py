"""Settings files in YAML and TOML, and plugin parameters, in plugin runs of small APIs."""

from __future__ import annotations

import json
import zlib
from random import Random
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.settings.merged_options import OPTIONS, list_options
from protoc_gen_crd.settings.option_declaration import PARAMETER
from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer
from tests.fuzz.mutations import SCALARS, encoded, mutated_data, mutated_text, yaml_text
from tests.fuzz.program import plugin

_PATTERNS = ("*/*/protoc-gen-crd.yaml",)
_VALUES: tuple[Any, ...] = (
    "istio", "cel", "yaml", "json", "1.30", "1.28..1.37", "1.37..1.28", "true", "false", "warning", "off", "stable",
    "policy",
    "omit", "v1", "a.b.c", "ns/name", "https://a/b", "http://[::1", "converters", "..", "/etc", "0", "-1",
    "1" * 400, "é", "*",
    ["a"], [], {}, {"a": "b"}, {"matchLabels": {"a": "b"}}, {"things.example.com": "v1"}, [{"rule": "marker-target",
    "severity": "off"}],
    [{"rule": "*", "path": "a.*", "reason": "x"}], {"google.protobuf.Any": {"type": "object"}},
    {"stable": {"months": 1, "releases": 2}},
)  # fmt: skip
_WRITES = "dump_request"  # writes where it is asked to


def _request(data: bytes, parameter: str) -> bytes:
    requests = [request for request in corpus.requests() if len(request) < 120_000][:12]
    request = CodeGeneratorRequest.FromString(requests[zlib.crc32(data) % len(requests)])
    request.parameter = parameter
    return request.SerializeToString(deterministic=True)


class SettingsFiles(Fuzzer):
    """Mutated settings files; the first byte selects YAML or TOML."""

    name, slice = "settings", 40

    def generate(self, random: Random) -> bytes:
        mappings = [document for document in corpus.documents(*_PATTERNS) if isinstance(document, dict)]
        settings = dict(random.choice(mappings))
        for _ in range(random.choice((0, 1, 3))):
            settings[random.choice(list(OPTIONS))] = random.choice((*_VALUES, *SCALARS))
        settings = mutated_data(settings, random, _VALUES)
        if random.random() < 0.7 or not isinstance(settings, dict):
            return b"y" + yaml_text(settings, random)
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        text = "\n".join(["[tool.protoc-gen-crd]", *lines])
        return b"t" + encoded(
            mutated_text(text, random, ("[", "]]", "[tool.x]\n", "'''", '"""', "= ", "1979-05-27", "inf", "{a="))
        )

    def run(self, data: bytes) -> str:
        name = "pyproject.toml" if data[:1] == b"t" else "settings.yaml"
        return plugin(_request(data, f"settings={name}"), {name: data[1:]})


class Parameters(Fuzzer):
    """Mutated plugin parameters."""

    name, slice = "parameters", 40

    def generate(self, random: Random) -> bytes:
        names = [name for name in list_options(PARAMETER) if name != _WRITES] + ["unknown", ""]
        pieces = [
            f"{random.choice(names)}{random.choice(('=', '=', '=', '', '=='))}{random.choice((*_VALUES, *SCALARS))}"
            for _ in range(random.choice((1, 1, 2, 4)))
        ]
        text = random.choice((",", ",", ",,", "\\,", " ")).join(pieces)
        return encoded(mutated_text(text, random) if random.random() < 0.4 else text)

    def run(self, data: bytes) -> str:
        text = data.decode("utf-8", "replace")
        return "" if _WRITES in text else plugin(_request(data, text))
