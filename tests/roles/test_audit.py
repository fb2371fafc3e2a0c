"""An audit by people: the sample, everybody's order, and what may be answered when."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowact.core.condition import CLEAN, Condition
from knowact.core.suite import Audit, AuditQuestion, Facet, Item
from knowact.core.task import Task
from knowact.roles.audit import AuditAnswer, PlanShown, Sheet, in_order_of, sampled
from mini_world import EXTERNAL_SINGLE, TASKS

STRATA = ("boundary", "topology")
NOISY = Condition(name="distractors-1")


def item(task: Task, condition: Condition = CLEAN) -> Item:
    labels = {"boundary": task.boundary.value, "topology": task.topology.value}
    return Item(task, condition, (), labels)


def copies(counts: Sequence[int]) -> list[Item]:
    """So many tasks of each of the mini world's kinds."""
    kinds = [task for task in TASKS if task.id != "hybrid-multi-internal-first"]
    return [
        item(task.model_copy(update={"id": f"{task.id}-{number}"}))
        for task, count in zip(kinds, counts, strict=True)
        for number in range(count)
    ]


def stratum(task: Task) -> tuple[str, str]:
    return task.boundary.value, task.topology.value


COUNTS = st.lists(st.integers(0, 30), min_size=8, max_size=8).filter(any)


@settings(deadline=None, max_examples=60)
@given(counts=COUNTS, size=st.integers(1, 60), seed=st.integers(0, 5))
def test_a_sample_has_the_size_asked_for_and_each_stratum_its_share(
    counts: list[int], size: int, seed: int
) -> None:
    items = copies(counts)
    found = sampled(items, STRATA, size, seed)
    assert len(found) == len({task.id for task in found}) == min(size, len(items))
    there = Counter(stratum(one.task) for one in items)
    drawn = Counter(map(stratum, found))
    for kind, count in there.items():
        share = len(found) * count / len(items)
        assert drawn[kind] <= count
        if size >= len(there):
            assert drawn[kind] >= 1
        # A stratum that must have one takes it from the largest; no other moves by more than rounding.
        assert abs(drawn[kind] - share) < 1 + sum(len(found) * other < len(items) for other in there.values())


@settings(deadline=None, max_examples=30)
@given(counts=COUNTS, size=st.integers(1, 40), seed=st.integers(0, 5))
def test_the_sample_depends_on_seed_and_ids_and_not_on_the_datas_order(
    counts: list[int], size: int, seed: int
) -> None:
    items = copies(counts)
    here = {task.id for task in sampled(items, STRATA, size, seed)}
    assert here == {task.id for task in sampled(items[::-1], STRATA, size, seed)}


def test_other_seeds_draw_other_tasks_and_one_task_under_two_conditions_counts_once() -> None:
    items = copies([20] * 8)
    first, second = ({task.id for task in sampled(items, STRATA, 16, seed)} for seed in (0, 1))
    assert first != second
    twice = [item(EXTERNAL_SINGLE), item(EXTERNAL_SINGLE, NOISY)]
    assert sampled(twice, STRATA, 5, 0) == (EXTERNAL_SINGLE,)


def test_everybody_gets_the_same_tasks_in_an_order_of_their_own() -> None:
    sample = sampled(copies([5] * 8), STRATA, 40, 0)
    ann, bob = in_order_of("ann", sample, 0), in_order_of("bob", sample, 0)
    assert ann != bob
    assert set(map(id, ann)) == set(map(id, bob)) == set(map(id, sample))
    assert ann == in_order_of("ann", sample, 0) != in_order_of("ann", sample, 1)


def asked(name: str, *choices: str) -> AuditQuestion:
    return AuditQuestion(name, f"{name}?", dict.fromkeys(choices, ""), lambda _: choices[0])


AUDIT = Audit(
    facets=(
        Facet("text", "text", (asked("text", "yes", "no"),)),
        Facet("kind", "kind", (asked("side", "in", "out"), asked("hops", "one", "two"))),
        Facet("plan", "plan", (asked("plan", "yes", "no"),), sees_plan=True),
    ),
    sample=2,
    strata=STRATA,
    about="",
)
A, B = (task.id for task in TASKS[:2])


def sheet() -> Sheet:
    return Sheet(AUDIT, TASKS[:2])


def say(one: Sheet, *answers: str | None) -> None:
    """Answer what is asked next, confirming the blind answers on the way."""
    for answer in answers:
        here = one.here()
        assert here is not None
        if here.question is None:
            assert one.take(PlanShown(item=here.task.id)) == ""
            here = one.here()
            assert here is not None
        assert here.question is not None
        assert one.take(AuditAnswer(item=here.task.id, question=here.question.id, answer=answer)) == ""


def place(one: Sheet) -> tuple[str, str | None]:
    here = one.here()
    assert here is not None
    return here.task.id, here.question.id if here.question else None


class TestWhatIsAskedNext:
    def test_questions_come_in_order_and_the_plan_only_after_a_confirmation(self) -> None:
        one = sheet()
        assert place(one) == (A, "text")
        say(one, "yes", "in")
        assert place(one) == (A, "hops")
        say(one, "two")
        assert place(one) == (A, None)
        assert one.take(PlanShown(item=A)) == ""
        assert place(one) == (A, "plan")
        say(one, "no")
        assert place(one) == (B, "text")

    def test_a_skipped_question_counts_as_done_and_is_counted(self) -> None:
        one = sheet()
        say(one, "yes", None, None, "no", "yes", "in", "one", "yes")
        assert one.here() is None
        assert (one.skipped, one.left) == (2, 0)

    def test_back_goes_to_the_question_before_and_a_new_answer_replaces_the_old(self) -> None:
        one = sheet()
        say(one, "yes", "in")
        assert one.back()
        here = one.here()
        assert here is not None
        assert (place(one), here.answer) == ((A, "side"), "in")
        assert one.back()
        assert place(one) == (A, "text")
        assert not one.back()
        say(one, "no")
        assert place(one) == (A, "hops")
        assert one.answers == {(A, "text"): "no", (A, "side"): "in"}

    def test_blind_answers_may_be_changed_until_the_plan_is_shown_and_never_after(self) -> None:
        one = sheet()
        say(one, "yes", "in", "one")
        assert one.back()
        assert place(one) == (A, "hops")
        say(one, "two", "yes")
        assert place(one) == (B, "text")
        assert one.back()
        assert place(one) == (A, "plan")
        assert not one.back()
        late = AuditAnswer(item=A, question="hops", answer="one")
        assert one.take(late) == "'hops' was answered after the plan was shown"
        assert one.answers[A, "hops"] == "two"

    def test_at_the_end_the_last_answer_can_still_be_changed(self) -> None:
        one = sheet()
        say(one, *("yes", "in", "one", "yes") * 2)
        assert one.here() is None
        assert one.back()
        assert place(one) == (B, "plan")

    @settings(deadline=None, max_examples=100)
    @given(moves=st.lists(st.sampled_from(("1", "2", "skip", "back")), max_size=40))
    def test_whatever_is_done_replaying_the_events_gives_the_same_sheet(self, moves: list[str]) -> None:
        one, events = sheet(), list[AuditAnswer | PlanShown]()
        for move in moves:
            here = one.here()
            if move == "back":
                one.back()
                continue
            if here is None:
                break
            if here.question is None:
                event: AuditAnswer | PlanShown = PlanShown(item=here.task.id)
            else:
                choices = list(here.question.choices)
                answer = None if move == "skip" else choices[int(move) - 1]
                event = AuditAnswer(item=here.task.id, question=here.question.id, answer=answer)
            assert one.take(event) == ""
            events.append(event)
        again = sheet()
        assert [again.take(event) for event in events] == [""] * len(events)
        assert (again.answers, again.shown) == (one.answers, one.shown)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (PlanShown(item="other"), "the task 'other' is not in the sample"),
        (AuditAnswer(item=A, question="colour", answer="red"), "there is no question 'colour'"),
        (AuditAnswer(item=A, question="text", answer="red"), "'red' is not an answer to 'text'"),
    ],
)
def test_what_does_not_fit_is_told_and_not_entered(event: AuditAnswer | PlanShown, said: str) -> None:
    one = sheet()
    assert one.take(event) == said
    assert (one.answers, one.shown) == ({}, set())


def test_an_audit_that_would_give_labels_away_or_ask_nothing_is_refused() -> None:
    blind, seeing = AUDIT.facets[0], AUDIT.facets[2]
    with pytest.raises(ValueError, match="comes before one that must not see it"):
        Audit((seeing, blind), 1, (), "")
    with pytest.raises(ValueError, match="an id of its own"):
        Audit((blind, blind), 1, (), "")
    with pytest.raises(ValueError, match="leaves no choice"):
        Audit((Facet("a", "a", (asked("a", "yes"),)),), 1, (), "")
