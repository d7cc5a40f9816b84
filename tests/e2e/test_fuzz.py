"""`fuzz` and `corpus` as a user runs them: against commands with known faults, a webhook, and Kubernetes' own code."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.library import Validator
from protoc_gen_crd.yaml.reader import read
from tests.conftest import ROOT
from tests.support.fork_server import run_program

CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: string, enum: [S, M, L]}
              replicas: {type: integer, minimum: 1, maximum: 9, default: 1}
              image: {type: string, pattern: '^[a-z]+(:[0-9]+)?$', maxLength: 20}
              ports: {type: array, maxItems: 3, x-kubernetes-list-type: set, items: {type: integer}}
              labels: {type: object, additionalProperties: {type: string, minLength: 1}}
            x-kubernetes-validations:
            - rule: self.size != 'S' || self.replicas <= 3
              message: small widgets come in threes at most
"""
# Judges as API servers do, but for one fault: `{fault}` is an expression of the document that turns a verdict over.
VALIDATOR = """
import json, sys
from protoc_gen_crd import Validator
from protoc_gen_crd.yaml.reader import read
(crd,) = (each.value for each in read(open("widgets.crd.yaml", "rb").read(), ""))
validator = Validator([crd])
for line in sys.stdin:
    document = json.loads(line)
    (verdict,) = validator.validate(document)
    spec = document.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    allowed = verdict.accepted ^ bool(FAULT)
    print(json.dumps({"allowed": allowed, "message": "no reason"}), flush=True)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a CRD, where the program runs."""
    (tmp_path / "widgets.crd.yaml").write_text(CRD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, command: str = "fuzz") -> subprocess.CompletedProcess[str]:
    return run_program([command, *arguments], Path.cwd(), {**os.environ, "PYTHONPATH": str(ROOT)})


def python(folder: Path, text: str) -> str:
    """The command that runs a Python program."""
    (folder / "validator.py").write_text(text)
    return shlex.join([sys.executable, "validator.py"])


def found(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted((folder / "fuzz").glob("*"))}


def small(spec: str, message: str, keys: str = "") -> str:
    """The smallest test document with this spec."""
    head = "apiVersion: acme.example/v1\nkind: Widget\nmetadata:\n  name: example\n"
    return f"# An external validator {message}\n{keys}{head}spec:\n{spec}"


FAULTS = [
    (
        "spec.get('replicas') == 10",
        small(
            "  replicas: 10\n  size: M\n",
            "accepts it",
            "_err: 'spec.replicas: Invalid value: 10: spec.replicas in body should be less than\n  or equal to 9'\n",
        ),
    ),
    ("spec.get('ports') == [] and verdict.accepted", small("  ports: []\n  size: S\n", "rejects it: no reason")),
    (
        "verdict.causes and all('should match' in cause.message for cause in verdict.causes)",
        small(
            '  image: ""\n  size: S\n',
            "accepts it",
            "_err: 'spec.image: Invalid value: \"\": spec.image in body should match ''^[a-z]+(:[0-9]+)?$'''\n",
        ),
    ),
    (
        "verdict.causes and all('in threes' in cause.message for cause in verdict.causes)",
        small(
            "  replicas: 4\n  size: S\n",
            "accepts it",
            "_err: 'spec: Invalid value: small widgets come in threes at most'\n",
        ),
    ),
]


# Not every seed leads to the very smallest document: hypothesis stops where no single step makes it smaller.
SEEDS = {"bound": ("250", "4"), "empty-list": ("60", "1"), "pattern": ("60", "1"), "rule": ("60", "2")}


@pytest.mark.parametrize(("name", "fault"), list(zip(SEEDS, FAULTS, strict=True)), ids=SEEDS)
def test_a_fault_is_found_and_shrunk(name: str, fault: tuple[str, str], folder: Path) -> None:
    expression, smallest = fault
    count, seed = SEEDS[name]
    command = python(folder, VALIDATOR.replace("FAULT", expression))
    done = run("widgets.crd.yaml", "--against", command, "--count", count, "--seed", seed)
    assert list(found(folder).values()) == [smallest], done.stdout + done.stderr
    assert done.returncode == 1
    assert "1 disagreement" in done.stdout
    assert "[fuzz-disagreement]" in done.stderr
    judged = run("widgets.crd.yaml", "fuzz", command="validate")
    assert judged.returncode == 0, judged.stderr


def test_the_same_seed_finds_the_same(folder: Path) -> None:
    command = python(folder, VALIDATOR.replace("FAULT", "spec.get('size') == 'M'"))
    runs = []
    for _ in range(2):
        done = run("widgets.crd.yaml", "--against", command, "--count", "12", "--seed", "7")
        runs.append((done.stdout, done.stderr, found(folder)))
    assert runs[0] == runs[1]


def test_documents_of_the_user_are_validated_first(folder: Path) -> None:
    command = python(folder, VALIDATOR.replace("FAULT", "spec.get('replicas') == 10"))
    (folder / "mine-invalid.yaml").write_text(FAULTS[0][1].replace("size: M", "size: L"))
    done = run("widgets.crd.yaml", "mine-invalid.yaml", "--against", command, "--count", "1")
    assert done.returncode == 1
    message = "external validator accepts a document that API servers reject: spec.replicas: Invalid value: 10: "
    assert done.stderr.startswith(f"mine-invalid.yaml:2:1: error: {message}")
    assert "[fuzz-disagreement]" in done.stderr
    assert found(folder) == {}


FAILURES = {
    "dies": ("import sys; sys.stdin.readline(); sys.exit(7)", "command ended with status 7"),
    "garbage": ("import sys\nfor _ in sys.stdin: print('yes', flush=True)", "answer is not JSON: yes"),
    "shape": ("import sys\nfor _ in sys.stdin: print('{}', flush=True)", "string}: {}"),
    "hangs": ("import time; time.sleep(60)", "no answer within 1 s"),
    "silent": ("import os, sys; os.close(1); sys.stdin.read()", "command closed its standard output"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_validator_without_an_answer_is_reported(name: str, folder: Path) -> None:
    text, expected = FAILURES[name]
    seconds = "1" if name == "hangs" else "60"  # to start Python takes longer than 1 s on a busy machine
    done = run("widgets.crd.yaml", "--against", python(folder, text), "--timeout", seconds)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "[fuzz-validator]" in done.stderr
    assert "Traceback" not in done.stderr.replace(text, "")


def test_a_validator_that_dies_of_some_documents_is_started_again(folder: Path) -> None:
    text = VALIDATOR.replace("FAULT", "False").replace(
        "    spec = doc", "    document.get('spec', {})['size']\n    spec = doc"
    )
    done = run("widgets.crd.yaml", "--against", python(folder, text), "--count", "100")
    assert "command ended with status 1" in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no external validator: pass --against with a command or an address"),
        (("--against", ""), "no external validator: pass --against with a command or an address"),
        (("--against", "'"), """invalid value "'" for --against: No closing quotation"""),
        (("--against", "http://"), "address has no host"),
        (
            ("--against", "true", "--kubernetes", "1.30..1.37"),
            'fuzz supports one Kubernetes version, got "1.30..1.37"; pass one with --kubernetes',
        ),
        (("--against", "https://localhost", "--ca-file", "widgets.crd.yaml"), "contains no certificates"),
        (("--against", "https://localhost", "--ca-file", "none.pem"), "No such file"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str, folder: Path) -> None:
    done = run("widgets.crd.yaml", *arguments)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_commands_that_are_not_there(folder: Path) -> None:
    for against, expected in (("no-such-command", "No such file"), ("http://127.0.0.1:9/", "cannot connect")):
        done = run("widgets.crd.yaml", "--against", against)
        assert (done.returncode, expected in done.stderr) == (2, True), done.stderr


def test_hypothesis_that_is_not_there(folder: Path) -> None:
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['hypothesis'] = None\n")
    program = [sys.executable, "-m", "protoc_gen_crd", "fuzz", "widgets.crd.yaml", "--against", "true"]
    environment = {**os.environ, "PYTHONPATH": f"{folder}:{Path(__file__).parents[2]}"}
    done = subprocess.run(program, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "protoc-gen-crd: fuzz needs hypothesis, which is not installed: pip install 'protoc-gen-crd[fuzz]'\n"
    )


class Webhook(BaseHTTPRequestHandler):
    """A validator that rejects widgets with three ports, which API servers accept, and records its requests."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    requests: list[dict[str, Any]]
    validator = Validator([document.value for document in read(CRD.encode(), "")])

    def do_POST(self) -> None:
        review = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(review["request"])
        answer = json.dumps(self.answer(review)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def answer(self, review: dict[str, Any]) -> dict[str, Any]:
        document = review["request"]["object"]
        (verdict,) = self.validator.validate(document)
        ports = document["spec"].get("ports", ()) if verdict.accepted else ()
        response = {"uid": review["request"]["uid"], "allowed": verdict.accepted and len(ports) != 3}
        if not response["allowed"]:
            response["status"] = {"message": "at most two ports"}
        return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[[type[Webhook]], HTTPServer]]:
    """Starts servers on this machine, and ends them."""
    servers: list[HTTPServer] = []

    def start(handler: type[Webhook]) -> HTTPServer:
        handler.requests = []
        server = HTTPServer(("127.0.0.1", 0), handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_webhook_receives_the_requests_of_servers(folder: Path, serve: Callable[[type[Webhook]], HTTPServer]) -> None:
    server = serve(Webhook)
    address = f"http://127.0.0.1:{server.server_port}/validate?x=1"
    done = run("widgets.crd.yaml", "--against", address, "--count", "250")
    assert done.returncode == 1, done.stderr
    request = Webhook.requests[0]
    assert (request["operation"], request["kind"]["kind"], request["resource"]["resource"]) == (
        "CREATE",
        "Widget",
        "widgets",
    )
    assert request["object"]["spec"]["replicas"] == 1, "servers fill in defaults before they ask"
    (text,) = found(folder).values()
    assert "rejects it: at most two ports" in text
    assert (text.count("\n  - "), text.count("\n")) == (3, 11)


class Wrong(Webhook):
    """Answers what is no review."""

    def answer(self, review: dict[str, Any]) -> dict[str, Any]:
        return {"kind": review["kind"]}


class Outdated(Webhook):
    """Answers by the review's version before v1, which servers that ask by v1 do not take."""

    def answer(self, review: dict[str, Any]) -> dict[str, Any]:
        return {**super().answer(review), "apiVersion": "admission.k8s.io/v1beta1"}


def test_a_webhook_that_answers_something_else(folder: Path, serve: Callable[[type[Webhook]], HTTPServer]) -> None:
    for handler in (Outdated, Wrong):
        port = serve(handler).server_port
        done = run("widgets.crd.yaml", "--against", f"http://127.0.0.1:{port}/")
        assert (done.returncode, "an AdmissionReview of admission.k8s.io/v1 " in done.stderr) == (2, True)
    done = run("widgets.crd.yaml", "--against", f"https://127.0.0.1:{port}/", "--insecure", "--timeout", "2")
    assert (done.returncode, "cannot connect" in done.stderr) == (2, True)


ORACLE = """
import json, subprocess, sys
crd = json.load(open("crd.json"))
oracle = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def ask(**request):
    print(json.dumps(request), file=oracle.stdin, flush=True)
    return json.loads(oracle.stdout.readline())
ask(op="crd", crd=crd)
for line in sys.stdin:
    answer = ask(op="create", obj_json=line)
    others = (answer.get(key) for key in ("decode", "status", "failed"))
    reasons = [*answer.get("errors", ()), *filter(None, others)]
    print(json.dumps({"allowed": not reasons, "message": ", ".join(reasons)}), flush=True)
"""


def test_kubernetes_own_code_agrees(folder: Path) -> None:
    oracle = os.environ.get("PROTOC_GEN_CRD_ORACLE")
    if not oracle:
        pytest.skip("PROTOC_GEN_CRD_ORACLE is not set: see Optional corpora in CONTRIBUTING.md")
    (document,) = read(CRD.encode(), "")
    (folder / "crd.json").write_text(json.dumps(document.value))
    command = f"{python(folder, ORACLE)} {shlex.quote(oracle)}"
    done = run("widgets.crd.yaml", "--against", command, "--count", "400")
    assert (done.returncode, found(folder)) == (0, {}), done.stderr


def test_a_corpus_is_exported(folder: Path) -> None:
    (folder / "a-valid.yaml").write_text(
        "apiVersion: acme.example/v1\nkind: Widget\nspec: {size: S}\n---\n_err: x\nkind: A\n"
    )
    done = run("a-valid.yaml", "widgets.crd.yaml", "--form", "go", "--out", "seeds", command="corpus")
    assert (done.returncode, done.stdout, done.stderr) == (0, "seeds: 2 files from 2 documents\n", "")
    seeds = sorted(path.name for path in (folder / "seeds").iterdir())
    assert [name.rpartition("-")[0] for name in seeds] == ["a", "widget-v1"]
    text = (folder / "seeds" / seeds[1]).read_text()
    assert text == 'go test fuzz v1\n[]byte("apiVersion: acme.example/v1\\nkind: Widget\\nspec:\\n  size: S\\n")\n'
