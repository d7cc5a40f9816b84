"""Python modules of a group, generated from its model.

| module | contents |
|---|---|
| `api_module` | the module `api.py` of a group |
| `client_modules` | the clients of a version |
| `conversion_module` | the modules of conversions |
| `group_client_module` | clients of a group that negotiate the version |
| `group_readme` | the page `README.md` of a group: its versions, RPCs, messages, and fields, with the versions |
| `handwritten_function_scaffold` | the file `functions.py` of hand-written conversions: the required functions |
| `hub_module` | the module `hub.py` of a group |
| `message_modules` | the modules of the messages of a version |
| `microversion_module` | files of a group of microversions |
| `module_source` | text of generated modules |
| `package_docstrings` | `__init__.py` of the packages of a group |
| `package_files` | the files of all groups |
| `registry_module` | the versions of a group |
| `rpc_types` | types and names of an RPC in generated code |
| `runtime_files` | the files of `groups/runtime/`, which are copied next to the packages of the groups |
| `server_scaffold` | initial content of the user's `server.py` |
| `servicer_module` | the module `servicers.py` of a version |
| `version_protos` | the .proto files of the versions of annotated services, which clients in any language can use |
"""
