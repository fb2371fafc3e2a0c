"""Every check of a world, made in this very process."""

from collections.abc import Sequence
from functools import partial

from knowact.core.world import World
from knowact.worlds.check import Checks, Example, Finding, attempt


def check_world(
    world: World, examples: Sequence[Example], *, rounds: int = 20, seeds: Sequence[int] = (0, 1)
) -> list[Finding]:
    """Check every tool of a world, in this very process.

    Args:
        world: The world.
        examples: Worked examples, at least three per tool.
        rounds: Random calls per tool and seed.
        seeds: Seeds of the world for the random calls.

    Returns:
        One finding per check, in the order of the tools; then, for deterministic worlds, one per attribute:
        whatever was said of one subject, by one tool or by several, must be the same.
    """
    tools = world.open({}, min(seeds)).tools()
    checks = Checks(
        tools,
        examples,
        partial(attempt, world),
        rounds=rounds,
        seeds=seeds,
        deterministic=world.deterministic,
    )
    found = checks.strangers()
    for tool in tools:
        found.extend(checks.of(tool))
    # What is really live may change between two calls, and nobody would be wrong.
    return [*found, *(checks.agreement() if world.deterministic else ())]
