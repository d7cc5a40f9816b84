"""Changes of the sources of an API: versions that are added, deprecated and removed."""
