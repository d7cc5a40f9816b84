"""Comparison of our verdicts with those of an external validator, for generated documents.

| module | purpose |
|---|---|
| `admission_review` | AdmissionReviews that are sent to a webhook, and its responses |
| `campaign` | a run: documents of the user first, then generated documents |
| `command_validator` | a command that answers on standard output; only this module starts processes |
| `difference_files` | differences as test documents |
| `external_validator` | the interface of external validators |
| `hypothesis_search` | generation and shrinking of documents; only this module imports hypothesis |
| `validator_choice` | choice of the validator for a command or an address |
| `verdict_comparison` | comparison of both verdicts on a document |
| `webhook_validator` | an admission webhook; only this module opens connections |
"""
