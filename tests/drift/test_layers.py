"""The dependency direction: a module imports from layers below its own, and some libraries through one gate only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import protoc_gen_crd

PACKAGE = Path(protoc_gen_crd.__file__).parent

# Lowest first. Packages on one line are siblings and do not import each other.
LAYERS = (
    ("base", "v1"),
    ("settings",),
    ("settings_options",),
    ("settings_given", "settings_file"),
    ("proto", "schema", "regex"),
    ("cel",),
    ("crd",),
    ("markers", "admission"),
    ("build", "channels", "samples"),
    ("conversion",),
    ("emit",),
    ("pipeline",),
    ("testing", "history"),
    ("plugin", "library", "reference", "cluster", "webhook"),
    ("cli",),
    ("__main__",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# The rooms of one package in the same order: a module imports from rooms before its own.
ROOMS = ("plan", "derive", "rules", "check", "chains", "code", "proof")

# Siblings that may know each other, and why.
WITHIN = {
    ("settings_given", "settings_file"): "the file is read when an option names it",
    ("settings_file", "settings_given"): "an unknown option is told alike wherever it is given",
}

# What only some modules may import or name, and where.
GATES = {
    "google.protobuf": ("proto", "markers", "plugin", "v1"),
    "protoc_gen_crd.v1": ("markers",),
    "protoc_gen_crd.proto": ("proto", "markers", "build", "pipeline", "testing.generated", "plugin", "cli"),
    "yaml": ("base.yamlread",),
    "re2": ("regex",),
    "argparse": ("cli",),
    "subprocess": ("proto.compiler", "testing.fuzz.command"),
    "socket": ("webhook.server",),
    "http": ("testing.fuzz.webhook",),
    "ssl": ("testing.fuzz.webhook", "admission.crd.bundles", "webhook.certificates"),
    "uvicorn": ("webhook.server", "webhook.connections"),
    "prometheus_client": ("webhook.metrics",),
    "hypothesis": ("testing.fuzz.drawn",),
    "dataclasses": (),
    "inspect": (),
    "kubernetes": ("cluster.client", "cluster.kubeconfig"),
    "urllib3": ("cluster.client",),
    "pytest": ("testing.pytest_plugin",),
}
NAMES = {"print": ("cli", "plugin"), "sys.stdout": ("__main__", "cli", "plugin")}


def modules() -> dict[str, ast.Module]:
    """Every module of the package by dotted name below it, generated code left out."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if name not in ("__init__", "v1.options_pb2"):
            found[name] = ast.parse(path.read_text("utf-8"))
    return found


MODULES = modules()


def imports(module: str, tree: ast.AST) -> Iterator[str]:
    """What a module imports, by full name; `from a import b` may mean a module `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = ["protoc_gen_crd", *module.split(".")[: -node.level]] if node.level else []
            source = ".".join([*around, *([node.module] if node.module else [])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def inside(module: str, gates: tuple[str, ...]) -> bool:
    return any(module == gate or module.startswith(f"{gate}.") for gate in gates)


def wrong_layer(module: str, tree: ast.AST) -> list[str]:
    """Imports that go up or sideways."""
    own = module.partition(".")[0]
    ours = (name.split(".")[1] for name in imports(module, tree) if name.startswith("protoc_gen_crd."))
    others = set(ours) - {own, "__version__"}
    return sorted(other for other in others if LEVEL[other] >= LEVEL[own] and (own, other) not in WITHIN)


def wrong_room(module: str, tree: ast.AST) -> list[str]:
    """Imports of a room of `conversion` from a room after it."""
    own = module.split(".")[1]
    found = (name.split(".") for name in imports(module, tree) if name.startswith("protoc_gen_crd.conversion."))
    return sorted({name[2] for name in found if name[2] in ROOMS[ROOMS.index(own) + 1 :]})


def wrong_gate(module: str, tree: ast.AST) -> list[str]:
    """Libraries and names that belong behind a gate elsewhere."""
    imported, used = list(imports(module, tree)), set(names(tree))
    passed = {gate for gate in GATES if any(inside(name, (gate,)) for name in imported)}
    passed |= {name for name in NAMES if name in used}
    return sorted(name for name in passed if not inside(module, {**GATES, **NAMES}[name]))


@pytest.mark.parametrize("module", list(MODULES))
def test_imports_go_down(module: str) -> None:
    assert wrong_layer(module, MODULES[module]) == []


@pytest.mark.parametrize(
    "module", [name for name in MODULES if inside(name, tuple(f"conversion.{room}" for room in ROOMS))]
)
def test_imports_go_to_rooms_before(module: str) -> None:
    assert wrong_room(module, MODULES[module]) == []


@pytest.mark.parametrize("module", list(MODULES))
def test_libraries_stay_behind_their_gates(module: str) -> None:
    assert wrong_gate(module, MODULES[module]) == []


def test_cel_sees_schemas_in_five_modules() -> None:
    seen = {
        module
        for module, tree in MODULES.items()
        if inside(module, ("cel",)) and any(inside(name, ("protoc_gen_crd.schema",)) for name in imports(module, tree))
    }
    assert seen <= {"cel.types", "cel.check", "cel.cost", "cel.data", "cel.objects"}


def test_every_package_has_its_layer() -> None:
    assert {module.partition(".")[0] for module in MODULES} == set(LEVEL)


def test_a_wrong_import_is_noticed() -> None:
    tree = ast.parse("from protoc_gen_crd.build import messages\nimport yaml\nprint(sys.stdout)")
    assert wrong_layer("cel.syntax", tree) == ["build"]
    assert wrong_gate("cel.syntax", tree) == ["print", "sys.stdout", "yaml"]
    assert wrong_layer("proto.load", ast.parse("import protoc_gen_crd.schema.types")) == ["schema"]
    assert wrong_layer("cel.syntax", ast.parse("from ..build import messages\nfrom . import tree")) == ["build"]
    assert wrong_room("conversion.plan.steps", ast.parse("from protoc_gen_crd.conversion.code import kinds")) == [
        "code"
    ]
    assert wrong_layer("build.messages", ast.parse("from protoc_gen_crd.schema.types import Schema")) == []
