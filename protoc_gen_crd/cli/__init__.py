"""The command line: `main` finds the command, each command is a file. The only place that prints and parses flags.

| module | contents |
|---|---|
| `argument_parser` | the argument parser of all commands |
| `cel` | `cel EXPRESSION --on FILE`: value, type and cost of a CEL rule on an object |
| `changes` | `changes [PATH...] --old OLD` |
| `cluster_side` | the CRDs of a cluster as the old side of a comparison |
| `commit_side` | the API of a commit as the old side of a comparison |
| `completion` | `completion SHELL`: the shell code that completes commands, options and paths |
| `convert` | `convert PATHS --to VERSION`: converted objects, and `--prove` |
| `corpus` | `corpus PATHS`: write test documents as seeds for a fuzzer |
| `cost` | `cost PATHS`: estimated cost of CEL rules |
| `cost_output` | costs of rules as text for people and as JSON for programs |
| `docs` | `docs PATHS`: the API reference as Markdown or HTML |
| `documented_api` | the API that `docs` and `explore` show, from files that are read once |
| `explain` | `explain NAME`: documentation of a finding, a marker, or a field of a kind |
| `explore` | `explore PATHS`: the API explorer with a playground, on a local server |
| `findings_output` | output of findings: to standard error for people, to standard output for programs |
| `flags_from_options` | command-line flags from the table of options, and the settings of a command |
| `fuzz` | `fuzz PATHS --against VALIDATOR`: documents with different verdicts |
| `generate` | `generate PATHS`: write the CRDs of .proto files to a folder, with the bundled protoc |
| `help_examples` | examples at the end of each command's help |
| `help_groups` | groups of options in the help of a command |
| `history` | `history ACTION`: record releases and report what changed |
| `import` | `import PATHS`: .proto files from CRDs |
| `include` | `include`: .proto files that APIs import, for protoc and buf |
| `init` | `init`: the first files of a project |
| `kubernetes_protos` | Kubernetes' .proto files from the Go module proxy, verified with the checksum database |
| `lint` | `lint PATHS`: elements that violate conventions; with --old, only new and changed ones |
| `main` | the command line: the commands and what they have in common |
| `manifests` | `manifests PATHS`: manifests that run the conversion and admission webhook in a cluster |
| `migrate` | `migrate CRD...`: migrate stored objects to the storage version |
| `migration_state_file` | the file with the progress of migrations |
| `missing_inputs` | findings for paths in the settings file that do not exist |
| `old_side` | the old side of a command, from --old: a commit, a recorded release, a cluster, or files |
| `output_comparison` | comparison with an output folder: changed, outdated, and stale files |
| `output_copies` | copies of generated CRDs in the output folder: files that `generate` neither wrote nor updates |
| `output_delivery` | delivery of generated files to the output folder |
| `output_folder` | the output folder |
| `output_manifest` | the manifest of an output folder: the generated files and their digests |
| `patch` | `patch PATHS`: set spec.conversion of installed CRDs, or print the commands that do |
| `progress_line` | progress display on one line of a terminal |
| `project_plan_output` | the project that `init` plans for the working folder, and the lines to print about it |
| `release_comparison` | the CRDs of recorded releases, and the verdicts on the changes between them |
| `release_date` | the flag --date: the date of a release |
| `replay` | `--request FILE`: run the plugin on a saved request, without protoc |
| `samples` | `samples PATHS`: valid minimal and full samples of each kind and version |
| `schemas` | `schemas PATHS`: a JSON Schema of each kind and version, for editors |
| `serve` | `serve PATHS`: the conversion and admission webhook, over TLS |
| `source_transaction` | writing of edited sources |
| `terminal` | whether standard error shows color and progress |
| `usage_error` | the error for wrong usage and an unusable environment |
| `validate` | `validate PATHS`: verdicts on documents and CRDs |
| `version` | `version ACTION` |
"""
