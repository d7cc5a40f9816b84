"""Descriptors in, our own model out. With `markers`, `plugin` and `v1` the only rooms that know google.protobuf."""
