"""The published files from the hub, fetched once and kept.

Plain HTTP: four files of one fixed revision need no client library of 4 MB and its own dependencies. The
address can be changed as the hub's own tools have it (`HF_ENDPOINT`), the place by `KNOWACT_CACHE`.
"""

import os
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from knowact.core.errors import BadUsage
from knowact.suites.ict.layout import HUB, JSON_LINES, PARTS, RAW, REVISION

ENDPOINT: Final = "https://huggingface.co"
SECONDS: Final = 60
"""Without a byte for that long, the connection is given up."""


def cache_folder() -> Path:
    """Where fetched files are kept: below `KNOWACT_CACHE`, or below the home folder."""
    named = os.environ.get("KNOWACT_CACHE")
    root = Path(named) if named else Path.home() / ".cache" / "knowact"
    return root / "ict" / REVISION


def fetched(folder: Path | None = None) -> Path:
    """Return the folder of the published files; what is not there yet is fetched.

    Each file appears under its name only once it is whole, so the same command goes on where it was stopped.

    Raises:
        BadUsage: A file could not be fetched or kept; the sentence says how to do without a network.
    """
    folder = cache_folder() if folder is None else folder
    for part in PARTS:
        file = folder / RAW / f"{part.stem}{JSON_LINES}"
        if not file.is_file():
            _fetch(file)
    return folder


def _fetch(file: Path) -> None:
    endpoint = os.environ.get("HF_ENDPOINT") or ENDPOINT
    if urlsplit(endpoint).scheme not in ("http", "https"):
        raise BadUsage(
            f"HF_ENDPOINT is {endpoint!r}, which is no address of the web. Correct it, or unset it."
        )
    address = f"{endpoint.rstrip('/')}/datasets/{HUB}/resolve/{REVISION}/{RAW}/{file.name}"
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
        files = f"{ENDPOINT}/datasets/{HUB}/tree/{REVISION}/{RAW}"
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
