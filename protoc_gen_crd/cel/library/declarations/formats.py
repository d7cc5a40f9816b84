"""Named formats: `format.dns1123Label().validate(string)`. Source: k8s.io/apiserver pkg/cel/library/format.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import STRING, make_list_type, make_optional_type, make_undeclared_object
from protoc_gen_crd.cel.version_differences import FORMAT_KEYS, LABEL_KEY_FORMAT, STRICT_COLONS

FORMAT = make_undeclared_object("kubernetes.NamedFormat")
NAMES = (
    "dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix", "dns1123SubdomainPrefix",
    "dns1035LabelPrefix", "labelValue", "uri", "uuid", "byte", "date", "datetime",
)  # fmt: skip
_RUN = "functions.formats"

LIBRARY = Library(
    "kubernetes.format",
    (
        *(
            row
            for name in NAMES
            for row in split_by_version(
                declare_function(f"format.{name}", f"format.{name}", result=FORMAT, run=f"{_RUN}.{name}"),
                (FORMAT_KEYS, f"{_RUN}.first_{name}"),
                (LABEL_KEY_FORMAT, f"{_RUN}.old_{name}"),
                (STRICT_COLONS, f"{_RUN}.middle_{name}"),
            )
        ),
        *split_by_version(
            declare_function(
                "format-named", "format.named", STRING, result=make_optional_type(FORMAT), run=f"{_RUN}.find_format"
            ),
            (FORMAT_KEYS, f"{_RUN}.find_format_1_31"),
            (LABEL_KEY_FORMAT, f"{_RUN}.find_format_before_1_35"),
            (STRICT_COLONS, f"{_RUN}.find_format_1_35"),
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
