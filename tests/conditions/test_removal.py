"""Every tool removed."""

from knowact.conditions.removal import no_tools
from knowact.core.proof import Possibility, prove_task
from knowact.worlds.overlay import offered_under
from mini_world import HYBRID_PARALLEL, INTERNAL_SINGLE, TOOLS


def test_all_tools_are_taken_away_and_said() -> None:
    condition = no_tools(HYBRID_PARALLEL)
    assert (condition.name, condition.withheld) == ("no-tools", ("tool:current_weather", "tool:add"))
    assert offered_under(HYBRID_PARALLEL.offered, TOOLS, condition) == ()
    assert prove_task(HYBRID_PARALLEL, TOOLS, condition).possibility is Possibility.PARTLY
    assert prove_task(INTERNAL_SINGLE, TOOLS, no_tools(INTERNAL_SINGLE)).possibility is Possibility.POSSIBLE
