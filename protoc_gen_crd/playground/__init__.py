"""The verdicts of the commands `cel` and `explore` on single expressions, manifests and objects.

| module | contents |
|---|---|
| `http_server` | the local HTTP server |
| `inferred_schemas` | the schema of a value without a CRD |
| `live_site` | the pages and the playground of a run, which are reloaded when a file changes |
| `playground_verdicts` | the verdicts on a manifest, a rule and a conversion, as plain data |
| `rule_run` | a CEL rule on values: type, result, estimated and actual cost, for each Kubernetes version |
| `rule_run_output` | the results of a rule as findings, text, and plain data |
| `rule_subjects` | the schema and the values that a rule is evaluated on |
| `schema_paths` | the node of a schema at a path, and the values of an object there |
| `value_literals` | values of CEL as literals |
| `violations` | the parts of a finding of a manifest: the field and the violated constraint |

The evaluators are those of `admission`, `cel` and `conversion`. This package prints nothing.
"""
