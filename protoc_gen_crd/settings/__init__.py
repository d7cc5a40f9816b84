"""Settings: options, the settings file, and plugin parameters."""
