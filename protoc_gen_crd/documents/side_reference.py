"""References to a side of a comparison: the values of --old.

    git:REF[:DIR]      merge-base[:REF]      latest-tag[:GLOB]      history[:RELEASE]      cluster      PATH

A path that looks like another form is written with a folder: `./history`.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record

GIT, MERGE_BASE, LATEST_TAG, HISTORY, CLUSTER, PATH = "git", "merge-base", "latest-tag", "history", "cluster", "path"
GIT_FORMS = (GIT, MERGE_BASE, LATEST_TAG)
FORMS = (*GIT_FORMS, HISTORY, CLUSTER)

_OPTIONAL_VALUE = (MERGE_BASE, LATEST_TAG, HISTORY)
_GIT_VALUE = re.compile(r"(?P<ref>(?:[^:{]|\{[^}]*\})*)(?::(?P<folder>.*))?", re.DOTALL)  # {} as in HEAD@{12:00}


class SideReference(Record):
    """A parsed reference: its form, its value (a ref, a pattern of tags, a release or a path) and the folder of git."""

    form: str
    value: str = ""
    folder: str = ""

    def __str__(self) -> str:
        if self.form == PATH:
            return self.value
        return ":".join([self.form, *filter(None, (self.value, self.folder))])


def parse_reference(string: str) -> SideReference:
    """Parse a reference. Raises ValueError for an empty one, and for a form without the ref that it requires."""
    form, colon, value = string.partition(":")
    if string == CLUSTER:
        return SideReference(CLUSTER)
    if form not in _OPTIONAL_VALUE and not (form == GIT and colon):
        if not string or "\0" in string:
            raise ValueError(string)
        return SideReference(PATH, string)
    match = _GIT_VALUE.fullmatch(value) if form == GIT else None
    ref, folder = (match["ref"], match["folder"] or "") if match else (value, "")
    if form in (GIT, MERGE_BASE) and colon and not ref:  # such as from an unset variable
        raise ValueError(string)
    return SideReference(form, ref, folder)
