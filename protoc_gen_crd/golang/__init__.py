"""Behavior of Go's standard library that output depends on.

| module | contents |
|---|---|
| `base64` | Base64 as Go decodes it |
| `email_address` | validation of mail addresses as in Go |
| `fmt` | formatting of strings, numbers and plain values as by Go's fmt, strconv and encoding/json |
| `netip` | parsing and formatting of IP addresses as in Go's net/netip |
| `rfc3339` | Go's errors for strings that are not RFC 3339 times, or parts of them |
| `sort` | sorting with the results of Go's sort.Slice |
| `url` | parsing and formatting of URLs as in Go's net/url, with its error messages |
| `whitespace` | trimming and splitting of strings as in Go's standard library, where Python's methods differ |
"""
