"""Writes a report's files: `index.html`, `report.json` and `csv/`."""

from pathlib import Path

from knowact.core.errors import BadUsage
from knowact.report import as_json
from knowact.report.as_csv import as_csv
from knowact.report.build import Report
from knowact.report.page import page


def write(report: Report, out: Path) -> Path:
    """Write all files below `out`, which is created; files of an earlier report are replaced.

    Returns:
        The page.

    Raises:
        BadUsage: The folder cannot be written to.
    """
    index = out / "index.html"
    try:
        (out / "csv").mkdir(parents=True, exist_ok=True)
        for name, text in as_csv(report).items():
            put(out / "csv" / name, text)
        put(out / "report.json", as_json.dumps(report))
        put(index, page(report))
    except OSError as error:
        raise BadUsage(
            f"Cannot write the report to {out}: {error.strerror}. Choose another --out."
        ) from error
    return index


def write_json(report: Report, file: Path) -> None:
    """Write `report.json` alone, to any file.

    Raises:
        BadUsage: The file cannot be written.
    """
    write_text(as_json.dumps(report), file, "the report to ")


def write_text(text: str, file: Path, named: str = "") -> None:
    """Write a file, its folder too where there is none; `what` names the text before the file in a complaint.

    Raises:
        BadUsage: The file cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, text)
    except OSError as error:
        raise BadUsage(f"Cannot write {named}{file}: {error.strerror}. Choose another file.") from error


def put(file: Path, text: str) -> None:
    """Keep line ends as they are: CSV has its own, and the page's scripts are hashed."""
    file.write_text(text, encoding="utf-8", newline="")
