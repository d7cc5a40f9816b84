from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Target(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TARGET_UNSPECIFIED: _ClassVar[Target]
    FIELD: _ClassVar[Target]
    MESSAGE: _ClassVar[Target]
    ENUM: _ClassVar[Target]

class Shape(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHAPE_UNSPECIFIED: _ClassVar[Shape]
    SPEC: _ClassVar[Shape]
    OBJECT: _ClassVar[Shape]
TARGET_UNSPECIFIED: Target
FIELD: Target
MESSAGE: Target
ENUM: Target
SHAPE_UNSPECIFIED: Shape
SPEC: Shape
OBJECT: Shape
FILE_FIELD_NUMBER: _ClassVar[int]
file: _descriptor.FieldDescriptor
MESSAGE_FIELD_NUMBER: _ClassVar[int]
message: _descriptor.FieldDescriptor
RESOURCE_FIELD_NUMBER: _ClassVar[int]
resource: _descriptor.FieldDescriptor
FIELD_FIELD_NUMBER: _ClassVar[int]
field: _descriptor.FieldDescriptor
MARKER_FIELD_NUMBER: _ClassVar[int]
marker: _descriptor.FieldDescriptor
ENUM_FIELD_NUMBER: _ClassVar[int]
enum: _descriptor.FieldDescriptor
ENUM_VALUE_FIELD_NUMBER: _ClassVar[int]
enum_value: _descriptor.FieldDescriptor
ONEOF_FIELD_NUMBER: _ClassVar[int]
oneof: _descriptor.FieldDescriptor

class Marker(_message.Message):
    __slots__ = ("keyword", "targets", "types", "order", "json", "values")
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    keyword: str
    targets: _containers.RepeatedScalarFieldContainer[Target]
    types: _containers.RepeatedScalarFieldContainer[str]
    order: int
    json: bool
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, keyword: _Optional[str] = ..., targets: _Optional[_Iterable[_Union[Target, str]]] = ..., types: _Optional[_Iterable[str]] = ..., order: _Optional[int] = ..., json: bool = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class Schema(_message.Message):
    __slots__ = ("maximum", "minimum", "exclusive_maximum", "exclusive_minimum", "multiple_of", "max_length", "min_length", "pattern", "max_items", "min_items", "unique_items", "max_properties", "min_properties", "enum", "format", "type", "title", "description", "nullable", "default", "example", "external_docs", "preserve_unknown_fields", "embedded_resource", "list_type", "list_map_keys", "map_type", "int_or_string", "int_or_string_flag", "rules", "at_most_one_of", "exactly_one_of", "at_least_one_of", "immutable", "required", "opaque", "schemaless", "alt_name", "ignore_rules", "no_duration_rule", "items", "values")
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    EXCLUSIVE_MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    EXCLUSIVE_MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MULTIPLE_OF_FIELD_NUMBER: _ClassVar[int]
    MAX_LENGTH_FIELD_NUMBER: _ClassVar[int]
    MIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    MIN_ITEMS_FIELD_NUMBER: _ClassVar[int]
    UNIQUE_ITEMS_FIELD_NUMBER: _ClassVar[int]
    MAX_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    MIN_PROPERTIES_FIELD_NUMBER: _ClassVar[int]
    ENUM_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    NULLABLE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_DOCS_FIELD_NUMBER: _ClassVar[int]
    PRESERVE_UNKNOWN_FIELDS_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_RESOURCE_FIELD_NUMBER: _ClassVar[int]
    LIST_TYPE_FIELD_NUMBER: _ClassVar[int]
    LIST_MAP_KEYS_FIELD_NUMBER: _ClassVar[int]
    MAP_TYPE_FIELD_NUMBER: _ClassVar[int]
    INT_OR_STRING_FIELD_NUMBER: _ClassVar[int]
    INT_OR_STRING_FLAG_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    AT_MOST_ONE_OF_FIELD_NUMBER: _ClassVar[int]
    EXACTLY_ONE_OF_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_ONE_OF_FIELD_NUMBER: _ClassVar[int]
    IMMUTABLE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    OPAQUE_FIELD_NUMBER: _ClassVar[int]
    SCHEMALESS_FIELD_NUMBER: _ClassVar[int]
    ALT_NAME_FIELD_NUMBER: _ClassVar[int]
    IGNORE_RULES_FIELD_NUMBER: _ClassVar[int]
    NO_DURATION_RULE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    maximum: float
    minimum: float
    exclusive_maximum: bool
    exclusive_minimum: bool
    multiple_of: float
    max_length: int
    min_length: int
    pattern: str
    max_items: int
    min_items: int
    unique_items: bool
    max_properties: int
    min_properties: int
    enum: _containers.RepeatedScalarFieldContainer[str]
    format: str
    type: str
    title: str
    description: str
    nullable: bool
    default: str
    example: str
    external_docs: ExternalDocs
    preserve_unknown_fields: bool
    embedded_resource: bool
    list_type: str
    list_map_keys: _containers.RepeatedScalarFieldContainer[str]
    map_type: str
    int_or_string: bool
    int_or_string_flag: bool
    rules: _containers.RepeatedCompositeFieldContainer[Rule]
    at_most_one_of: _containers.RepeatedCompositeFieldContainer[FieldSet]
    exactly_one_of: _containers.RepeatedCompositeFieldContainer[FieldSet]
    at_least_one_of: _containers.RepeatedCompositeFieldContainer[FieldSet]
    immutable: bool
    required: bool
    opaque: bool
    schemaless: bool
    alt_name: str
    ignore_rules: _containers.RepeatedScalarFieldContainer[str]
    no_duration_rule: bool
    items: Schema
    values: Schema
    def __init__(self, maximum: _Optional[float] = ..., minimum: _Optional[float] = ..., exclusive_maximum: bool = ..., exclusive_minimum: bool = ..., multiple_of: _Optional[float] = ..., max_length: _Optional[int] = ..., min_length: _Optional[int] = ..., pattern: _Optional[str] = ..., max_items: _Optional[int] = ..., min_items: _Optional[int] = ..., unique_items: bool = ..., max_properties: _Optional[int] = ..., min_properties: _Optional[int] = ..., enum: _Optional[_Iterable[str]] = ..., format: _Optional[str] = ..., type: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., nullable: bool = ..., default: _Optional[str] = ..., example: _Optional[str] = ..., external_docs: _Optional[_Union[ExternalDocs, _Mapping]] = ..., preserve_unknown_fields: bool = ..., embedded_resource: bool = ..., list_type: _Optional[str] = ..., list_map_keys: _Optional[_Iterable[str]] = ..., map_type: _Optional[str] = ..., int_or_string: bool = ..., int_or_string_flag: bool = ..., rules: _Optional[_Iterable[_Union[Rule, _Mapping]]] = ..., at_most_one_of: _Optional[_Iterable[_Union[FieldSet, _Mapping]]] = ..., exactly_one_of: _Optional[_Iterable[_Union[FieldSet, _Mapping]]] = ..., at_least_one_of: _Optional[_Iterable[_Union[FieldSet, _Mapping]]] = ..., immutable: bool = ..., required: bool = ..., opaque: bool = ..., schemaless: bool = ..., alt_name: _Optional[str] = ..., ignore_rules: _Optional[_Iterable[str]] = ..., no_duration_rule: bool = ..., items: _Optional[_Union[Schema, _Mapping]] = ..., values: _Optional[_Union[Schema, _Mapping]] = ...) -> None: ...

class Rule(_message.Message):
    __slots__ = ("rule", "message", "message_expression", "reason", "field_path", "optional_old_self")
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_EXPRESSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    FIELD_PATH_FIELD_NUMBER: _ClassVar[int]
    OPTIONAL_OLD_SELF_FIELD_NUMBER: _ClassVar[int]
    rule: str
    message: str
    message_expression: str
    reason: str
    field_path: str
    optional_old_self: bool
    def __init__(self, rule: _Optional[str] = ..., message: _Optional[str] = ..., message_expression: _Optional[str] = ..., reason: _Optional[str] = ..., field_path: _Optional[str] = ..., optional_old_self: bool = ...) -> None: ...

class FieldSet(_message.Message):
    __slots__ = ("fields",)
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, fields: _Optional[_Iterable[str]] = ...) -> None: ...

class ExternalDocs(_message.Message):
    __slots__ = ("url", "description")
    URL_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    url: str
    description: str
    def __init__(self, url: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class EnumValue(_message.Message):
    __slots__ = ("hidden",)
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    hidden: bool
    def __init__(self, hidden: bool = ...) -> None: ...

class Oneof(_message.Message):
    __slots__ = ("required",)
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    required: bool
    def __init__(self, required: bool = ...) -> None: ...

class Package(_message.Message):
    __slots__ = ("group", "version", "fields_required", "skip")
    GROUP_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    FIELDS_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    SKIP_FIELD_NUMBER: _ClassVar[int]
    group: str
    version: str
    fields_required: bool
    skip: bool
    def __init__(self, group: _Optional[str] = ..., version: _Optional[str] = ..., fields_required: bool = ..., skip: bool = ...) -> None: ...

class Resource(_message.Message):
    __slots__ = ("group", "kind", "versions", "storage_version", "plural", "singular", "list_kind", "short_names", "categories", "scope", "shape", "spec_required", "status", "status_subresource", "scale", "columns", "selectable_fields", "labels", "annotations", "unserved_versions", "deprecated_versions", "preserve_unknown_fields", "skip")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class AnnotationsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GROUP_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    STORAGE_VERSION_FIELD_NUMBER: _ClassVar[int]
    PLURAL_FIELD_NUMBER: _ClassVar[int]
    SINGULAR_FIELD_NUMBER: _ClassVar[int]
    LIST_KIND_FIELD_NUMBER: _ClassVar[int]
    SHORT_NAMES_FIELD_NUMBER: _ClassVar[int]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    SPEC_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    STATUS_SUBRESOURCE_FIELD_NUMBER: _ClassVar[int]
    SCALE_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    SELECTABLE_FIELDS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    ANNOTATIONS_FIELD_NUMBER: _ClassVar[int]
    UNSERVED_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    DEPRECATED_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    PRESERVE_UNKNOWN_FIELDS_FIELD_NUMBER: _ClassVar[int]
    SKIP_FIELD_NUMBER: _ClassVar[int]
    group: str
    kind: str
    versions: _containers.RepeatedScalarFieldContainer[str]
    storage_version: str
    plural: str
    singular: str
    list_kind: str
    short_names: _containers.RepeatedScalarFieldContainer[str]
    categories: _containers.RepeatedScalarFieldContainer[str]
    scope: str
    shape: Shape
    spec_required: bool
    status: str
    status_subresource: bool
    scale: Scale
    columns: _containers.RepeatedCompositeFieldContainer[PrinterColumn]
    selectable_fields: _containers.RepeatedScalarFieldContainer[str]
    labels: _containers.ScalarMap[str, str]
    annotations: _containers.ScalarMap[str, str]
    unserved_versions: _containers.RepeatedScalarFieldContainer[str]
    deprecated_versions: _containers.RepeatedCompositeFieldContainer[Deprecation]
    preserve_unknown_fields: _containers.RepeatedScalarFieldContainer[str]
    skip: bool
    def __init__(self, group: _Optional[str] = ..., kind: _Optional[str] = ..., versions: _Optional[_Iterable[str]] = ..., storage_version: _Optional[str] = ..., plural: _Optional[str] = ..., singular: _Optional[str] = ..., list_kind: _Optional[str] = ..., short_names: _Optional[_Iterable[str]] = ..., categories: _Optional[_Iterable[str]] = ..., scope: _Optional[str] = ..., shape: _Optional[_Union[Shape, str]] = ..., spec_required: bool = ..., status: _Optional[str] = ..., status_subresource: bool = ..., scale: _Optional[_Union[Scale, _Mapping]] = ..., columns: _Optional[_Iterable[_Union[PrinterColumn, _Mapping]]] = ..., selectable_fields: _Optional[_Iterable[str]] = ..., labels: _Optional[_Mapping[str, str]] = ..., annotations: _Optional[_Mapping[str, str]] = ..., unserved_versions: _Optional[_Iterable[str]] = ..., deprecated_versions: _Optional[_Iterable[_Union[Deprecation, _Mapping]]] = ..., preserve_unknown_fields: _Optional[_Iterable[str]] = ..., skip: bool = ...) -> None: ...

class Scale(_message.Message):
    __slots__ = ("spec_replicas_path", "status_replicas_path", "label_selector_path")
    SPEC_REPLICAS_PATH_FIELD_NUMBER: _ClassVar[int]
    STATUS_REPLICAS_PATH_FIELD_NUMBER: _ClassVar[int]
    LABEL_SELECTOR_PATH_FIELD_NUMBER: _ClassVar[int]
    spec_replicas_path: str
    status_replicas_path: str
    label_selector_path: str
    def __init__(self, spec_replicas_path: _Optional[str] = ..., status_replicas_path: _Optional[str] = ..., label_selector_path: _Optional[str] = ...) -> None: ...

class PrinterColumn(_message.Message):
    __slots__ = ("name", "type", "json_path", "description", "format", "priority")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    JSON_PATH_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: str
    json_path: str
    description: str
    format: str
    priority: int
    def __init__(self, name: _Optional[str] = ..., type: _Optional[str] = ..., json_path: _Optional[str] = ..., description: _Optional[str] = ..., format: _Optional[str] = ..., priority: _Optional[int] = ...) -> None: ...

class Deprecation(_message.Message):
    __slots__ = ("version", "warning", "replacement")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WARNING_FIELD_NUMBER: _ClassVar[int]
    REPLACEMENT_FIELD_NUMBER: _ClassVar[int]
    version: str
    warning: str
    replacement: str
    def __init__(self, version: _Optional[str] = ..., warning: _Optional[str] = ..., replacement: _Optional[str] = ...) -> None: ...
