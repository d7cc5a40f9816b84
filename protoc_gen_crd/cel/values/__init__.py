"""The values that CEL expressions compute with, and JSON data as such values."""
