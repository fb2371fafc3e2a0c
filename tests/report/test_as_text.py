from knowact.core.table import Estimate, Row, Table
from knowact.report.as_text import RANGES, aligned, run_text, table_text
from knowact.report.build import summary

from .report_double import make_run, make_suite


def test_columns_are_aligned_whatever_the_width_of_the_signs() -> None:
    assert aligned([["name", "n"], ["\u6a21\u578b", "5"], ["e\u0301", "100"]], left=1) == [
        "name    n",
        "\u6a21\u578b    5",
        "e\u0301     100",
    ]


def test_a_table_has_a_column_per_measure_and_n_at_the_end() -> None:
    rows = (
        Row({"model": "a", "boundary": "ext"}, "KAS", Estimate(0.5, 20, 0.4, 0.6)),
        Row({"model": "a", "boundary": "ext"}, "DirGap", Estimate(-0.1, 18)),
        Row({"model": "a", "boundary": "int"}, "KAS", Estimate(None, 0)),
    )
    assert table_text(Table("t", "Title", "s", rows, ("boundary",), "A note.")).splitlines() == [
        "Title, percent",
        "model  boundary                KAS  DirGap         n",
        "a      ext       50.0 [40.0, 60.0]   -10.0  18 to 20",
        "a      int                       -                 0",
        RANGES,
        "A note.",
    ]


def test_what_was_not_measured_is_no_part_of_the_range_of_n() -> None:
    rows = (Row({"model": "a"}, "joint", Estimate(None, 0)), Row({"model": "a"}, "F1", Estimate(0.5, 3)))
    assert table_text(Table("t", "Title", "s", rows)).splitlines() == [
        "Title, percent",
        "model  joint    F1  n",
        "a          -  50.0  3",
    ]


def test_an_empty_table_says_so() -> None:
    assert table_text(Table("t", "Title", "s", ())) == "Title\n  nothing measured\n"


def test_a_run_closes_with_summary_counts_and_warnings() -> None:
    assert run_text(summary(make_suite(), make_run("dead", 0, size=0, broken=3))).splitlines() == [
        "fake, everyday@1-A, dead",
        "  Warning: None of the 3 planned trials was scored. The endpoint answered 500.",
        "  No headline.",
        "  Scored 0 of 3 planned trials, lost 3.",
        "  Outcome of tools needed: answered 3.",
        "  Outcome of act: instrument error 3.",
    ]
