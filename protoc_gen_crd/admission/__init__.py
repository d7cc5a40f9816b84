"""What an API server of a given version answers. Knows no files, no test documents and no protobuf.

`server` is the door; `switches` names what differs between versions; `field_errors` are what is said,
`typed_values` and `go_syntax` are how values show in it.
"""
