"""The webhook: reviews of conversion and admission answered with what the rest of the package knows, over TLS.

`review`, `conversion_review` and `admission_review` are pure; `application` and what it stands on may know HTTP.
"""
