"""Rule files and rules of the settings, and the steps that they describe."""
