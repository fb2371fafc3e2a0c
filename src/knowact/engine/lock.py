"""One process at a time in a run's folder: a second identical command would do the work twice."""

import json
import os
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from knowact.core.errors import RunHeld

LOCK: Final = ".run.lock"
"""Locked by the operating system, so that a lock ends with its holder, however that one ends."""

HOLDER: Final = ".run.holder"
"""Who holds the lock, as JSON. A file of its own: Windows lets nobody read a locked one."""


@contextmanager
def held(folder: Path) -> Generator[FileLock]:
    """Hold a run's folder, which must exist, while the block lasts.

    Raises:
        RunHeld: Another process holds it; the message says which one, where, and since when.
        OSError: The folder cannot be written to.
    """
    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise RunHeld(folder, _holder(folder)) from error
    try:
        since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
        about = {"pid": os.getpid(), "host": socket.gethostname(), "since": since}
        (folder / HOLDER).write_text(json.dumps(about), encoding="utf-8")
        yield lock
    finally:
        (folder / HOLDER).unlink(missing_ok=True)
        lock.release()


def _holder(folder: Path) -> str:
    """Who holds the folder; without details where it has not written them yet."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        known: Any = json.loads((folder / HOLDER).read_text(encoding="utf-8"))
        return f"process {known['pid']} on {known['host']}, since {known['since']}"
    return "another process, which has just begun"
