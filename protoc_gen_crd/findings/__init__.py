"""Findings, their catalog and policy, and the renderers.

| module | contents |
|---|---|
| `expiry` | the ends of suppressions |
| `finding` | findings, their locations, and their collector |
| `fingerprints` | fingerprints of findings: the same in the next run, even if the finding has moved to another line |
| `renderers/` | renderers of reports for terminals and programs |
| `report_order_and_limits` | assembly of findings to a report: distinct, sorted, limited in number and length |
| `rule_catalog` | the catalog of rule ids |
| `severity_policy` | the severity policy: final severities of findings, and suppressions with their reasons |
| `source_lines` | source lines of locations: the line to show, and the column in characters |
"""
