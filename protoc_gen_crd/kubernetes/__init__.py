"""Kubernetes: supported versions, limits of API servers, name rules, plurals, and policies.

| module | contents |
|---|---|
| `api_server_limits` | limits of API servers, each with its source |
| `api_version_names` | names of API versions that the conventions of Kubernetes allow, and the next names |
| `api_version_order` | API versions in priority and age order |
| `built_in_groups` | API groups of Kubernetes itself, whose kinds no CRD defines |
| `built_in_kinds` | kinds of Kubernetes' own API groups, including removed ones |
| `date_byte_and_uuid_formats` | string formats that schemas and CEL expressions share, as API servers validate them |
| `deprecation_policy` | the deprecation policy: periods in months and releases, by stability level or channel |
| `dns_names_and_labels` | the name grammars of Kubernetes, with the error messages of API servers |
| `irregular_plurals` | kinds with irregular plurals, which must be specified explicitly |
| `json_path` | the JSONPath parser of printer columns |
| `plurals` | plurals of kinds by fixed rules |
| `shared_results` | the switches of a version, which record for what other versions a result holds |
| `supported_versions` | supported Kubernetes versions, and how differences between them are noted |
| `version_phrases` | API versions and ranges of versions as phrases in messages |
| `version_ranges` | ranges of API versions or of releases, such as `since: "1.4"` |
"""
