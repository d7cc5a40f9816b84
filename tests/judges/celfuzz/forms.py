"""Forms of expressions beyond calls: macros, optional elements, messages, other spellings; and damage to texts."""

from __future__ import annotations

import re
from random import Random

from protoc_gen_crd.cel.checker.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    LIST,
    MAP,
    OPAQUE,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    make_list_type,
    make_map_type,
    make_optional_type,
)
from protoc_gen_crd.cel.library.declarations.messages import MESSAGES

from .chains import Chained

ORDERED = (INT, UINT, DOUBLE, STRING, BYTES, BOOL, DURATION, TIMESTAMP)
# Macros: `x` or `xy` are the variables, `?` is a test; then truth, filter, sort key, list, map, entry or optional.
ARGUMENTS = {
    "all/2": "xb", "exists/2": "xb", "exists_one/2": "xb", "all/3": "xyb", "exists/3": "xyb", "exists_one/3": "xyb",
    "existsOne/3": "xyb", "filter/2": "xf", "map/2": "xl", "map/3": "x?l", "sortBy/2": "xs", "optMap/2": "xo",
    "optFlatMap/2": "xp", "transformList/3": "xyl", "transformList/4": "xy?l", "transformMap/3": "xym",
    "transformMap/4": "xy?m", "transformMapEntry/3": "xye", "transformMapEntry/4": "xy?e",
}  # fmt: skip
VARIABLES = ("x", "y", "x", "y", "z", "i", "v", "k", "e", "a", "self", "oldSelf", "int", "size", "has")
KEYS = (STRING, STRING, STRING, INT, UINT, BOOL)
MADE = {
    BOOL.name: ("all/2", "exists/2", "exists_one/2", "all/3", "exists/3", "exists_one/3", "existsOne/3"),
    LIST: ("filter/2", "map/2", "map/3", "sortBy/2", "transformList/3", "transformList/4"),
    MAP: ("transformMap/3", "transformMap/4", "transformMapEntry/3", "transformMapEntry/4"),
    OPAQUE: ("optMap/2", "optFlatMap/2"),
}
_TOKENS = re.compile(r"\w+|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\s+|&&|\|\||[=!<>]=|.", re.DOTALL)
_SPARE = (
    "(", ")", "[", "]", "{", "}", ",", ".", "?", ":", "+", "-", "!", "&&", "||", "==", "in", "null", "self", "x",
    "1", "1u", "1.5", '"a"', "'", '"', "\\", "@", "#", "=", "&", "|", "`", "$", "é", "😀", "\t", "//", "has", "for",
    "0x", "1e", "b'a'", "r'a'", '"""', "\x00", "%", ";", "as", "package", "function",
)  # fmt: skip


class Formed(Chained):
    """Makes expressions in all forms of the syntax."""

    def forms(self, kind: Type, depth: int) -> str | None:
        """Another form of a type."""
        if kind == BOOL and self.random.random() < 0.2:
            return self.has(depth)
        if self.random.random() < 0.3:
            return self.chained(kind, depth)
        if self.random.random() < self.faults:
            return self.macro(self.random.choice(sorted(ARGUMENTS)), depth)[0]
        form = {LIST: self._list, MAP: self._map, OPAQUE: self._optional}.get(kind.kind, self._anything)
        return form(kind, depth)

    def has(self, depth: int) -> str:
        """Whether a field is there."""
        ways = [name for name, _ in self._paths() if re.search(r"\.\w+$", name)]
        if ways and self.random.random() < 0.7:
            path = self.random.choice(ways)
            return f"has({path})" if self.random.random() < 0.9 else f"has({path.replace('.', '.?', 1)})"
        source = self._target(self.of(make_map_type(STRING, DYN), depth))
        return f"has({source}.{self.random.choice(('a', 'k', 'b.c'))})"

    def _list(self, kind: Type, depth: int) -> str:
        item = kind.params[0]
        if self.random.random() < 0.5 and "sortBy" in self.macros:
            return self.macro("sortBy/2", depth)[0]
        first = f"?{self.of(make_optional_type(item), depth)}" if "optMap" in self.macros else self.of(item, depth)
        parts = [first, *[self.of(item, depth) for _ in range(self.random.randint(0, 2))]]
        self.random.shuffle(parts)
        return f"[{', '.join(parts)}]"

    def fold(self, kind: Type, depth: int) -> str | None:
        """A macro that results in this type."""
        macros = [name for name in MADE.get(BOOL.name if kind == BOOL else kind.kind, ()) if self.knows(name)]
        if kind.kind == OPAQUE and kind.name != "optional_type":
            return None
        if not macros or (kind.kind == MAP and kind.params[0] != STRING):
            return None
        return self.macro(self.random.choice(macros), depth, kind.params[-1] if kind.params else None)[0]

    def knows(self, name: str) -> bool:
        """Whether there is such a macro."""
        return name.partition("/")[0] in self.macros and (ARGUMENTS[name][:2] != "xy" or "transformList" in self.macros)

    def macro(self, name: str, depth: int, item_type: Type | None = None) -> tuple[str, Type]:
        """A macro over whatever, `all/2`, and its type, which holds a type if one is given."""
        result, function = ARGUMENTS[name], name.partition("/")[0]
        item = item_type if item_type is not None and result[-1] in "fs" else self.type(1)
        two, key = result.startswith("xy"), self.random.choice(KEYS)
        ranged = self.random.choice((make_list_type(item), make_list_type(item), make_map_type(key, item)))
        if function.startswith("opt"):
            ranged = make_optional_type(item)
        elif result[-1] in "fs":
            ranged = make_list_type(item)
        source = self._target(self.of(ranged, depth))
        first = key if ranged.kind == MAP else INT if two else item
        names = self.random.sample(VARIABLES, 2) if self.random.random() < 0.9 else ["x", "y"]
        outer, self.variables = self.variables, {**self.variables, names[0]: first, **({names[1]: item} if two else {})}
        rest, kind = self._rest(result, item, depth, item_type)
        self.variables = outer
        return f"{source}.{function}({', '.join(names if two else names[:1])}, {rest})", kind

    def _rest(self, result: str, item: Type, depth: int, item_type: Type | None) -> tuple[str, Type]:
        """What follows the variables, and the type of all."""
        value, test = item_type or self.type(1), f"{self.of(BOOL, depth)}, " if "?" in result else ""
        body_type, kind = {
            "b": (BOOL, BOOL), "f": (BOOL, make_list_type(item)), "s": (self.sorting(), make_list_type(item)),
            "m": (value, make_map_type(STRING, value)), "e": (value, make_map_type(STRING, value)), "o": (value,
            make_optional_type(value)),
            "p": (make_optional_type(value), make_optional_type(value)), "l": (value, make_list_type(value)),
        }[result[-1]]  # fmt: skip
        expression = self.of(body_type, depth)
        return f"{test}{f'{{{self.of(STRING, depth)}: {expression}}}' if result[-1] == 'e' else expression}", kind

    def sorting(self) -> Type:
        """A type that has an order."""
        return self.random.choice(ORDERED)

    def _map(self, kind: Type, depth: int) -> str:
        key, value = kind.params
        if "optMap" in self.macros and self.random.random() < 0.6:
            return f"{{?{self.of(key, depth)}: {self.of(make_optional_type(value), depth)}}}"
        return f"{{{self.of(key, depth)}: {self.of(value, depth)}, {self.of(key, depth)}: {self.of(value, depth)}}}"

    def _optional(self, kind: Type, depth: int) -> str | None:
        if kind.name != "optional_type":
            return None
        value_type = kind.params[0]
        source = self.random.choice((make_list_type(value_type), make_map_type(STRING, value_type)))
        index = self.of(INT if source.kind == LIST else STRING, depth)
        if source.kind == MAP and self.random.random() < 0.5:
            return f"{self._target(self.of(source, depth))}.?{self.random.choice(('a', 'k'))}"
        return f"{self._target(self.of(source, depth))}[?{index}]"

    def _anything(self, kind: Type, depth: int) -> str:
        chosen = self.random.randrange(4)
        if chosen == 0:
            return f"{{'a': {self.of(kind, depth)}}}.a"
        if chosen == 1:
            return f"[{self.of(kind, depth)}][{self.random.choice(('0', '0', '1', 'size([1]) - 1', '0u', '0.0'))}]"
        if chosen == 2 and "optMap" in self.macros:
            return f"{self._target(self.of(make_optional_type(kind), depth))}.orValue({self.of(kind, depth)})"
        return self._message(kind, depth)

    def _message(self, kind: Type, depth: int) -> str:
        """A message literal of the type, or of whatever."""
        names = [name for name, message in MESSAGES.items() if message.type == kind] or list(MESSAGES)
        name = self.random.choice(names)
        fields = list(MESSAGES[name].fields.items())
        chosen = self.random.sample(fields, self.random.randint(0, min(1, len(fields))))
        field_values = ", ".join([f"{field}: {self.of(its, depth)}" for field, its in chosen])
        return f"{name}{{{field_values}}}" if kind != DYN else f"dyn({name}{{{field_values}}})"


def spelled_otherwise(text: str, chance: Random) -> str:
    """The text with other spellings of the same: quotes, bases, leading dots, comments, line ends."""
    parts = _TOKENS.findall(text)
    for place, part in enumerate(parts):
        before = parts[place - 1] if place else ""
        if chance.random() > 0.1 or before in (".", "?", "b", "r"):
            continue
        if part.isdecimal() and before != "e":
            parts[place] = hex(int(part)) if parts[place + 1 : place + 2] != ["."] and len(part) < 19 else part
        elif part == "self":
            parts[place] = ".self"
        elif part.isspace():
            parts[place] = chance.choice(("\n", " // é\n", "\t", "\r\n", "  "))
        elif part[0] == '"' and "\\" not in part:
            parts[place] = f"r{part}" if before not in ("b", "B") else part
    return "".join(parts)


def damaged(text: str, chance: Random) -> str:
    """The text with a token or two lost, doubled, or strange."""
    parts = _TOKENS.findall(text)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place = chance.randrange(len(parts) + 1)
        instead = chance.choice(([], [chance.choice(_SPARE)], parts[place:][:1] * 2))
        parts[place : place + chance.randint(0, 2)] = instead
    return "".join(parts)
