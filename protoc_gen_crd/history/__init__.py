"""Recorded releases of an API on disk, one folder per release, append-only; and the changes between releases.

history/checksums.txt       the digest of each release
        1.4/release.json    the digests of the files of the release, and the previous release
            api.json        kinds, versions and fields in a flat form, the input of all comparisons
            crds/*.yaml     the CRDs of the release, ready to be applied
            samples/        handwritten and generated objects of them
"""
