"""Admission of CRDs and objects, as an API server of a given version performs it.

Start with `server`. `switches` lists the differences between versions, `causes` defines the errors, and
`typed_values` and `go_syntax` format the values in them. The package depends on no files, no test documents, and no
protobuf.
"""
