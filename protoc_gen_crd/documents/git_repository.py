"""A git repository, read with the git command: refs, merge bases, tags and trees. Nothing is written to it.

Source: git-rev-parse(1), git-merge-base(1), git-for-each-ref(1), git-ls-tree(1), git-cat-file(1).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest

BLOB, LINK = "100", "120"  # the start of the modes of files and symbolic links; others are submodules
SHORT = 12  # digits of a commit in names of files

_CHUNK = 2**20
_DEFAULT_BRANCHES = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
_STEPS = re.compile(r"[~^]")
_VERSION = re.compile(r"(?:.*/)?v?[0-9]+(?:\.[0-9]+)*(?:[-.~+].*)?")  # also in a folder, such as api/v1.2.0
_PRE_RELEASE = re.compile(r"[0-9][-.~+]?(?:alpha|beta|rc|pre|dev|snapshot)", re.IGNORECASE)
# Variables of a user that change what git prints or does. Locks are only needed to refresh the index.
_ENVIRONMENT = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat"}
_INSTALL = "install git, or compare with a file, a folder, a descriptor set or a recorded release"
_SHALLOW = (
    'the clone is shallow: fetch the whole history, with "fetch-depth: 0" of actions/checkout, "GIT_DEPTH: 0" of '
    "GitLab CI, or `git fetch --unshallow --tags`"
)


class GitError(Exception):
    """A failure of git, or a ref that does not exist. The message is for the user, the hint is how to fix it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def open_repository(paths: Sequence[str], settings_file: str) -> GitRepository:
    """Open the repository of an input: of its first path, else of the settings file, else of the working folder.

    A path that is a symbolic link belongs to the repository of the link. If GIT_DIR is set, it names the repository, as
    in git. Raises GitError without git, and if no repository is found.
    """
    named = (
        [name for name in (*paths[:1], settings_file) if name and name != "-"] if "GIT_DIR" not in os.environ else []
    )
    folders = [_find_folder(place) for name in named for place in (name, os.path.realpath(name))]
    for folder in folders:
        try:
            return GitRepository(folder)
        except GitError as error:
            if _NO_REPOSITORY not in str(error):
                raise
    return GitRepository()


def _find_folder(path: str) -> str:
    """Return the nearest folder that exists: the path itself, unless it is a symbolic link, or one around it."""
    path = path.rstrip("/") or "/"
    while not os.path.isdir(path) or os.path.islink(path):  # noqa: PTH112, PTH114
        path = os.path.dirname(path) or os.curdir  # noqa: PTH120
    return path


class TreeEntry(Record):
    """A file or symbolic link of a commit: its mode, its object, and its path from the root of the repository."""

    mode: str
    object: str
    path: str


class GitRepository:
    """The repository of a folder. Raises GitError without git, and for a folder outside of any repository."""

    def __init__(self, folder: str = os.curdir) -> None:
        self._folder = folder
        try:
            shallow, prefix = self._read_lines("rev-parse", "--is-shallow-repository", "--show-prefix")
        except GitError as error:
            message = re.sub(r" \(or any .*", "", str(error))  # folders that git has searched
            raise GitError(message, error.hint or _suggest_access(message)) from None
        self.is_shallow = shallow == "true"
        self.prefix = prefix  # the path of the folder from the root of the work tree, with a slash at its end
        self.root = os.path.normpath(
            os.path.realpath(folder) + os.sep + os.path.relpath(os.curdir, prefix or os.curdir)
        )

    def resolve(self, ref: str) -> str:
        """Return the commit or tree that a ref names. Raises GitError for an unknown one, with the nearest name.

        Before the first commit, HEAD names an empty tree.
        """
        for kind in ("commit", "tree"):
            command = ("rev-parse", "--verify", "--quiet", f"{ref}^{{{kind}}}")
            lines = self._try_read_lines(*command) if not ref.startswith("-") else []
            if lines:
                return lines[0]
        names = self._list_refs("refs/heads", "refs/remotes", "refs/tags")
        if ref == "HEAD" and not names:
            return self._read_lines("hash-object", "-t", "tree", os.devnull)[0]
        if ":" in ref:
            raise GitError(f'unknown git ref "{ref}"', "only git:REF:DIR names a folder of a commit")
        usual = "fetch it from its remote with `git fetch`" if names and self.remote else self._describe_branches()
        hint = self.explain_absence(_suggest_ref(ref, [*names, "HEAD"] if self.has_commits else names) or usual)
        raise GitError(f'unknown git ref "{ref}"', hint)

    def find_merge_base(self, ref: str) -> str:
        """Return the merge base of HEAD and a ref, by default the default branch. Raises GitError if there is none."""
        ref = ref or self.find_default_branch()
        if not ref:
            branches = self._describe_branches()
            hint = f"name a branch with merge-base:REF; {branches}" if self.has_commits else branches
            raise GitError("no default branch", self.explain_absence(hint))
        commit = self.resolve(ref)
        bases = self._try_read_lines("merge-base", "HEAD", commit)
        if not bases:
            hint = self.explain_absence("name another ref, or compare with the ref itself: git:REF")
            raise GitError(f'HEAD and "{ref}" have no common commit', hint)
        return bases[0]

    def _describe_branches(self) -> str:
        """Describe what a reference can name; a detached checkout may have no branch."""
        names = self._list_refs("refs/heads")[:_MAX_NAMES]
        if names:
            return f"branches of the repository: {', '.join(names)}"
        return "the repository has no branches: name a commit" if self.has_commits else _NO_COMMITS

    def find_latest_tag(self, pattern: str) -> str:
        """Return the tag with the highest version whose name matches a pattern; an empty pattern matches all versions.

        Tags that HEAD contains come before those of other branches, and releases before pre-releases. Raises GitError
        if there is none.
        """
        merged = self._list_refs("--merged=HEAD", "refs/tags") if self._try_read_lines(*_HEAD) else []
        for tags in (merged, self._list_refs("refs/tags")):
            matching = [tag for tag in tags if (fnmatchcase(tag, pattern) if pattern else _VERSION.fullmatch(tag))]
            if matching:
                return next((tag for tag in matching if not _PRE_RELEASE.search(tag)), matching[0])
        suffix = f' matches "{pattern}"' if pattern else " is a version"
        raise GitError(f"no git tag{suffix}", self.explain_absence("fetch the tags: `git fetch --tags`"))

    @property
    def has_commits(self) -> bool:
        """Report whether HEAD is a commit."""
        return bool(self._try_read_lines(*_HEAD))

    def is_branch(self, ref: str) -> bool:
        """Return whether a ref is a branch of this repository or of a remote."""
        return ref in self._list_refs("refs/heads", "refs/remotes")

    def find_default_branch(self) -> str:
        """Return the default branch of the remote origin, otherwise the local one; empty if there is none."""
        if not self.has_commits:
            return ""
        refs = (ref for ref in _DEFAULT_BRANCHES if self._try_read_lines("rev-parse", "--verify", "--quiet", ref))
        return next(refs, "")

    @property
    def remote(self) -> str:
        """The address of the remote origin; empty if there is none."""
        return next(iter(self._try_read_lines("config", "--get", "remote.origin.url")), "")

    def is_published(self, commit: str) -> bool:
        """Return whether a branch of the remote origin, or a tag, contains a commit."""
        return bool(self._list_refs(f"--contains={commit}", "refs/remotes/origin", "refs/tags"))

    def list_entries(self, tree: str) -> Iterator[TreeEntry]:
        """Yield the files and symbolic links of a commit, without submodules."""
        output = self._run("ls-tree", "-r", "-z", "--full-tree", tree)
        for record in output.split(b"\0"):
            attributes, _, path = record.partition(b"\t")
            if attributes.startswith((BLOB.encode(), LINK.encode())):
                mode, _, name = attributes.decode().split()
                yield TreeEntry(mode, name, os.fsdecode(path))

    def copy_objects(self, entries: Sequence[TreeEntry], targets: Mapping[str, Path]) -> None:
        """Write the content of entries to files by path. Raises GitError for a missing object, and OSError."""
        with subprocess.Popen(  # noqa: S603 - no shell
            _make_command("cat-file", "--batch"),
            cwd=self._folder,
            env=_make_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdin is not None  # noqa: S101 - both are pipes
            assert process.stdout is not None  # noqa: S101
            try:
                for entry in entries:
                    process.stdin.write(f"{entry.object}\n".encode())
                    process.stdin.flush()
                    _copy_object(process.stdout, entry, targets[entry.path])
            finally:
                process.kill()  # it has no state; without it, an error would leave it waiting

    def _list_refs(self, *arguments: str) -> list[str]:
        """Return the short names of refs, tags with the highest version first."""
        options = ("--sort=-version:refname", "--format=%(refname)")
        refs = self._try_read_lines("for-each-ref", *options, *arguments, config=("versionsort.suffix=-",))
        return [re.sub("^refs/(?:heads|remotes|tags)/", "", ref) for ref in refs]

    def explain_absence(self, hint: str) -> str:
        """Return the hint for something that does not exist, perhaps because the clone is shallow."""
        return _SHALLOW if self.is_shallow else hint

    def _try_read_lines(self, *arguments: str, config: Sequence[str] = ()) -> list[str]:
        """Return the lines that a command prints, none if it fails."""
        try:
            return self._read_lines(*arguments, config=config)
        except GitError:
            return []

    def _read_lines(self, *arguments: str, config: Sequence[str] = ()) -> list[str]:
        return os.fsdecode(self._run(*arguments, config=config)).splitlines()

    def _run(self, *arguments: str, config: Sequence[str] = ()) -> bytes:
        """Return the output of a command. Raises GitError with the first line of its errors."""
        command = _make_command(*(word for value in config for word in ("-c", value)), *arguments)
        try:
            done = subprocess.run(  # noqa: S603 - no shell
                command,
                cwd=self._folder,
                env=_make_environment(),
                check=False,
                capture_output=True,
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            raise GitError("git is not installed", _INSTALL) from None
        if done.returncode:
            lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
            raise GitError(re.sub("^(?:fatal|error): ", "", lines[0]))
        return done.stdout


_NO_REPOSITORY = "not a git repository"
_MAX_NAMES = 5  # of branches in a hint
_NO_COMMITS = "the repository has no commits: name a file"
_HEAD = ("rev-parse", "--verify", "--quiet", "HEAD")


def _suggest_ref(ref: str, names: Sequence[str]) -> str:
    """Return a hint with the nearest ref and the steps to its ancestors; empty if none is near."""
    name = _STEPS.split(ref, maxsplit=1)[0]
    nearest = find_nearest(name, names)
    return did_you_mean(f"{nearest}{ref[len(name) :]}") if nearest and nearest != name else ""


def _make_command(*arguments: str) -> list[str]:
    return ["git", *arguments]


def _make_environment() -> dict[str, str]:
    return {**os.environ, **_ENVIRONMENT}


def _suggest_access(message: str) -> str:
    if "dubious ownership" in message:
        return "another user owns the repository: run `git config --global --add safe.directory` with its path"
    return "run it in a git repository, or compare with a file, a folder, a descriptor set or a recorded release"


def _copy_object(source: IO[bytes], entry: TreeEntry, target: Path) -> None:
    """Copy one object of `git cat-file --batch`: a line with its size, its bytes, and the end of the line."""
    header = source.readline().split()
    if len(header) != 3:
        hint = "fetch the missing objects: a partial clone needs its remote"
        raise GitError(f'git has no content for "{entry.path}"', hint)
    rest = int(header[2])
    with target.open("wb") as file:
        while rest:
            part = source.read(min(rest, _CHUNK))
            if not part:
                raise GitError(f'git ended while it read "{entry.path}"')
            file.write(part)
            rest -= len(part)
    source.read(1)
