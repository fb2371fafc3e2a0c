"""Our references under the published scoring: what its faults do to somebody who does everything right."""

from typing import cast

import pytest

from knowact.core.conversation import PolicyVotes, Stop
from knowact.core.world import Call
from knowact.suites.car.items import CarItem, plan
from knowact.suites.car.scoring import POLICY, score
from knowact.suites.car.suite import SUITE
from knowact.worlds.car.record import CarRecorder, CarTrial, Word
from knowact.worlds.car.rules import Rules


def played(item: CarItem) -> CarTrial:
    """The reference, a call a message, then a word and the end; no judge complains."""
    session = item.factory.whole(item.what)
    context = session.car.context.model_dump(mode="json")
    recorder = CarRecorder(
        session,
        CarTrial(item=item.what.id, type=item.what.type, world=Rules.PUBLISHED, context=context),
    )
    recorder.user(item.task.opening.text)
    for one in item.what.reference:
        recorder.batch([Call(one.tool, one.arguments)])
    if not session.ended:
        recorder.assistant("All done.")
        recorder.rule(Word.STOP, "user")
    trial = recorder.close(Stop.TOOL if session.ended else Stop.WORD)
    return trial.model_copy(update={"judged": (PolicyVotes(policy="", followed=(True,)),)})


@pytest.mark.slow
def test_all_but_one_succeed() -> None:
    """base_033 reads the windows and sets the fan, which is right; D-04 wants nothing read, or more."""
    options = {**SUITE.defaults(), "seed": 0, "rules": "published", "tool_lists": "whole"}
    items = [cast("CarItem", one) for one in plan(options).items]
    complete = [one for one in items if not one.what.type.lacks_a_part]
    found = {one.what.id: score(played(one), one.goal, Rules.PUBLISHED) for one in complete}
    assert len(found) == 150
    failed = {name: one for name, one in found.items() if one.reward.value != 1}
    assert set(failed) == {"base_033"}
    assert [one.policy for one in failed["base_033"].violations] == ["AUT-POL:011"]
    assert [name for name, one in failed["base_033"].metrics.items() if one.value == 0] == [POLICY]
