"""Access to a running cluster: read and patch CRDs, migrate stored objects.

| module | contents |
|---|---|
| `api_server` | the interface of an API server: one request, one reply |
| `cluster_client` | a client of a cluster |
| `installed_crds` | installed CRDs: read them, set their conversion and their stored versions |
| `kubeconfig` | the kubeconfig, read by the official Python client, or the service account of a pod |
| `migration` | a storage version migration |
| `migration_loss` | data loss by a migration without conversion |
| `migration_objects` | StorageVersionMigration objects in a cluster |
| `migration_outcomes` | progress of a migration pass, page by page |
| `migration_state` | the state of a migration, stored as JSON so that a killed run can be resumed |
| `object_pages` | lists of the metadata of the objects of a kind, page by page |
| `object_rewriter` | one pass over the stored objects of a kind |
| `rate_limit_and_retry` | rate limit and retries of requests, safe for several threads |
"""
