"""Recorded releases of an API on disk, one folder per release, append-only; and the changes between releases.

| module | contents |
|---|---|
| `changelog_entries` | descriptions of API changes |
| `changelog_formats` | renderers of histories and changes: text, Markdown for release notes, and JSON |
| `changelog_notes` | the folder of changelog notes, one file for each change |
| `early_removals` | removals before the end of the deprecation period |
| `element_places` | places of API elements |
| `group_checks` | checks of gRPC API groups against their last release |
| `history_check` | compatibility checks of an API against its last release |
| `incompatible_changes` | incompatible changes since the last release |
| `lifetimes` | lifetimes of API elements over all recorded releases |
| `merged_findings` | findings on the same change in several versions of a kind, merged into one |
| `release_names` | names of recorded releases, and the next release |
| `release_store` | the folder of recorded releases |
| `since_checks` | checks of `since` ranges against recorded releases |
| `storage_changes` | storage version changes between releases |
| `unknown_policy_elements` | elements that `deprecation_policy` names and that no API has |

history/checksums.txt       the digest of each release
        1.4/release.json    the digests of the files of the release, and the previous release
            api.json        kinds, versions and fields in a flat form, the input of all comparisons
            protos.json     numbers, types and reservations of the .proto files, if there are any
            crds/*.yaml     the CRDs of the release, ready to be applied
            groups.json     services, RPCs, messages and enums of gRPC API groups, in the same form
            protos/         the .proto files of the versions of annotated services
            samples/        handwritten and generated objects of them
"""
