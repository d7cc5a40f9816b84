"""Numbers of schemas, by which equal schemas are recognized without comparing everything below them again."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.comparison.channel_moves import get_channels
from protoc_gen_crd.schema.schema import Schema, ValidationRule

_RULE_FIELDS = tuple([field for field in ValidationRule._fields if field != "origin"])


class SchemaNumbers:
    """Numbers of schemas: schemas with one number have equal keywords and channels, and so has everything below them.

    Places do not count. Schemas that are equal in a less strict sense, such as 1 and 1.0 as a bound, can have different
    numbers.
    """

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._known: dict[int, tuple[int, Schema]] = {}  # by identity of schemas, which are kept alive

    def are_equal(self, first: Schema, second: Schema) -> bool:
        """Return whether two schemas have the same number.

        Shortcut numbered-schemas: the number of a schema is a function of its keywords, its channels, and the numbers
        of the schemas below it.
        """
        return self._get_number(first) == self._get_number(second)

    def _get_number(self, schema: Schema) -> int:
        known = self._known.get(id(schema))
        if known is None:
            items = schema.keywords.items()
            keywords = frozenset(
                [(name, value if type(value) is str else self._make_key(value)) for name, value in items]
            )
            key = keywords, self._make_key(get_channels(schema)) if schema.facts else None
            known = self._known[id(schema)] = self._numbers.setdefault(key, len(self._numbers)), schema
        return known[0]

    def _make_key(self, value: Any) -> object:
        """Return a key that is equal for equal values of the same types; a value of another type has its own key."""
        kind = type(value)
        if kind is str:
            return value
        if kind is Schema:
            return Schema, self._get_number(value)
        if kind is dict:
            return dict, frozenset([(name, self._make_key(item)) for name, item in value.items()])
        if kind is list or kind is tuple:
            return kind, tuple(map(self._make_key, value))
        if kind is ValidationRule:
            return ValidationRule, tuple([self._make_key(getattr(value, field)) for field in _RULE_FIELDS])
        return kind, repr(value) if value is None or kind in (bool, int, float) else id(value)
