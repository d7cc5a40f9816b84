"""The API explorer: a self-contained HTML page for each API group, and an index.

| module | contents |
|---|---|
| `conversion_effects` | the effects of conversion steps in words |
| `conversion_graph` | the conversions of a kind: the hub, and what each direction does to each field |
| `cost_tables` | the estimated costs of the rules of a kind by Kubernetes version |
| `html_descriptions` | descriptions and constraints as safe HTML |
| `index_search_data` | the data of the search on the index: the kinds and fields of all pages |
| `kind_page_data` | the data of a page: kinds, versions, samples, releases and verdicts |
| `node_table` | nodes, in which equal ones are one |
| `pages` | the pages: templates, styles, scripts and the policy that forbids everything else |
| `playground_data` | the data of the playground: samples, and the locations of rules |
| `rpc_page_data` | the data of the page of a gRPC API group: its service, RPCs, versions, samples and verdicts |
| `rpc_tree` | the request and response of an RPC as nodes |
| `schema_table` | the schemas of a page as a table of nodes, in which equal subtrees are one node |
| `script_data` | data for a script element |

The page of a group shows the model with `assets/explorer.js`, which has the order of sections, and one script for each
of the fields (`field_tree.js`), the comparison (`compare.js`), and the conversion (`conversion.js`). The index searches
its own model with `assets/index.js`. A page loads nothing: a Content-Security-Policy allows only its style and script,
by their hashes.
"""
