"""Python modules of a group, generated from its model.

| module | contents |
|---|---|
| `api_module` | the module `api.py` of a group: the protocols that servers implement and that clients |
| `client_modules` | the clients of a version: `client.py` with its own messages, and `hub_client.py` with the types |
| `conversion_module` | the modules of conversions: straight-line functions between the messages |
| `hub_module` | the module `hub.py` of a group: versions, enums, and dataclasses that represent the messages |
| `message_modules` | the modules of the messages of a version: `messages.py` builds the classes |
| `module_text` | text of generated modules: header, imports, and statements as ruff formats them |
| `package_files` | the files of all groups: a package for each group, with a package for each version |
| `registry_modules` | modules of a whole group: the registry of its versions, its client, its package |
| `rpc_types` | types and names of an RPC in generated code: on the level of the hub, and in a version |
| `runtime_files` | the files of `groups/runtime/`, which are copied next to the packages of the groups |
| `servicer_module` | the module `servicers.py` of a version: servicers that convert requests to the hub |
"""
