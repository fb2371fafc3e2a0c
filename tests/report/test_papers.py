"""What `knowact report --latex` writes: tables and figures for a paper, and a document that compiles."""

import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from knowact.core.table import Estimate, Figure, Row, Table
from knowact.report import pictures
from knowact.report.as_csv import table_csv
from knowact.report.as_latex import LETTERS, LONG, SIGNS, document, escaped, figure_latex, table_latex
from knowact.report.build import build
from knowact.report.printed import COLUMNS
from knowact.report.write import write_papers
from running import knowact

from .report_double import make_input, make_run
from .test_hostile_input import HOSTILE, hostile_report

needs_latex = pytest.mark.skipif(
    shutil.which("pdflatex") is None,
    reason="there is no pdflatex here; Debian has it in texlive-latex-base and texlive-latex-recommended",
)
needs_renderer = pytest.mark.skipif(not pictures.can_draw(), reason=f"no renderer here: {pictures.INSTALL}")


def compiled(folder: Path) -> str:
    """Run pdflatex twice, since long tables learn their widths in the first pass; returns its log."""
    line = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "main.tex"]
    for _ in range(2):
        done = subprocess.run(
            line, cwd=folder, capture_output=True, timeout=600, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    return (folder / "main.log").read_text(encoding="utf-8", errors="replace")


def measured(models: int, measures: int) -> Table:
    rows = tuple(
        Row({"model": f"model {one}"}, f"measure {place}", Estimate(0.5, 9, 0.2, 0.8, "wilson"))
        for one in range(models)
        for place in range(measures)
    )
    return Table("many", "Many numbers", "knowact", rows)


class TestLatex:
    def test_a_table_has_caption_label_rules_intervals_n_and_note(self) -> None:
        rows = tuple(
            Row({"model": "a", "part": part}, measure, Estimate(0.5, 12, 0.25, 0.75, "wilson"))
            for part in ("p", "q")
            for measure in ("KAS", "Pass")
        )
        table = Table("main_1", "A title", "KAPRO, Table 3", rows, ("part",), "A note, 50 %.")
        assert table_latex(table, {}).splitlines() == [
            r"\begin{table}",
            r"\centering",
            r"\caption{A title. KAPRO, Table 3; percent; 95 \% intervals: wilson; n 12.}",
            r"\label{tab:main-1}",
            r"\small",
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            r"\begin{tabular}{lrrrr}",
            r"\toprule",
            r" & \multicolumn{2}{c}{p} & \multicolumn{2}{c}{q} \\",
            r"\cmidrule(lr){2-3}\cmidrule(lr){4-5}",
            r"model & KAS & Pass & KAS & Pass \\",
            r"\midrule",
            "a & " + " & ".join([r"50.0 {\scriptsize {[}25.0, 75.0]}"] * 4) + r" \\",
            r"\bottomrule",
            r"\end{tabular}}",
            r"\par\smallskip\noindent\parbox{\linewidth}{\footnotesize A note, 50 \%.}",
            r"\end{table}",
        ]

    def test_a_table_longer_than_a_page_breaks(self) -> None:
        assert r"\begin{longtable}" not in table_latex(measured(LONG, 1), {})
        assert r"\begin{longtable}" in table_latex(measured(LONG + 1, 1), {})

    def test_columns_that_have_no_room_side_by_side_stand_below_one_another(self) -> None:
        latex = table_latex(measured(2, COLUMNS + 1), {})
        assert latex.count(r"\begin{tabular}") == 2
        assert latex.count("model 1 &") == 2
        assert all(latex.count(f"measure {place} ") == 1 for place in range(COLUMNS + 1))

    def test_nothing_that_latex_takes_for_a_command_is_left(self) -> None:
        assert escaped("\\input{/etc/passwd} $x^2$ 50% a_b #1 &") == (
            r"\textbackslash{}input\{/etc/passwd\} \$x\textasciicircum{}2\$ 50\% a\_b \#1 \&"
        )
        assert escaped("~<>|") == r"\textasciitilde{}\textless{}\textgreater{}\textbar{}"
        assert escaped('a--b [c]* "q" é\n\n中 \u202e') == ("a-{}-{}b {[}c]{*} ''q'' é \\texttt{U+4E2D} ?")

    @needs_latex
    @pytest.mark.slow
    def test_hostile_names_compile_and_do_nothing(self, tmp_path: Path) -> None:
        every = [
            *(
                r"\input{/etc/passwd}",
                r"\immediate\write18{touch owned}",
                r"\end{document}",
                "%",
                "[5cm]",
                "*",
                "^^41",
            ),
            *(
                "".join(chr(code) for code in range(32, 127)),
                "".join(chr(code) for code in range(0xA0, 0x250)),
            ),
            *(
                "".join(sorted(LETTERS)),
                "".join(SIGNS),
                "\u03ba\u2192 \u6a21\u578b \U0001f98a \u0301",
                *HOSTILE,
            ),
        ]
        shown = every * (LONG // len(every) + 1)
        rows = tuple(
            Row({"model": f"{text}", "place": f"{text}{place}"}, text, Estimate(0.5, place, 0.2, 0.8, text))
            for place, text in enumerate(shown)
        )
        tables = [
            Table(text, text, text, (row,), ("place",), text) for text, row in zip(shown, rows, strict=True)
        ]
        tables.append(Table("long", "Long", "s", tuple(Row(row.keys, "KAS", row.estimate) for row in rows)))
        figure = figure_latex(Figure("f\\%", every[0], every[1], {}, every[2]), "figures/none")
        assert every[0] not in figure
        text = document([(every[2], [table_latex(table, {}) for table in tables])])
        (tmp_path / "main.tex").write_text(text, encoding="utf-8")
        log = compiled(tmp_path)
        assert "root:" not in log
        assert not (tmp_path / "owned").exists()
        assert "Missing character" not in log


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = [make_run("gpt-5", 0.9), make_run("o_4 & co", 0.5), make_run("qwen3", 0.3), make_run("m", 0.7)]
    out = tmp_path_factory.mktemp("paper") / "deep"
    assert write_papers(build(make_input(runs)), out) == out / "main.tex"
    return out


@pytest.mark.slow  # to draw takes seconds
class TestFolder:
    def test_each_table_is_there_in_three_forms_and_the_document_shows_it(self, folder: Path) -> None:
        report = build(make_input([make_run("gpt-5", 0.9)]))
        main = (folder / "main.tex").read_text(encoding="utf-8")
        for table in (one for section in report.sections for one in section.tables if one.rows):
            for suffix in ("tex", "md", "csv"):
                assert (folder / "tables" / f"{table.id}.{suffix}").stat().st_size > 50
            assert f"\\input{{tables/{table.id}.tex}}" in main

    @needs_renderer
    def test_each_figure_is_an_svg_with_its_marks_and_a_pdf(self, folder: Path) -> None:
        drawn = sorted((folder / "figures").glob("*.svg"))
        assert len(drawn) == 5
        for file in drawn:
            root = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - our own file
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert "gpt-5" in "".join(root.itertext())
            assert (folder / "figures" / f"{file.stem}.pdf").read_bytes().startswith(b"%PDF")

    @needs_latex
    def test_the_document_compiles_with_all_of_them(self, folder: Path) -> None:
        log = compiled(folder)
        main = (folder / "main.tex").read_text(encoding="utf-8")
        # The log breaks its lines anywhere.
        assert log.replace("\n", "").count("(./tables/") == main.count(r"\input{tables/") == 6
        pictured = main.count(r"\includegraphics")
        assert pictured == (5 if pictures.can_draw() else 0)
        assert len({line for line in log.splitlines() if line.startswith("<figures/")}) == pictured


def test_without_the_renderer_tables_are_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    main = write_papers(build(make_input([make_run("m", 0.9)])), tmp_path)
    assert "includegraphics" not in main.read_text(encoding="utf-8")
    assert list((tmp_path / "tables").glob("*.tex"))
    assert not list((tmp_path / "figures").iterdir())


@pytest.mark.parametrize("text", HOSTILE)
def test_files_of_hostile_reports_stay_in_their_folder(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "can_draw", lambda: False)  # its figure is none
    report = hostile_report(text)
    write_papers(report, tmp_path / "paper")
    assert [path.name for path in tmp_path.iterdir()] == ["paper"]
    files = [path for path in (tmp_path / "paper").rglob("*") if path.is_file()]
    assert all(path.name.isascii() for path in files)
    made = [file.read_bytes().decode() for file in (tmp_path / "paper" / "tables").glob("*.csv")]
    tables = (*report.tables, *report.sections[0].tables)
    assert sorted(made) == sorted(table_csv(table) for table in tables)


@pytest.mark.slow
def test_the_command_writes_them_beside_the_page_and_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, out, paper = tmp_path / "logs", tmp_path / "out", tmp_path / "paper"
    run = knowact(capsys, "run", "kapro", "--model", "knowact/oracle", "--limit", "4", "--log-dir", logs)
    assert run.code == 0
    monkeypatch.setattr(pictures, "can_draw", lambda: False)
    done = knowact(capsys, "report", logs, "--out", out, "--latex", paper)
    assert done.code == 0
    assert done.out.splitlines()[-2:] == [str(out / "index.html"), str(paper / "main.tex")]
    assert done.err.count(pictures.INSTALL) == 1
    assert {file.stem for file in (paper / "tables").glob("*.tex")} >= {"main", "quadrants"}
    (tmp_path / "file").touch()
    refused = knowact(capsys, "report", logs, "--out", out, "--latex", tmp_path / "file" / "below")
    assert refused.code == 2
    assert "Choose another folder." in refused.err
