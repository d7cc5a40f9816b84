"""Renderers of reports for terminals and programs.

| module | contents |
|---|---|
| `junit` | a report as JUnit XML |
| `machine_formats` | a report for programs: JSON, GitHub workflow annotations, SARIF 2.1.0 |
| `markdown` | a report as Markdown, for the comment on a pull request or the summary of a job |
| `text` | a report for terminals: place, severity, message, the line with a caret, a hint |
"""
