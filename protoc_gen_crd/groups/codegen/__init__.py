"""Python modules of a group, generated from its model."""
