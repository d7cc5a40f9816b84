"""Conversion of options of other annotation vocabularies to markers.

| module | contents |
|---|---|
| `buf_validate` | reader of protovalidate's options, `buf.validate` |
| `cel_translation` | translation of protovalidate's CEL to CEL of API servers |
| `enum_translation` | translation of enums in expressions of protovalidate, where they are numbers |
| `field_shapes` | shapes and presence of fields, for the rules of other vocabularies |
| `google_api` | reader of google.api's options of fields and messages: behavior, formats, resources |
| `ignored_options` | options of other vocabularies that the settings ignore |
| `immutable_fields` | check of immutable fields of other vocabularies whose old value API servers cannot determine |
| `message_expressions` | conversion of expressions that return a message, empty for valid values |
| `number_rules` | rows of numbers, booleans, enums |
| `openapiv2` | reader of grpc-gateway's options for OpenAPI v2, `grpc.gateway.protoc_gen_openapiv2.options` |
| `option_reader` | reader of the options of other vocabularies on an element |
| `partial_messages` | reduction of rules of other vocabularies in versions that omit some of their fields |
| `pgv` | reader of protoc-gen-validate's options, `validate` |
| `registry` | registry of the readers of other vocabularies, which convert options to markers |
| `string_rules` | rows of strings in the rules of protovalidate and protoc-gen-validate |
| `time_rules` | rows of google.protobuf's Duration, Timestamp, FieldMask |
| `translated_rule_check` | checks of translated rules |
| `unsupported_options` | options of other vocabularies that should affect a CRD but are not supported |
| `validate_rules` | reader of the rules that protovalidate and its predecessor protoc-gen-validate share |
| `vocabulary_rows` | rows of vocabularies |
| `yandex` | reader of the options of Yandex' protoc-gen-crd, package `protoc_gen_crd`, for migration |
"""
