"""Agreement of readers on the same words, worked out by hand."""

from knowact.core.table import Table
from knowact.core.verdict import Verdict
from knowact.report.reader_agreement import reader_tables, readers_agree, readers_differ


def said(*words: str | None, kind: str = "act") -> dict[str, Verdict]:
    """One verdict per trial, by key; trials are called 0, 1, ..."""
    found = [
        Verdict(str(trial), f"item-{trial}/1", f"c{trial}", "judge", kind, "", word)
        for trial, word in enumerate(words)
    ]
    return {one.key: one for one in found}


def cell(table: Table, measure: str, **keys: str) -> tuple[float | None, int]:
    (row,) = [one for one in table.rows if one.measure == measure and keys.items() <= one.keys.items()]
    return row.estimate.value, row.estimate.n


JUDGE = said("yes", "yes", "yes", "no", None)
OTHER = said("yes", "yes", "no", "no", "no", "yes")


def test_agreement_and_kappa_over_what_both_ruled_on() -> None:
    table = readers_agree({"m1": JUDGE, "m2": OTHER})
    both = {"between": "m1 and m2"}
    # Four verdicts both gave, three alike. By chance they agree on 3/4 * 2/4 + 1/4 * 2/4 = 1/2 of them.
    assert cell(table, "agreement", **both, on="act") == (0.75, 4)
    assert cell(table, "Cohen's kappa", **both, on="act") == (0.5, 4)
    assert cell(table, "agreement", **both, on="act: yes") == (2 / 3, 3)
    assert cell(table, "agreement", **both, on="act: no") == (1, 1)


def test_where_they_differ_item_by_item() -> None:
    (row,) = readers_differ({"m1": JUDGE, "m2": OTHER}).rows
    assert row.keys == {"between": "m1 and m2", "on": "act", "item": "item-2/1", "said": "yes / no"}
    assert row.estimate.value == 1


def test_kinds_stay_apart_and_every_pair_of_readers_is_compared() -> None:
    readers = {"m1": JUDGE | said("no", kind="why"), "m2": OTHER | said("no", kind="why"), "ann": said("yes")}
    table = readers_agree(readers)
    assert {row.keys["between"] for row in table.rows} == {"m1 and m2", "m1 and ann", "m2 and ann"}
    assert cell(table, "agreement", between="m1 and m2", on="why") == (1, 1)
    assert cell(table, "Cohen's kappa", between="m1 and m2", on="why") == (None, 1)


def test_without_two_readers_of_the_same_there_are_no_tables() -> None:
    assert reader_tables({}) == reader_tables({"m1": JUDGE}) == []
    assert reader_tables({"m1": JUDGE, "m2": said("yes", kind="why")}) == []
