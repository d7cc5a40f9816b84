"""The lowest layer: records, files, escapes, names. It imports no other package of this project.

| module | contents |
|---|---|
| `bounded_json` | a parser of JSON in markers: the standard library with a limit on nesting |
| `checksums` | checksum files in the format of sha256sum, which users can check without this tool |
| `descriptor_files` | detection of descriptor sets and buf images by file name and first bytes |
| `escapes` | escaping of foreign strings in generated files: one function for each format |
| `file_names` | validation of names of files below a folder, for all operating systems |
| `input_files` | reading of input files, without waiting for a writer and with a limit on their size |
| `json_strings` | lists of strings in JSON |
| `markdown_escapes` | escaping of foreign strings in Markdown, on one line or as a code block |
| `module_finder` | a fast finder of the modules of this package |
| `output_files` | writing of files, with the path in all errors |
| `path_hints` | hints for errors of the operating system about paths |
| `record` | `Record`: a value class with slots, for all values of a plugin run |
| `record_initializers` | the code of `__init__` of records, by the number of fields |
| `recursion_limit` | a higher recursion limit, for traversals of deeply nested data and schemas |
| `resolved_paths` | absolute paths without symbolic links, also for a loop of links |
| `suggestions` | suggestions of the nearest existing name for an unknown name |
| `temporary_files` | temporary files and folders with the process in their names |
| `text_edits` | edits of a text by offset, which leave every other character as it is |
| `utf8` | decoding of UTF-8 with replacement characters as in Go |
"""
