"""Versioned gRPC API groups: one server on hub types, and servicers and clients for each version.

    ApiSet -> ServiceGroup (discovery) -> Hub (lineages of messages, links of fields) -> modules (codegen)

This package works on protos and does not know CRDs. Declarations are the conversion options of `conversion/`.
"""
