"""Decision whether fields are required, from markers, labels, and package options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.generation import kubernetes_messages, well_known_types
from protoc_gen_crd.markers.marker import Marker, drop_superseded
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_MAX_INTEGER = 2**63 - 1  # API servers read integers as int64
_UNSIGNED = ("uint64", "fixed64")
_DEFAULT = 7  # number of `default_value` in descriptor.proto
_OUTPUT_ONLY = "field_behavior OUTPUT_ONLY"  # the spelling of `markers.vocabularies.google_api`
PresenceDeclaration = tuple[bool, str, Place]


class FieldPresence:
    """Decides whether fields are required, and checks their defaults."""

    def __init__(
        self, api: ApiSet, collector: MarkerCollector, is_skipped: Callable[[Field], bool], problems: Problems
    ) -> None:
        self._api = api
        self._collector = collector
        self._is_skipped = is_skipped
        self._problems = problems
        # Shortcut requiring-files: the markers of the packages of an API do not change.
        self._requiring: dict[str, bool] = {}  # file name -> its package makes fields required by default

    def is_required(self, field: Field, markers: Sequence[Marker]) -> bool:
        """Return whether a field is required: by its markers, or else by its label, its package, or Kubernetes.

        Contradictory markers are reported.
        """
        if not markers:
            return self._is_required_by_default(field)
        markers = self._drop_foreign(field, markers) if field.oneof >= 0 else markers
        declarations = list(_find_declarations(markers))
        if any(spelling == _OUTPUT_ONLY for _, spelling, _ in declarations):
            markers = self._drop_required_output(field, markers)
            declarations = list(_find_declarations(markers))
        for value, spelling, at in declarations:
            if value != declarations[0][0]:
                self._problems.report(
                    "marker-contradiction",
                    f"field is both required and optional: {declarations[0][1]} and {spelling}",
                    at,
                    path=field.full_name,
                )
        if declarations:
            self._check_choice(field, [(spelling, at) for value, spelling, at in declarations[-1:] if value])
            return list(_find_declarations(drop_superseded(markers)))[-1][0]
        return self._is_required_by_default(field)

    def check_default(
        self, field: Field, markers: Sequence[Marker], schema: Schema, *, several: bool, stored: bool
    ) -> None:
        """Report an invalid default: of a field of a oneof, of a field with several names, or only in the proto.

        The last is reported only for `stored` fields, which API servers can receive.
        """
        if not _can_have_default(field, markers, schema):
            return
        defaults = [(marker.text, marker.at) for marker in markers if marker.option.name == "default"]
        if stored and field.default is not None and not defaults:
            self._report_assumed(field, field.default, schema)
        if not defaults and "default" in schema:
            defaults = [(f"the default of {field.type_name}", field.at)]
        if not defaults or self._check_choice(field, defaults) or not several:
            return
        for spelling, at in defaults:
            problem = f"{spelling} on a field with several names sets all of them"
            hint = "API servers fill in each name that is not set: remove the default or the other names"
            self._problems.report("marker-contradiction", problem, at, path=field.full_name, hint=hint)

    def _report_assumed(self, field: Field, default: str, schema: Schema) -> None:
        """Report a default of the proto, which API servers do not apply."""
        if self._api.get_file(field.at.source.file).target:
            problem = f'proto default "{default}" has no effect: API servers only apply defaults from markers'
            formatted = _format_default(default, field.kind, schema)
            fix = (
                f"write +kubebuilder:default={formatted}" if formatted else "no schema can have this default: remove it"
            )
            hint = f"{fix}, or set field-default to off in the settings"
            at = field.at.append(_DEFAULT)
            self._problems.report("field-default", problem, at, path=field.full_name, hint=hint)

    def _drop_foreign(self, field: Field, markers: Sequence[Marker]) -> Sequence[Marker]:
        """Report and drop options of other vocabularies that require one field of a oneof."""
        required = {at for is_required, _, at in _find_declarations(markers) if is_required}
        dropped = [marker for marker in markers if marker.foreign and marker.at in required]
        if not dropped or not self._has_alternatives(field):
            return markers
        for marker in dropped:
            problem = f"API servers cannot enforce {marker.text}: on a field of a oneof, it excludes the other fields"
            self._problems.report("vocabulary-unsupported", problem, marker.at, path=field.full_name)
        return [marker for marker in markers if marker not in dropped]

    def _drop_required_output(self, field: Field, markers: Sequence[Marker]) -> Sequence[Marker]:
        """Report and drop options of other vocabularies that require an output-only field: clients do not set it."""
        required = {at for is_required, _, at in _find_declarations(markers) if is_required}
        dropped = [marker for marker in markers if marker.foreign and marker.at in required]
        for marker in dropped:
            problem = f"API servers cannot enforce {marker.text}: clients do not set the field, which is OUTPUT_ONLY"
            self._problems.report("vocabulary-unsupported", problem, marker.at, path=field.full_name)
        return [marker for marker in markers if marker not in dropped]

    def _has_alternatives(self, field: Field) -> bool:
        """Return True if a field belongs to a oneof with several fields."""
        message = self._api.find_message(field.full_name.rpartition(".")[0]) if field.oneof >= 0 else None
        return (
            message is not None
            and sum(member.oneof == field.oneof and not self._is_skipped(member) for member in message.fields) > 1
        )

    def _check_choice(self, field: Field, markers: Sequence[tuple[str, Place]]) -> bool:
        """Report markers that always set a field of a oneof and exclude the other fields. Return True if reported."""
        if not markers or not self._has_alternatives(field):
            return False
        for spelling, at in markers:
            self._problems.report(
                "marker-contradiction",
                f"{spelling} on a field of a oneof excludes the other fields",
                at,
                path=field.full_name,
                hint="put +required above the oneof to require any one of its fields",
            )
        return True

    def _is_required_by_default(self, field: Field) -> bool:
        """Return whether a field is required without markers: by its label, its package, or Kubernetes."""
        return (
            field.required
            or self._is_required_by_package(field)
            or kubernetes_messages.is_required_by_kubernetes(field)
        )

    def _is_required_by_package(self, field: Field) -> bool:
        """Return whether the package requires a field. It does not require fields of oneofs and `optional` fields."""
        name = field.at.source.file
        if name not in self._requiring:
            package = self._collector.collect_package(self._api.get_file(name))
            values = [members.values["fields_required"] for members in package if "fields_required" in members.values]
            self._requiring[name] = bool(values and values[0])
        return self._requiring[name] and field.oneof < 0 and not field.optional


def _can_have_default(field: Field, markers: Sequence[Marker], schema: Schema) -> bool:
    # Shortcut absent-defaults: a default is in a marker, in the proto, or in the schema of the type.
    return bool(markers) or field.default is not None or "default" in schema.keywords


def _format_default(default: str, kind: str, schema: Schema) -> str:
    """Format the default of a proto as the value of a marker; empty if no valid value represents it.

    `default` is as in a descriptor: bytes with C escapes, numbers in decimal, infinity and NaN as inf and nan.
    """
    from base64 import b64encode  # noqa: PLC0415 - few fields have a default

    from protoc_gen_crd.base.bounded_json import format_json  # noqa: PLC0415

    if kind == "bytes":
        data = default.encode("ascii").decode("unicode_escape").encode("latin-1")
        return format_json(b64encode(data).decode())
    if default.lstrip("-") in ("inf", "nan"):
        return ""  # JSON has no such number
    if kind in _UNSIGNED and int(default) > _MAX_INTEGER:
        return format_json(default) if schema.get(INT_OR_STRING) else ""
    if kind == "enum":
        return default if default in (schema.get("enum") or [default]) else ""
    return format_json(default) if kind == "string" else default


def drop_null(schema: Schema, field: Field, *, counted: bool) -> Schema:
    """Return the schema of a wrapper without null if its presence matters, unless a marker allows null.

    In proto JSON, null is unset. API servers treat null as set if the schema accepts it, and otherwise drop it.
    """
    if "nullable" not in schema.keywords or not (counted or field.oneof >= 0) or "nullable" in (schema.marks or ()):
        return schema
    return schema.with_keywords({"nullable": None}) if field.type_name in well_known_types.WRAPPERS else schema


def _find_declarations(markers: Sequence[Marker]) -> Iterator[PresenceDeclaration]:
    for marker in markers:
        if marker.option.name == "required" or (marker.option.name == "non_empty" and marker.value):
            yield bool(marker.value), marker.text, marker.at


def drop_null_items(schema: Schema, foreign: Sequence[Marker]) -> Schema:
    """Return the schema of a list without null items if another vocabulary makes it a set, unless a marker allows null.

    API servers reject sets with nullable items. In proto JSON, a list has no null items. `foreign` are the markers of
    other vocabularies.
    """
    items = schema.items
    is_foreign_set = any(marker.option.name == "list_type" for marker in foreign)
    if not is_foreign_set or items is None or "nullable" not in items or "nullable" in (items.marks or ()):
        return schema
    return schema.with_keywords({"items": items.with_keywords({"nullable": None})})
