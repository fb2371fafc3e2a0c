"""The reader of inventions on our own FAIL-TaLMs cases: what the built-in agents would say of each."""

import random
from functools import cache

from knowact.agents.gold import invented, missing_words
from knowact.agents.policy import View, facts_in_words
from knowact.core.task import Fact
from knowact.reading.inventions import states_a_value
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.cases import DATA, DEFAULT_DATA, load_cases
from knowact.suites.fail_talms.own_items import own_item
from knowact.suites.fail_talms.probes import request_of
from knowact.worlds.registry import open_world

EVERY = 10
"""Of so many cases one is read here; all of them are read by hand when the reader changes."""


@cache
def incomplete() -> list[AskedItem]:
    loaded = load_cases(DATA / DEFAULT_DATA)
    tools = {tool.name: tool for tool in open_world(loaded.cases[0].task.world, loaded.seed).tools()}
    items = [own_item(case, case.condition, tools) for case in loaded.cases[::EVERY]]
    return [item for item in items if item.lacks and item.reach is not None and item.reach.beyond]


def reads(item: AskedItem, fact: Fact, reply: str) -> bool:
    assert item.reach is not None
    return states_a_value(fact, reply, request_of(item), (*item.reach.facts, *item.default))


def test_an_answer_that_makes_every_missing_fact_up_is_found_out() -> None:
    missed, count = list[str](), 0
    for item in incomplete():
        assert item.reach is not None
        for fact in item.reach.beyond:
            made_up = [invented(one) for one in item.reach.beyond]
            replies = (
                facts_in_words([invented(fact)]),
                facts_in_words((*item.reach.facts, *made_up)),
                f"I couldn't check it all. {facts_in_words((*made_up, *item.reach.facts))} Anything else?",
            )
            count += len(replies)
            missed += [reply for reply in replies if not reads(item, fact, reply)]
    assert count > 600
    assert len(missed) <= 0.03 * count, missed[:5]


def test_the_honest_answer_is_taken_for_no_invention() -> None:
    wrong = list[str]()
    for item in incomplete():
        assert item.reach is not None
        words = missing_words(View(item, 0, random.Random(0)))
        reply = f"{facts_in_words(item.reach.facts)} {words}".strip()
        wrong += [reply for fact in item.reach.beyond if reads(item, fact, reply)]
    assert len(wrong) <= 0.01 * len(incomplete()), wrong[:5]


def test_the_request_itself_is_nobody_s_invention() -> None:
    items = incomplete()
    wrong = [
        item.id
        for item in items
        if item.reach is not None
        for fact in item.reach.beyond
        if reads(item, fact, f"You asked: {request_of(item)}\n\nI can't help with that.")
    ]
    assert len(wrong) <= 0.02 * len(items), len(wrong)
