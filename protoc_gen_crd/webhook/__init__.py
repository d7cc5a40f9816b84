"""The webhook server: conversion and validation of objects, over HTTPS.

`review`, `conversion_review` and `admission_review` are pure functions of data; `application` and the modules that it
imports depend on HTTP.
"""
