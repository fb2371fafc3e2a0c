"""Tables and a whole report as LaTeX, for pdflatex with packages that every installation has.

Names come from models and data, so each character that LaTeX takes for a command is written as text. Those
that pdflatex has no glyph for are shown by their code, "U+4E2D", because it would stop at them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from knowact.core import clean
from knowact.core.table import Figure, Table, Term
from knowact.report.printed import COLUMNS, Printed, PrintedCell, printed

LONG: Final = 40
"""A table with more lines than this fits no page: it is set as a `longtable`, which breaks."""

_WIDE_NAME: Final = 34
"""Characters of a row head from which on it is broken into lines."""

SIGNS: Final = {
    **{sign: f"\\{sign}" for sign in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    "-": "-{}",  # two of them would join into a dash
    "[": "{[}",  # at the start of a row it would open an argument
    "*": "{*}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EN DASH}": "--",
    "\N{EM DASH}": "---",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{MIDDLE DOT}": r"\textperiodcentered{}",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''",
    "\N{NO-BREAK SPACE}": "~",
    "\N{REPLACEMENT CHARACTER}": "?",
}

LETTERS: Final = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸČčĆćŁłŃńŐőŘřŚśŰűŹźŻż"
)
"""Letters beyond ASCII that pdflatex sets with any font encoding."""

_HEAD: Final = r"""\documentclass[10pt]{article}
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}
\usepackage[margin=2cm]{geometry}
\usepackage{booktabs,float,graphicx,longtable}
\floatplacement{figure}{H}
\floatplacement{table}{H}
\begin{document}
"""


def escaped(text: object) -> str:
    """Return any text so that LaTeX sets it as it is."""
    return "".join(_sign(sign) for sign in clean.one_line(" ".join(clean.text(text).split())))


def table_latex(table: Table, own: Mapping[str, Term]) -> str:
    """Return a table that has rows, with caption, label and note; needs booktabs, graphicx and longtable.

    Args:
        table: A table.
        own: The words of its suite, which say what is good.
    """
    shown = printed(table, own)
    caption = f"\\caption{{{escaped(f'{shown.title}. {shown.facts}.')}}}\n\\label{{tab:{label(table.id)}}}"
    note = (
        f"\\par\\smallskip\\noindent\\parbox{{\\linewidth}}{{\\footnotesize {escaped(shown.note)}}}\n"
        if shown.note
        else ""
    )
    parts = _side_by_side(shown, COLUMNS)
    if len(shown.lines) * len(parts) > LONG:
        parts = _side_by_side(shown, COLUMNS - 2)  # it can't be made as narrow as the text
        body = "".join(_long(part, "" if place else f"{caption}\\\\\n") for place, part in enumerate(parts))
        narrow = "\\scriptsize\\setlength{\\tabcolsep}{3pt}\\setlength{\\LTcapwidth}{\\linewidth}"
        return f"{{{narrow}\n{body}{note}}}\n"
    body = "\\par\\smallskip\n".join(map(_tabular, parts))
    return f"\\begin{{table}}\n\\centering\n{caption}\n\\small\n{body}{note}\\end{{table}}\n"


def _side_by_side(shown: Printed, most: int) -> list[Printed]:
    """The table, or, if it has too many columns, parts of it with the same row heads, one below the other."""
    if shown.columns <= most or len(shown.levels) > 1:
        return [shown]
    width = ceil(shown.columns / ceil(shown.columns / most))
    return [
        replace(
            shown,
            levels=tuple(level[first : first + width] for level in shown.levels),
            lines=tuple(replace(line, cells=line.cells[first : first + width]) for line in shown.lines),
        )
        for first in range(0, shown.columns, width)
    ]


def _tabular(part: Printed) -> str:
    """A table on one page, as wide as the text at most."""
    return (
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        f"\\begin{{tabular}}{{{_columns(part)}}}\n\\toprule\n{_heads(part)}\\midrule\n"
        f"{_lines(part)}\\bottomrule\n\\end{{tabular}}}}\n"
    )


def _long(part: Printed, caption: str) -> str:
    """A table that goes on over pages, with its heads on each."""
    head = f"\\toprule\n{_heads(part)}\\midrule\n"
    return (
        f"\\begin{{longtable}}{{{_columns(part)}}}\n{caption}{head}\\endfirsthead\n{head}\\endhead\n"
        f"\\bottomrule\n\\endfoot\n{_lines(part)}\\end{{longtable}}\n"
    )


def figure_latex(figure: Figure, file: str) -> str:
    """Return a figure whose picture is in a file, named without its suffix."""
    caption = " ".join([f"{figure.title}. {figure.source}.", *([figure.note] if figure.note else [])])
    return (
        f"\\begin{{figure}}\n\\centering\n"
        f"\\includegraphics[width=\\linewidth,height=0.85\\textheight,keepaspectratio]{{{file}.pdf}}\n"
        f"\\caption{{{escaped(caption)}}}\n\\label{{fig:{label(figure.id)}}}\n\\end{{figure}}\n"
    )


def document(parts: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return a document that compiles: a section per part, with a title and finished LaTeX."""
    body = (
        f"\\section*{{{escaped(title)}}}\n" + "\n".join(pieces) + "\\clearpage\n" for title, pieces in parts
    )
    return "".join([_HEAD, *body, "\\end{document}\n"])


def label(name: str) -> str:
    """Return a name for `label` and `ref`: letters, digits and hyphens."""
    return "-".join("".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name).split())


def _sign(sign: str) -> str:
    if sign in SIGNS:
        return SIGNS[sign]
    if sign.isascii() or sign in LETTERS:
        return sign
    return f"\\texttt{{U+{ord(sign):04X}}}"


def _columns(shown: Printed) -> str:
    """How each column is set: names to the left, long ones in lines, numbers to the right."""
    longest = [max(len(line.heads[place]) for line in shown.lines) for place in range(len(shown.corner))]
    return "".join("p{4.5cm}" if most > _WIDE_NAME else "l" for most in longest) + "r" * shown.columns


def _heads(shown: Printed) -> str:
    last = len(shown.levels) - 1
    rows: list[str] = []
    for level, heads in enumerate(shown.levels):
        corner = map(escaped, shown.corner) if level == last else ("" for _ in shown.corner)
        names = (
            escaped(head) if span == 1 else f"\\multicolumn{{{span}}}{{c}}{{{escaped(head)}}}"
            for head, span in heads
        )
        rows.append(_row([*corner, *names]))
        if level < last:
            rows.append(_rules(heads, len(shown.corner)))
    return "".join(rows)


def _rules(heads: Sequence[tuple[str, int]], before: int) -> str:
    """A thin rule below each head that spans columns."""
    rules: list[str] = []
    first = before + 1
    for head, span in heads:
        if head and span > 1:
            rules.append(f"\\cmidrule(lr){{{first}-{first + span - 1}}}")
        first += span
    return "".join(rules) + "\n" if rules else ""


def _lines(shown: Printed) -> str:
    return "".join(_row([*map(escaped, line.heads), *map(_cell, line.cells)]) for line in shown.lines)


def _row(fields: Sequence[str]) -> str:
    return " & ".join(fields) + " \\\\\n"


def _cell(cell: PrintedCell) -> str:
    value = f"\\textbf{{{escaped(cell.value)}}}" if cell.best else escaped(cell.value)
    return f"{value} {{\\scriptsize {escaped(cell.small)}}}" if cell.small else value
