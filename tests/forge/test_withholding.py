"""What an incomplete version leaves out: values that nobody would fill in, and that nothing else tells."""

from collections import Counter
from typing import get_args

import pytest

from forge.small_world import TABLE, only, small
from knowact.core.proof import Possibility, prove_withheld
from knowact.core.world import Call
from knowact.forge.briefs import COMPLETE, How, brief_of
from knowact.forge.choose import candidates
from knowact.forge.drafts import Draft, Sketch, drafted
from knowact.forge.withholding import INCOMPLETE, SHARES, Gap, gap_of, with_versions
from knowact.worlds.scenarios import Scenario

WORLD = only(TABLE)
BOOKING = drafted(Sketch(scenario="one", jobs=("booking",)), WORLD, 27)
HOWS = [how for how in get_args(How) if how]


def lacking(draft: Draft) -> Gap:
    found = gap_of(draft, WORLD, 27)
    assert found is not None
    return found


class TestTheGap:
    def test_is_a_value_without_which_the_task_cannot_be_done(self) -> None:
        found = [(draft, gap) for draft in candidates(small(), 27) if (gap := gap_of(draft, small(), 27))]
        assert len(found) > 50
        for draft, gap in found:
            step = draft.task.plan[gap.step]
            assert step.external
            assert gap.parameter in small().tools[step.tool].required
            proof = prove_withheld(draft.task, small().tools, gap.step, gap.parameter)
            assert proof.possibility is not Possibility.POSSIBLE

    def test_could_have_another_value_with_which_the_call_succeeds_too(self) -> None:
        for draft in candidates(small(), 27):
            if gap := gap_of(draft, small(), 27):
                step = draft.task.plan[gap.step]
                assert gap.other != step.arguments[gap.parameter].value
                call = Call(step.tool, {**step.call_arguments, gap.parameter: gap.other})
                assert small().open({}, 27).call(call).ok

    def test_is_nothing_that_people_fill_in(self) -> None:
        asks = {"tool": "get_forecast", "ask": "how warm it gets", "wants": ["high_c"]}
        rows = {"city": {"one_of": ["Utrecht", "Ghent"]}, "date": {"day": [0, 3]}}
        scenario = Scenario.model_validate(
            {
                "people": ["Ines", "Bo"],
                "situation": "It may rain.",
                "jobs": {"weather": {**asks, "with": rows}, "other": {**asks, "with": rows}},
            }
        )
        world = only(scenario)
        weather = drafted(Sketch(scenario="one", jobs=("weather",)), world, 27)
        assert gap_of(weather, world, 27) is None

    def test_is_no_value_that_another_part_says(self) -> None:
        both = drafted(Sketch(scenario="one", jobs=("bill", "booking", "menu")[::-1]), WORLD, 27)
        gap = lacking(both)
        said = [one.value for step in both.task.plan for one in step.arguments.values()]
        assert said.count(both.task.plan[gap.step].arguments[gap.parameter].value) == 1

    def test_may_be_asked_of_some_steps_only(self) -> None:
        assert gap_of(BOOKING, WORLD, 27, range(0)) is None

    def test_goes_missing_in_the_guides_shares(self) -> None:
        how = Counter(gap.how for draft in candidates(small(40), 27) if (gap := gap_of(draft, small(40), 27)))
        for one, share in SHARES.items():
            assert abs(how[one] / how.total() - share) < 0.06


class TestTheVersions:
    @pytest.mark.parametrize("how", HOWS)
    def test_are_two_of_which_one_lacks_the_value(self, how: How) -> None:
        gap = lacking(BOOKING).model_copy(update={"how": how})
        brief = with_versions(brief_of(BOOKING, WORLD, 27), gap)
        complete, incomplete = brief.versions
        assert (complete.name, incomplete.name) == (COMPLETE, INCOMPLETE)
        assert incomplete.leaves_out == (gap.key,)
        assert gap.key in brief.keys(complete)
        assert gap.key not in brief.keys(incomplete)
        assert incomplete.masked == (how != "left out")
        assert len(complete.before) == len(incomplete.before) == (how != "left out")
        assert complete.earlier == ((gap.key,) if incomplete.masked else ())
        assert (incomplete.other is not None) == (how == "two candidates")

    def test_give_the_brief_another_id(self) -> None:
        plain, gap = brief_of(BOOKING, WORLD, 27), lacking(BOOKING)
        ids = {with_versions(plain, gap.model_copy(update={"how": how})).id for how in HOWS}
        assert len(ids | {plain.id}) == len(HOWS) + 1
