"""What a run shares: the sink of findings and the expansion of CEL rules, each text once."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Excerpt, Problems
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.schema.types import Schema

_MACROS = ("default(", "oneof(", "index(", "unrollmap(")


class RunContext:
    """The Context of markers; see `markers.special`."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self._expanded: dict[tuple[str, bool], str] = {}

    def expand(self, rule: str, has_message: bool, marker: Marker, schema: Schema) -> str | None:  # noqa: ARG002, FBT001
        """A rule without our macros stays as it is written; one with them is printed in canonical form."""
        known = self._expanded.get((rule, has_message))
        if known is not None:
            return known
        from protoc_gen_crd.cel.issues import Refusal  # noqa: PLC0415 - an API without rules pays nothing for CEL
        from protoc_gen_crd.cel.macros import preprocess  # noqa: PLC0415

        printed = preprocess(rule)
        if isinstance(printed, Refusal):
            self._refused(rule, printed, marker)
            return None
        text = printed if any(macro in rule for macro in _MACROS) else rule
        if not has_message:
            text = text.replace("\n", " ")
        self._expanded[rule, has_message] = text
        return text

    def _refused(self, rule: str, refusal: object, marker: Marker) -> None:
        for issue in refusal.issues:  # type: ignore[attr-defined]
            self.problems.report(
                "cel-syntax", f"a rule must be CEL, found {issue.message}", marker.at,
                excerpt=Excerpt(rule, max(issue.at, 0)),
            )  # fmt: skip
