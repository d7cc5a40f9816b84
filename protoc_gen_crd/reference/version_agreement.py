"""Grouping of versions with equal descriptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from protoc_gen_crd.schema.schema import Schema

Detail = TypeVar("Detail")


def group_versions(schemas: Mapping[str, Schema], describe: Callable[[Schema], Detail]) -> list[tuple[str, Detail]]:
    """Group versions, newest first, by equal descriptions; the version list is empty if all are equal."""
    groups: list[tuple[list[str], Detail]] = []
    memo: dict[int, Detail] = {}
    for version in reversed(list(schemas)):
        schema = schemas[version]
        told = memo[id(schema)] if id(schema) in memo else describe(schema)
        memo[id(schema)] = told
        for versions, known in groups:
            if known == told:
                versions.append(version)
                break
        else:
            groups.append(([version], told))
    if len(groups) == 1:
        return [("", groups[0][1])]
    return [(", ".join(versions), told) for versions, told in groups]


def group_lines(schemas: Mapping[str, Schema], describe: Callable[[Schema], list[str]]) -> Iterator[tuple[str, str]]:
    """The same of several lines, each by itself: those that hold for all versions first, in their order."""
    told = {version: describe(schema) for version, schema in schemas.items()}
    every = list(dict.fromkeys(line for version in reversed(list(told)) for line in told[version]))
    held = {line: [version for version in reversed(list(told)) if line in told[version]] for line in every}
    for line in sorted(every, key=lambda line: len(held[line]) != len(told)):
        yield "" if len(held[line]) == len(told) else ", ".join(held[line]), line


def format_version_span(versions: list[str], every: list[str]) -> str:
    """The first and the last of the versions that have something; all of them where some between have not."""
    at = [every.index(version) for version in versions]
    if len(versions) == 1:
        return versions[0]
    if at[-1] - at[0] + 1 == len(at):
        return f"{versions[0]} to {versions[-1]}"
    return ", ".join(versions)
