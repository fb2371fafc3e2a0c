"""Published files from the hub of data sets: fetched once, whole, and kept."""

import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from knowact.core.errors import BadUsage
from knowact.core.suite import Dataset
from knowact.datasets.own import data_folder

ENDPOINT: Final = "https://huggingface.co"
SECONDS: Final = 60
"""Without a byte for that long, the connection is given up."""


@dataclass(frozen=True, slots=True)
class Release:
    """Files of one data set on the hub.

    Attributes:
        hub: The data set's id ("owner/name").
        revision: A commit, or a branch where nobody has pinned one.
        files: Their paths there, all in one folder.
        suite: Whose cache they are kept in.
    """

    hub: str
    revision: str
    files: tuple[str, ...]
    suite: str

    @property
    def cache(self) -> Path:
        """Where they are kept: below `KNOWACT_CACHE`, or below the home folder."""
        named = os.environ.get("KNOWACT_CACHE")
        return (Path(named) if named else Path.home() / ".cache" / "knowact") / self.suite / self.revision


def fetched(release: Release) -> Path:
    """Return the folder that holds a release's files under their paths; what is not there yet is fetched.

    Each file appears under its name only once it is whole, so the same command resumes where it stopped.

    Raises:
        BadUsage: A file could not be fetched or kept; the sentence says how to do without a network.
    """
    for path in release.files:
        if not (release.cache / path).is_file():
            _fetch(release, path)
    return release.cache


def _fetch(release: Release, path: str) -> None:
    endpoint = os.environ.get("HF_ENDPOINT") or ENDPOINT
    if urlsplit(endpoint).scheme not in ("http", "https"):
        raise BadUsage(f"HF_ENDPOINT is {endpoint!r}, which is not a web address. Correct it, or unset it.")
    file = release.cache / path
    address = f"{endpoint.rstrip('/')}/datasets/{release.hub}/resolve/{release.revision}/{path}"
    partial = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as reply:  # noqa: S310 - the scheme was checked
            data: bytes = reply.read()
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(file)
    except (OSError, HTTPException) as error:
        with suppress(OSError):
            partial.unlink()
        folder = "/".join((release.revision, *path.split("/")[:-1]))
        files = f"{ENDPOINT}/datasets/{release.hub}/tree/{folder}"
        raise BadUsage(
            f"{file.name} could not be fetched from {address} to {file.parent} ({_why(error)}). Try again, "
            f"or download {files} where there is a network, and name the folder with --data."
        ) from error


def _why(error: OSError | HTTPException) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the hub answered {error.code}"
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    return str(error) or type(error).__name__


def named_source(data: str, release: Release, ours: Sequence[Dataset]) -> Path:
    """Find the folder or file of `--data`: shipped data, any path, or the hub's id, which is fetched once.

    Raises:
        BadData: It looks like a path that doesn't exist.
        UnknownName: It is none of these.
        BadUsage: It could not be fetched.
    """
    if data == release.hub and not Path(data).exists():
        return fetched(release)
    return data_folder(data, release.suite, ours, also=(release.hub,))
