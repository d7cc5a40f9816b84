"""Plans against the schemas of their versions."""
