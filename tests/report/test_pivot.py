import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.table import Estimate, Row, Table
from knowact.report.pivot import pivot

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
