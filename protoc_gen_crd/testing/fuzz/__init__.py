"""Comparison of our verdicts with those of an external validator, for generated documents.

| module | purpose |
|---|---|
| `external_validator` | the interface of external validators |
| `validator_choice` | choice of the validator for a command or an address |
| `command_validator` | a command that answers on standard output; only this module starts processes |
| `webhook_validator` | an admission webhook; only this module opens connections |
| `verdict_comparison` | comparison of both verdicts on a document |
| `campaign` | a run: documents of the user first, then generated documents |
| `hypothesis_search` | generation and shrinking of documents; only this module imports hypothesis |
| `difference_files` | differences as test documents |
"""
