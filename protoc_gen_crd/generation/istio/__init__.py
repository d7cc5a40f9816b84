"""Generation with compat=istio: the output of Istio's Go plugin, byte for byte, including its defects.

There is output exactly if the Go plugin has output. If it fails or crashes, the finding `istio-rejected` is reported.
Source: istio.io/tools cmd/protoc-gen-crd at 0f2e902f (2026-08-20), which pins controller-tools v0.20.1.
"""
