"""What a run of KAPRO can be asked for."""

from typing import Annotated, Literal

from knowact.core.option import Bare, Least, Options
from knowact.probes.strategies import Strategy
from knowact.probes.transfer import Transferred


class KaproOptions(Options):
    """What a run of KAPRO can be asked for."""

    data: str = "everyday@2-A"
    """A shipped data set, or a folder in our layout or the published one."""
    probe: Literal["both", "tools_needed", "act"] = "both"
    """Ask both ways, or only one."""
    subspace: Literal["all", "external", "hybrid", "internal"] = "all"
    """Only tasks of one side of the boundary."""
    topology: Literal["all", "single_hop", "parallel", "multi_hop"] = "all"
    """Only tasks of one topology."""
    distractors: int = 0
    """Offer this many tools in addition to the task's own (10 in the paper)."""
    strategy: Strategy = "none"
    rounds: Annotated[int, Least(1)] = 10
    """Maximum number of model calls per acting trial."""
    solo: Annotated[int, Bare(5)] = 0
    """Try each task also N times without any tool: this model's own boundary. Without N: 5."""
    transfer: Transferred = False
    votes: Annotated[int, Least(1)] = 3
    """The judge's votes per answer."""
