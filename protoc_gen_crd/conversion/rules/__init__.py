"""Rule files and rules of the settings, to steps."""
