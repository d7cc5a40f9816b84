"""The section of Istio's tags, compared with the table that reads them."""

from __future__ import annotations

from docs.reference.text import code, table
from protoc_gen_crd.markers import cue_gen_tags

# Key -> an example of its value, and its meaning beyond options.proto.
_TAGS = {
    "groupName": ("acme.example", "the group"),
    "versions": ("v1,v1beta1", "all versions of the message; the first is the storage version"),
    "version": ("v1", "the version, if each version has its own message"),
    "storageVersion": ("", "the version of the message is the storage version; a name can follow"),
    "annotations": ("a.example/b=c", "of the CRD; `,` between several"),
    "labels": ("app=acme", "of the CRD; `,` between several"),
    "resource": ("plural=widgets,shortNames=wd,wg,categories=all", "also `singular`, `kind` and `listKind`"),
    "scope": ("Cluster", "`Namespaced` or `Cluster`"),
    "printerColumn": (
        'name=Size,type=string,JSONPath=.spec.size,description="How big"',
        "one column; also `format` and `priority`",
    ),
    "subresource": ("status=acme.v1.WidgetStatus", "status, with the schema of the named message"),
    "spec": ("required", "the object must have a spec"),
    "preserveUnknownFields": ("rules.[].config", "paths below the spec, `true` for all of it, `false` for none"),
    "deprecationReplacement": ("v2", "the version is deprecated; the value is its replacement"),
    "releaseChannel": ("extended", "the release channel of the kind; on a field, of the field"),
}
_INTRODUCTION = """## Istio's tags

A tag of a message is `+cue-gen:Kind:key:value`. A tag extends to the next empty line, marker, or `-->`. A message can
describe several kinds if the tags of each have a `groupName`. A tag of another kind is a finding.

"""


def section() -> str:
    """All keys with an example and the options they set. Raises KeyError where the table of tags has others."""
    if _TAGS.keys() != cue_gen_tags.KEYS.keys():
        raise KeyError(sorted(_TAGS.keys() ^ cue_gen_tags.KEYS.keys()))
    rows = []
    for key, (value, says) in _TAGS.items():
        options = [code(f"{option}") for option in cue_gen_tags.KEYS[key](value)]
        rows.append((code(f"+cue-gen:Widget:{key}{f':{value}' if value else ''}"), says, ", ".join(options)))
    return _INTRODUCTION + table(("tag", "meaning", "options of resource"), rows)
