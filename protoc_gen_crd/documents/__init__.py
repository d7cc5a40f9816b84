"""Manifests, CRDs, and test documents loaded from files, with locations.

| module | contents |
|---|---|
| `crd_definitions` | CRDs of a run and their verdicts on objects, for a range of Kubernetes versions |
| `document_reader` | reader of the objects in YAML and JSON streams, including items of lists |
| `document_files` | search for files in the paths of a command: documents, and inputs of the generator |
| `document_rewriter` | in-place rewriting of objects in YAML and JSON files |
| `expectation_keys` | expectation keys of test documents |
| `flow_style` | JSON objects and YAML flow mappings |
| `input_documents` | documents and CRDs of the files of a run |
| `crd_text_cache` | the CRDs of one side by the text of their documents, which the other side does not read again |
| `manifest_input` | reader of manifests that callers of the library pass |
| `old_state` | the old state: CRDs and objects in the paths of --old, which documents update |
| `document_places` | reader of the places of a document that were not kept |
| `stream_output` | writer of files of documents as one stream of documents |
| `api_side` | a side of a comparison: the CRDs and documents of files, with their places |
| `git_repository` | a git repository, read with the git command: refs, merge bases, tags and trees |
| `git_tree` | the inputs in a commit, copied to a folder: .proto files, descriptor sets, documents and settings |
| `side_reference` | references to a side of a comparison: the values of --old |
| `side_settings` | settings for a side of a comparison that is a commit: those of its settings file, with the flags |
| `foreign_files` | detection of YAML and JSON files of other programs, such as the values |
| `unknown_kinds` | classification of documents of kinds without a CRD: misspelled, built-in, or of other APIs |
"""
