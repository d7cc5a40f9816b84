"""compat=istio: what Istio's Go plugin writes, byte for byte, quirks included, for teams that swap the binary.

Whether there is output is the Go plugin's decision: where it writes, so do we; where it refuses or
crashes, we refuse with the finding `istio-rejected`. Nothing outside this room asks for the mode.
Source: istio.io/tools cmd/protoc-gen-crd at 0f2e902f (2026-08-20), which pins controller-tools v0.20.1.
"""
