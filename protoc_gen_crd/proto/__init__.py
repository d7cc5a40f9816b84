"""Conversion of descriptors to our model. Only this package, `markers`, `plugin`, and `v1` import google.protobuf."""
