"""Which packages the wheel holds; everything else about the project stands in pyproject.toml.

The proto options lie at the top of the repository, where they are a buf module. The wheel carries them inside the
package, so that `generate` finds them.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["protoc_gen_crd*"]), "protoc_gen_crd.options"],
    package_dir={"protoc_gen_crd.options": "options"},
    include_package_data=False,
    package_data={
        "protoc_gen_crd": ["py.typed", "findings/*.md", "explorer/assets/*"],
        "protoc_gen_crd.options": ["**/*.proto"],
    },
)
