"""Writes a report's files: `index.html`, `report.json` and `csv/`, and those for a paper.

For a paper (`knowact report --latex DIR`) `tables/` has each table as LaTeX, Markdown and CSV, `figures/`
each figure as SVG and PDF. `main.tex` shows them all, and compiles.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from knowact.core.errors import BadUsage
from knowact.core.table import Figure, Table, Term
from knowact.report import as_json, pictures
from knowact.report.as_csv import as_csv, file_stem, table_csv
from knowact.report.as_latex import document, figure_latex, table_latex
from knowact.report.build import Report
from knowact.report.page import page
from knowact.report.printed import markdown
from knowact.report.sections import TOGETHER


def write(report: Report, out: Path) -> Path:
    """Write all files below `out`, which is created; files of an earlier report are replaced.

    Returns:
        The page.

    Raises:
        BadUsage: The folder cannot be written to.
    """
    index = out / "index.html"
    with _writing(f"the report to {out}", "another --out"):
        (out / "csv").mkdir(parents=True, exist_ok=True)
        for name, text in as_csv(report).items():
            put(out / "csv" / name, text)
        put(out / "report.json", as_json.dumps(report))
        put(index, page(report))
    return index


def write_json(report: Report, file: Path) -> None:
    """Write `report.json` alone, to any file.

    Raises:
        BadUsage: The file cannot be written.
    """
    write_text(as_json.dumps(report), file, "the report to ")


def write_text(text: str, file: Path, named: str = "", instead: str = "file") -> None:
    """Write a file, its folder too where there is none.

    Args:
        text: What to write.
        file: Where.
        named: What stands before the file in a complaint.
        instead: What to choose otherwise, in that complaint.

    Raises:
        BadUsage: The file cannot be written.
    """
    with _writing(f"{named}{file}", f"another {instead}"):
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, text)


@contextmanager
def _writing(target: str, instead: str) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise BadUsage(f"Cannot write {target}: {error.strerror}. Choose {instead}.") from error


def put(file: Path, text: str) -> None:
    """Keep line ends as they are: CSV has its own, and the page's scripts are hashed."""
    file.write_text(text, encoding="utf-8", newline="")


def write_papers(report: Report, folder: Path) -> Path:
    """Write all files below a folder, which is created; figures only if the renderer is installed.

    Returns:
        `main.tex`.

    Raises:
        BadUsage: The folder cannot be written to.
    """
    parts: list[tuple[str, Mapping[str, Term], tuple[Table, ...], tuple[Figure, ...]]]
    parts = [(TOGETHER, {}, report.tables, report.figures)]
    parts += [
        (section.suite.title, section.suite.terms, section.tables, section.figures)
        for section in report.sections
    ]
    taken: set[str] = set()
    with _writing(f"to {folder}", "another folder"):
        for name in ("tables", "figures"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        written = [
            (title, [*_tables(tables, own, folder, taken), *_figures(figures, folder, taken)])
            for title, own, tables, figures in parts
        ]
        main = folder / "main.tex"
        put(main, document([(title, pieces) for title, pieces in written if pieces]))
    return main


def _tables(tables: tuple[Table, ...], own: Mapping[str, Term], folder: Path, taken: set[str]) -> list[str]:
    """Write the tables that have rows; returns the lines of `main.tex` that include them."""
    lines: list[str] = []
    for table in tables:
        if table.rows:
            stem = file_stem(table.id, taken)
            for suffix, text in (
                ("tex", table_latex(table, own)),
                ("md", markdown(table, own)),
                ("csv", table_csv(table)),
            ):
                put(folder / "tables" / f"{stem}.{suffix}", text)
            lines.append(f"\\input{{tables/{stem}.tex}}\n")
    return lines


def _figures(figures: tuple[Figure, ...], folder: Path, taken: set[str]) -> list[str]:
    """Likewise for figures that have something to show."""
    lines: list[str] = []
    for figure in figures if pictures.can_draw() else ():
        if figure.spec:
            stem = file_stem(figure.id, taken)
            drawn = pictures.svg(figure.spec)
            put(folder / "figures" / f"{stem}.svg", drawn)
            (folder / "figures" / f"{stem}.pdf").write_bytes(pictures.pdf(drawn))
            lines.append(figure_latex(figure, f"figures/{stem}"))
    return lines
