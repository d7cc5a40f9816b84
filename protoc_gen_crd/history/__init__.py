"""Released APIs on disk, one folder a release, append-only; and what changed between two of them.

history/checksums.txt       the releases, a line each, by digest
        1.4/release.json   what the folder holds, by digest, and which release came before
            api.json       kinds, versions and fields, flat: what all comparisons read
            crds/*.yaml    the CRDs, to be applied as they were
            samples/       objects of them, by hand and made
"""
