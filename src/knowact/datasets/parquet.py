"""Rows of parquet files, as published collections have them, a few at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from knowact.core.errors import BadData, Place

AT_ONCE: Final = 100
"""Rows that are held: some hold whole conversations."""
MEMORY: Final = "1GB"
"""What the library may take for itself; a row group of long texts needs most of it."""


def parquet_rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a parquet file by column; structures are objects.

    Raises:
        BadData: It is no parquet file, or cannot be read.
    """
    import duckdb

    # It would fetch extensions that a query asks for; parquet needs none.
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "memory_limit": MEMORY,
        "threads": 1,
    }
    try:
        with duckdb.connect(":memory:", config=offline) as connection:
            connection.execute("set enable_progress_bar = false")  # it would go to standard output
            found = connection.execute("select * from read_parquet(?)", [str(file)])
            names = [str(column[0]) for column in found.description or ()]
            while rows := found.fetchmany(AT_ONCE):
                for row in rows:
                    yield dict(zip(names, row, strict=True))
    except duckdb.Error as error:
        said = str(error).splitlines()[0].rstrip(".")
        fix = "restore the file, or use the JSON Lines of the same release"
        raise BadData(f"the file cannot be read as parquet ({said})", Place(file), fix) from error
