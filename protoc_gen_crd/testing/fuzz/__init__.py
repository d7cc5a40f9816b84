"""Our verdict against that of an external validator: documents are made, disagreements shrunk and written down.

| module | what it does |
|---|---|
| `external` | what an external validator is; a command or an address to one |
| `command` | a command that answers on standard output; the only place that starts processes |
| `webhook` | an admission webhook; the only place that opens connections |
| `comparison` | one document put to both |
| `campaign` | a run: documents of the user first, then those made |
| `drawn` | the only importer of hypothesis |
| `written` | disagreements as test documents |
"""
