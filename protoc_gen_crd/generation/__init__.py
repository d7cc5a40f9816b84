"""Generation of CRDs from protos and markers. The packages after it do not depend on protobuf."""
