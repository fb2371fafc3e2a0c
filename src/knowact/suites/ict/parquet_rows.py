"""The rows of a parquet file, by way of `duckdb` (why: docs/dependencies.md), which is an optional extra."""

from pathlib import Path

from knowact.core.errors import BadData, BadUsage, Place
from knowact.datasets.lines import Line

_INSTALL = 'pip install "knowact[parquet]"'


def read_parquet(file: Path) -> tuple[Line, ...]:
    """Return the rows of a parquet file, numbered from 1; structures are objects.

    Raises:
        BadUsage: `duckdb` is not installed.
        BadData: It is no parquet file, or cannot be read.
    """
    try:
        import duckdb
    except ImportError as error:
        raise BadUsage(
            f"{file} is a parquet file, and the package that reads those is not installed. "
            f"Install it with {_INSTALL}, or use the JSON Lines of the same release."
        ) from error
    # It would fetch extensions that a query asks for; parquet needs none.
    offline: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        with duckdb.connect(":memory:", config=offline) as connection:
            found = connection.execute("select * from read_parquet(?)", [str(file)])
            names = [str(column[0]) for column in found.description or ()]
            rows = found.fetchall()
    except duckdb.Error as error:
        said = str(error).splitlines()[0].rstrip(".")
        fix = "restore the file, or use the JSON Lines of the same release"
        raise BadData(f"the file cannot be read as parquet ({said})", Place(file), fix) from error
    return tuple(
        Line(file, number, dict(zip(names, row, strict=True))) for number, row in enumerate(rows, start=1)
    )
