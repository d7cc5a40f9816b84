"""Whether the Go plugin gets as far as messages: what protoc hands to it, and what it reads of every file."""

from __future__ import annotations

from protoc_gen_crd.build.istio.describe import is_fatal
from protoc_gen_crd.build.istio.refuse import Refusals
from protoc_gen_crd.build.sources import target_messages
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import ElementPlace

_SYNTAX = 12  # where protoc puts the statement `edition`


def check_files(api: ApiSet, refusals: Refusals) -> None:
    """Report what ends a run before it starts.

    protoc runs no plugin on files with features that it does not declare, which are editions and proto3's `optional`.
    Imported files may have both.
    """
    for file in api.targets():
        if file.syntax == "editions":
            refusals.add(
                "a file of an edition, which protoc gives to no plugin like it", ElementPlace(file.source, (_SYNTAX,))
            )
    for message in target_messages(api):
        for field in message.fields:
            if field.optional:
                reason = 'a proto3 field with the keyword "optional", which protoc gives to no plugin like it'
                refusals.add(reason, field.at, path=field.full_name)
    for file in (*api.targets(), *api.imports()):
        for path, comment in file.source.leading.items():
            if is_fatal(comment):
                refusals.add("a comment that ends in $class, on which it crashes", ElementPlace(file.source, path))
