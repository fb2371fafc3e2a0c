"""A full disk, told from the engine's other failures and named."""

import errno
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from inspect_ai.log import EvalLog

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
    place = min((folder, Path(tempfile.gettempdir())), key=lambda one: shutil.disk_usage(one).free)
    where = "" if place == folder else f" of {place}, where they are gathered first,"
    elsewhere = "" if place == folder else " or set TMPDIR to another folder"
    return (
        f"The logs in {folder} cannot be written: the disk{where} is full, or your quota is used up. "
        f"Free some space{elsewhere}; the same command goes on from here."
    )
