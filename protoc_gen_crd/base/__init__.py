"""The lowest layer: records, files, escapes, names. It imports nothing else of this project."""
