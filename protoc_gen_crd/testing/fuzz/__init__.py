"""Our verdict against that of an external validator: documents are made, disagreements shrunk and written down.

| module | what it does |
|---|---|
| `external_validator` | the interface of external validators |
| `validators` | the validator of a command or an address |
| `command_validator` | a command that answers on standard output; the only place that starts processes |
| `webhook_validator` | an admission webhook; the only place that opens connections |
| `verdict_comparison` | one document put to both |
| `campaign` | a run: documents of the user first, then those made |
| `hypothesis_search` | the only importer of hypothesis |
| `difference_files` | disagreements as test documents |
"""
