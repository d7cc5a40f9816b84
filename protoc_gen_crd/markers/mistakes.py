"""What is said of marker lines that have no meaning: what is wrong, and what its author perhaps meant."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.diagnostics import Excerpt, Problems
from protoc_gen_crd.markers.aliases import ALIASES, NAMES
from protoc_gen_crd.markers.comments import StandingLine
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.grammar import Split
from protoc_gen_crd.markers.inert import INERT, NAMESPACES
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.own import OLDER
from protoc_gen_crd.markers.slips import is_near, meant, nearest_marker, own_option
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import CommentPlace
from protoc_gen_crd.proto.model import Element, Field

VALIDATION = "kubebuilder:validation:"
_ITEMS = ":items:"
_OF_RESOURCES = ("+kubebuilder:printcolumn", "+kubebuilder:subresource", "+kubebuilder:selectablefield")
_KUBERNETES = "k8s:"
_KUBEBUILDER = "kubebuilder:"  # which spellings of Istio's once began with
_ON = {"F": "a field", "T": "a message", "E": "an enum", "V": "an enum value", "O": "a oneof", "P": "the package line"}
_TARGETS = {"F": "FIELD", "T": "MESSAGE", "E": "ENUM"}
_FITS = {"F": "fields", "T": "messages", "E": "enums", "O": "oneofs", "P": "the package line"}
# What loses no rule. Of a file that is imported it is told by the run that generates for it.
_HARMLESS = frozenset(["marker-dialect", "marker-redundant"])

_MOST_SEARCHED = 500


class Mistakes:
    """Reports marker lines; one for a run."""

    def __init__(self, api: ApiSet, problems: Problems) -> None:
        self._api = api
        self._problems = problems
        self._nearest: dict[str, str | None] = {}

    def report(self, rule: str, message: str, line: StandingLine, offset: int, *, hint: str = "") -> None:
        """Report a finding at an offset into a line."""
        if rule in _HARMLESS and not self._api.file(line.at.element.source.file).target:
            return
        at = CommentPlace(line.at.element, line.at.line, line.at.column + offset, line.text)
        self._problems.report(rule, message, at, path=line.owner, hint=hint, excerpt=Excerpt(line.text, offset))

    def misfit(self, marker: Marker, letter: str, element: Element) -> bool:
        """Whether a marker stands where its option has no meaning, with a finding if it does."""
        option = marker.option
        if option.whole and marker.steps:
            problem = f'"{option.name}" must stand on an element itself, found "{marker.name}"'
        elif option.targets and _TARGETS[letter] not in option.targets:
            where = " or ".join(_FITS[known] for known, target in _TARGETS.items() if target in option.targets)
            spelled = marker.text.partition("=")[0]
            problem = f'"{spelled}" must stand on {where}, found on {_ON[letter]}'
        else:
            return False
        hint = self.where(element)
        self._problems.report("marker-target", problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)
        return True

    def unknown(self, line: StandingLine, parts: Split) -> None:
        """A line whose marker is none of ours: another tool's, one that fits elsewhere, or a mistake."""
        head = parts.anonymous.strip()
        segments = head.split(":")
        first = segments[0]
        if first.partition(".")[0] in INERT or any(":".join(segments[:count]) in INERT for count in (2, 3)):
            return
        if head in NAMES and parts.anonymous[len(head) :].isspace():
            self._blank(line, head)
            return
        names = [name for each in (parts.anonymous, parts.name) for name in (each, each.replace(_ITEMS, ":", 1))]
        fits = sorted({target for known, target in ALIASES if known in names and (target == "T" or _ITEMS not in head)})
        if fits:
            self.misplaced(line, "".join(fits))
        elif head.startswith(_KUBERNETES) and (advice := self._declarative(line)):
            problem = f'a marker must have a meaning in CRDs, found "+{head}", which only validation-gen reads'
            self.report("marker-unknown", problem, line, 1, hint=advice)
        elif first in NAMESPACES:
            self._unknown_name(line, head)
        else:
            self._foreign(line, parts, head)

    def _blank(self, line: StandingLine, name: str) -> None:
        """A marker that a blank parts from its equals sign."""
        offset = line.text.index(name) + len(name)
        problem = f'a marker must have its value right behind its name, found "{line.text.partition("=")[0]}="'
        value = line.text.partition("=")[2].lstrip()
        hint = f'write "{line.text[:offset]}{"=" if value else ""}{value}"'
        self.report("marker-unknown", problem, line, offset, hint=hint)

    def _unknown_name(self, line: StandingLine, head: str) -> None:
        shown = head if head in line.text else head.removeprefix(VALIDATION)  # below map-value-validation and its like
        near = self._near(head)
        family = head.removesuffix(shown)
        nesting = line.text[1 : max(line.text.find(shown), 1)]
        known = near and near.startswith(family) and head not in NAMESPACES
        near = near.removeprefix(family) if near and known else ""
        hint = f'did you mean "{near}"?' if near else "see the marker reference"
        if near and _ITEMS in head and _ITEMS not in near:
            hint = _of_items(near, line.letter) or "see the marker reference"
        elif shown.rstrip(":") in NAMESPACES:
            hint = "see the marker reference"
        elif head.removeprefix(_KUBEBUILDER).startswith(tuple(OLDER)):
            hint = f'write "+protoc-gen-crd:{shown.partition(":")[2]}"'
        elif (parts := shown.rpartition(":"))[2] in _arguments(f"{family}{parts[0]}"):
            hint = _spelled(f"{family}{parts[0]}", f"{nesting}{parts[0]}", parts[2])
        elif near and shown.startswith(f"{near}:"):
            hint = _spelled(f"{family}{near}", f"{nesting}{near}", shown[len(near) + 1 :])
        if not shown:
            hint = f'write "{line.text}<rule>"'
        offset = line.text.find(shown) if shown else len(line.text)
        problem = f'a marker must be one that exists, found "{line.text[: offset + len(shown)]}"'
        self.report("marker-unknown", problem, line, offset, hint=hint)

    def _declarative(self, line: StandingLine) -> str:
        """What says in a CRD what a marker says of Kubernetes' own types; empty if it is none of those."""
        from protoc_gen_crd.markers.declarative import instead  # noqa: PLC0415 - few mistakes are of this kind

        return instead(line.text[1:], line.element.json_name if isinstance(line.element, Field) else "")

    def _near(self, name: str) -> str | None:
        """The nearest marker or namespace; none once a run has asked very often, since the search is slow."""
        if name not in self._nearest and len(self._nearest) < _MOST_SEARCHED:
            self._nearest[name] = nearest_marker(name)
        return self._nearest.get(name)

    def _foreign(self, line: StandingLine, parts: Split, head: str) -> None:
        """Text after a plus that is neither ours nor known: near to a marker it is a typing error."""
        word = head.split(maxsplit=1)[0] if head else ""
        name, colon, rest = head.partition(":")
        if colon and name.rstrip() in NAMES:
            problem = f'a marker must be one that exists, found "+{head}"'
            self.report("marker-unknown", problem, line, 1, hint=_spelled(name.rstrip(), name.rstrip(), rest))
            return
        near = own_option(head) if "=" in line.text else ""
        near = near or meant(parts, valued="=" in line.text)
        if not near and word == head and is_near(head):
            near = self._near(head) or ""
        if near:
            problem = f'a marker must be one that exists, found "+{head}"'
            self.report("marker-unknown", problem, line, 1, hint=f'did you mean "{near}"?')
        elif word != head and (name := word.rstrip(".,;")) in NAMES:
            self.report("marker-parse", f'"+{name}" must stand alone on its line, found "{head}"', line, 1 + len(name))

    def slip(self, line: StandingLine) -> None:
        """What stands before or right behind a plus, or its absence, keeps a line from being a marker."""
        if line.text[0] != "+":
            problem = f'a marker must start with "+", found "{line.text.partition("=")[0]}"'
            where = "before it" if line.text[0].isalpha() else f'in the place of "{line.text.partition(line.name)[0]}"'
            hint = f"write a plus {where}, or put it in quotes if it is prose"
            self.report("marker-plus", problem, line, 0, hint=hint)
            return
        found = f"{line.before}{line.text}"
        name = f"+{line.name}"
        self.report(
            "marker-unknown",
            f'a marker must be a "+" with its name behind it at the start of a line, found "{found.partition("=")[0]}"',
            line,
            0,
            hint=f'write "{name.partition("=")[0]}", or put it in quotes if it is prose',
        )

    def twice(self, line: StandingLine) -> None:
        """A line with the text of one above it."""
        self.report("marker-redundant", f'a marker should stand once, found "{line.text}" twice', line, 0)

    def again(self, line: StandingLine) -> None:
        """A line that says in another way what one above it says."""
        problem = f'a marker should stand once, found "{line.text}", which says what one above it says'
        self.report("marker-redundant", problem, line, 0)

    def misplaced(self, line: StandingLine, fits: str) -> None:
        """A marker on an element that it does not fit; `fits` are the letters of those that it does."""
        where = " or ".join(_FITS[target] for target in fits if target in _FITS)
        self.report(
            "marker-target",
            f'"{line.text.partition("=")[0]}" must stand on {where}, found on {_ON[line.letter]}',
            line,
            0,
            hint=self._whole(line) or self.where(line.element) if "T" in fits else "",
        )

    def _whole(self, line: StandingLine) -> str:
        """For a field of a message, or of many: what is said of a whole object was perhaps meant for its type."""
        field = line.element
        if line.text.startswith(_OF_RESOURCES) and isinstance(field, Field):
            return self.where(field) or "move it above the message of the resource"
        owner = self._api.message(field.type_name) if isinstance(field, Field) and "OneOf" in line.text else None
        if owner is not None and owner.map_entry:
            owner = self._api.message(owner.fields[1].type_name)
        if owner is None or not self._api.file(owner.file).target:
            return ""
        return f'move it above message "{owner.name}", which the field holds'

    def where(self, element: Element | None) -> str:
        """For the first element in a message: the comment after `{` was perhaps meant for the message itself."""
        parent = self._api.message(element.full_name.rpartition(".")[0]) if element else None
        if element is None or parent is None:
            return ""
        others = [*parent.fields[:1], *map(self._api.message, parent.messages), *map(self._api.enum, parent.enums)]
        line = element.at.resolve().line
        if any(0 < other.at.resolve().line < line for other in others if other is not None):
            return ""
        return (
            f'a comment right after "{{" belongs to "{element.name}"; '
            f'if it is meant for message "{parent.name}", move it above that'
        )


def _of_items(name: str, letter: str) -> str:
    """A hint for a marker that has no spelling for items: our own, if the option has a meaning there."""
    option = SCHEMA.get(alias.option) if (alias := ALIASES.get((name, letter))) else None
    below = option is not None and not option.whole and (not option.targets or len(option.targets) > 1)
    return f'write "+protoc-gen-crd:items.{option.name}"' if option is not None and below else ""


def _spelled(name: str, shown: str, value: str) -> str:
    """A hint for a marker with a colon in the place of an equals sign, or with half of an argument."""
    arguments = _arguments(name)
    value = value.strip().rstrip(":")
    if "" in arguments:
        return f'write "+{shown}={value or "<value>"}"'
    meant = [value] if value in arguments else [one for one, optional in arguments.items() if not optional]
    return f'write "+{shown}{":" if meant else ""}{",".join([f"{one}=<value>" for one in meant])}"'


def _arguments(name: str) -> Mapping[str, bool]:
    """The arguments of a marker and whether they are optional; one without a name for a value."""
    forms = (alias.form for (known, _), alias in ALIASES.items() if known == name)
    return {one.name: one.optional for form in forms for one in form.arguments}
