"""The linter: conventions of Kubernetes and of organizations for one state of an API.

| module | contents |
|---|---|
| `all_rules` | all rules of the linter by id |
| `bounds` | rules about missing bounds of sizes |
| `cel_rules` | rules about CEL rules: optional fields that are not tested, and tests that are always true |
| `channels` | rules about release channels |
| `comment_constraints` | rules that compare the constraints that a description states with those of the schema |
| `comment_defaults` | rules that compare the default that a description states with that of the schema |
| `comments` | rules about comments and descriptions |
| `enums` | rules about enums |
| `field_types` | rules about types of fields that cannot grow or that clients read differently |
| `lint_rule` | rules of the linter: the declaration of a rule, and the issue that its check returns |
| `linter` | the linter: it applies the rules to the elements of an API |
| `lists` | rules about lists and their merge by server-side apply |
| `name_words` | words of names: units, prepositions, reserved words, plurals |
| `naming` | rules about names of messages, fields and other elements |
| `packages` | rules about files, folders, packages, imports and services |
| `proto_elements` | the elements of protos that rules check |
| `schema_elements` | the elements of CRDs that rules check |
| `status_and_conditions` | rules about status, its subresource and conditions, and about required fields |
| `unions` | rules about unions |
"""
