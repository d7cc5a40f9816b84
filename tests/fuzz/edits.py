"""Random edits of CRDs in plain data: each edit is one change that an author would make."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from tests.fuzz.crd_edits import CRD_EDITS, VERSION_EDITS
from tests.fuzz.probes import PRESERVE
from tests.fuzz.random_crds import EMBEDDED, list_nodes
from tests.fuzz.stored_value_edits import STORED_VALUE_EDITS, delete_property
from tests.judges.objectfuzz.rules import RULES
from tests.judges.objectfuzz.schemas import FORMATS, NAMES, NUMBERS, PATTERNS, TEXTS, Schemas

Json = Any
Node = dict[str, Any]
COUNTS = (0, 1, 2, 3, 5)
INT_OR_STRING = "x-kubernetes-int-or-string"
LIST_TYPE, LIST_KEYS, VALIDATIONS = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-validations"
LOGICAL_KEYWORDS = ("allOf", "anyOf", "oneOf", "not")

_CRD_SHARE, _VERSION_SHARE = 0.04, 0.08  # share of edits outside of schemas

# Keywords with values that an edit may set. Servers reject some of them at some nodes.
VALUES: dict[str, tuple[Json, ...]] = {
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), COUNTS),
    **dict.fromkeys(("minimum", "maximum"), NUMBERS),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum", "nullable", PRESERVE, INT_OR_STRING), (True,)),
    "multipleOf": (1, 2, 3, 0.5, 0.1, 2.5, 6),
    "pattern": PATTERNS,
    "format": (*FORMATS, "int64", "float", "double"),
    "description": ("a", "b"),
    "title": ("a", "b"),
    "example": ("a", 1, {"a": 1}),
    "externalDocs": ({"url": "http://a/b"}, {"description": "a"}),
    EMBEDDED: (True,),
    "x-kubernetes-map-type": ("atomic", "granular"),
    LIST_TYPE: ("atomic", "set", "map"),
}


class Editor:
    """Edits one CRD with one source of random numbers."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.schemas = Schemas(random)
        self.root: Node = {}  # of the schema that is edited

    def edit(self, crd: Json) -> tuple[str, Json]:
        """Return the name of an edit and an edited copy."""
        edited = copy.deepcopy(crd)
        version, share = self.random.choice(edited["spec"]["versions"]), self.random.random()
        edit: Callable[..., None]
        if share < _CRD_SHARE:
            edit = self.choose(*CRD_EDITS)
            edit(self.random, edited)
        elif share < _CRD_SHARE + _VERSION_SHARE:
            edit = self.choose(*VERSION_EDITS)
            edit(self.random, version)
        else:
            edit, self.root = self.choose(*EDITS), version["schema"]["openAPIV3Schema"]
            edit(self, self.choose(*list_nodes(self.root)))
        return edit.__name__.strip("_"), edited

    def prepare(self, crd: Json) -> Json:
        """Return a copy with a combined rule or a bound on fields, which edits may replace."""
        edited = copy.deepcopy(crd)
        self.root = self.random.choice(edited["spec"]["versions"])["schema"]["openAPIV3Schema"]
        self.choose(_wrap_rule, _count_fields)(self, self.root)
        return edited

    def choose(self, *values: Any) -> Any:
        """Return one of the values."""
        return self.random.choice(values)


def _set_keyword(editor: Editor, node: Node) -> None:
    keyword = editor.choose(*VALUES)
    if keyword in node and editor.random.random() < 0.5:
        del node[keyword]
    else:
        node[keyword] = editor.choose(*VALUES[keyword])


def _set_likely_keyword(editor: Editor, node: Node) -> None:
    """Change a keyword that applies to the type of the node."""
    likely = {
        "string": ("minLength", "maxLength", "pattern", "format"),
        "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"),
        "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"),
        "array": ("minItems", "maxItems", LIST_TYPE, PRESERVE),
        "object": ("minProperties", "maxProperties", PRESERVE, EMBEDDED, "x-kubernetes-map-type"),
    }
    keyword = editor.choose(*likely.get(node.get("type", ""), ("nullable", "pattern", "maximum")))
    if keyword in node and editor.random.random() < 0.4:
        del node[keyword]
    else:
        node[keyword] = editor.choose(*VALUES[keyword])


def _edit_enum(editor: Editor, node: Node) -> None:
    pool = TEXTS if node.get("type") == "string" else NUMBERS if node.get("type") in ("integer", "number") else ("a", 1)
    if "enum" not in node:
        node["enum"] = editor.random.sample(pool, min(2, len(pool)))
        return
    change = editor.random.randrange(4)
    if change == 0:
        del node["enum"]
    elif change == 1:
        node["enum"] = [*node["enum"], editor.choose(*pool)]
    elif change == 2 and len(node["enum"]) > 1:
        node["enum"] = node["enum"][1:]
    else:
        node["enum"] = list(reversed(node["enum"]))


def _edit_default(editor: Editor, node: Node) -> None:
    if "default" in node and editor.random.random() < 0.5:
        del node["default"]
    else:
        value = editor.schemas.value(node, exact=True)
        if value is not None:
            node["default"] = value


def _edit_required(editor: Editor, node: Node) -> None:
    required = node.get("required", [])
    names = list(node.get("properties", {})) or ["a"]
    name = editor.choose(*required, *names)
    node["required"] = [other for other in required if other != name] if name in required else [*required, name]
    if not node["required"]:
        del node["required"]


def _add_property(editor: Editor, node: Node) -> None:
    if node.get("type", "object") != "object" or INT_OR_STRING in node:
        return
    properties = node.setdefault("properties", {})
    name = editor.choose(*(name for name in (*NAMES, "new") if name not in properties))
    properties[name] = editor.schemas.node(1)


def _add_required_property(editor: Editor, node: Node) -> None:
    _add_property(editor, node)
    if "properties" not in node:
        return
    node["required"] = [*node.get("required", []), list(node["properties"])[-1]]


def _remove_property(editor: Editor, node: Node) -> None:
    if node.get("properties"):
        delete_property(node, editor.choose(*node["properties"]))


def _change_type(editor: Editor, node: Node) -> None:
    """Replace a type, with the keywords that another type cannot have."""
    kinds = ("string", "integer", "number", "boolean", "object", INT_OR_STRING)
    own = INT_OR_STRING if node.get(INT_OR_STRING) else node.get("type")
    kind = editor.choose(*(kind for kind in kinds if kind != own))
    for keyword in ("properties", "items", "additionalProperties", LIST_TYPE, LIST_KEYS):
        node.pop(keyword, None)
    if node.pop(INT_OR_STRING, None) and node.get("anyOf") == [{"type": "integer"}, {"type": "string"}]:
        del node["anyOf"]
    if kind == INT_OR_STRING:
        node.pop("type", None)
        node[INT_OR_STRING] = True
    else:
        node["type"] = kind


def _switch_map(editor: Editor, node: Node) -> None:
    """Turn an object into a map or the reverse."""
    if "properties" in node:
        children = list(node.pop("properties").values())
        node["additionalProperties"] = editor.choose(True, children[0] if children else {"type": "string"})
    elif "additionalProperties" in node:
        values = node.pop("additionalProperties")
        node["properties"] = {"a": values if isinstance(values, dict) else {"type": "string"}}


def _count_fields(editor: Editor, _: Node) -> None:
    """Replace what an object with known fields has as bounds on their number."""
    metadata = [node.get("properties", {}).get("metadata") for node in list_nodes(editor.root)]
    nodes = [node for node in list_nodes(editor.root) if len(node.get("properties", ())) > 1 and node not in metadata]
    if not nodes:
        return
    node = editor.choose(*nodes)
    names = editor.random.sample(list(node["properties"]), editor.choose(2, len(node["properties"])))
    branches = [{"required": [name]} for name in names]
    rule = " || ".join(f"has(self.{escape_cel_name(name)})" for name in names if is_selectable(name))
    bounds: tuple[Node, ...] = (
        {"minProperties": 1}, {"maxProperties": 1}, {"minProperties": 1, "maxProperties": 1}, {"maxProperties": 2},
        {"anyOf": branches}, {"oneOf": branches}, {"not": {"required": names}}, {"required": names[:1]},
        {"anyOf": [{"required": names[:2]}, *branches[2:]]}, {VALIDATIONS: [{"rule": rule or "true"}]},
    )  # fmt: skip
    bound = editor.choose(*bounds)
    for keyword in {keyword for other in bounds for keyword in other}:
        node.pop(keyword, None)
    node |= bound


_RULES_ON_A_FIELD = (
    "!has(self.{0}) || self.{0} == self.{0}", "has(self.{0}) ? has(self.{1}) : true", "has(self.{0})",
    "!(has(self.{0}) && has(self.{1}))", "!has(self.{1}) || !has(self.{0})", "has(self.{0}) == has(self.{1})",
)  # fmt: skip
_RULES_ON_ITEMS = (
    "self.all(x, !has(x.{0}))", "self.all(x, !has(x.{0}) || self.exists_one(y, y == x))", "self.all(x, has(x.{0}))",
)  # fmt: skip


def _add_field_with_rule(editor: Editor, _: Node) -> None:
    """Add a field to an object, or to the items of a list, with a rule that reads it."""
    nodes = list(list_nodes(editor.root))
    lists = [node for node in nodes if "properties" in node.get("items", ())]
    objects = [node for node in nodes if node.get("properties") and node is not editor.root]
    if not objects:
        return
    node = editor.choose(*editor.choose(*filter(None, (lists, objects))))
    is_list = "items" in node
    properties = (node["items"] if is_list else node)["properties"]
    names = [escape_cel_name(name) for name in properties if is_selectable(name)]
    properties["added"] = editor.schemas.node(1)
    rule = editor.choose(*(_RULES_ON_ITEMS if is_list else _RULES_ON_A_FIELD))
    rules = [*node.get(VALIDATIONS, ()), {"rule": rule.format("added", editor.choose("added", *names))}]
    node |= {VALIDATIONS: rules, **({"maxItems": 5} if is_list else {})}


_RULE_MEMBERS: dict[str, tuple[Json, ...]] = {
    "reason": ("FieldValueRequired", "FieldValueForbidden"),
    "messageExpression": ("'a'", "'b'"),
    "fieldPath": (".a", ".k"),
    "optionalOldSelf": (True, False),
}


# Rules with the same or other results than the rules that they contain.
_RULE_SHAPES = (
    "({0}) && ({1})", "({0}) || ({1})", "({1}) || ({0})", "!(!({0}))", "!(!({1}) || !({0}))", "({1}) ? ({0}) : true",
    "!({1}) || ({0})", "!(({1}) && !({0}))", "({0}) == ({1})",
)  # fmt: skip


def _wrap_rule(editor: Editor, _: Node) -> None:
    """Combine a rule with another one."""
    nodes = [node for node in list_nodes(editor.root) if node.get(VALIDATIONS)]
    if not nodes:
        return
    node = editor.choose(*nodes)
    others = [rule["rule"] for rule in node[VALIDATIONS]]
    index = editor.random.randrange(len(others))
    if others.count(others[index]) > 1:
        return  # the message of another one would change, too
    kind = "map" if "additionalProperties" in node else node.get("type", "either")
    texts = RULES.get("root" if node is editor.root else kind, ("true",))
    rule = editor.choose(*_RULE_SHAPES).format(others[index], editor.choose(*others, *texts))
    node[VALIDATIONS] = [{**own, "rule": rule} if at == index else own for at, own in enumerate(node[VALIDATIONS])]


def _edit_values(editor: Editor, node: Node) -> None:
    """Allow other values of a map, or turn an object without fields into one."""
    values = [True, {"type": "string"}]
    present = node.get("additionalProperties")
    if "properties" not in node and node.get("type") == "object" and present in (None, *values):
        node["additionalProperties"] = editor.choose(*(value for value in values if value != present))


def _edit_rules(editor: Editor, node: Node) -> None:
    rules = list(node.get(VALIDATIONS, ()))
    kind = "root" if node is editor.root else node.get("type", "either")
    kind = "map" if "additionalProperties" in node else kind
    texts = RULES.get(kind, ("true",))
    change = editor.random.randrange(6)
    if rules and change == 0:
        del rules[editor.random.randrange(len(rules))]
    elif rules and change == 1:
        rules[0] = {**rules[0], "rule": editor.choose(*texts)}
    elif rules and change == 2:
        rules[0] = {**rules[0], "message": editor.choose("other", "text")}
    elif rules and change == 3:
        member, values = editor.choose(*_RULE_MEMBERS.items())
        rules[0] = {**rules[0], member: editor.choose(*values)}
    elif rules and change == 4:
        rules.reverse()
    else:
        rules.append({"rule": editor.choose(*texts)})
    node[VALIDATIONS] = rules
    if not rules:
        del node[VALIDATIONS]


def _edit_logical_keyword(editor: Editor, node: Node) -> None:
    """Add or remove a logical keyword, or a branch of it."""
    keyword = editor.choose(*LOGICAL_KEYWORDS)
    kind = "map" if "additionalProperties" in node else node.get("type", "either")
    branch = editor.schemas._branch(node, kind)
    if keyword == "not":
        if keyword in node and editor.random.random() < 0.5:
            del node[keyword]
        else:
            node[keyword] = branch
        return
    branches = list(node.get(keyword, ()))
    change = editor.random.randrange(4)
    if branches and change == 0:
        del branches[editor.random.randrange(len(branches))]
    elif branches and change == 1:
        branches[editor.random.randrange(len(branches))] = branch
    else:
        branches.append(branch)
    node[keyword] = branches
    if not branches:
        del node[keyword]


def _edit_keys(editor: Editor, node: Node) -> None:
    lists = [child for child in list_nodes(editor.root) if LIST_KEYS in child or "required" in child.get("items", {})]
    node = editor.choose(*(lists or [node]))
    keys = node.get(LIST_KEYS)
    if keys:
        node[LIST_KEYS] = [keys[0]] if len(keys) > 1 else [*keys, "n" if keys[0] == "k" else "k"]
    elif LIST_TYPE in node:
        del node[LIST_TYPE]
    elif lists:
        node |= {LIST_TYPE: "map", LIST_KEYS: node["items"]["required"][:1]}


EDITS: tuple[Callable[[Editor, Node], None], ...] = (
    _set_keyword, _set_likely_keyword, _set_likely_keyword, _set_likely_keyword, _edit_enum, _edit_default,
    _edit_default, _edit_required, _add_property, _add_required_property, _remove_property, _change_type,
    _switch_map, _edit_values, _edit_rules, _edit_rules, _wrap_rule, _edit_logical_keyword, _edit_logical_keyword,
    _edit_keys, _count_fields, _add_field_with_rule, *STORED_VALUE_EDITS,
)  # fmt: skip
