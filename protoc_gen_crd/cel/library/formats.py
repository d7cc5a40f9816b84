"""Named formats: `format.dns1123Label().validate(text)`. Source: k8s.io/apiserver pkg/cel/library/format.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, by_version, function, method
from protoc_gen_crd.cel.types import STRING, foreign, list_of, optional

FORMAT = foreign("kubernetes.NamedFormat")
NAMES = (
    "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix",
    "dns1035LabelPrefix", "labelValue", "uri", "uuid", "byte", "date", "datetime",
)  # fmt: skip
_RUN = "functions.formats"
_POINTED = 31  # servers: up to there, a format can be the key of a map
_QUALIFIED = 34  # servers: up to there, a label key is a qualified name
_COLONS = 35  # servers: up to there, hosts of http may have several colons

LIBRARY = Library(
    "kubernetes.format",
    (
        *(
            row
            for name in NAMES
            for row in by_version(
                function(f"format.{name}", f"format.{name}", result=FORMAT, run=f"{_RUN}.{name}"),
                (_POINTED, f"{_RUN}.first_{name}"),
                (_QUALIFIED, f"{_RUN}.old_{name}"),
                (_COLONS, f"{_RUN}.middle_{name}"),
            )
        ),
        *by_version(
            function("format-named", "format.named", STRING, result=optional(FORMAT), run=f"{_RUN}.named"),
            (_POINTED, f"{_RUN}.first_named"),
            (_QUALIFIED, f"{_RUN}.old_named"),
            (_COLONS, f"{_RUN}.middle_named"),
        ),
        method("format-validate", "validate", FORMAT, STRING, result=optional(list_of(STRING)), run=f"{_RUN}.validate"),
    ),
)
