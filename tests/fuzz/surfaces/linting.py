"""CRDs and protos through `lint`, alone and with an old side."""

from __future__ import annotations

import copy
import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

from tests.fuzz import corpus
from tests.fuzz.harness import Fuzzer, PropertyError
from tests.fuzz.mutations import SCALARS, encoded, mutated_data, mutated_text, places, value, yaml_text
from tests.fuzz.program import command

Json = Any

_SEPARATOR = b"\n# old side\n"
_NAMES = (
    "jwks_uri", "HTTPPort", "ruleReference", "creationTimestamp", "phase", "timeout", "class", "items", "conditions",
    "x_of_y", "status", "targetRefs", "", "é", "a.b", "-",
)  # fmt: skip
_SENTENCES = (
    "Must not exceed 10.", "Maximum length of 63 characters.", "Between 1 and 5.", "Range: [1, 99999999999999999999].",
    "Defaults to 5.", 'Defaults to "a".', "Default: true.", "This field is immutable.", "Must be positive.",
    "Only one of a or b may be set.", 'Valid values are "A", "B" and `C`.', "Cannot be empty.", "At most 1,000 items.",
    "Must be at most 1e309.", "max 9" + "9" * 400, "must be " * 400, "one of: " * 400, "(" * 500, "`" * 500,
    "defaults to " * 300, "must be " + "very " * 500 + "less than 3", "is " * 900 + "immutable",
)  # fmt: skip
_RULES = (
    "self.a == 'b'", "has(self.a)", "!has(self.a) || self.a > 1", "self.items.all(i, i.a == i.b)", "self == oldSelf",
    "self.a.b.c.d", "self.m.all(k, k != '')", "self.", "has(self.x) && self.y", "self.a[0].b", "(" * 300,
    "self.__namespace__ == 1", "self.items.exists(i, has(i.a))",
)  # fmt: skip
_LINES = (
    *(f"// {sentence}" for sentence in _SENTENCES[:14]), "option deprecated = true;", "package;", "enum E { A = 0; }",
    "enum E { x = 1; Y = 2; }", "service a_b { rpc get(M) returns (M); }", "oneof HTTP {", "repeated string item = 99;",
    "map<string, string> m = 98;", "optional double timeout = 97;", "import 'google/protobuf/struct.proto';",
    "google.protobuf.Struct any = 96;", "// +kubebuilder:validation:XValidation:rule=\"self.a == 'b'\"",
)  # fmt: skip
_COMMANDS = (
    ("lint",),
    ("lint", "--profile", "istio"),
    ("lint", "--profile", "open-cluster-management"),
    ("lint", "--profile", "immutable"),
)


@cache
def _protos() -> tuple[str, ...]:
    return (*corpus.protos(), *(path.read_text("utf-8") for path in corpus.files("lint/*.proto", "lint/**/*.proto")))


@cache
def _crds() -> tuple[Json, ...]:
    return (*corpus.crds(), *corpus.documents("lint/*.yaml"))


class Linting(Fuzzer):
    """Mutated CRDs and protos; an input has an old side after a separator.

    A finding is reported once for an element, and an API has no new findings compared with itself.
    """

    name, slice, seconds = "linting", 40, 5.0

    def generate(self, random: Random) -> bytes:
        """Return the name of the file, its content, and often that of the old side."""
        name, first, second = _generate_proto(random) if random.random() < 0.4 else _generate_crd(random)
        profile = random.randrange(len(_COMMANDS))
        sides = [first, *random.choice(((), (first,), (second,), (second,)))]
        return f"{name} {profile}\n".encode() + _SEPARATOR.join(sides)

    def run(self, data: bytes) -> str:
        """Lint an input. Raises PropertyError if a property does not hold."""
        head, _, content = data.partition(b"\n")
        name, _, profile = head.decode("utf-8", "replace").partition(" ")
        if name not in ("api.proto", "crd.yaml") or profile not in map(str, range(len(_COMMANDS))):
            return "no input"
        new, _, old = content.partition(_SEPARATOR)
        arguments = [*_COMMANDS[int(profile)], f"new/{name}", "--format-findings", "json"]
        files = {f"new/{name}": new}
        if old:
            files[f"old/{name}"] = old
            arguments += ["--old", f"old/{name}"]
        run = command(arguments, files)
        findings = _read_findings(run.out)
        if old == new and findings:
            raise PropertyError(f"findings of an API that equals its old side: {findings}")
        repeated = [identity for identity, count in Counter(findings).items() if count > 1]
        if repeated:
            raise PropertyError(f"reported twice: {repeated}")
        return str(run)


def _read_findings(output: str) -> list[tuple[str, str, str]]:
    """Return the rule, the element and the message of the findings of the linter."""
    report = json.loads(output) if output.strip() else {}
    rows = report.get("findings", []) if isinstance(report, dict) else report
    return [(row["rule"], row.get("path", ""), row["message"]) for row in rows if row["rule"].startswith("lint-")]


def _generate_crd(random: Random) -> tuple[str, bytes, bytes]:
    crd = random.choice(_crds())
    edited = crd
    for _ in range(random.choice((1, 2, 5, 9))):
        edited = _edit(edited, random)
    if random.random() < 0.3:
        edited = mutated_data(edited, random, SCALARS[:40])
    return "crd.yaml", yaml_text(edited, random), yaml_text(crd, random)


def _edit(crd: Json, random: Random) -> Json:
    """Change what the linter reads: names, descriptions, rules, types or keywords of a schema."""
    crd = copy.deepcopy(crd)
    schemas = [part[key] for part, key in places(crd) if isinstance(part[key], dict) and "type" in part[key]]
    if not schemas:
        return crd
    schema = random.choice(schemas)
    kind = random.randrange(5)
    if kind == 0:
        schema["description"] = f"{schema.get('description', '')} {random.choice(_SENTENCES)}"
    elif kind == 1:
        rules = schema.setdefault("x-kubernetes-validations", [])
        if isinstance(rules, list):
            rules.append({"rule": random.choice(_RULES), "message": "m"})
    elif kind == 2:
        properties = schema.setdefault("properties", {})
        if isinstance(properties, dict):
            properties[random.choice(_NAMES)] = copy.deepcopy(random.choice(schemas))
    elif kind == 3:
        schema["type"] = random.choice(("string", "array", "object", "number", "integer", "boolean"))
    else:
        keyword = random.choice(("enum", "default", "required", "oneOf", "maximum", "maxLength", "items", "format"))
        schema[keyword] = value(random)
    return crd


def _generate_proto(random: Random) -> tuple[str, bytes, bytes]:
    text = random.choice(_protos())
    return "api.proto", encoded(mutated_text(text, random, _LINES)), encoded(text)
