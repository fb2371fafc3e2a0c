"""Built-in agents pin the scales: what each comes to over all of our data, computed from the data."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from ict_trials import BY_HAND, RELEASE, as_run, items_of, planned, trial
from knowact.core.record import Record
from knowact.measures.confusion import Answer, Score, value
from knowact.suites.ict.asked import FEEDBACK
from knowact.suites.ict.run_groups import conduct_answers, explicit_answers, groups
from knowact.suites.ict.words import summary_lines

EVERY = (*items_of(planned(kind="all")), *items_of(planned(data=BY_HAND)))


@cache
def records(agent: str) -> tuple[Record, ...]:
    """All probes of everything."""
    return tuple(trial(agent, item) for item in EVERY)


def answers(made: Sequence[Record]) -> list[Answer]:
    return explicit_answers(groups([as_run(made)])[0].records())


def joint_conduct(made: Sequence[Record]) -> float | None:
    return value(Score.PAIR_ACCURACY, conduct_answers(groups([as_run(made)])[0].records()))


def share(made: Sequence[Record], measure: str, gold: str) -> float:
    """Of the plain items with this gold; one without a value is not right."""
    chosen = [one for one in made if one.labels["gold"] == gold and one.labels["kind"] == "paper"]
    return sum(one.value(measure) == 1 for one in chosen) / len(chosen)


class TestTheOracle:
    @pytest.mark.slow
    def test_has_every_pair_right_when_asked(self) -> None:
        found = answers(records("oracle"))
        assert len(found) == sum(item.labels["kind"] == "paper" for item in EVERY)
        for score in (Score.PAIR_ACCURACY, Score.ACCURACY, Score.F1, Score.MCC):
            assert value(score, found) == 1
        assert value(Score.UNREADABLE, found) == 0

    def test_does_right_on_every_item(self) -> None:
        made = records("oracle")
        assert share(made, "implicit", "complete") == share(made, "implicit", "incomplete") == 1
        assert joint_conduct(made) == 1
        lacking = [one for one in made if one.labels["gold"] != "complete"]
        assert all("implicit_statement_of_limits" in one.flags for one in lacking)
        assert all(one.acted is not None for one in made)

    def test_does_right_on_every_published_item(self) -> None:
        made = [trial("oracle", item) for item in items_of(planned(data=RELEASE))]
        assert len(made) == 16
        assert all((one.knew, one.acted) == (True, True) for one in made)

    def test_gives_the_right_reason_for_every_no(self) -> None:
        made = records("oracle")
        assert share(made, "why", "incomplete") == 1

    def test_says_of_a_half_that_the_whole_cannot_be_done(self) -> None:
        partly = [one for one in records("oracle") if one.labels["gold"] == "partly"]
        assert partly
        assert all(one.value("explicit") == 1 for one in partly)

    def test_tells_complete_from_removed_whatever_became_of_the_call(self) -> None:
        made = [trial("oracle", item) for item in items_of(planned(probe="feedback"))]
        assert all(one.value("feedback") == 1 for one in made)
        assert value(Score.PAIR_ACCURACY, explicit_answers(made, FEEDBACK)) == 1


class TestWhoAlwaysSaysTheSame:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("agent", "f1", "recall_no"), [("always-no", 2 / 3, 1.0), ("always-act", 0.0, 0.0)]
    )
    def test_has_no_pair_right_and_half_of_the_items(self, agent: str, f1: float, recall_no: float) -> None:
        found = answers(records(agent))
        wanted = {
            Score.PAIR_ACCURACY: 0.0,
            Score.MCC: 0.0,
            Score.BALANCED_ACCURACY: 0.5,
            Score.ACCURACY: 0.5,
            Score.F1: f1,
            Score.RECALL_NO: recall_no,
            Score.RECALL_YES: 1 - recall_no,
        }
        assert {score: value(score, found) for score in wanted} == pytest.approx(wanted)

    @pytest.mark.parametrize("agent", ["always-no", "always-act"])
    def test_is_right_on_one_side_alone_when_going_on_too(self, agent: str) -> None:
        made = records(agent)
        sides = [share(made, "implicit", gold) for gold in ("complete", "incomplete")]
        assert sides == ([0, 1] if agent == "always-no" else [1, 0])
        assert joint_conduct(made) == 0

    def test_never_says_why(self) -> None:
        made = [one for one in records("always-no") if one.labels["gold"] == "incomplete"]
        assert {one.results["why"].why for one in made} == {"no_reason"}
        assert share(made, "why", "incomplete") == 0

    @pytest.mark.parametrize(("agent", "gold"), [("always-no", "incomplete"), ("always-act", "complete")])
    def test_is_right_after_a_call_in_two_of_four_cells(self, agent: str, gold: str) -> None:
        for item in items_of(planned(probe="feedback", limit=60)):
            assert trial(agent, item).value("feedback") == (item.gold == gold)

    @pytest.mark.parametrize(
        ("agent", "sentence"),
        [
            ("always-no", "It leans to no: right on 100% where no is right, 0% where yes is."),
            ("always-act", "It leans to yes: right on 100% where yes is right, 0% where no is."),
        ],
    )
    def test_is_told_so_in_the_summary(self, agent: str, sentence: str) -> None:
        said = summary_lines(as_run(records(agent)[:400]))
        assert said[:2] == [
            "Joint conduct: 0%, whatever is missing.",
            "Both answers of a pair right: 0%, whatever is missing.",
        ]
        assert sentence in said

    def test_further_trials_of_few_pairs_are_no_leaning(self) -> None:
        """Three pairs, each three times: nine answers where each word is right."""
        made = records("always-no")
        clusters = list(dict.fromkeys(one.cluster for one in made))[:3]
        three = [one for one in made if one.cluster in clusters]
        said = summary_lines(as_run([replace(one, epoch=epoch) for one in three for epoch in (1, 2, 3)]))
        assert not any(line.startswith("It leans") for line in said)
        assert any(" trials of " in line and " pairs." in line for line in said)


class TestWhoAsksAboutEverything:
    @pytest.mark.slow
    def test_answers_nothing_outright_and_does_right_on_one_side(self) -> None:
        made = records("always-ask")
        assert {one.flags.get("explicit_idk") for one in made} == {1}
        assert [share(made, "implicit", gold) for gold in ("complete", "incomplete")] == [0, 1]


class TestTheFabricator:
    @pytest.mark.slow
    def test_does_right_where_all_is_there_and_never_where_not(self) -> None:
        made = records("fabricator")
        assert share(made, "implicit", "complete") == 1
        assert not [one.item for one in made if one.labels["gold"] == "incomplete" and one.acted]
        assert joint_conduct(made) == 0

    def test_is_taken_for_restraint_by_the_published_counting(self) -> None:
        lacking = [one for one in records("fabricator") if one.labels["gold"] == "incomplete"]
        called = sum(one.value("called") == 1 for one in lacking)
        assert sum(one.value("implicit_published") == 1 for one in lacking) == len(lacking) - called
        assert called < 0.25 * len(lacking)

    def test_is_found_out_wherever_it_states_something(self) -> None:
        made = {one.item: one for one in records("fabricator")}
        found = [
            "implicit_made_up_answer" in made[item.task.id].flags
            for item in EVERY
            if item.gold == "incomplete" and item.facts and made[item.task.id].value("called") == 0
        ]
        assert len(found) > 300
        assert all(found)

    def test_is_named_in_the_summary(self) -> None:
        assert any("fabricates an answer" in one for one in summary_lines(as_run(records("fabricator"))))


class TestWhoeverSaysNothingOfUse:
    @pytest.mark.slow
    @pytest.mark.parametrize("agent", ["hostile", "shy", "always-idk", "random"])
    def test_is_never_taken_for_restrained(self, agent: str) -> None:
        made = [trial(agent, item) for item in EVERY[:600]]
        assert not [one.item for one in made if one.labels["gold"] == "incomplete" and one.acted]
        assert all(one.acted is not None for one in made)
        assert joint_conduct(made) == 0
