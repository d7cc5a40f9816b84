"""Settings: options, the settings file, and plugin parameters.

| module | contents |
|---|---|
| `command_option_table` | options that only commands read, with their defaults and help |
| `deprecation_policy_option` | reader of the option `deprecation_policy`: periods by stage, channel, or element |
| `findings_option` | reader of the option `findings`: severities of rules, and suppressions |
| `image_names` | the pattern of the names of container images, with tag and digest |
| `label_selectors` | validation of label selectors |
| `mapping_options` | readers of the options whose values are mappings |
| `merged_options` | all options of the plugin and the commands |
| `option_declaration` | an option: its name, type, default, sources, commands, and help |
| `option_errors` | errors of options, whatever their source: unknown names and invalid values |
| `option_types` | types of option values: description, placeholder in help, and parser |
| `option_value_reader` | reader of the options in a settings file |
| `plugin_option_table` | options that a plugin run reads, with their defaults and help |
| `plugin_parameters` | settings from the plugin parameter and the settings file |
| `settings` | values of all options |
| `settings_document` | a parsed settings file: its value, the places of its entries, and its findings |
| `settings_file` | search and parsing of `protoc-gen-crd.yaml`, or of a table of a pyproject.toml |
| `toml_reader` | TOML parser with the places of keys, with the interface of `yaml.reader` |
"""
