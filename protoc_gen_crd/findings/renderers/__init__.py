"""Renderers of reports for terminals and programs.

| module | contents |
|---|---|
| `github` | workflow commands for GitHub Actions |
| `gitlab` | GitLab's Code Quality |
| `json_report` | a report as JSON |
| `junit` | a report as JUnit XML |
| `markdown` | a report as Markdown, for the comment on a pull request or the summary of a job |
| `sarif` | SARIF 2.1.0 |
| `text` | a report for terminals: place, severity, message, the line with a caret, a hint |
"""
