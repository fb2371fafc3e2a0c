"""A run's folder: one process at a time works in it, and a full disk is named."""

import errno
import json
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout
from inspect_ai.log import EvalLog

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


FULL: Final = frozenset((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)))
"""No space left, or the user's quota is used up (which Windows does not know)."""

_WRITTEN: Final = re.compile(r"OSError\((\d+),")
"""How an error of the system stands in a log that the engine returns."""


def was_full(logs: Iterable[EvalLog]) -> bool:
    """Whether one of these logs could not be written because there was no space left."""
    messages = (log.error.message for log in logs if log.error is not None)
    return any(int(code) in FULL for message in messages for code in _WRITTEN.findall(message))


def disk_full(folder: Path) -> str:
    """Say that the logs of a folder cannot be written, and which disk is full."""
    # The engine gathers a log in a temporary file first, which may stand on another disk.
    temporary = Path(tempfile.gettempdir())
    # Of one disk, two looks differ by what others write meanwhile.
    fuller = 2 * shutil.disk_usage(temporary).free < shutil.disk_usage(folder).free
    place = temporary if fuller else folder
    where = "" if place == folder else f" of {place}, where they are gathered first,"
    elsewhere = "" if place == folder else " or set TMPDIR to another folder"
    return (
        f"The logs in {folder} cannot be written: the disk{where} is full, or your quota is used up. "
        f"Free some space{elsewhere}; the same command resumes."
    )


def set_aside(folder: Path) -> Path:
    """Rename an earlier run's folder, so that the same command begins anew and nothing is lost.

    Raises:
        RunHeld: The earlier run is still under way.
    """
    number = 1
    while (target := folder.with_name(f"{folder.name}-superseded-{number}")).exists():
        number += 1
    with held(folder) as lock:
        if os.name == "nt":
            lock.release()  # an open file pins its folder there
        return folder.rename(target)
