"""Manifests of the webhook: a base, monitoring, an overlay, and a README on the rollout."""
