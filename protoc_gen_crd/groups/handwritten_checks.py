"""Checks of the files that belong to the user, `server.py` and `functions.py`, against what the group needs.

The files are parsed, not imported. A server class with base classes may inherit methods, so it is not checked.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.groups.method_body_checks import check_bodies

_SERVER, _FUNCTIONS, _API, _VERSIONS = "server.py", "functions.py", "api.py", "versions.py"
_HUB = "hub.py"
Function = ast.FunctionDef | ast.AsyncFunctionDef


def check_handwritten_files(files: Mapping[str, str], out: str, problems: Problems) -> None:
    """Report what the files of the user in the output folder lack, and what nothing needs any more.

    `files` are the generated files, with the initial contents of the files of the user.
    """
    for name in sorted(files):
        path = Path(out, name)
        if path.name in (_SERVER, _FUNCTIONS) and path.exists():
            tree = _parse(path, problems)
            if tree is not None and path.name == _SERVER:
                old_api = Path(out, name).parent / _API
                _check_server(tree, ast.parse(files[name]), _read_protocol(old_api), path, problems)
                server, versions = _find_class(tree, "Server"), files.get(name.replace(_SERVER, _VERSIONS))
                if server is not None and versions is not None:
                    check_bodies(server, ast.parse(versions), path, problems)
            elif tree is not None:
                classes = _read_classes(ast.parse(files[name.replace(_FUNCTIONS, _HUB)]))
                _check_functions(tree, ast.parse(files[name]), classes, path, problems)


def _parse(path: Path, problems: Problems) -> ast.Module | None:
    try:
        return ast.parse(read_text(path))
    except (OSError, SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        problem = f"invalid Python: {getattr(error, 'msg', None) or error}"
        problems.report("group-function", problem, Location(str(path), line))
        return None


def _find_class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    return next((node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name), None)


def _list_methods(node: ast.ClassDef | None) -> dict[str, Function]:
    members = node.body if node else []
    return {member.name: member for member in members if isinstance(member, Function)}


def _read_protocol(path: Path) -> dict[str, Function]:
    """Return the methods of the server in the `api.py` of the last run; none if there is none."""
    try:
        return _list_methods(_find_class(ast.parse(read_text(path)), "Server"))
    except (OSError, SyntaxError, ValueError):
        return {}


def _check_server(
    tree: ast.Module, scaffold: ast.Module, before: Mapping[str, Function], path: Path, problems: Problems
) -> None:
    server = _find_class(tree, "Server")
    if server is None or server.bases:
        return
    defined, needed = _list_methods(server), _list_methods(_find_class(scaffold, "Server"))
    for name, method in needed.items():
        if name not in defined:
            problem = f'class Server has no method for the new RPC "{name}"'
            hint = f"add: {_format_signature(method)}"
            problems.report("group-server", problem, Location(str(path), server.lineno), hint=hint)
    for name in before.keys() - needed.keys() & defined.keys():
        if name in defined:
            problem = f'no version has the RPC of the method "{name}" any more'
            problems.report(
                "group-server", problem, Location(str(path), defined[name].lineno), hint="remove the method"
            )


def _format_signature(function: Function) -> str:
    start = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{start} {function.name}({ast.unparse(function.args)}){result}"


def _read_classes(tree: ast.Module) -> dict[str, list[str]]:
    """Return the attributes of the classes of the hub."""
    return {
        node.name: [member.target.id for member in node.body
                    if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name)]
        for node in tree.body if isinstance(node, ast.ClassDef)
    }  # fmt: skip


def _check_functions(
    tree: ast.Module, scaffold: ast.Module, classes: Mapping[str, list[str]], path: Path, problems: Problems
) -> None:
    defined = {node.name: node for node in tree.body if isinstance(node, Function)}
    imported = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom | ast.Import)
                for alias in node.names}  # fmt: skip
    for first in (node for node in tree.body if isinstance(node, Function) and defined[node.name] is not node):
        problem, hint = f"function {first.name} is defined twice", "remove one of them"
        problems.report("group-function", problem, Location(str(path), first.lineno), hint=hint)
    needed = {node.name: node for node in scaffold.body if isinstance(node, Function)}
    for name, function in needed.items():
        actual = defined.get(name)
        if actual is not None:
            _check_parameters(actual, function, path, problems)
            _check_omitted(actual, classes, path, problems)
            _check_underived(actual, function, tree, path, problems)
        elif name not in imported:
            hint = f"add: {_format_signature(function)}"
            problems.report("group-function", f"function {name} is missing", Location(str(path)), hint=hint)
    for name, function in defined.items():
        if name not in needed and not name.startswith("_"):
            hint = "remove it, or begin the name of a helper with an underscore"
            problem = f"no conversion calls the function {name}"
            problems.report("group-function", problem, Location(str(path), function.lineno), hint=hint)


def _check_parameters(actual: Function, needed: Function, path: Path, problems: Problems) -> None:
    counts = [len(function.args.args) for function in (actual, needed)]
    if counts[0] != counts[1]:
        names = ", ".join(argument.arg for argument in needed.args.args)
        problem = f"function {actual.name} has {counts[0]} parameters instead of {counts[1]}: {names}"
        problems.report("group-function", problem, Location(str(path), actual.lineno))


def _check_omitted(function: Function, classes: Mapping[str, list[str]], path: Path, problems: Problems) -> None:
    """Report objects of the hub that a function creates without some of their fields, and without `derived`."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    parameters = {argument.arg for argument in function.args.args}
    if "derived" not in parameters or "derived" in names:
        return
    for call, class_name in _list_constructors(function):
        fields = classes.get(class_name, [])
        arguments = {keyword.arg for keyword in call.keywords} | {*fields[: len(call.args)]}
        omitted = [field for field in fields if field not in arguments]
        if omitted and None not in arguments:
            problem = f"function {function.name} omits fields of hub.{class_name}: {', '.join(omitted)}"
            at = Location(str(path), call.lineno, call.col_offset + 1)
            problems.report("group-function", problem, at, hint="set them, or call derived(source) for them")


def _check_underived(actual: Function, needed: Function, tree: ast.Module, path: Path, problems: Problems) -> None:
    """Report a function for a whole message if its file never names a field that `derived` does not convert."""
    if "derived" not in {argument.arg for argument in needed.args.args}:
        return
    fields = [
        argument.value for node in ast.walk(needed) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for argument in node.exc.args if isinstance(argument, ast.Constant)
    ]  # fmt: skip
    names = {_get_name(node) for node in ast.walk(tree)}
    lost = [str(field) for field in fields if field not in names]
    if lost:
        problem = f"function {actual.name} loses {', '.join(lost)}, which derived does not convert"
        at = Location(str(path), actual.lineno)
        problems.report("group-function", problem, at, hint="read or set these fields of the older versions")


def _get_name(node: ast.AST) -> object:
    """Return the attribute, keyword, or string of a node; None for any other node."""
    for kind, member in ((ast.Attribute, "attr"), (ast.keyword, "arg"), (ast.Constant, "value")):
        if isinstance(node, kind):
            return getattr(node, member)
    return None


def _list_constructors(function: Function) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "hub":
                yield node, node.func.attr
