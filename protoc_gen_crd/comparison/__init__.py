"""The comparison of two APIs: the changes between them, what they mean for objects and clients, and the evidence.

| module | contents |
|---|---|
| `api_changes` | the comparison of two API summaries, element by element |
| `api_summary` | a flat summary of an API |
| `enum_values` | changes of enum values between releases |
| `fact_text` | descriptions of changed facts |
| `version_losses` | data loss between served versions without conversion |
"""
