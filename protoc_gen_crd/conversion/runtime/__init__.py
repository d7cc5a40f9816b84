"""The runtime of generated conversion modules, copied into their packages unchanged.

| module | contents |
|---|---|
| `container_conversion` | convert the items of lists and the values of maps |
| `conversion_data` | keep fields that another version lacks |
| `data_restore` | restore conversion data by the paths of its own version |
| `field_tables` | copy objects by tables of their fields |
| `handwritten` | register and call hand-written conversion functions |
| `hub_changes` | convert objects whose data was kept under another hub |
| `kcp_preserved` | read the data that kcp's converter has preserved in annotations |
| `object_annotations` | read and write the metadata and annotations of objects |
| `path_access` | read and write single values by paths |
| `runtime` | types, errors and entry points of generated modules |
| `spoke_to_spoke` | compose conversions between two spokes |
| `value_changes` | compute values from other values |
"""
