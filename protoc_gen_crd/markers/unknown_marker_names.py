"""Findings and suggestions for marker lines with an unknown name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from protoc_gen_crd.markers.comment_parser import ElementMarkerLine
from protoc_gen_crd.markers.ignored_markers import NAMESPACES, VALUELESS
from protoc_gen_crd.markers.marker_aliases import ALIASES, ITEMS, NAMES, OLDER_VERSION_HINT, VALIDATION
from protoc_gen_crd.markers.marker_argument_parser import MarkerNames
from protoc_gen_crd.markers.option_declarations import SCHEMA, get_message_options
from protoc_gen_crd.markers.typo_detection import (
    find_case_variant,
    find_intended_marker,
    find_native_option,
    find_nearest_marker,
    is_near,
)
from protoc_gen_crd.proto.element_model import Field

if TYPE_CHECKING:
    from protoc_gen_crd.markers.invalid_marker_findings import MarkerDiagnostics

_KUBERNETES = "k8s:"
_KUBEBUILDER = "kubebuilder:"  # prefix of the old spellings of Istio's markers
_MAX_SEARCHES = 500


class UnknownNames:
    """Reports marker lines with an unknown name. There is one instance for a run."""

    def __init__(self, diagnostics: MarkerDiagnostics) -> None:
        self._report = diagnostics.report
        self._nearest: dict[str, str | None] = {}

    def report(self, line: ElementMarkerLine, parts: MarkerNames) -> None:
        """Report a line with an unknown name, unless it may belong to another tool."""
        head = parts.anonymous.strip()
        if head.startswith(_KUBERNETES) and (advice := _suggest_replacement(line)):
            problem = f'"+{head}" has no meaning in CRDs: only validation-gen reads it'
            self._report("marker-unknown", problem, line, 1, hint=advice)
        elif head.partition(":")[0] in NAMESPACES:
            self._report_unknown_name(line, head)
        else:
            self._check_foreign(line, parts, head)

    def _report_unknown_name(self, line: ElementMarkerLine, head: str) -> None:
        written = head if head in line.text else head.removeprefix(VALIDATION)  # after map-value-validation and similar
        near = self._find_nearest(head)
        family = head.removesuffix(written)
        nesting = line.text[1 : max(line.text.find(written), 1)]
        related = near and near.startswith(family) and head not in NAMESPACES
        near = near.removeprefix(family) if near and related else ""
        hint = f'did you mean "{near}"?' if near else "see the marker reference"
        if near and ITEMS in head and ITEMS not in near:
            hint = _suggest_items_spelling(near, line.letter) or "see the marker reference"
        elif written.rstrip(":") in NAMESPACES:
            hint = "see the marker reference"
        elif head.removeprefix(_KUBEBUILDER).startswith(tuple(OLDER_VERSION_HINT)):
            hint = f'write "+protoc-gen-crd:{written.partition(":")[2]}"'
        elif (parts := written.rpartition(":"))[2] in _list_arguments(f"{family}{parts[0]}"):
            hint = _suggest_equals_sign(f"{family}{parts[0]}", f"{nesting}{parts[0]}", parts[2])
        elif (spelling := f"{head}:{line.text.partition('=')[2]}") in NAMES:
            hint = f'write "+{spelling}"'
        elif near and written.startswith(f"{near}:"):
            hint = _suggest_equals_sign(f"{family}{near}", f"{nesting}{near}", written[len(near) + 1 :])
        if not written:
            hint = f'write "{line.text}<rule>"'
        offset = line.text.find(written) if written else len(line.text)
        problem = f'unknown marker "{line.text[: offset + len(written)]}"'
        self._report("marker-unknown", problem, line, offset, hint=hint)

    def _find_nearest(self, name: str) -> str | None:
        """The nearest marker or namespace; none once a run has asked very often, since the search is slow."""
        if name not in self._nearest and len(self._nearest) < _MAX_SEARCHES:
            self._nearest[name] = find_nearest_marker(name)
        return self._nearest.get(name)

    def _check_foreign(self, line: ElementMarkerLine, parts: MarkerNames, head: str) -> None:
        """Report an unknown name after a plus if it is close to the name of a marker."""
        first_word = head.split(maxsplit=1)[0] if head else ""
        name, colon, value = head.partition(":")
        if colon and name.rstrip() in NAMES:
            problem = f'unknown marker "+{head}"'
            hint = _suggest_equals_sign(name.rstrip(), name.rstrip(), value)
            self._report("marker-unknown", problem, line, 1, hint=hint)
            return
        valued = "=" in line.text
        native = find_native_option(head) if valued and head not in VALUELESS else ""
        near = native or find_intended_marker(parts, valued=valued)
        near = near or (find_case_variant(parts) if valued else "")
        if not near and first_word == head and is_near(head):
            near = self._find_nearest(head) or ""
        if not near and line.text == f"+{head}":
            near = _find_flag(head, line.letter)
        if near:
            problem = f'unknown marker "+{head}"'
            self._report("marker-unknown", problem, line, 1, hint=f'did you mean "{near}"?')
        elif first_word != head and (name := first_word.rstrip(".,;")) in NAMES:
            self._report("marker-parse", f'"+{name}" is not alone on its line: "{head}"', line, 1 + len(name))


def _suggest_replacement(line: ElementMarkerLine) -> str:
    """Return the CRD replacement of a marker for Kubernetes' own types; empty for other markers."""
    from protoc_gen_crd.markers.declarative_validation import suggest_replacement  # noqa: PLC0415 - few mistakes are of this kind

    return suggest_replacement(line.text[1:], line.element.json_name if isinstance(line.element, Field) else "")


def _find_flag(name: str, letter: str) -> str:
    """Return the native marker of an option without a value, on an element of this letter; empty if there is none."""
    option = (get_message_options("EnumValue") if letter == "V" else SCHEMA).get(name)
    return f"protoc-gen-crd:{name}" if option is not None and option.kind == "bool" else ""


def _suggest_items_spelling(name: str, letter: str) -> str:
    """Return a hint for a marker without a spelling for items: the native option, if it applies to items."""
    option = SCHEMA.get(alias.option) if (alias := ALIASES.get((name, letter))) else None
    below = option is not None and not option.whole and (not option.targets or len(option.targets) > 1)
    return f'write "+protoc-gen-crd:items.{option.name}"' if option is not None and below else ""


def _suggest_equals_sign(name: str, spelling: str, value: str) -> str:
    """Return a hint for a marker with a colon instead of an equals sign, or with an incomplete argument."""
    arguments = _list_arguments(name)
    value = value.strip().rstrip(":")
    if "" in arguments:
        return f'write "+{spelling}={value or "<value>"}"'
    names = [value] if value in arguments else [argument for argument, optional in arguments.items() if not optional]
    return f'write "+{spelling}{":" if names else ""}{",".join([f"{argument}=<value>" for argument in names])}"'


def _list_arguments(name: str) -> Mapping[str, bool]:
    """Return the arguments of a marker and whether they are optional. The name of an anonymous argument is empty."""
    definitions = (alias.definition for (alias_name, _), alias in ALIASES.items() if alias_name == name)
    return {argument.name: argument.optional for definition in definitions for argument in definition.arguments}
