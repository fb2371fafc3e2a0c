"""Where knowact keeps what belongs to a user and not to a run."""

import os
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "KNOWACT_DATA"
"""The environment variable that names another folder."""


def data_folder() -> Path:
    """The user's data folder: `KNOWACT_DATA`, or the one that the system has for it. It need not exist."""
    named = os.environ.get(VARIABLE, "").strip()
    return Path(named) if named else platformdirs.user_data_path("knowact", appauthor=False)
