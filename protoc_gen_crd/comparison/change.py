"""Changes between two APIs: what changed, what it means for objects and clients, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place

if TYPE_CHECKING:
    from protoc_gen_crd.comparison.schemas.node_pair import NodePair

MESSAGE_ITSELF = "message"  # the keyword of a change of a message, which fields with different names can share


class ChangeClass(IntEnum):
    """The meaning of a change for objects and clients, from the weakest to the strongest."""

    NONE = 0  # no effect on any request
    ADDITIVE = 1  # a new element that clients can ignore
    LOOSEN = 2  # more objects are accepted
    SEMANTIC = 3  # the same objects have another meaning
    TIGHTEN = 4  # objects are rejected that were accepted
    BREAK = 5  # an element is removed, or nearly all of its values are rejected or dropped


class Difference(Record):
    """A difference of one element: rule, changed keyword or member, plain old and new values.

    `change_class` is None for the class of the rule.
    """

    rule: str
    keyword: str
    old: Any = None
    new: Any = None
    change_class: ChangeClass | None = None


EXPLAINED = Difference("", "")  # a difference that another rule reports


class Change(Record):
    """A change of an element of a kind, in one or several versions.

    `keyword` is the changed keyword or member. `kind` is `group/Kind`.
    `path` is the field as in user documentation (`spec.ports[].name`), empty for the whole
    object or CRD. `old` and `new` are plain values, None if absent. `example` is an object that the old API accepts and
    the new one rejects or stores differently, `before` the stored object that it updates if the evidence is a
    transition, and `subresource` the one that is updated, empty for the whole object.
    `is_proven` is false if there should be such an object, but none was found; `is_rejected` is true if API
    servers reject the CRD or its update because of the change, `is_due` for a removal after the end of the deprecation
    period. `at` is the place in the new API, `old_at` the place in the old one, `nodes` the changed
    node, `other_paths` the further paths of the same message, `removed_versions` the versions of a removed kind.
    """

    rule: str
    change_class: ChangeClass
    kind: str
    path: str
    message: str
    versions: tuple[str, ...] = ()
    old: Any = None
    new: Any = None
    hint: str = ""
    at: Place | None = None
    old_at: Place | None = None
    example: Mapping[str, Any] | None = None
    before: Mapping[str, Any] | None = None
    subresource: str = ""
    is_proven: bool = True
    is_rejected: bool = False
    is_due: bool = False
    nodes: NodePair | None = None
    other_paths: tuple[str, ...] = ()
    removed_versions: tuple[str, ...] = ()
    keyword: str = ""

    @property
    def element(self) -> str:
        """The name of the element in settings, such as `acme.io/Widget.v1.spec.color`."""
        version = self.versions[0] if self.versions else ""
        return ".".join(filter(None, (self.kind, version, self.path)))
