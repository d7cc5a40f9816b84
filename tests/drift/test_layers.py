"""The dependency direction: a module imports from layers below its own, and some libraries through one gate only."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from tests.support.package import trees, walk

# Lowest first. Packages on one line are siblings and do not import each other.
LAYERS = (
    ("base", "v1"),
    ("golang",),
    ("kubernetes",),
    ("findings",),
    ("yaml",),
    ("settings",),
    ("proto", "schema", "regex"),
    ("cel",),
    ("crd",),
    ("markers", "admission"),
    ("generation",),
    ("samples", "channels"),
    ("comparison",),
    ("documents",),
    ("history", "lint"),
    ("conversion",),
    ("groups",),
    ("emit",),
    ("pipeline",),
    ("crd_loader", "group_loader"),
    ("side_loader", "lint_loader"),
    ("old_descriptor_sets",),
    ("testing",),
    ("versioning", "importer", "scaffold"),
    ("reference",),
    ("webhook", "cluster", "explorer"),
    ("playground",),
    ("plugin", "library"),
    ("cli",),
    ("__main__",),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# The subpackages of a package in the same order: a module imports from the ones before its own.
ROOMS = ("plan", "derivation", "rule_files", "checks", "composition", "codegen", "proof")

# Siblings that may import each other, and why.
WITHIN: dict[tuple[str, str], str] = {}

# Libraries and names that only some modules may import, and where.
GATES = {
    "google.protobuf": ("proto", "markers", "plugin", "v1", "groups.runtime"),
    "grpc": ("groups.runtime",),
    "grpc_health": ("groups.runtime.health_and_reflection",),
    "grpc_reflection": ("groups.runtime.health_and_reflection",),
    "protoc_gen_crd.v1": ("markers", "proto.option_hints"),
    "protoc_gen_crd.proto": (
        "proto",
        "markers",
        "generation",
        "groups",
        "pipeline",
        "crd_loader",
        "group_loader",
        "old_descriptor_sets",
        "side_loader",
        "versioning",
        "importer",
        "lint",
        "lint_loader",
        "plugin",
        "cli",
    ),
    "yaml": ("yaml.libyaml_decoder",),
    "re2": ("regex",),
    "argparse": ("cli",),
    "subprocess": ("proto.protoc_compiler", "documents.git_repository", "testing.fuzz.command_validator"),
    "socket": ("webhook.https_server", "playground.http_server"),
    "http": ("testing.fuzz.webhook_validator", "playground.http_server"),
    "ssl": ("testing.fuzz.webhook_validator", "admission.crd.versions.ca_bundles", "webhook.tls_context"),
    "uvicorn": ("webhook.https_server", "webhook.connections"),
    "prometheus_client": ("webhook.metrics", "groups.runtime.metrics"),
    "hypothesis": ("testing.fuzz.hypothesis_search",),
    "dataclasses": ("groups.runtime.values",),
    "inspect": (),
    "jinja2": ("explorer.pages",),
    "markupsafe": ("explorer.pages",),
    "markdown_it": ("explorer.html_descriptions",),
    "kubernetes": ("cluster.cluster_client", "cluster.kubeconfig"),
    "urllib3": ("cluster.cluster_client",),
    "pytest": ("testing.pytest_plugin", "groups.runtime.testing"),
}
NAMES = {"print": ("cli", "plugin"), "sys.stdout": ("__main__", "cli", "plugin")}


def modules() -> dict[str, ast.Module]:
    """Return the modules of the package by dotted name, without generated code."""
    return {name: tree for name, tree in trees().items() if name not in ("__init__", "v1.options_pb2")}


def imports(module: str, tree: ast.AST, get_nodes: Callable[[ast.AST], Iterable[ast.AST]] = walk) -> Iterator[str]:
    """Return the imports of a module by full name; `from a import b` may mean a module `a.b`."""
    for node in get_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            around = ["protoc_gen_crd", *module.split(".")[: -node.level]] if node.level else []
            source = ".".join([*around, *([node.module] if node.module else [])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)


def walk_runtime(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree without those that only type checkers run."""
    queue = [tree]
    for node in queue:  # grows during iteration
        if isinstance(node, ast.If) and "TYPE_CHECKING" in (getattr(node.test, name, "") for name in ("id", "attr")):
            queue += node.orelse
        else:
            yield node
            queue += ast.iter_child_nodes(node)


def runtime_imports(files: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Return the files that each file imports at run time, inside functions too."""
    graph = {}
    for name, tree in files.items():
        imported = imports(name, tree, walk_runtime)
        graph[name] = {module.removeprefix("protoc_gen_crd.") for module in imported} & set(files) - {name}
    return graph


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return a cycle of imports, from a file to the one that it imports, or an empty list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def names(tree: ast.AST) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def inside(module: str, gates: tuple[str, ...]) -> bool:
    return any(module == gate or module.startswith(f"{gate}.") for gate in gates)


def wrong_layer(module: str, tree: ast.AST) -> list[str]:
    """Return imports from higher layers or siblings."""
    own = module.partition(".")[0]
    ours = (name.split(".")[1] for name in imports(module, tree) if name.startswith("protoc_gen_crd."))
    others = set(ours) - {own, "__version__"}
    return sorted(other for other in others if LEVEL[other] >= LEVEL[own] and (own, other) not in WITHIN)


def wrong_room(module: str, tree: ast.AST) -> list[str]:
    """Return imports of a subpackage of `conversion` from one after it."""
    own = module.split(".")[1]
    parts = (name.split(".") for name in imports(module, tree) if name.startswith("protoc_gen_crd.conversion."))
    return sorted({name[2] for name in parts if name[2] in ROOMS[ROOMS.index(own) + 1 :]})


def wrong_gate(module: str, tree: ast.AST) -> list[str]:
    """Return libraries and names that only another module may use."""
    imported, used = list(imports(module, tree)), set(names(tree))
    passed = {gate for gate in GATES if any(inside(name, (gate,)) for name in imported)}
    passed |= {name for name in NAMES if name in used}
    return sorted(name for name in passed if not inside(module, {**GATES, **NAMES}[name]))


def faults(check: Callable[[str, ast.AST], list[str]], only: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """Return the violations of a check, by module."""
    violations = {name: check(name, tree) for name, tree in modules().items() if not only or inside(name, only)}
    assert len(violations) > 10
    return {name: wrong for name, wrong in violations.items() if wrong}


def test_imports_go_down() -> None:
    assert faults(wrong_layer) == {}


def test_imports_have_no_cycle_of_files() -> None:
    assert find_cycle(runtime_imports(modules())) == []


def test_a_cycle_of_files_is_listed() -> None:
    inside_function = "def f():\n    from protoc_gen_crd.b import g"
    types_only = "if TYPE_CHECKING:\n    from protoc_gen_crd import a"
    files = {"a": ast.parse(inside_function), "b": ast.parse("from . import c"), "c": ast.parse(types_only)}
    assert find_cycle(runtime_imports(files)) == []
    files["c"] = ast.parse(f"{types_only}\nelse:\n    import protoc_gen_crd.a")
    cycle = find_cycle(runtime_imports(files))
    assert (cycle[0], set(cycle)) == (cycle[-1], {"a", "b", "c"})


def test_imports_go_to_rooms_before() -> None:
    assert faults(wrong_room, tuple(f"conversion.{room}" for room in ROOMS)) == {}


def test_libraries_stay_behind_their_gates() -> None:
    assert faults(wrong_gate) == {}


def test_cel_sees_schemas_in_five_modules() -> None:
    seen = {
        module
        for module, tree in modules().items()
        if inside(module, ("cel",)) and any(inside(name, ("protoc_gen_crd.schema",)) for name in imports(module, tree))
    }
    assert seen <= {
        "cel.checker.types",
        "cel.checker.checker",
        "cel.cost",
        "cel.values.schema_values",
        "cel.values.object_values",
    }


def test_every_package_has_its_layer() -> None:
    assert {module.partition(".")[0] for module in modules()} == set(LEVEL)


def test_a_wrong_import_is_noticed() -> None:
    tree = ast.parse("from protoc_gen_crd.generation import message_schemas\nimport yaml\nprint(sys.stdout)")
    assert wrong_layer("cel.parser.parser", tree) == ["generation"]
    assert wrong_gate("cel.parser.parser", tree) == ["print", "sys.stdout", "yaml"]
    assert wrong_layer("proto.api_set", ast.parse("import protoc_gen_crd.schema.schema")) == ["schema"]
    assert wrong_layer(
        "cel.parser.parser", ast.parse("from ...generation import message_schemas\nfrom . import tree")
    ) == ["generation"]
    assert wrong_room(
        "conversion.plan.step_base", ast.parse("from protoc_gen_crd.conversion.codegen import python_types")
    ) == ["codegen"]
    assert wrong_layer("generation.message_schemas", ast.parse("from protoc_gen_crd.schema.schema import Schema")) == []


def is_resolved_by_pathlib(node: ast.AST) -> bool:
    """Return whether an expression is `Path(...).resolve()` or `folder.resolve()`."""
    if not (isinstance(node, ast.Attribute) and node.attr == "resolve"):
        return False
    name = ast.unparse(node.value)
    return name.startswith("Path(") or name.endswith(("path", "folder"))


def test_no_module_resolves_paths_with_pathlib() -> None:
    assert [name for name, tree in trees().items() if any(map(is_resolved_by_pathlib, walk(tree)))] == []
