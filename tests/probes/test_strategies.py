"""Strategies: the same paragraph in every suite, told to the acting probe alone, refused where it is idle."""

import re
from typing import Any, cast

import pytest

from knowact.core.errors import BadUsage
from knowact.core.suite import options_of
from knowact.engine.conversations import ConversationSpec
from knowact.engine.suite_task import spec_of
from knowact.probes.probe import Message, Probe, Question
from knowact.probes.spec import TaskSpec
from knowact.probes.strategies import ACKNOWLEDGE, GATHER, NONE, STRATEGIES, VERIFY, paragraph, under
from knowact.suites import find

ACTING = {"kapro": ["act"], "fail_talms": ["act"], "ict": ["implicit"]}
"""By suite, the probes that a strategy changes."""

WHERE = (
    *(("kapro", ACKNOWLEDGE), ("kapro", GATHER), ("kapro", VERIFY)),
    *(("fail_talms", ACKNOWLEDGE), ("fail_talms", GATHER), ("fail_talms", VERIFY)),
    ("ict", ACKNOWLEDGE),
)


def spec_under(name: str, strategy: str, **more: Any) -> TaskSpec | ConversationSpec:
    suite = find(name)
    options = {**suite.defaults(), "limit": 1, "strategy": strategy, **more}
    return spec_of(suite, suite.plan(options), options)


def openings(name: str, strategy: str, **more: Any) -> dict[str, list[str]]:
    """What each probe of the first item begins with, a text per message."""
    spec = cast("TaskSpec", spec_under(name, strategy, **more))
    item = spec.plan.items[0]
    context = {"date": "2026-11-23"}
    return {
        probe.name: [message.text for message in probe.opening(item, context)] for probe in spec.probes(item)
    }


@pytest.mark.parametrize(("name", "strategy"), WHERE)
def test_the_acting_probe_alone_is_told_the_paragraph_and_nothing_else_changes(
    name: str, strategy: str
) -> None:
    plain = openings(name, NONE)
    told = openings(name, strategy)
    for probe, (first, *rest) in told.items():
        before, *others = plain[probe]
        added = f"\n\n{paragraph(strategy).text.strip()}" if probe in ACTING[name] else ""
        assert (first, rest) == (before + added, others), probe
    assert {probe for probe in told if told[probe] != plain[probe]} == {*ACTING[name]}


def test_a_probe_without_a_system_message_gets_one() -> None:
    def opening(*_: object) -> tuple[Message, ...]:
        return (Message("user", "Go on."),)

    probe = Probe("act", Question.DO_IT, rounds=1, execute=True, opening=opening)
    item = spec_under("kapro", NONE).plan.items[0]
    system, user = under(GATHER, probe).opening(item, {})
    assert (system.role, system.text) == ("system", paragraph(GATHER).text.strip())
    assert user.text == "Go on."


def test_both_answers_that_are_compared_are_given_under_the_strategy() -> None:
    spec = cast(
        "TaskSpec", spec_under("fail_talms", ACKNOWLEDGE, setting="no-tools", win_rate=True, probe="act")
    )
    probes = spec.probes(spec.plan.items[0])
    assert [probe.name for probe in probes] == ["act", "act_with_tools"]
    assert {probe.strategy for probe in probes} == {ACKNOWLEDGE}


def test_the_conversation_is_told_the_paragraph_of_all_suites() -> None:
    spec = cast("ConversationSpec", spec_under("car", ACKNOWLEDGE))
    item = spec.plan.items[0]
    (message,) = spec.brief(item, {"current_location": "here", "current_datetime": "now"})
    assert paragraph(ACKNOWLEDGE).text.strip() in message.text


@pytest.mark.parametrize(("name", "strategy"), [*WHERE, ("car", ACKNOWLEDGE), ("ict", VERIFY)])
def test_its_hash_goes_into_the_log(name: str, strategy: str) -> None:
    assert paragraph(strategy) in spec_under(name, strategy).prompts
    assert not {f"probes/{one}" for one in STRATEGIES} & {one.id for one in spec_under(name, NONE).prompts}


class TestBothMeaningsOfIct:
    def test_structured_verification_changes_the_question_and_the_acting(self) -> None:
        plain, told = openings("ict", "zero-shot"), openings("ict", VERIFY)
        assert told["explicit"] != plain["explicit"]
        assert told["implicit"][0] == f"{plain['implicit'][0]}\n\n{paragraph(VERIFY).text.strip()}"

    def test_the_papers_strategies_change_the_question_alone(self) -> None:
        plain, told = (openings("ict", one, rules="published") for one in ("zero-shot", VERIFY))
        assert told["explicit"] != plain["explicit"]
        assert told["implicit"] == plain["implicit"]

    @pytest.mark.parametrize("strategy", ["four-shot", "chain-of-thought"])
    def test_those_of_the_question_leave_the_acting_alone(self, strategy: str) -> None:
        assert openings("ict", strategy)["implicit"] == openings("ict", "zero-shot")["implicit"]

    def test_none_is_zero_shot(self) -> None:
        assert openings("ict", NONE) == openings("ict", "zero-shot")


REFUSED = (
    ("car", VERIFY, "cannot be 'structured-verification' here: its steps would be read to the driver."),
    ("ict", GATHER, "cannot be 'gather-then-act' here: no call is carried out"),
)
IDLE = (
    ("kapro", ACKNOWLEDGE, "tools_needed"),
    ("fail_talms", VERIFY, "awareness"),
    ("ict", ACKNOWLEDGE, "explicit"),
    ("ict", ACKNOWLEDGE, "feedback"),
)


@pytest.mark.parametrize(("name", "strategy", "why"), REFUSED)
def test_one_that_makes_no_sense_is_refused_with_the_reason(name: str, strategy: str, why: str) -> None:
    with pytest.raises(BadUsage, match=re.escape(why)):
        options_of(find(name), {"strategy": strategy})


@pytest.mark.parametrize(("name", "strategy", "probe"), IDLE)
def test_one_that_would_change_nothing_is_refused(name: str, strategy: str, probe: str) -> None:
    suite = find(name)
    said = f"--strategy {strategy} changes how the agent acts, and --probe {probe} does not let it act"
    with pytest.raises(BadUsage, match=re.escape(said)):
        suite.plan({**suite.defaults(), "limit": 1, "strategy": strategy, "probe": probe})
