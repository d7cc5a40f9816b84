"""The first files of a project: what fits the content of a folder. Existing files are never changed.

| module | contents |
|---|---|
| `ci_files` | jobs and hooks that run the commands of a project: GitHub, GitLab, pre-commit |
| `example_files` | the example for an empty folder: an API with a manifest and a test document |
| `folder_survey` | survey of a folder: .proto files, CRDs, manifests, and the CI that it has |
| `install_source` | where the tool was installed from, for CI to install the same |
| `known_losses` | differences between versions that the CRDs of a folder have before and after the import |
| `path_cover` | the fewest folders and files that contain a set of files |
| `project_planner` | the settings, test data and CI of a project, planned from the survey |
| `removal_commands` | the commands that delete the files that `generate` replaces |
| `sample_manifests` | the first manifests: a minimal sample of each kind as test data |
| `settings_lines` | the lines of options in a settings file |
"""
