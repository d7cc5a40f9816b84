"""Import of CRDs of any origin: a Crd becomes an annotated .proto file, and what differs is reported.

| module | contents |
|---|---|
| `crd_import` | import with its proof: generated CRDs equal the imported ones |
| `crd_places` | places of the members of imported CRDs |
| `crd_selection` | the CRDs that can be imported, and findings about the others |
| `description_comments` | comments for descriptions |
| `identifiers` | identifiers of fields, messages and packages |
| `keyword_options` | values of schema options for keywords |
| `proto_declarations` | messages, fields and enums of a .proto file |
| `proto_files` | declarations of the .proto files of CRDs |
| `proto_types` | proto types for schemas |
| `proto_writer` | the text of .proto files |
| `resource_merge` | options of a resource for several versions |
| `resource_options` | options of resources |
| `schema_importer` | messages and fields for schemas |
| `shared_types` | messages that several kinds of a package share |
| `structure_keys` | keys of equal structures |
| `version_merge` | one message for similar versions of a kind |
| `version_runs` | ranges of versions in which values are equal |
"""
