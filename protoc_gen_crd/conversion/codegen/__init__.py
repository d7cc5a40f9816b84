"""Generate Python modules from plans, and load them.

| module | contents |
|---|---|
| `conversions_on_demand` | conversion with functions that are generated when they are called first |
| `function_body` | generate the statements of one function, for a whole object or for each item of a list or map |
| `handwritten_functions` | hand-written conversion functions |
| `module_compiler` | compile and load the generated module of a plan in memory: it is the code that users get |
| `module_generator` | generate Python modules from plans |
| `module_names` | names of the generated modules of a kind |
| `python_types` | emit schemas as Python: types of values, and tables of the fields of objects |
| `runtime_files` | the runtime modules of generated packages: their names, imports and files |
| `statement_writer` | the interface between the statements of a function and the writer of its direction |
| `variable_names` | names of paths and steps in generated modules |
"""
