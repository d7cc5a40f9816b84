"""Elements that the setting `deprecation_policy` names and that no API has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.comparison.enum_value_changes import get_enum_values, name_value
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.deprecation_policy import Term, is_element


def check_policy_elements(
    policy: Mapping[str, Term],
    summaries: Iterable[ApiSummary],
    at: Place | None,
    problems: Problems,
) -> None:
    """Report elements of a policy that neither the current API nor a recorded release has, with the nearest name.

    Elements of groups are named as those of kinds: `group.v1.Service.Rpc`.
    """
    named = [name for name in policy if is_element(name)]
    if not named:
        return
    known = {name for summary in summaries for name in _list_elements(summary)}
    for name in named:
        if name not in known:
            message = f'unknown element "{name}" in "deprecation_policy"'
            problems.report("option-unused", message, at, hint=suggest(name, sorted(known)))


def _list_elements(summary: ApiSummary) -> Iterator[str]:
    for name, kind in summary.items():
        yield name
        for version_name, version in kind.versions.items():
            yield f"{name}.{version_name}"
            for path, facts in version.fields.items():
                element = f"{name}.{version_name}.{path}"
                yield element
                yield from (f"{element}.{name_value(value)}" for value in get_enum_values(facts))
