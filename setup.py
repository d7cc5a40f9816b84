"""Which packages the wheel holds, and how archives become reproducible; the rest of the project is in pyproject.toml.

The proto options lie at the top of the repository, where they are a buf module. The wheel carries them inside the
package, so that `generate` finds them.

Archives built from the same sources with the same SOURCE_DATE_EPOCH are equal bit by bit. setuptools orders the files
and dates those of wheels; it keeps the modes of files, and the dates and owners of source archives.
"""

import gzip
import os
import tarfile
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.sdist import sdist

DATE = 315532800  # 1980-01-01, the first date that a wheel can contain


class Wheel(bdist_wheel):
    """A wheel that does not depend on the umask of the build."""

    def write_wheelfile(self, *args, **options):
        """Write the last file of the wheel, and set the modes of all its files."""
        super().write_wheelfile(*args, **options)
        for path in Path(self.bdist_dir).rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)


class SourceArchive(sdist):
    """A source archive that does not depend on the umask, user, and time of the build."""

    def make_archive(self, base_name, *_args, base_dir=None, **_options):
        """Write the files of a folder to a tar.gz file and return its path."""
        date = int(os.environ.get("SOURCE_DATE_EPOCH", DATE))

        def normalize(info):
            info.mode = 0o755 if info.isdir() else 0o644
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            info.mtime = date
            return info

        path = f"{base_name}.tar.gz"
        with (
            Path(path).open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=date) as stream,
            tarfile.open(mode="w", fileobj=stream, format=tarfile.PAX_FORMAT) as archive,
        ):
            archive.add(base_dir, filter=normalize)
        return path


setup(
    cmdclass={"bdist_wheel": Wheel, "sdist": SourceArchive},
    packages=[*find_packages(include=["protoc_gen_crd*"]), "protoc_gen_crd.options"],
    package_dir={"protoc_gen_crd.options": "options"},
    include_package_data=False,
    package_data={
        "protoc_gen_crd": ["py.typed", "findings/*.md", "explorer/assets/*"],
        "protoc_gen_crd.options": ["**/*.proto"],
    },
)
