"""The rules of lists that have a singular field beside them, which clients without the list still use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import LIST_TYPE, PLURAL_OF, TYPE, Schema, ValidationRule


def make_plural_rules(
    properties: Mapping[str, Schema], absent: Collection[str], problems: Problems
) -> Iterator[ValidationRule]:
    """Yield the rules of an object that the first item of a list equals the singular field.

    An object with the singular field alone is valid, since clients without the list create it.

    Args:
        properties: The fields of the object.
        absent: The fields that the current version lacks. A list without its singular field has no rule.
        problems: Receives the markers that cannot apply.

    Source: Kubernetes API conventions, "Making a singular field plural".
    """
    for plural, schema in properties.items():
        singular, at, owner = (schema.facts or {}).get(PLURAL_OF, ("", None, ""))
        if at is None or singular in absent:
            continue
        if error := _find_error(plural, singular, properties):
            problems.report(error[0], error[1], at, path=owner, hint=error[2])
            continue
        many, one = f"self.{escape_cel_name(plural)}", f"self.{escape_cel_name(singular)}"
        # Each schema of an object is a type of its own, and CEL compares no values of different types.
        first = f"dyn({many}[0])" if properties[singular].type == "object" else f"{many}[0]"
        rule = f"!has({many}) || {many}.size() == 0 || (has({one}) && {first} == {one})"
        yield ValidationRule(rule, f"the first item must equal {singular}", field_path=f".{plural}", origin=at)


def _find_error(plural: str, singular: str, properties: Mapping[str, Schema]) -> tuple[str, str, str] | None:
    """Return the rule id, problem and hint for a marker that cannot apply."""
    if singular not in properties:
        hint = suggest(singular, [name for name in properties if name != plural])
        return "marker-field", f'"plural_of" names "{singular}", which is not a field of the message', hint
    unselectable = next((name for name in (plural, singular) if not is_selectable(name)), None)
    if unselectable is not None:
        return "marker-field", f'"plural_of" is set for "{unselectable}", which CEL cannot select', ""
    field, schema = properties[singular], properties[plural]
    if schema.items is None or not _has_same_type(field, schema.items):
        problem = f'"plural_of" names "{singular}", whose type is not that of the items of "{plural}"'
        return "marker-type", problem, "use one type for the field and the items"
    if (list_type := schema.get(LIST_TYPE)) in ("map", "set"):
        problem = f'"plural_of" is set for "{plural}", a list of type {list_type}'
        return "marker-type", problem, "remove the list type: merges can change the first item"
    return None


def _has_same_type(one: Schema, other: Schema) -> bool:
    """Return True if values of two schemas have one type; enums and messages must be the same."""
    types = [(schema.facts or {}).get(TYPE) for schema in (one, other)]
    names = [named.name if named else "" for named in types]
    return one.type == other.type and one.get("format") == other.get("format") and names[0] == names[1]
