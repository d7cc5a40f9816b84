"""The two ends of a conversion: an object or value of each version, by its path and schema."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.namefaults import label_key
from protoc_gen_crd.conversion.derive import fits
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, alike, shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.schema.types import Schema

SPOKE, HUB = 0, 1
OF_ALL = frozenset(("apiVersion", "kind", "metadata"))  # what every object has is carried by itself


_STASH = "/conversion-stash."
_OURS = "a path must lead to what versions have of their own, a label or an annotation"


def reserved(path: Path) -> str:
    """Why no conversion may lead to a path: what every object has, or what conversions keep; empty where it may."""
    if path[0] not in OF_ALL:
        return ""
    if path in paths.NAMES:
        return f'the name and namespace of an object may be read alone, found "{paths.shown(path)}" to be written'
    if not paths.is_metadata(path) or _STASH in path[-1]:
        return f'{_OURS}, found "{paths.shown(path)}"'
    faults = label_key(path[-1] if path[1] == "labels" else path[-1].lower(), newer=True)  # as servers look at them
    return f'the name of a label or annotation must be valid, found "{path[-1]}": {faults[0]}' if faults else ""


class Side(tuple[Path, Schema]):
    """An object of one version: its path, and its schema."""

    __slots__ = ()

    @property
    def path(self) -> Path:
        """Where it stands."""
        return self[0]

    @property
    def schema(self) -> Schema:
        """What it may hold."""
        return self[1]

    def child(self, name: str) -> Side | None:
        """What stands one step below, if anything."""
        found = paths.child(self[1], name)
        return None if found is None else Side(((*self[0], name), found))


Sides = tuple[Side, Side]  # of the spoke, of the hub

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def has_type(schema: Schema, value: object) -> bool:
    """Whether plain data is of the type of a schema."""
    wanted = _TYPES.get(schema.type)
    return wanted is None or (isinstance(value, wanted) and (schema.type == "boolean" or not isinstance(value, bool)))


def same(one: Schema, other: Schema) -> bool:
    """Whether the values of two schemas fit each other both ways, null left aside."""
    bare = {"nullable": None}
    own, their = (Schema({**each.keywords, **bare}) for each in (one, other))
    return alike(own, their) or (shape(own) not in CONTAINERS and fits.fits(own, their) and fits.fits(their, own))


def meets(one: Schema, other: Schema) -> bool:
    """Whether values of two schemas can be carried, of objects what both versions know of them."""
    if not shape(one) == shape(other) in CONTAINERS:
        return same(one, other)
    inner = [(paths.child(one, step), paths.child(other, step)) for step in (paths.ITEM, paths.VALUE)]
    return all(meets(own, their) for own, their in inner if own is not None and their is not None)
