"""The leaf layer: values, findings, paths, names, YAML text. Imports nothing else of this project."""
