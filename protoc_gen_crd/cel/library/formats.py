"""Named formats: `format.dns1123Label().validate(text)`. Source: k8s.io/apiserver pkg/cel/library/format.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import STRING, make_list_type, make_optional_type, make_undeclared_object

FORMAT = make_undeclared_object("kubernetes.NamedFormat")
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
            for row in split_by_version(
                declare_function(f"format.{name}", f"format.{name}", result=FORMAT, run=f"{_RUN}.{name}"),
                (_POINTED, f"{_RUN}.first_{name}"),
                (_QUALIFIED, f"{_RUN}.old_{name}"),
                (_COLONS, f"{_RUN}.middle_{name}"),
            )
        ),
        *split_by_version(
            declare_function(
                "format-named", "format.named", STRING, result=make_optional_type(FORMAT), run=f"{_RUN}.find_format"
            ),
            (_POINTED, f"{_RUN}.find_format_1_31"),
            (_QUALIFIED, f"{_RUN}.find_format_before_1_35"),
            (_COLONS, f"{_RUN}.find_format_1_35"),
        ),
        declare_method(
            "format-validate",
            "validate",
            FORMAT,
            STRING,
            result=make_optional_type(make_list_type(STRING)),
            run=f"{_RUN}.validate",
        ),
    ),
)
