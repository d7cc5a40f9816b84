"""Words of errors that older servers choose otherwise: keys that Go takes for formats, names of Go's types.

Source: cel-go v0.12 `common/types/err.go`, v0.16 `common/types/type.go`; Go `fmt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_PLACE = r"(\[(?:[^\]]*\])?)?"  # which value; without an end, the bracket alone
_VERB = re.compile(rf"%[-+# 0]*{_PLACE}(\*|\d+)?(?:\.(?=.){_PLACE}(\*|\d*))?{_PLACE}(.)?", re.DOTALL)


def _formatted(text: str) -> str:
    """What Go makes of a text as a format without values."""
    return _VERB.sub(_without_value, text)


def _without_value(found: re.Match[str]) -> str:
    first, width, second, precision, third, verb = found.groups()
    bad = f"{'%!(BADWIDTH)' if width == '*' else ''}{'%!(BADPREC)' if precision == '*' else ''}"
    if verb is None:
        return f"{bad}%!(NOVERB)"
    if verb == "%":
        return f"{bad}%"
    return f"{bad}%!{verb}({'BADINDEX' if first or second or third else 'MISSING'})"


def _renamed(text: str) -> str:
    return text.replace("*types.Type", "*types.TypeValue", 1)


def _moved(text: str) -> str:
    return text.replace("*common.", "*cel.", 1)


_OLD: tuple[tuple[str, int, Callable[[str], str]], ...] = (  # how texts start, before which version they differ
    ("no such key: ", 28, _formatted),
    ("unsupported index: ", 28, _formatted),
    ("got '*types.Type'", 29, _renamed),
    ("invalid qualifier type: *types.Type", 29, _renamed),
    ("got '*common.", 26, _moved),
    ("invalid qualifier type: *common.", 26, _moved),
)


def worded(text: str, minor: int) -> str:
    """The text of an error in the words of servers of Kubernetes 1.`minor`."""
    for start, until, change in _OLD:
        if minor < until and text.startswith(start):
            return change(text)
    return text
