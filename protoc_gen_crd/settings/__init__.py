"""Settings: options, the settings file, and plugin parameters.

| module | contents |
|---|---|
| `command_options_and_defaults` | options that only commands read, with their defaults and help |
| `label_selectors` | validation of label selectors |
| `all_options` | all options of the plugin and the commands |
| `option_errors` | errors of options, whatever their source: unknown names and invalid values |
| `option_declaration` | an option: its name, type, default, sources, commands, and help |
| `option_types` | types of option values: description, placeholder in help, and parser |
| `plugin_options_and_defaults` | options that a plugin run reads, with their defaults and help |
| `plugin_parameters` | settings from the plugin parameter and the settings file |
| `settings` | values of all options |
| `settings_file` | the settings file: `protoc-gen-crd.yaml`, or a table of a pyproject.toml |
| `toml_reader` | TOML parser with the places of keys, with the interface of `yaml.reader` |
"""
