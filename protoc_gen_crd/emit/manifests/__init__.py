"""Manifests of the webhook: a base, monitoring, an overlay, and a README on the rollout.

| module | contents |
|---|---|
| `manifest_files` | files of the webhook's manifests |
| `monitoring` | alerts and scraping for the Prometheus operator |
| `readme` | README and Dockerfile of the manifests |
| `security_manifests` | certificates of cert-manager, the role for patch and migrate, and the validating webhook |
| `workload` | deployment, Service, PodDisruptionBudget, NetworkPolicy and ServiceAccount of the webhook |
"""
