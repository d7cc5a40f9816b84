"""Recorded releases of an API on disk, one folder per release, append-only; and the changes between releases.

| module | contents |
|---|---|
| `change_text` | descriptions of API changes |
| `changelog` | renderers of histories and changes: text, Markdown for release notes, and JSON |
| `compatibility_checks` | compatibility checks of an API against its last release |
| `element_places` | places of API elements |
| `incompatible_changes` | incompatible changes since the last release |
| `lifetimes` | lifetimes of API elements over all recorded releases |
| `merged_versions` | findings on the same change in several versions of a kind, merged into one |
| `policy_elements` | elements that `deprecation_policy` names and that no API has |
| `proto_removals` | removals of elements of services before the end of the deprecation period |
| `release_names` | names of recorded releases, and the next release |
| `release_store` | the folder of recorded releases |
| `removals` | removals before the end of the deprecation period |
| `since_checks` | checks of `since` ranges against recorded releases |
| `storage_changes` | storage version changes between releases |
| `changelog_notes` | the folder of changelog notes, one file for each change |

history/checksums.txt       the digest of each release
        1.4/release.json    the digests of the files of the release, and the previous release
            api.json        kinds, versions and fields in a flat form, the input of all comparisons
            protos.json     numbers, types, reservations and services of the .proto files, if there are any
            crds/*.yaml     the CRDs of the release, ready to be applied
            samples/        handwritten and generated objects of them
"""
