"""This model's own boundary: labels from tries without tools, T by them, and what built-in agents come to."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from knowact.core.record import Outcome, Record, Result
from knowact.core.table import DatasetInfo, Row, Run, Table
from knowact.measures.kas import jaccard, kas
from knowact.suites.kapro.own_boundary import alone, own_boundary, own_boundary_words, relabelled, solo
from knowact.suites.kapro.run_groups import groups
from running import knowact, run_at

EXTERNAL, HYBRID, INTERNAL = "external", "hybrid", "internal"
REQUIRED = {EXTERNAL: "ab", HYBRID: "a", INTERNAL: ""}


def trial(
    item: str, boundary: str, needed: str | None = "", used: str = "", *, offered: str = "ab"
) -> Record:
    """A trial with tools of one-letter names; `needed` None is a reply that could not be read."""
    required = frozenset(REQUIRED[boundary])
    said, did = None if needed is None else frozenset(needed), frozenset(used)
    return Record(
        *(item, "clean", 1, item, {"boundary": boundary, "topology": "parallel"}, tuple(offered), required),
        outcomes={"tools_needed": Outcome.ANSWERED, "act": Outcome.ANSWERED},
        needed=said,
        used=did,
        results={
            "acc_know": Result.of(0 if said is None else jaccard(said, required)),
            "lost_know": Result.of(said is None),
            "acc_act": Result.of(jaccard(did, required)),
            "lost_act": Result.of(0),
        },
    )


def tries(item: str, boundary: str, passed: Sequence[float | None]) -> list[Record]:
    """As often without tools; None is one that nobody could judge."""
    return [
        Record(
            *(item, f"no-tools-{n}", 1, item, {"boundary": boundary, "topology": "parallel"}),
            *((), frozenset("ab"), {"act": Outcome.ANSWERED}),
            results={} if one is None else {"pass_alone": Result.of(one)},
        )
        for n, one in enumerate(passed, 1)
    ]


def of(*records: Record) -> Run:
    info = DatasetInfo("mine", "1-A", "0" * 8)
    return Run("r", "kapro", info, "m", {}, (), len(records), records)


def rows(table: Table) -> dict[tuple[str, str], Row]:
    return {(row.keys["boundary"], row.measure): row for row in table.rows}


class TestTheSide:
    @pytest.mark.parametrize(
        ("passed", "side"),
        [
            ((0, 0, 0, 0, 0), "external"),
            ((1, 0, 0, 0, 0), "external"),
            ((1, 1, 0, 0, 0), "unlabelled"),
            ((1, 1, 1, 0, 0), "unlabelled"),
            ((1, 1, 1, 1, 0), "internal"),
            ((1, None, None, None, 1), "internal"),
            ((1, 1, 0, 0, 0, 0, 0, 0, 0, 0), "external"),
        ],
        ids=str,
    )
    def test_follows_from_the_share_of_tries_that_pass(
        self, passed: Sequence[float | None], side: str
    ) -> None:
        (group,) = groups([of(trial("t", INTERNAL), *tries("t", INTERNAL, passed))])
        assert alone(group)["t"].side == side

    def test_a_task_whose_tries_nobody_judged_has_none(self) -> None:
        (group,) = groups([of(trial("t", INTERNAL), *tries("t", INTERNAL, [None, None]))])
        assert alone(group) == {}
        assert own_boundary_words(group) == []
        assert own_boundary([group.run]).rows == solo([group.run]).rows == ()


class TestWhatIsRequired:
    @pytest.mark.parametrize(
        ("boundary", "passed", "required"),
        [
            (EXTERNAL, 0, "ab"),
            (HYBRID, 0, "a"),
            (INTERNAL, 0, "ab"),
            (EXTERNAL, 1, ""),
            (HYBRID, 1, ""),
            (INTERNAL, 1, ""),
        ],
    )
    def test_nothing_of_what_it_does_alone_and_the_plan_of_what_it_cannot(
        self, boundary: str, passed: int, required: str
    ) -> None:
        # A distractor is on the table and in nobody's T.
        one = trial("t", boundary, "a", "ax", offered="abx")
        (group,) = groups([of(one, *tries("t", boundary, [passed]))])
        (made,) = relabelled(group.records, alone(group))
        assert made.required == frozenset(required)
        assert made.value("acc_know") == jaccard(frozenset("a"), frozenset(required))
        assert made.value("acc_act") == jaccard(frozenset("ax"), frozenset(required))

    def test_a_reply_that_could_not_be_read_is_wrong_even_where_nothing_is_required(self) -> None:
        (group,) = groups([of(trial("t", INTERNAL, None), *tries("t", INTERNAL, [1]))])
        (made,) = relabelled(group.records, alone(group))
        assert (made.value("acc_know"), made.value("acc_act")) == (0, 1)


class TestTheTables:
    def run(self) -> Run:
        """Three tasks of the data's internal side, of which it does one alone, one never, one sometimes."""
        return of(
            *(trial("can", INTERNAL, "", "a"), *tries("can", INTERNAL, [1, 1, 1, 1, 0])),
            *(trial("cannot", INTERNAL, "ab", "ab"), *tries("cannot", INTERNAL, [0, 0, 0, 0, 0])),
            *(trial("may", INTERNAL, "a", ""), *tries("may", INTERNAL, [1, 0, 1, 0, 1])),
            *(trial("out", EXTERNAL, "ab", "a"), *tries("out", EXTERNAL, [0, 0, 0, 0, 1])),
        )

    def test_say_what_it_solves_alone_and_count_what_has_no_label(self) -> None:
        found = rows(solo([self.run()]))
        solved = found[INTERNAL, "solved without tools"].estimate
        assert (solved.value, solved.n) == (pytest.approx(7 / 15), 15)
        for side in ("external", "internal", "unlabelled"):
            share = found[INTERNAL, f"{side} for it"].estimate
            assert (share.value, share.n, share.method) == (pytest.approx(1 / 3), 3, "wilson")
        assert found[EXTERNAL, "external for it"].estimate.value == 1

    def test_give_kas_by_its_own_labels_beside_the_datas_on_the_same_trials(self) -> None:
        found = rows(own_boundary([self.run()]))
        mine = found["external", "KAS"].estimate
        # cannot: ab and ab of ab; out: ab and a of ab.
        assert (mine.value, mine.n) == (pytest.approx(kas(1, 3 / 4)), 2)
        assert mine.low is not None
        # By the data, cannot requires nothing.
        assert found["external", "KAS by the data's labels"].estimate.value == pytest.approx(kas(0.5, 0.25))
        assert found["internal", "Acc_know"].estimate.value == 1
        assert found["internal", "KAS"].estimate.value == 0
        average = found["average", "KAS"].estimate
        assert (average.value, average.n) == (pytest.approx(2 / 3 * kas(1, 3 / 4)), 3)

    def test_the_summary_counts_the_labels(self) -> None:
        (group,) = groups([self.run()])
        counted = "Of 4 tasks tried without tools, 2 external, 1 internal, 1 unlabelled for this model"
        assert own_boundary_words(group) == [f"{counted}; KAS by that boundary is 57%."]


def all_of(record: Record) -> frozenset[str]:
    return frozenset(record.offered)


def used_by(agent: str, record: Record) -> frozenset[str]:
    """What an agent says that it needs, and calls."""
    return {"oracle": record.required, "always-act": all_of(record), "shy": frozenset[str]()}[agent]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "side"), [("oracle", "internal"), ("always-act", "external"), ("shy", "external")]
)
def test_built_in_agents_come_to_what_follows_from_the_data(
    agent: str, side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The oracle knows every answer, so nothing is external for it; the others know none.
    words: tuple[Any, ...] = ("--solo", "2", "--limit", "8", "--log-dir", tmp_path)
    ran = knowact(capsys, "run", "kapro", "--model", f"knowact/{agent}", *words)
    assert ran.code == 0, ran.said
    run = run_at(tmp_path)
    assert len(run.records) == 8 * 3
    (group,) = groups([run])
    expected = sum(
        jaccard(used_by(agent, one), frozenset[str]() if side == "internal" else one.required or all_of(one))
        for one in group.records
    ) / len(group.records)
    found = rows(own_boundary([run]))
    assert {row.keys["boundary"] for row in found.values()} == {side, "average"}
    assert found[side, "KAS"].estimate.value == pytest.approx(expected)
    assert found[side, "KAS"].estimate.n == 8
    shares = [row.estimate.value for (_, name), row in rows(solo([run])).items() if name == f"{side} for it"]
    assert shares == [1, 1, 1]
