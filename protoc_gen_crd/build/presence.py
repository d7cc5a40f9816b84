"""Whether an object must have a field: what its markers, label and package say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.build import kubernetes, wellknown
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.types import Schema

_DEFAULT = 7  # where descriptor.proto has it
Said = tuple[bool, str, Place]


class Presence:
    """Decides for one field at a time."""

    def __init__(self, api: ApiSet, collector: Collector, problems: Problems) -> None:
        self._api = api
        self._collector = collector
        self._problems = problems
        self._requiring: dict[str, bool] = {}  # files by name: whether their packages say that fields are required

    def required(self, field: Field, markers: Sequence[Marker]) -> bool:
        """Its own word, which must not contradict itself, else its label, else its package's rule."""
        said = list(_marked(markers)) if markers else []
        for value, text, at in said:
            if value != said[0][0]:
                self._problems.report(
                    "marker-contradiction",
                    f"a field must be either required or optional, found {said[0][1]} and {text}",
                    at,
                    path=field.full_name,
                )
        if said:
            self._check_choice(field, [(text, at) for value, text, at in said[-1:] if value])
            return said[-1][0]
        return field.required or self._package_requires(field) or kubernetes.needs(field)

    def check_default(
        self, field: Field, markers: Sequence[Marker], schema: Schema, *, several: bool, stored: bool
    ) -> None:
        """Report a default that cannot be as it is: in a oneof, under several names, or in the proto alone.

        The last is no matter of a field that servers never see, which is none that is `stored`.
        """
        given = [(marker.text, marker.at) for marker in markers if marker.option.name == "default"]
        if stored and field.default is not None and not given:
            self._report_assumed(field, field.default)
        if not given and "default" in schema:
            given = [(f"the default of {field.type_name}", field.at)]
        if not given or self._check_choice(field, given) or not several:
            return
        for text, at in given:
            problem = f"a field of several names must leave room for each of them, found {text}"
            hint = "servers fill in what is not set under each name: leave out the default or the other names"
            self._problems.report("marker-contradiction", problem, at, path=field.full_name, hint=hint)

    def _report_assumed(self, field: Field, default: str) -> None:
        """Report a default of the proto itself, which is no server's."""
        from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few fields have one

        if self._api.file(field.at.source.file).target:
            problem = f'a default that servers fill in must be a marker, found the proto\'s own "{default}" alone'
            shown = jsontext.shown(default) if field.kind == "string" else default
            hint = f"write +kubebuilder:default={shown}; where none is wanted, set field-default to off in the settings"
            at = field.at.below(_DEFAULT)
            self._problems.report("field-default", problem, at, path=field.full_name, hint=hint)

    def _check_choice(self, field: Field, said: Sequence[tuple[str, Place]]) -> bool:
        """Whether something sets a field of a oneof always, so that none of the others could be; it is reported."""
        message = self._api.message(field.full_name.rpartition(".")[0]) if said and field.oneof >= 0 else None
        if message is None or len(message.oneofs[field.oneof].fields) < 2:
            return False
        for text, at in said:
            self._problems.report(
                "marker-contradiction",
                f"a field of a oneof must leave room for the others, found {text}",
                at,
                path=field.full_name,
                hint="+required above the oneof makes one of its fields required, whichever it is",
            )
        return True

    def _package_requires(self, field: Field) -> bool:
        """A member of a oneof cannot be required, and a field with the keyword `optional` says that it is not."""
        name = field.at.source.file
        if name not in self._requiring:
            package = self._collector.package(self._api.file(name))
            said = [members.values["fields_required"] for members in package if "fields_required" in members.values]
            self._requiring[name] = bool(said and said[-1])
        return self._requiring[name] and field.oneof < 0 and not field.optional


def keeping_unset(schema: Schema, field: Field, *, counted: bool) -> Schema:
    """The schema of a wrapper without null where being set counts, unless a marker says that it may be null.

    To proto JSON null is unset; where a schema takes null, servers count it as set, and drop it where it does not.
    """
    if "nullable" not in schema or not (counted or field.oneof >= 0) or "nullable" in (schema.marks or ()):
        return schema
    return schema.having({"nullable": None}) if field.type_name in wellknown.WRAPPERS else schema


def _marked(markers: Sequence[Marker]) -> Iterator[Said]:
    for marker in markers:
        if marker.option.name == "required" or (marker.option.name == "non_empty" and marker.value):
            yield bool(marker.value), marker.text, marker.at
