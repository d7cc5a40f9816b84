"""Manifests of the webhook: a base, monitoring, an overlay, and a README on the rollout.

| module | contents |
|---|---|
| `certificates` | certificates of cert-manager |
| `deployment` | Deployment, PodDisruptionBudget and ServiceAccount |
| `dockerfile` | Dockerfile of the image |
| `manifest_files` | files of the webhook's manifests, with the namespace and the kustomizations |
| `monitoring` | alerts and scraping for the Prometheus operator |
| `production_overlay` | the production overlay: image, replicas, and monitoring |
| `rbac` | the role for `patch` and `migrate` |
| `readme` | README of the manifests |
| `service_and_network_policy` | Service and NetworkPolicy |
| `validating_webhook` | the ValidatingWebhookConfiguration |
| `workload` | names, addresses and settings that all manifests share |
"""
