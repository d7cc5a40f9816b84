"""Tables of vocabularies against the vocabularies' own declarations, and against the cases that show their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.markers.vocabularies.validate_rules import RULES, get_message_name
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Row
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.support.plugin import INCLUDE
from tests.support.vocabulary_cases import Case, cases, files

# Vocabulary -> its files below testdata/include, and the package of its messages.
VOCABULARIES = {
    "buf_validate": ("buf.validate", ["buf/validate/validate.proto"]),
    "google_api": ("google.api", [f"google/api/{name}.proto" for name in ("field_behavior", "field_info", "resource")]),
    "openapiv2": (
        "grpc.gateway.protoc_gen_openapiv2.options",
        [f"protoc-gen-openapiv2/options/{name}.proto" for name in ("annotations", "openapiv2")],
    ),
    "pgv": ("validate", ["validate/validate.proto"]),
    "yandex": ("protoc_gen_crd", ["library/go/k8s/protoc_gen_crd/proto/crd.proto"]),
}
# Enums that are vocabularies of their own: their values have rows.
ENUMS = ("FieldBehavior", "FieldInfo.Format", "SchemaSide")
# Fields that older versions had.
OLDER = {
    "buf_validate FieldRules.ignore_empty",
    "buf_validate FieldRules.skipped",
    "buf_validate MessageRules.disabled",
}
# Options that are not supported, with the reason.
NO_READER = {
    "buf.validate.predefined": "declares rules, on fields of rules; using one is a finding",
    "google.api.resource_definition": "on files, of resources without a message",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_operation": "on methods",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_swagger": "about an API of HTTP as a whole",
    "grpc.gateway.protoc_gen_openapiv2.options.openapiv2_tag": "on services",
}
# Rows without a case of their own, with the reason.
NO_CASE = {
    "buf_validate PredefinedRules.cel": "is shown in testdata/generate/vocabularies-untranslated",
    **{f"buf_validate {name}": "as in older versions" for name in ("FieldRules.ignore_empty", "FieldRules.skipped")},
    "buf_validate MessageRules.disabled": "as in older versions",
    **{f"buf_validate Rule.{name}": "is shown with FieldRules.cel" for name in ("id", "message", "expression")},
    "google_api TypeReference.type_name": "is shown with FieldInfo.referenced_types",
    **{f"openapiv2 JSONSchema.FieldConfiguration.{name}": "as a whole" for name in ("path_param_name", "deprecated")},
    **{f"yandex K8sPatchSelector.{name}": "as a whole" for name in ("protobuf_type", "field_path", "k8s_patch")},
    **{
        f"yandex PrinterColumn.{name}": "is shown with K8sCRD.additional_columns"
        for name in ("name", "type", "format", "description", "json_path", "priority")
    },
}
# Rows that are supported but reject no document, such as documentation. Their tables state the reason.
REJECTS_NOTHING = {
    *(f"buf_validate {name}.example" for name in map(get_message_name, RULES)),
    *(f"google_api FieldBehavior.{name}" for name in ("FIELD_BEHAVIOR_UNSPECIFIED", "OPTIONAL", "UNORDERED_LIST")),
    *(f"google_api FieldInfo.{name}" for name in ("referenced_types", "Format.FORMAT_UNSPECIFIED")),
    *(f"google_api ResourceDescriptor.{name}" for name in ("history", "style")),
    *(
        f"openapiv2 JSONSchema.{name}"
        for name in ("title", "description", "default", "example", "read_only", "field_configuration")
    ),
    *(f"openapiv2 {name}.external_docs" for name in ("Schema", "EnumSchema")),
    *(f"openapiv2 {name}.description" for name in ("EnumSchema", "ExternalDocumentation")),
    "openapiv2 ExternalDocumentation.url",
    *(f"pgv {name}" for name in ("FieldRules.message", "MessageRules.skip", "MapRules.no_sparse")),
    "yandex SchemaSide.SS_COMMON",
}


@cache
def declared(vocabulary: str) -> tuple[dict[str, set[str]], set[str]]:
    """The fields of each message, and values of some enums, as declared; the names of the options."""
    package, names = VOCABULARIES[vocabulary]
    request = compile_files({name: str(INCLUDE / name) for name in names}, [str(INCLUDE)], Problems())
    members: dict[str, set[str]] = {}
    options: set[str] = set()
    for file in request.proto_file:
        if file.name in names:
            members |= dict(_members(file, ""))
            options |= {f"{package}.{extension.name}" for extension in file.extension}
    return members, options


def _members(scope: Any, prefix: str) -> Iterator[tuple[str, set[str]]]:
    for message in scope.nested_type if hasattr(scope, "nested_type") else scope.message_type:
        if not message.options.map_entry:
            yield f"{prefix}{message.name}", {field.name for field in message.field}
            yield from _members(message, f"{prefix}{message.name}.")
    for enum in scope.enum_type:
        if f"{prefix}{enum.name}" in ENUMS:
            yield f"{prefix}{enum.name}", {value.name for value in enum.value}


def tables(vocabulary: str) -> Mapping[str, Mapping[str, Row]]:
    table: Mapping[str, Mapping[str, Row]] = import_module(f"protoc_gen_crd.markers.vocabularies.{vocabulary}").TABLE
    return table


def rows(vocabulary: str) -> dict[str, Row]:
    """Return the rows of a vocabulary: the rules of values are one table for two of them."""
    fields = declared(vocabulary)[0]
    return {
        f"{vocabulary} {message}.{name}": row
        for message, rows in tables(vocabulary).items()
        for name, row in rows.items()
        if name in fields.get(message, ()) or f"{vocabulary} {message}.{name}" in OLDER
    }


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_field_has_a_row(vocabulary: str) -> None:
    module = import_module(f"protoc_gen_crd.markers.vocabularies.{vocabulary}")
    not_read = getattr(module, "NOT_READ", ())
    missing = [
        f"{message}.{name}"
        for message, names in declared(vocabulary)[0].items()
        for name in sorted(names - set(tables(vocabulary).get(message, ())))
        if message.partition(".")[0] not in not_read
    ]
    assert missing == []


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_row_is_of_a_field(vocabulary: str) -> None:
    fields = {
        name: set().union(*(declared(vocabulary)[0].get(name, set()) for vocabulary in ("buf_validate", "pgv")))
        | {"ignore_empty"}
        for name in map(get_message_name, RULES)
    } | {name: names for name, names in declared(vocabulary)[0].items() if name not in map(get_message_name, RULES)}
    unknown = [
        f"{vocabulary} {message}.{name}"
        for message, rows in tables(vocabulary).items()
        for name in rows
        if name not in fields.get(message, ()) and not (name == "required" and message in map(get_message_name, RULES))
    ]
    assert set(unknown) - {"pgv FieldRules.field_mask"} == (OLDER if vocabulary == "buf_validate" else set())


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_option_is_read(vocabulary: str) -> None:
    options = declared(vocabulary)[1]
    assert options - set(READERS) == options & set(NO_READER)
    assert {name for name, module in READERS.items() if module == vocabulary} <= options


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_row_has_a_case(vocabulary: str) -> None:
    """Check that enforced rows have accepted and rejected documents, and that rejected rows have a finding."""
    missing = []
    for name, row in rows(vocabulary).items():
        vocabulary_cases = cases_of(name)
        if name in NO_CASE or (name.rpartition(".")[2] in RULES and ".FieldRules." in f".{name.partition(' ')[2]}"):
            continue
        if row.unsupported:
            has_findings = any(case.finds for case in vocabulary_cases)
        elif name in REJECTS_NOTHING:
            has_findings = any(case.good or case.finds for case in vocabulary_cases)
        else:
            has_findings = any(case.good for case in vocabulary_cases) and any(
                case.bad or case.updates for case in vocabulary_cases
            )
        if not has_findings:
            missing.append(name)
    assert missing == []


def test_exceptions_are_rows_that_reject_nothing() -> None:
    known = {name for vocabulary in VOCABULARIES for name in rows(vocabulary)}
    examples = {name for name in REJECTS_NOTHING if name.endswith(".example")}  # some kinds have none
    rejecting = [name for name in REJECTS_NOTHING & known if any(case.bad or case.updates for case in cases_of(name))]
    assert (REJECTS_NOTHING - known - examples, rejecting) == (set(), [])


def cases_of(name: str) -> list[Case]:
    """The cases of a row; rules of values are named after their kind."""
    kinds = {get_message_name(kind): kind for kind in RULES}
    message, _, field = name.partition(" ")[2].rpartition(".")
    names = {f"{message}.{field}", f"{message.rpartition('.')[2]}.{field}", f"{kinds.get(message)}.{field}"}
    return [case for case in cases(name.partition(" ")[0]) if case.row in names]


def test_every_vocabulary_has_cases() -> None:
    assert set(files()) == set(VOCABULARIES) == set(READERS.values())
