"""The webhook: reviews of conversion and admission answered with what the rest of the package knows, over TLS.

`review`, `conversions` and `admissions` are pure; `application` and what it stands on may know HTTP.
"""
