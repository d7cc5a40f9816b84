"""Generation with compat=istio: the output of Istio's Go plugin, byte for byte, including its defects.

| module | contents |
|---|---|
| `failure_reporter` | reporter of failures of the Go plugin, and the check for files that it cannot read |
| `istio_crds` | builder of CRDs from +cue-gen tags, as the Go plugin builds them |
| `istio_descriptions` | descriptions as in the Go plugin |
| `istio_schemas` | builder of schemas from messages, as the Go plugin builds them |
| `istio_tags` | parser of +cue-gen tags as in the Go plugin |
| `unread_markers` | check for markers that default mode reads and the Go plugin ignores |
| `unsupported_tags` | check for tags that default mode applies to a CRD and the Go plugin ignores |
| `validation_lines` | application of validation lines as in the Go plugin |

There is output exactly if the Go plugin has output. If it fails or crashes, the finding `istio-rejected` is reported.
Source: istio.io/tools cmd/protoc-gen-crd at 0f2e902f (2026-08-20), which pins controller-tools v0.20.1.
"""
