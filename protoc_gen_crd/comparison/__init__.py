"""Comparison of two versions of an API.

| module | contents |
|---|---|
| `version_losses` | data loss between served versions without conversion |
"""
