"""What versions agree on: a thing that is told of each is told once for those that say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from protoc_gen_crd.schema.types import Schema

Told = TypeVar("Told")


def agreed(editions: Mapping[str, Schema], tell: Callable[[Schema], Told]) -> list[tuple[str, Told]]:
    """What is told of each version, newest first, behind the versions that it holds for: empty text for all of them."""
    groups: list[tuple[list[str], Told]] = []
    memo: dict[int, Told] = {}
    for version in reversed(list(editions)):
        schema = editions[version]
        told = memo[id(schema)] if id(schema) in memo else tell(schema)
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


def lines(editions: Mapping[str, Schema], tell: Callable[[Schema], list[str]]) -> Iterator[tuple[str, str]]:
    """The same of several lines, each by itself: those that hold for all versions first, in their order."""
    told = {version: tell(schema) for version, schema in editions.items()}
    every = list(dict.fromkeys(line for version in reversed(list(told)) for line in told[version]))
    held = {line: [version for version in reversed(list(told)) if line in told[version]] for line in every}
    for line in sorted(every, key=lambda line: len(held[line]) != len(told)):
        yield "" if len(held[line]) == len(told) else ", ".join(held[line]), line


def span(versions: list[str], every: list[str]) -> str:
    """The first and the last of the versions that have something; all of them where some between have not."""
    at = [every.index(version) for version in versions]
    if len(versions) == 1:
        return versions[0]
    if at[-1] - at[0] + 1 == len(at):
        return f"{versions[0]} to {versions[-1]}"
    return ", ".join(versions)
