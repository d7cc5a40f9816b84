"""The webhook's manifests: a base, monitoring, an overlay, and how they are rolled out."""
