from __future__ import annotations

import pytest

from protoc_gen_crd.proto.option_hints import find_option_hint

UNKNOWN = "unknown. Ensure that your proto definition file imports the proto which defines the option"
IMPORT = 'add `import "protoc_gen_crd/v1/options.proto";`'


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        (f'Option "(protoc_gen_crd.v1.feild)" {UNKNOWN}', 'did you mean "(protoc_gen_crd.v1.field)"?'),
        (f'Option "(protoc_gen_crd.v2.resource)" {UNKNOWN}', 'did you mean "(protoc_gen_crd.v1.resource)"?'),
        (f'Option "(resource)" {UNKNOWN}', 'did you mean "(protoc_gen_crd.v1.resource)"?'),
        (f'Option "(protoc_gen_crd.v1.field).maxium" {UNKNOWN}', 'did you mean "maximum"?'),
        (f'Option "(protoc_gen_crd.v1.field).items.maxium" {UNKNOWN}', 'did you mean "maximum"?'),
        (f'Option "(protoc_gen_crd.v1.field).validation" {UNKNOWN}', 'did you mean "rules"?'),
        (f'Option "(protoc_gen_crd.v1.field).aggregation" {UNKNOWN}', "see the marker reference"),
        (f'Option "(protoc_gen_crd.v1.field)" {UNKNOWN}', ""),
        (f'Option "protoc_gen_crd" {UNKNOWN}', "write the name in parentheses, as in (protoc_gen_crd.v1.file)"),
        (f'Option "depricated" {UNKNOWN}', 'did you mean "deprecated"?'),
        (f'Option "(google.api.field_behavior)" {UNKNOWN}', 'add `import "google/api/field_behavior.proto";`'),
        (f'Option "(theirs.own)" {UNKNOWN}', ""),
        (
            'Error while parsing option value: Message type "protoc_gen_crd.v1.Schema" has no field named "maxium"',
            'did you mean "maximum"?',
        ),
        ('Message type "theirs.Schema" has no field named "maxium"', ""),
        (
            'Option field "(protoc_gen_crd.v1.field)" is not a field or extension of message "MessageOptions"',
            "use (protoc_gen_crd.v1.message) or (protoc_gen_crd.v1.resource) here",
        ),
        ("Expected field number.", ""),
    ],
)
def test_hint(message: str, hint: str) -> None:
    assert find_option_hint(message, lambda: True) == hint


def test_a_missing_import_is_part_of_the_hint() -> None:
    assert find_option_hint(f'Option "(protoc_gen_crd.v1.field)" {UNKNOWN}', lambda: False) == IMPORT
    assert find_option_hint(f'Option "(feild)" {UNKNOWN}', lambda: False) == (
        f'did you mean "(protoc_gen_crd.v1.field)"? {IMPORT}'
    )
    assert "import" not in find_option_hint(f'Option "depricated" {UNKNOWN}', lambda: False)
