"""YAML and JSON: reading as Kubernetes reads, writing as its Go library writes."""
