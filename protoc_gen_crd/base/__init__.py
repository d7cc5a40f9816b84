"""The lowest layer: records, files, escapes, names. It imports no other package of this project."""
