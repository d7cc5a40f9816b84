"""Runtime of generated groups: files that `generate` copies next to the packages of the groups."""
