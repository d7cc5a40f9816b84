"""Descriptions from comments, options, and settings, truncated as by controller-gen.

Source: sigs.k8s.io/controller-tools v0.23.0, pkg/crd/desc_visitor.go; Unicode 15 for the ends of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.generation.kubernetes_messages import trim_description
from protoc_gen_crd.markers.comment_parser import read_description
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.element_model import Element, Enum, EnumValue
from protoc_gen_crd.schema.schema import DEPRECATED, DEPRECATED_VALUES, Schema
from protoc_gen_crd.settings.settings import Settings

# Unicode's property Sentence_Terminal.
_STOPS = (
    r"!.?\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965\u104a\u104b\u1362"
    r"\u1367\u1368\u166e\u1735\u1736\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b5a\u1b5b\u1b5e\u1b5f\u1b7d\u1b7e"
    r"\u1c3b\u1c3c\u1c7e\u1c7f\u203c\u203d\u2047-\u2049\u2e2e\u2e3c\u2e53\u2e54\u3002\ua4ff\ua60e\ua60f\ua6f3"
    r"\ua6f7\ua876\ua877\ua8ce\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe52\ufe56\ufe57\uff01"
    r"\uff0e\uff1f\uff61\U00010a56\U00010a57\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047\U00011048"
    r"\U000110be-\U000110c1\U00011141-\U00011143\U000111c5\U000111c6\U000111cd\U000111de\U000111df\U00011238"
    r"\U00011239\U0001123b\U0001123c\U000112a9\U0001144b\U0001144c\U000115c2\U000115c3\U000115c9-\U000115d7"
    r"\U00011641\U00011642\U0001173c-\U0001173e\U00011944\U00011946\U00011a42\U00011a43\U00011a9b\U00011a9c"
    r"\U00011c41\U00011c42\U00011ef7\U00011ef8\U00011f43\U00011f44\U00016a6e\U00016a6f\U00016af5\U00016b37"
    r"\U00016b38\U00016b44\U00016e98\U0001bc9f\U0001da88"
)
_BLANKS = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def truncate(description: str, limit: int) -> str:
    """Truncate a description to at most `limit` bytes in UTF-8: after a sentence, or else after a word with "...".

    A character that the limit divides is omitted. controller-gen divides it.
    """
    data = description.encode()
    if len(data) <= limit:
        return description
    if limit == 0:
        return ""
    head = data[:limit].decode(errors="ignore")
    sentences = re.match(rf"(?s).+[{_STOPS}]", head)
    if sentences:
        return sentences[0]
    words = re.match(rf"(?s)(.+)[{_BLANKS}]", head)
    return (words[1] if words else head) + "..."


def _append_paragraph(description: str, line: str) -> str:
    """Append a paragraph to a description."""
    return f"{description}\n\n{line}" if description else line


def _add_deprecation(description: str) -> str:
    """Append a note that an element is deprecated, unless the description contains it."""
    is_noted = re.search(r"(?i)\bdeprecated\b", description)
    return description if is_noted else _append_paragraph(description, "Deprecated.")


def describe_values(values: Iterable[EnumValue]) -> dict[str, str]:
    """Return the comments of enum values by name."""
    return {value.name: description for value in values if (description := read_description(value))}


class DescriptionBuilder:
    """Builds the descriptions of a run according to the settings."""

    def __init__(self, collector: MarkerCollector, settings: Settings) -> None:
        self._collector = collector
        self._limit = settings.max_description_length if settings.include_description else 0

    def describe_element(self, element: Element, typed: Schema | None = None) -> str:
        """Return the comments of an element without its markers; empty if descriptions are disabled.

        The last line of a deprecated element notes that it is deprecated. `typed` is the schema of the type of a field,
        whose description is used if the field has no comment.
        """
        if self._limit == 0:
            return ""
        description = trim_description(self._collector.get_description(element), element.full_name)
        deprecated = self._collector.is_deprecated(element)
        if typed is not None:
            facts = typed.facts or {}
            description = (
                self._append_value_notes(description, facts) if description else self._describe_type(element, typed)
            )
            deprecated = deprecated or bool(description and facts.get(DEPRECATED))
        return self._format_text(_add_deprecation(description) if deprecated else description)

    def describe_enum(self, enum: Enum, facts: Mapping[str, Any] | None) -> str:
        """Return the comments of an enum with its deprecated values."""
        return (
            ""
            if self._limit == 0
            else self._format_text(self._append_value_notes(self.describe_element(enum), facts or {}))
        )

    @staticmethod
    def _append_value_notes(description: str, facts: Mapping[str, Any]) -> str:
        deprecated = facts.get(DEPRECATED_VALUES)
        return (
            _append_paragraph(description, f"Deprecated values: {', '.join(deprecated)}.")
            if deprecated
            else description
        )

    @staticmethod
    def _describe_type(element: Element, typed: Schema) -> str:
        return (typed.get("description") or "") if element.deprecated else ""

    def rewrite_markers(self, markers: Sequence[Marker], element: Element) -> list[Marker]:
        """Return the markers of an element, with a `description` marker formatted according to the settings."""
        if "description" not in [marker.option.name for marker in markers]:
            return list(markers)
        annotate = _add_deprecation if self._collector.is_deprecated(element) else str
        rewritten = [
            marker.replace(value=self._format_text(annotate(marker.value)))
            if marker.option.name == "description"
            else marker
            for marker in markers
        ]
        return [marker for marker in rewritten if marker.value or marker.option.name != "description"]

    def rewrite_schema(self, schema: Schema) -> Schema:
        """Return a schema with its descriptions formatted according to the settings."""
        if self._limit is None:
            return schema
        changes: dict[str, object] = {}
        if "description" in schema:
            changes["description"] = self._format_text(schema.get("description")) or None
        for keyword in ("items", "additionalProperties"):
            if isinstance(child := schema.get(keyword), Schema):
                changes[keyword] = self.rewrite_schema(child)
        if schema.properties:
            changes["properties"] = {name: self.rewrite_schema(child) for name, child in schema.properties.items()}
        return schema.with_keywords(changes)

    def _format_text(self, description: str) -> str:
        return description if self._limit is None else truncate(description, self._limit)
