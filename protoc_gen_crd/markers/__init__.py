"""Markers: conversion of proto options and comment lines to schema keywords and resource members.

`options_pb2` declares every marker. Only this package and the hints for errors of protoc use it.
"""
