from knowact.core.table import Estimate, Row, Table
from knowact.report.printed import COLUMNS, LONGEST, markdown, printed

BOTH = ("a", "b")


def table(ns: dict[tuple[str, str], int], *, across: tuple[str, ...] = (), counts: bool = False) -> Table:
    """A table of two models and two measures, with the given n."""
    rows = [
        Row({"model": model, "user": "nobody"}, measure, Estimate(0.5, n, 0.25, 0.755, "wilson"))
        for (model, measure), n in ns.items()
    ]
    return Table("t", "A title", "Paper, Table 1", tuple(rows), across, percent=not counts, counts=counts)


def ns(first: int, second: int, third: int, fourth: int) -> dict[tuple[str, str], int]:
    return {("a", "x"): first, ("a", "y"): second, ("b", "x"): third, ("b", "y"): fourth}


class TestWhereNStands:
    def test_said_once_where_it_is_the_same_everywhere(self) -> None:
        shown = printed(table(ns(7, 7, 7, 7)), {})
        assert shown.facts.endswith("; n 7")
        assert shown.levels == ((("x", 1), ("y", 1)),)
        assert {cell.n for line in shown.lines for cell in line.cells} == {""}

    def test_in_a_column_where_it_is_the_same_in_each_line(self) -> None:
        shown = printed(table(ns(7, 7, 9, 9)), {})
        assert shown.levels[-1][-1] == ("n", 1)
        assert [line.cells[-1].value for line in shown.lines] == ["7", "9"]
        assert "n 7" not in shown.facts

    def test_in_the_heads_where_it_is_the_same_in_each_column(self) -> None:
        shown = printed(table(ns(7, 9, 7, 9)), {})
        assert shown.levels[-1] == (("x (n 7)", 1), ("y (n 9)", 1))

    def test_beside_each_number_otherwise(self) -> None:
        shown = printed(table(ns(7, 8, 9, 1200)), {})
        assert {cell.value for line in shown.lines for cell in line.cells} == {"50.0"}
        assert [cell.small for line in shown.lines for cell in line.cells] == [
            "[25.0, 75.5] (n 7)",
            "[25.0, 75.5] (n 8)",
            "[25.0, 75.5] (n 9)",
            "[25.0, 75.5] (n 1,200)",
        ]

    def test_nowhere_for_counts(self) -> None:
        shown = printed(table(ns(7, 8, 9, 9), counts=True), {})
        assert shown.facts.startswith("Paper, Table 1; counts")
        assert {cell.interval + cell.n for line in shown.lines for cell in line.cells} == {""}


def test_a_row_head_that_is_the_same_in_all_rows_is_said_once() -> None:
    shown = printed(table(ns(7, 7, 7, 7)), {})
    assert shown.corner == ("model",)
    assert shown.facts == "Paper, Table 1; percent; 95 % intervals: wilson; user: nobody; n 7"


def test_a_table_that_is_too_wide_for_paper_is_long_instead() -> None:
    def wide(parts: int) -> Table:
        keys = [(model, f"part {place}") for model in BOTH for place in range(parts)]
        rows = tuple(Row({"model": one, "part": part}, "KAS", Estimate(0.5, 9)) for one, part in keys)
        return Table("t", "T", "s", rows, ("part",))

    assert printed(wide(COLUMNS), {}).corner == ("model",)
    longer = printed(wide(COLUMNS + 1), {})
    assert longer.corner == ("model", "part")
    assert longer.columns == 1
    assert len(longer.lines) == 2 * (COLUMNS + 1)


def test_markdown_has_title_facts_heads_and_numbers_and_escapes_what_is_no_text() -> None:
    rows = (Row({"model": "a|b_c", "part": "p"}, "joint_KAS", Estimate(None, 0)),)
    shown = markdown(Table("t", "A <b>title</b>", "s", rows, ("part",), "See [x](https://evil.example)."), {})
    assert shown.splitlines() == [
        r"**A \<b\>title\</b\>**",
        "",
        "s; percent; no intervals; n 0",
        "",
        "| model | joint KAS · p |",
        "| --- | ---: |",
        "| a\\|b\\_c | \N{EN DASH} |",
        "",
        r"See \[x\](https:\//evil.example).",
    ]


def test_a_name_without_end_is_cut() -> None:
    rows = (Row({"model": "x" * 30_000}, "KAS", Estimate(0.5, 9)),)
    assert len(printed(Table("t", "T", "s", rows), {}).lines[0].heads[0]) == LONGEST
