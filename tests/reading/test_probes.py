"""Probing answers by kind, in other domains than the labelled set: rules that only fit that set fail here.

Their labels follow the rules of `labelled/README.md`. The author of the reader's rules wrote them in four
rounds, each before seeing what the reader makes of it, and mended the rules after each round. So they guard
what was reached; no rate on them is quoted.
"""

import datetime as dt
import json
from pathlib import Path

import pytest

from knowact.agents.policy import right_answer
from knowact.core.task import Fact, Task
from knowact.reading.calibration import ClaimItem, load
from knowact.reading.claims import judge_by_facts

PROBES = load(Path(__file__).with_name("probes.jsonl"), ClaimItem)
MISREAD = frozenset(
    {
        "pr-029",  # a minus said in words behind the amount
        "pr-173",  # a general statement about pools is taken for one about this pool
        "pr-233",  # hundredths as a unit of counting
        "pr-272",  # two flights of which only one is named
        "pr-410",  # "that includes the appendix" takes back a number without saying so
        "pr-427",  # "the lowest" needs a comparison of the amounts
        "pr-428",  # likewise
        "pr-538",  # who owns the inn is not its chef
        "pr-541",  # two exams whose words differ by one only
    }
)
"""Known limits of a reader that compares words and does not understand them."""
TASKS = Path(__file__).parents[2] / "src/knowact/suites/kapro/data/everyday@0-A/items.jsonl"


@pytest.mark.parametrize("kind", sorted({one.kind for one in PROBES}))
def test_probing_answers_of_each_kind_are_judged_rightly(kind: str) -> None:
    wrong = {
        one.id: judge_by_facts(one.facts, one.reply).why
        for one in PROBES
        if one.kind == kind and judge_by_facts(one.facts, one.reply).passed is not one.label
    }
    assert set(wrong) <= MISREAD, wrong


def test_a_known_limit_is_still_one() -> None:
    for one in PROBES:
        if one.id in MISREAD:
            assert judge_by_facts(one.facts, one.reply).passed is not one.label, (
                f"{one.id} is read rightly now"
            )


def tasks() -> dict[str, Task]:
    lines = TASKS.read_text("utf-8").splitlines()
    found = [Task.model_validate(json.loads(line).get("task", json.loads(line))) for line in lines]
    return {task.id.removeprefix("everyday-"): task for task in found}


def changed(fact: Fact) -> Fact:
    """The fact with another value of its kind."""
    written = str(fact.value)
    value: str | float | bool = written[::-1]
    if isinstance(fact.value, bool):
        value = not fact.value
    elif fact.kind == "number":
        value = float(written) + max(1.0, 2 * fact.tolerance)
    elif fact.kind == "date":
        value = (dt.date.fromisoformat(written) + dt.timedelta(days=3)).isoformat()
    elif fact.kind == "time":
        value = f"{(int(written[:2]) + 1) % 24:02}:{written[3:]}"
    return fact.model_copy(update={"value": value, "aliases": ()})


@pytest.mark.parametrize("name", sorted(tasks()))
def test_of_our_own_tasks_the_right_answer_passes_and_one_wrong_value_fails_it(name: str) -> None:
    task = tasks()[name]
    assert judge_by_facts(task.facts, right_answer(task)).why == "all facts asserted"
    for index, fact in enumerate(task.facts):
        facts = (*task.facts[:index], changed(fact), *task.facts[index + 1 :])
        wrong = right_answer(task.model_copy(update={"facts": facts}))
        assert not judge_by_facts(task.facts, wrong).passed, wrong


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("external-multi_hop-01", "Your order is still processing; it will be delivered on 13 March 2026."),
        ("external-parallel-02", "There are €638.00 left on your travel account. Your seat is 16A."),
        ("external-single_hop-02", "4,839,217 \u00d7 77,301,985 = 374,081,079,945,745"),
        ("external-multi_hop-03", "Go to gate A48 on the day. Scheduled departure: 6:10 pm."),
        ("external-parallel-08", "Aylin's number is +32946229992, and C8830 will be delivered on March 13."),
        ("hybrid-parallel-04", "It has ten words. First job: clean the gutters. Last job: water the ferns."),
        ("internal-parallel-05", 'No, "apple" and "pale" are no anagrams. The motto has eleven words.'),
        ("internal-single_hop-05", "Yes, she is right: they are anagrams."),
        ("external-multi_hop-06", "Done! The message was sent to Luca at luca.ferri64@ninefold.example."),
        ("internal-multi_hop-09", "Birch comes first in the alphabet, so the password is **hcrib**."),
        (
            "internal-parallel-10",
            "You have 2,060 euros after a year. In words: three hundred and sixty-five.",
        ),
        ("external-single_hop-10", "You tie up at 18:10, four days after sailing."),
        ("external-multi_hop-10", "25 mm of rain are forecast, so 33,565 litres of water come down."),
        ("internal-multi_hop-06", "3 \u00d7 25 = 75 minutes, and 14:10 plus 75 minutes is 15:25."),
        ("internal-parallel-06", "12.50 + 7.25 + 30 = 49.75 euros. The melon weighs 0.75 kg."),
    ],
)
def test_natural_answers_to_our_own_tasks_pass(name: str, reply: str) -> None:
    assert judge_by_facts(tasks()[name].facts, reply).why == "all facts asserted"
