"""Markers: conversion of proto options and comment lines to schema keywords and resource members.

| module | contents |
|---|---|
| `comment_parser` | parser of a comment into its description and its marker lines |
| `contradictions` | checks for contradictory markers of one element |
| `cue_gen_tags` | parser of Istio's tags, `+cue-gen:Kind:key:value`, which set members of message Resource |
| `declarative_validation` | replacements for markers of Kubernetes' declarative validation that CRDs do not support |
| `declared_resources` | resources that markers declare |
| `detached_comments` | detection of markers in comments that belong to no element |
| `duplicate_values` | check for values that the list of a marker repeats without effect |
| `foreign_options` | options of other vocabularies |
| `ignored_markers` | markers of other generators without effect on a CRD |
| `invalid_marker_findings` | findings and suggestions for lines that are not valid markers |
| `keyword_values` | conversion of marker values to keyword values of a schema |
| `marker` | `Marker`: an option that is set on an element, in any spelling |
| `marker_aliases` | table of other spellings of the options: the markers of controller-tools and of Istio |
| `marker_applier` | application of markers to schemas |
| `marker_argument_parser` | parser of the arguments after the name of a marker, in the grammar of controller-tools |
| `marker_behavior` | functions that apply markers with special behavior, one for each option |
| `marker_collector` | collector of the markers of an element, from its options and comments |
| `marker_descriptions` | descriptions of markers by name |
| `marker_line_reader` | reader of marker lines in comments |
| `marker_ranges` | version ranges in markers |
| `marker_recognition` | recognition of markers in comment lines by their names |
| `marker_value_parser` | readers of single values of arguments (numbers, strings, lists, maps, JSON) |
| `marker_value_scanner` | scanner of the tokens of marker values |
| `native_marker_syntax` | parser of native comment markers, `+protoc-gen-crd:<option>=<value>` |
| `option_declarations` | the options that options.proto declares: a MarkerOption for each field of its messages |
| `option_rows` | the options as a table, generated from `options_pb2` by `tests/drift/test_options.py` |
| `option_spellings` | the comment markers that set an option |
| `override_place` | the place of an override in the settings file |
| `override_values` | conversion of values of overrides in YAML or TOML to values of options |
| `overrides` | overrides of the settings |
| `typo_detection` | detection of markers with a misspelled namespace or name |
| `unknown_marker_names` | findings and suggestions for marker lines with an unknown name |
| `untyped_marker_values` | inference of the type of a value whose marker does not declare it |
| `vocabularies/` | conversion of options of other annotation vocabularies to markers |
| `xvalidation` | parser of markers with a CEL rule |

`options_pb2` declares every marker, and `option_rows` is a table of them. Only this package and the hints for errors
of protoc use them.
"""
