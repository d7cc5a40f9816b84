"""Error messages that differ on older servers: keys that Go treats as format strings, and names of types.

Source: cel-go v0.12 `common/types/err.go`, v0.16 to v0.26 `common/types`; Go `fmt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from protoc_gen_crd.cel.version_differences import (
    DYN_OPTIONALS,
    DYN_PARAMETERS,
    EMPTY_PARAMETERS,
    NATIVE_TYPE_NAMES,
    PLAIN_ERRORS,
    SHORT_TYPE_NAMES,
    TYPED_OPTIONALS,
)
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import Switch

_PLACE = r"(\[(?:[^\]]*\])?)?"  # argument index; if it is not closed, only the bracket
_VERB = rf"(?s)%[-+# 0]*{_PLACE}(\*|\d+)?(?:\.(?=.){_PLACE}(\*|\d*))?{_PLACE}(.)?"


def _format_without_values(string: str) -> str:
    """Format a string as Go does if it is a format string without arguments."""
    return re.sub(_VERB, _format_missing_value, string)


def _format_missing_value(match: re.Match[str]) -> str:
    first, width, second, precision, third, verb = match.groups()
    bad = f"{'%!(BADWIDTH)' if width == '*' else ''}{'%!(BADPREC)' if precision == '*' else ''}"
    if verb is None:
        return f"{bad}%!(NOVERB)"
    if verb == "%":
        return f"{bad}%"
    return f"{bad}%!{verb}({'BADINDEX' if first or second or third else 'MISSING'})"


def _make_replacement(old: str, new: str) -> Callable[[str], str]:
    return lambda text: text.replace(old, new, 1)


_FIELD, _VALUE = "unsupported field type for google.protobuf.", "field type conversion error for google.protobuf."
_OLD: tuple[
    tuple[str, Switch, Callable[[str], str]], ...
] = (  # the beginning of an error, and the switch before which it differs
    ("no such key: ", PLAIN_ERRORS, _format_without_values),
    ("unsupported index: ", PLAIN_ERRORS, _format_without_values),
    ("got '*types.Type'", SHORT_TYPE_NAMES, _make_replacement("Type'", "TypeValue'")),
    ("invalid qualifier type: *types.Type", SHORT_TYPE_NAMES, _make_replacement("Type", "TypeValue")),
    ("got '*common.", NATIVE_TYPE_NAMES, _make_replacement("*common", "*cel")),
    ("invalid qualifier type: *common.", NATIVE_TYPE_NAMES, _make_replacement("*common", "*cel")),
    ("no such overload: optional_type(dyn).flatten(", DYN_OPTIONALS, _make_replacement("(dyn)", "")),
    (_FIELD, DYN_OPTIONALS, _make_replacement("optional_type(dyn)", "optional_type")),
    (_FIELD, DYN_PARAMETERS, _make_replacement("list(dyn)", "list()")),
    (_FIELD, DYN_PARAMETERS, _make_replacement("map(dyn, dyn)", "map(, )")),
    (_FIELD, TYPED_OPTIONALS, _make_replacement("optional_type", "optional")),
    (_FIELD, EMPTY_PARAMETERS, _make_replacement("list()", "list")),
    (_FIELD, EMPTY_PARAMETERS, _make_replacement("map(, )", "map")),
    (_VALUE, DYN_PARAMETERS, _make_replacement("'list(dyn)'", "'list()'")),
    (_VALUE, DYN_PARAMETERS, _make_replacement("'map(dyn, dyn)'", "'map(, )'")),
    (_VALUE, EMPTY_PARAMETERS, _make_replacement("'list()'", "'list'")),
    (_VALUE, EMPTY_PARAMETERS, _make_replacement("'map(, )'", "'map'")),
)


def translate_error(message: str, switches: Switches) -> str:
    """Return an error message as these servers write it."""
    for start, switch, change in _OLD:
        if message.startswith(start) and switch not in switches:
            message = change(message)
    return message
