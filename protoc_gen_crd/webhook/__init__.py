"""The webhook server: conversion and validation of objects, over HTTPS.

| module | contents |
|---|---|
| `admission_review` | AdmissionReview of validating webhooks |
| `application` | the ASGI application: routes, responses and metrics |
| `connections` | connections with timeouts, so that slow clients cannot exhaust the server |
| `conversion_review` | ConversionReview: all objects in the desired version |
| `http_bodies` | request bodies, read within limits |
| `http_responses` | HTTP responses, among them the one of a busy server |
| `https_server` | the HTTPS server of one process, with certificate reload and graceful shutdown |
| `logs` | logs: JSON lines on standard error, which name objects and never quote their content |
| `metrics` | Prometheus metrics |
| `review_json` | JSON of reviews as Go reads and writes it, read member by member |
| `review_types` | common types of ConversionReview and AdmissionReview, and their request and response |
| `served_kinds` | the served kinds of CRDs |
| `tls_context` | the certificate and key for TLS, reloaded from a folder when they change |
| `workers` | a pool of processes that serve on one socket, are replaced when they die |

`review_types`, `conversion_review` and `admission_review` are pure functions of data; `application` and the modules
that it imports depend on HTTP.
"""
