"""Conversion of descriptors to our model. Only this package, `markers`, `plugin`, and `v1` import google.protobuf.

| module | contents |
|---|---|
| `api_set` | index of the elements of a request |
| `buf_config` | reader of the modules that a buf.yaml or buf.work.yaml declares |
| `bundled_protos` | the .proto files that can be imported without an import path |
| `comment_outline` | scanner of the comments in a .proto file, each with the statements before and after it |
| `custom_options` | decoder of custom options, with the extension declarations in the request |
| `descriptor_checks` | checks that protoc and buf perform and other tools may omit |
| `descriptor_sets` | reader of descriptor sets and buf images |
| `element_facts` | facts of files and types as plain data: numbers, types, reservations, and options |
| `element_model` | model of the protos of a request |
| `embedded_files` | descriptors that generated code embeds |
| `generate_inputs` | reader of the inputs of `generate`: files, folders, descriptor sets, and images |
| `import_paths` | import paths: the folders that the names of .proto files are relative to |
| `json_descriptor_sets` | conversion of descriptor sets and buf images from JSON to the binary form |
| `json_names` | JSON names of fields, which protoc derives from their names |
| `large_requests` | parser of large requests, without the second copy of each target |
| `module_paths` | search for the files of a request on disk. buf's names are relative to the root of a module |
| `option_hints` | hints for errors of protoc about options |
| `option_text_values` | values in the text of options |
| `proto_printer` | printer of a file as .proto source, in the order of the file |
| `protoc_compiler` | runner of the bundled protoc |
| `request` | reader of a CodeGeneratorRequest of protoc or buf, with checks of its consistency |
| `request_dump` | writer of the request dump, to a new file or over the request of an earlier run |
| `response` | reader of a CodeGeneratorResponse |
| `source_elements` | elements of a .proto file with their offsets in its text |
| `source_locations` | locations of elements and comments in SourceCodeInfo, by descriptor path |
| `source_tokens` | tokens of the text of a .proto file, and offsets of the positions in SourceCodeInfo |
| `type_hints` | hints for types that protoc reports as not defined |
| `version_files` | files of one version, made from an annotated file, without the elements of other versions |
| `wire_format` | encoding of protobuf messages as bytes, without their declarations |
"""
