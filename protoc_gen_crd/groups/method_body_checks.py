"""Checks of the bodies of methods by microversion in `server.py`, before the server is imported.

Only decorators with strings, None, or constants of `versions.py` are checked. The generated code checks all of them
when the server is imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.version_ranges import parse_release

_DECORATOR, _LATEST = "api_version", "latest"
Number = tuple[int, int]


class _Body(Record):
    """A body: the name of its method, its range as numbers, and its line."""

    method: str
    since: Number
    until: Number
    line: int


class VersionModule:
    """The numbers in the source of `versions.py`: minimum and maximum, constants, and ranges of RPCs by method."""

    def __init__(self, tree: ast.Module) -> None:
        values = {
            target.id: node.value
            for node in tree.body if isinstance(node, ast.Assign)
            for target in node.targets if isinstance(target, ast.Name)
        }  # fmt: skip
        self.constants = {name: str(value.value) for name, value in values.items() if isinstance(value, ast.Constant)}
        self.minimum, self.maximum = self.constants["MINIMUM"], self.constants["MAXIMUM"]
        self.ranges: Mapping[str, tuple[str, str]] = ast.literal_eval(values["_RANGES"])


def check_bodies(server: ast.ClassDef, versions: ast.Module, path: Path, problems: Problems) -> None:
    """Report ranges of bodies that are invalid, overlap, or leave out a number."""
    check = _BodyCheck(VersionModule(versions), path, problems)
    bodies = [body for node in server.body for body in check.read_bodies(node)]
    for method in dict.fromkeys(body.method for body in bodies):
        if method not in check.unknown:
            check.check_method(method, [body for body in bodies if body.method == method])


class _BodyCheck:
    def __init__(self, versions: VersionModule, path: Path, problems: Problems) -> None:
        self._versions = versions
        self._path = path
        self._problems = problems
        self.unknown: set[str] = set()  # methods with ranges that cannot be read
        self._defined: set[str] = set()
        self._line = tuple(_parse(number) for number in (versions.minimum, versions.maximum))

    def read_bodies(self, node: ast.stmt) -> Iterator[_Body]:
        """Yield the body that a method with the decorator defines."""
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        for decorator in node.decorator_list:
            method = _find_method(decorator, node.name)
            if method and method == node.name:
                self._check_definition(method, decorator.lineno)
            ends = self._read_ends(decorator) if method and isinstance(decorator, ast.Call) else None
            if ends is None:
                self.unknown.add(method)
            else:
                yield _Body(method, *ends, decorator.lineno)

    def _check_definition(self, method: str, line: int) -> None:
        """Report a second definition of a method, which would replace the bodies of the first one."""
        if method in self._defined:
            hint = f"add the body to the method: @{method}.{_DECORATOR}(...) and def _"
            self._report(f"{method} is defined twice", line, hint)
        self._defined.add(method)

    def _read_ends(self, call: ast.Call) -> tuple[Number, Number] | None:
        """Return the range of a decorator; None if it is not known or, with a finding, not valid."""
        nodes: dict[str, ast.expr] = dict(zip(("since", "until"), call.args, strict=False))
        nodes |= {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        ends = []
        for name, default in zip(("since", "until"), self._line, strict=True):
            value = self._read_value(nodes[name]) if name in nodes else ""
            if value is None:
                return None
            number = self._line[1] if value == _LATEST else _parse(value) if value else default
            if not self._line[0] <= number <= self._line[1]:
                problem = f'"{value}" is not a microversion from {self._versions.minimum} to {self._versions.maximum}'
                self._report(problem, call.lineno)
                return None
            ends.append(number)
        if ends[0] > ends[1]:
            self._report(f'"{_format(ends[0])}" to "{_format(ends[1])}" is not a range', call.lineno)
            return None
        return ends[0], ends[1]

    def _read_value(self, node: ast.expr) -> str | None:
        """Return the number of an argument, empty for no limit; None if it is not known."""
        if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str)):
            return node.value or ""
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        return self._versions.constants.get(name)

    def check_method(self, method: str, bodies: list[_Body]) -> None:
        """Report bodies that overlap, and the numbers without a body."""
        ordered = sorted(bodies, key=lambda body: body.since)
        for before, after in pairwise(ordered):
            if after.since <= before.until:
                self._report(f"{method} has two bodies for version {_format(after.since)}", after.line)
        ends = self._versions.ranges.get(method)
        low, high = (_parse(ends[0]), _parse(ends[1])) if ends else (ordered[0].since, ordered[-1].until)
        missing = [
            f"{low[0]}.{minor}" for minor in range(low[1], high[1] + 1)
            if not any(body.since <= (low[0], minor) <= body.until for body in bodies)
        ]  # fmt: skip
        if missing:
            self._report(f"{method} has no body for version {', '.join(missing)}", bodies[0].line)

    def _report(self, problem: str, line: int, hint: str = "change the range of a body, or add one") -> None:
        self._problems.report("microversion-body", problem, Location(str(self._path), line), hint=hint)


def _find_method(decorator: ast.expr, name: str) -> str:
    """Return the method that a decorator defines a body of; empty for other decorators."""
    function = decorator.func if isinstance(decorator, ast.Call) else None
    if isinstance(function, ast.Name):
        return name if function.id == _DECORATOR else ""
    if not isinstance(function, ast.Attribute) or function.attr != _DECORATOR:
        return ""
    owner = function.value.id if isinstance(function.value, ast.Name) else ""
    return name if owner in ("versions", "") else owner


def _parse(number: str) -> Number:
    return parse_release(number) or (-1, -1)


def _format(number: Number) -> str:
    return f"{number[0]}.{number[1]}"
