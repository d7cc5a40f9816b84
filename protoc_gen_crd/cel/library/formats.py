"""Named formats: `format.dns1123Label().validate(text)`. Source: k8s.io/apiserver pkg/cel/library/format.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import STRING, foreign, list_of, optional

FORMAT = foreign("kubernetes.NamedFormat")
NAMES = (
    "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix",
    "dns1035LabelPrefix", "labelValue", "uri", "uuid", "byte", "date", "datetime",
)  # fmt: skip

LIBRARY = Library(
    "kubernetes.format",
    (
        *(function(f"format.{name}", f"format.{name}", result=FORMAT) for name in NAMES),
        function("format-named", "format.named", STRING, result=optional(FORMAT)),
        method("format-validate", "validate", FORMAT, STRING, result=optional(list_of(STRING))),
    ),
)
