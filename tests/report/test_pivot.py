import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.table import Better, Estimate, Row, Table
from knowact.report.pivot import leaders, pivot

NAMES = st.sampled_from(["a", "b", "c"])


def table(*cells: tuple[dict[str, str], str, float | None], across: tuple[str, ...] = ()) -> Table:
    rows = tuple(Row(keys, measure, Estimate(value, 1)) for keys, measure, value in cells)
    return Table("t", "T", "knowact", rows, across)


def test_measures_stand_below_the_keys_that_go_across() -> None:
    grid = pivot(
        table(
            ({"model": "m", "boundary": "ext"}, "know", 0.1),
            ({"model": "m", "boundary": "ext"}, "act", 0.2),
            ({"model": "m", "boundary": "int"}, "know", 0.3),
            ({"model": "n", "boundary": "ext"}, "act", 0.4),
            across=("boundary",),
        )
    )
    assert grid.corner == ("model",)
    assert grid.columns == (("ext", "know"), ("ext", "act"), ("int", "know"))
    assert [line.heads for line in grid.lines] == [("m",), ("n",)]
    assert [cell and cell.estimate.value for cell in grid.lines[1].cells] == [None, 0.4, None]
    assert grid.spans(0) == (("ext", 2), ("int", 1))
    assert grid.starts == {2}


def test_equal_outer_heads_stand_together_however_the_rows_come() -> None:
    grid = pivot(
        table(
            ({"b": "x"}, "know", 0.1),
            ({"b": "y"}, "know", 0.2),
            ({"b": "x"}, "act", 0.3),
            across=("b",),
        )
    )
    assert grid.columns == (("x", "know"), ("x", "act"), ("y", "know"))


def test_a_single_measure_is_named_once_over_all_columns() -> None:
    grid = pivot(table(({"m": "1", "b": "x"}, "KAS", 0.1), ({"m": "1", "b": "y"}, "KAS", 0.2), across=("b",)))
    assert grid.spans(0) == (("KAS", 2),)
    assert grid.spans(1) == (("x", 1), ("y", 1))


def test_two_numbers_for_one_cell_are_refused() -> None:
    with pytest.raises(ValueError, match="two numbers"):
        pivot(table(({"m": "1"}, "KAS", 0.1), ({"m": "1"}, "KAS", 0.2)))


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

    def test_rows_that_are_not_ranked_do_not_count(self) -> None:
        rows = tuple(Row({"model": m}, "a", Estimate(v, 9)) for m, v in (("x", 0.9), ("y", 0.5), ("z", 0.1)))
        assert pivot(Table("t", "T", "knowact", rows, unranked=frozenset({"x"}))).best(0, "higher") == {1}


def test_an_empty_table_has_no_lines_and_no_columns() -> None:
    grid = pivot(table())
    assert (grid.lines, grid.columns, grid.levels, grid.starts) == ((), (), 0, frozenset())


@settings(deadline=None, max_examples=60)
@given(
    cells=st.dictionaries(st.tuples(NAMES, NAMES, NAMES), st.floats(0, 1), max_size=20),
    across=st.sampled_from([(), ("x",), ("y", "x")]),
)
def test_no_number_is_lost_or_moved(
    cells: dict[tuple[str, str, str], float], across: tuple[str, ...]
) -> None:
    rows = [({"x": x, "y": y}, measure, value) for (x, y, measure), value in cells.items()]
    grid = pivot(table(*rows, across=across))
    found = {
        (cell.keys["x"], cell.keys["y"], cell.measure): cell.estimate.value
        for line in grid.lines
        for cell in line.cells
        if cell is not None
    }
    assert found == cells
    for level in range(grid.levels):
        assert sum(width for _, width in grid.spans(level)) == len(grid.columns)
