"""Options of other vocabularies: selected by the settings, converted to markers, or reported as not supported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.vocabularies.registry import RESOURCE, RESOURCE_NUMBER, FieldBehavior
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionReader, OptionValue
from protoc_gen_crd.proto.element_model import Element, Field
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.markers.vocabularies.option_reader import ReadingContext

_MESSAGE_OPTIONS = 7  # number of `options` in the descriptor of a message


class ForeignOptions:
    """The options of a run. `outputs` are the fields that only a server writes, `fixed` the immutable fields."""

    def __init__(self, api: ApiSet, problems: Problems, settings: Settings) -> None:
        self.options = OptionReader(api, problems, _make_reduction(settings.ignored_options))
        self.outputs: list[FieldBehavior] = []
        self.fixed: list[FieldBehavior] = []
        self.were_read = False  # True once an element has such options
        self._api = api
        self._problems = problems
        self._settings = settings
        self._has_resources = api.find_extension("google.protobuf.MessageOptions", RESOURCE_NUMBER) is not None
        self._unsupported: set[str] = set()  # names of reported options

    def merge(
        self,
        options: Sequence[OptionValue],
        inherited: Sequence[tuple[OptionValue, ElementPlace]],
        element: Element,
        at: ElementPlace,
        native: tuple[list[Marker], list[MessageMembers]],
    ) -> tuple[list[Marker], list[MessageMembers]]:
        """Merge native markers and members with those of foreign options. `inherited` are options of the message."""
        if not (options or inherited):
            return native
        from protoc_gen_crd.markers.vocabularies.option_reader import merge_foreign_options  # noqa: PLC0415 - few use one

        self.were_read = True
        return merge_foreign_options(options, element, at, self._context, native, inherited)

    @cached_property
    def _context(self) -> ReadingContext:
        from protoc_gen_crd.markers.vocabularies.option_reader import ReadingContext  # noqa: PLC0415 - few use one

        return ReadingContext(self._api, self.options, self._problems, self.outputs, self.fixed, self._settings)

    def list_inherited(self, element: Element) -> list[tuple[OptionValue, ElementPlace]]:
        """List the options of its message that apply to a field, with their places: the pattern of a resource name."""
        if not (self._has_resources and isinstance(element, Field) and element.kind == "string"):
            return []
        message = self._api.find_message(element.full_name.rpartition(".")[0])
        if message is None or not message.options:
            return []
        at = message.at.append(_MESSAGE_OPTIONS)
        return [
            (option, at) for option in self.options.read("MessageOptions", message.options) if option.name == RESOURCE
        ]

    def report_unsupported(self, option: OptionValue, at: ElementPlace, owner: str) -> None:
        """Report the first use of an option that is not supported."""
        from protoc_gen_crd.markers.vocabularies.unsupported_options import UNSUPPORTED  # noqa: PLC0415 - many APIs have no such option

        if option.name in UNSUPPORTED and option.name not in self._unsupported:
            self._unsupported.add(option.name)
            consequence, hint = UNSUPPORTED[option.name]
            problem = f"({option.name}) is not read: {consequence}"
            self._problems.report("vocabulary-unread", problem, at.append(*option.path), path=owner, hint=hint)


def _make_reduction(ignored_options: Sequence[str]) -> Callable[[OptionValue], OptionValue | None] | None:
    if not ignored_options:
        return None
    from protoc_gen_crd.markers.vocabularies.ignored_options import IgnoredOptions  # noqa: PLC0415 - few settings have any

    return IgnoredOptions(ignored_options).reduce
