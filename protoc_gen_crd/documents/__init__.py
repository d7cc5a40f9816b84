"""Manifests, CRDs, and test documents loaded from files, with locations.

| module | contents |
|---|---|
| `api_side` | a side of a comparison: the CRDs and documents of files, with their places |
| `crd_definitions` | CRDs of a run and their verdicts on objects, for a range of Kubernetes versions |
| `crd_text_cache` | the CRDs of one side by the text of their documents, which the other side does not read again |
| `document_files` | search for files in the paths of a command: documents, and inputs of the generator |
| `document_places` | reader of the places of a document that were not kept |
| `document_reader` | reader of the objects in YAML and JSON streams, including items of lists |
| `document_rewriter` | in-place rewriting of objects in YAML and JSON files |
| `expectation_keys` | expectation keys of test documents |
| `flow_style` | JSON objects and YAML flow mappings |
| `foreign_files` | detection of YAML and JSON files of other programs, such as the values |
| `git_repository` | a git repository, read with the git command: refs, merge bases, tags and trees |
| `git_tree` | the inputs in a commit, copied to a folder: .proto files, descriptor sets, documents and settings |
| `input_documents` | documents and CRDs of the files of a run |
| `kind_messages` | messages, hints, and findings about the kind, group, or version of a document |
| `known_kinds` | groups and kinds that a run knows: those of its CRDs, built-in ones, and others |
| `malformed_objects` | errors of documents whose apiVersion, kind, or items kubectl cannot decode |
| `manifest_input` | reader of manifests that callers of the library pass |
| `misspelled_crds` | errors of documents that are intended as CRDs, but have another kind or group, or no apiVersion |
| `old_object_key` | the old object of a test document, its key `_old` |
| `old_state` | the old state: CRDs and objects in the paths of --old, which documents update |
| `side_reference` | references to a side of a comparison: the values of --old |
| `side_settings` | settings for a side of a comparison that is a commit: those of its settings file, with the flags |
| `stream_output` | writer of files of documents as one stream of documents |
| `unknown_field_hints` | hints for unknown fields of objects: the nearest field of the schema |
| `unknown_kinds` | classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs |
| `unquoted_strings` | report strings in the schemas of a CRD that YAML reads as booleans or numbers |
"""
