"""Tools removed: one, or all."""

import pytest

from knowact.conditions.removal import no_tools, without_tool
from knowact.core.condition import Condition, Hide
from knowact.core.proof import Possibility, prove_task
from knowact.worlds.overlay import offered_under
from mini_world import EXTERNAL_MULTI, HYBRID_PARALLEL, INTERNAL_SINGLE, TOOLS


def test_one_tool_is_taken_away_and_said() -> None:
    condition = without_tool(EXTERNAL_MULTI, "find_contact")
    assert condition == Condition(
        name="without-find_contact",
        changes=(Hide(tool="find_contact"),),
        withheld=("tool:find_contact",),
    )
    left = offered_under(EXTERNAL_MULTI.offered, TOOLS, condition)
    assert [tool.name for tool in left] == ["current_weather"]
    assert prove_task(EXTERNAL_MULTI, TOOLS, condition).verdict is Possibility.IMPOSSIBLE


def test_a_tool_that_is_not_there_cannot_be_taken_away() -> None:
    with pytest.raises(ValueError, match="'external-multi' does not offer 'add'"):
        without_tool(EXTERNAL_MULTI, "add")


def test_all_tools_are_taken_away_and_said() -> None:
    condition = no_tools(HYBRID_PARALLEL)
    assert (condition.name, condition.withheld) == ("no-tools", ("tool:current_weather", "tool:add"))
    assert offered_under(HYBRID_PARALLEL.offered, TOOLS, condition) == ()
    assert prove_task(HYBRID_PARALLEL, TOOLS, condition).verdict is Possibility.PARTLY
    assert prove_task(INTERNAL_SINGLE, TOOLS, no_tools(INTERNAL_SINGLE)).verdict is Possibility.POSSIBLE
