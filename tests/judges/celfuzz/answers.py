"""Our answers and a judge's, normalized for comparison."""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.parser.issues import Rejection
from tests.judges.celtypes.evaluated import normal, of_compiled
from tests.judges.celtypes.ours import Request, declared_in, surroundings

LIMIT = "operation cancelled: actual cost limit exceeded"
BUG = "internal error: "
_UNSTABLE = (  # values that print as addresses, and messages in which protobuf randomly prints one or two spaces
    "kubernetes.NamedFormat",
    "google.protobuf.Struct.FieldsEntry",
)

Answer = dict[str, Any]


def comparable(answer: Answer) -> Answer:
    """Return an answer without the cost beyond the limit and the messages of server bugs."""
    error = answer.get("error", "")
    if error == LIMIT or error.startswith(BUG):
        kept: Answer = {key: answer[key] for key in ("type", "estimate") if key in answer}
        return {**kept, "error": LIMIT if error == LIMIT else BUG}
    return answer


def theirs(answer: Answer | None) -> Answer | None:
    """A judge's answer, None where it could not be asked or ended."""
    if answer is None or "failed" in answer:
        return None
    normalized = comparable({**normal(answer), **({"estimate": answer["estimate"]} if "estimate" in answer else {})})
    return _untold(normalized)


def ours(request: Request, minor: int) -> tuple[Answer, CheckedAst | None]:
    """Our answer, and the checked expression if there is one."""
    within, variables = surroundings(request, minor)
    compiled = compile_text(request["expr"], within, variables)
    answer = of_compiled(compiled, request, minor)
    checked = None if isinstance(compiled, Rejection) else compiled
    if checked is not None and "compile" not in answer:
        answer["estimate"] = list(estimate(checked, within.minor, declared_in(request, minor)))
    return _untold(comparable(json.loads(_as_sent(json.dumps(answer, ensure_ascii=False))))), checked


def _as_sent(text: str) -> str:
    """JSON has no bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _untold(answer: Answer) -> Answer:
    result = json.dumps(answer.get("result"))
    if not any(f'{{"{name}": ' in result for name in _UNSTABLE):
        return answer
    return {key: value for key, value in answer.items() if key != "result"}
