"""Which numbers are marked, and that the page, LaTeX and Markdown mark the same ones."""

import re

from knowact.core.table import Better, Estimate, Row, Table, Term
from knowact.report.as_latex import table_latex
from knowact.report.best import MARKED, best_rows, leaders
from knowact.report.glossary import Glossary, Words
from knowact.report.html_table import TableLinks, html_table
from knowact.report.printed import COLUMNS, markdown


def best(better: Better, *numbers: tuple[float, float, float] | float | None) -> set[int]:
    """Which of some numbers are the best: (value, low, high), a bare value, or not measured."""
    found = [
        Estimate(one[0], 9, one[1], one[2]) if isinstance(one, tuple) else Estimate(one, 9) for one in numbers
    ]
    return set(leaders(found, better))


class TestTheBestNumberOfAColumn:
    def test_it_is_the_highest_or_the_lowest_as_is_good_for_the_measure(self) -> None:
        assert best("higher", 0.1, 0.7, None) == {1}
        assert best("lower", 0.1, 0.7, None) == {0}
        assert best("", 0.1, 0.7) == set()

    def test_ties_are_all_the_best(self) -> None:
        assert best("higher", 0.7, 0.1, 0.7) == {0, 2}

    def test_overlapping_intervals_are_not_told_apart(self) -> None:
        top, near, far = (0.9, 0.7, 1.0), (0.65, 0.5, 0.75), (0.3, 0.2, 0.4)
        assert best("higher", near, top, far) == {0, 1}
        assert best("lower", near, top, far) == {2}

    def test_where_all_are_alike_none_is_the_best(self) -> None:
        assert best("higher", 0.5, 0.5) == set()
        assert best("higher", (0.9, 0.4, 1.0), (0.5, 0.3, 0.6)) == set()
        assert best("higher", 0.5) == set()
        assert best("higher", None, None) == set()


WORDS = {"KAS": Term("Good.", "higher"), "calls": Term("Bad.", "lower"), "DirGap": Term("Neither.")}


def table(parts: int, *, unranked: frozenset[str] = frozenset(), model: str = "model") -> Table:
    """Three models in so many parts: in each the second is best, and the third not told apart from it."""
    numbers = {"weak": (0.1, 0.0, 0.2), "strong": (0.92, 0.85, 0.99), "near": (0.81, 0.7, 0.88)}
    rows = tuple(
        Row({model: name, "part": f"p{part}"}, measure, Estimate(sign * value, 9, low, high, "wilson"))
        for name, (value, low, high) in numbers.items()
        for part in range(parts)
        for measure, sign in (("KAS", 1), ("calls", 1), ("DirGap", 1))
    )
    return Table("t", "T", "s", rows, ("part",), unranked=unranked)


def told(one: Table) -> list[tuple[str, str]]:
    best = best_rows(one, WORDS)
    return [(row.keys["model"], row.measure) for row in one.rows if id(row) in best]


class TestTheBestOfATable:
    def test_it_is_by_what_is_good_for_each_measure(self) -> None:
        assert told(table(1)) == [("weak", "calls"), ("strong", "KAS"), ("near", "KAS")]

    def test_rows_that_are_not_ranked_do_not_count(self) -> None:
        assert told(table(1, unranked=frozenset({"strong"}))) == [("weak", "calls"), ("near", "KAS")]

    def test_what_is_no_agent_does_not_compete(self) -> None:
        assert not best_rows(table(1, model="policy"), WORDS)


def bold(text: str, pattern: str) -> list[str]:
    return re.findall(pattern, text)


def test_page_latex_and_markdown_mark_the_same_numbers_however_wide_the_table_is() -> None:
    for parts in (1, COLUMNS):  # the wide one has its parts in row heads on paper, in columns on the page
        shown = table(parts)
        marked = sorted(["10.0", "92.0", "81.0"] * parts)
        latex, text = table_latex(shown, WORDS), markdown(shown, WORDS)
        assert sorted(bold(latex, r"\\textbf\{([\d.]+)\}")) == marked
        assert sorted(bold(text, r"\*\*([\d.]+)\*\*")) == marked
        page = html_table(shown, "t", TableLinks(Words(Glossary(), "", WORDS), None, []))
        assert sorted(bold(page, r'class="value best">([\d.]+)<')) == marked
        assert all(MARKED in one for one in (latex, text, page))


def test_where_columns_became_row_heads_it_is_said_among_which_rows_a_number_is_best() -> None:
    said = f"{MARKED}, among rows of the same part"
    assert said in markdown(table(COLUMNS), WORDS)
    assert said not in markdown(table(1), WORDS)


def test_where_nothing_is_best_nothing_is_said_of_it() -> None:
    alike = Table("t", "T", "s", tuple(Row({"model": m}, "KAS", Estimate(0.5, 9)) for m in "ab"))
    assert MARKED not in table_latex(alike, WORDS) + markdown(alike, WORDS)
