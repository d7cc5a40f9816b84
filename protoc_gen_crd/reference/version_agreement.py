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
        detail = memo[id(schema)] if id(schema) in memo else describe(schema)
        memo[id(schema)] = detail
        for versions, group_detail in groups:
            if group_detail == detail:
                versions.append(version)
                break
        else:
            groups.append(([version], detail))
    if len(groups) == 1:
        return [("", groups[0][1])]
    return [(", ".join(versions), detail) for versions, detail in groups]


def group_lines(schemas: Mapping[str, Schema], describe: Callable[[Schema], list[str]]) -> Iterator[tuple[str, str]]:
    """Group versions by each line of their descriptions; lines of all versions come first, without versions."""
    lines_by_version = {version: describe(schema) for version, schema in schemas.items()}
    all_lines = list(
        dict.fromkeys(line for version in reversed(list(lines_by_version)) for line in lines_by_version[version])
    )
    versions_by_line = {
        line: [version for version in reversed(list(lines_by_version)) if line in lines_by_version[version]]
        for line in all_lines
    }
    for line in sorted(all_lines, key=lambda line: len(versions_by_line[line]) != len(lines_by_version)):
        yield "" if len(versions_by_line[line]) == len(lines_by_version) else ", ".join(versions_by_line[line]), line


def format_version_span(versions: list[str], all_versions: list[str]) -> str:
    """Format versions as a span from first to last; as a list if a version between them is missing.

    `all_versions` gives the order.
    """
    indexes = [all_versions.index(version) for version in versions]
    if len(versions) == 1:
        return versions[0]
    if indexes[-1] - indexes[0] + 1 == len(indexes):
        return f"{versions[0]} to {versions[-1]}"
    return ", ".join(versions)
