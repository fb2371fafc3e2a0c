"""`knowact report --latex DIR`: every table and figure of a report as files for a paper.

`tables/` has each table as LaTeX, Markdown and CSV, `figures/` each figure as SVG and PDF. `main.tex` shows
them all, and compiles.
"""

from collections.abc import Mapping
from pathlib import Path

from knowact.core.errors import BadUsage
from knowact.core.table import Figure, Table, Term
from knowact.report import pictures
from knowact.report.as_csv import file_stem, table_csv
from knowact.report.as_latex import document, figure_latex, table_latex
from knowact.report.build import Report
from knowact.report.printed import markdown
from knowact.report.sections import TOGETHER
from knowact.report.write import put


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
    try:
        for name in ("tables", "figures"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        written = [
            (title, [*_tables(tables, own, folder, taken), *_figures(figures, folder, taken)])
            for title, own, tables, figures in parts
        ]
        main = folder / "main.tex"
        put(main, document([(title, pieces) for title, pieces in written if pieces]))
    except OSError as error:
        raise BadUsage(f"Cannot write to {folder}: {error.strerror}. Choose another folder.") from error
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
