"""What we and a judge say of a request, in a form in which equal answers are equal."""

from __future__ import annotations

import json
import re
from typing import Any

from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.issues import Refusal
from tests.judges.celtypes.evaluated import normal, of_compiled
from tests.judges.celtypes.ours import Request, declared_in, surroundings

LIMIT = "operation cancelled: actual cost limit exceeded"
BUG = "internal error: "
_ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
_UNTOLD = "kubernetes.NamedFormat"  # prints as what is at an address

Answer = dict[str, Any]


def comparable(answer: Answer) -> Answer:
    """An answer without what does not matter: what it cost where that was too much, how a server's bug is told."""
    error = answer.get("error", "")
    if error == LIMIT or error.startswith(BUG):
        kept: Answer = {key: answer[key] for key in ("type", "estimate") if key in answer}
        return {**kept, "error": LIMIT if error == LIMIT else BUG}
    return answer


def theirs(answer: Answer | None) -> Answer | None:
    """A judge's answer, None where it could not be asked or ended."""
    if answer is None or "failed" in answer:
        return None
    made = comparable({**normal(answer), **({"estimate": answer["estimate"]} if "estimate" in answer else {})})
    return _untold(made)


def ours(request: Request, minor: int) -> tuple[Answer, Checked | None]:
    """Our answer, a crash as an error, and the checked expression if there is one."""
    checked = None
    try:
        within, variables = surroundings(request, minor)
        found = compiled(request["expr"], within, variables)
        answer = of_compiled(found, request, minor)
        if not isinstance(found, Refusal):
            checked = found
        if checked is not None and "compile" not in answer:
            answer["estimate"] = list(estimate(checked, within, declared_in(request, minor)))
    except Exception as error:  # noqa: BLE001 - that is what it looks for
        return {"crash": f"{type(error).__name__}: {error}"}, checked
    return _untold(comparable(json.loads(_as_sent(json.dumps(answer, ensure_ascii=False))))), checked


def _as_sent(text: str) -> str:
    """JSON has no bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _untold(answer: Answer) -> Answer:
    if _UNTOLD not in json.dumps(answer.get("result")):
        return answer
    return {key: value for key, value in answer.items() if key != "result"}


def signature(ours: Answer, theirs: Answer) -> str:
    """What two answers have in common with other pairs that differ alike."""
    members = sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))
    told = [f"{name}={_gist(answer)}" for name, answer in (("ours", ours), ("theirs", theirs))]
    return f"{'+'.join(members)}: {' '.join(told)}"


def _gist(answer: Answer) -> str:
    text = answer.get("crash") or answer.get("compile") or answer.get("error") or ""
    text = re.sub(r"<input>:\d+:\d+", "", text.partition("\n")[0])
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text))[:120]
