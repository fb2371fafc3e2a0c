"""What a world gives the forge, so that data can be made in it: its tools, its scenarios, its answers."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from knowact.core.model import Noun
from knowact.core.proof import EXECUTED, PROOF
from knowact.core.task import Boundary, Step
from knowact.core.tool import Tool
from knowact.core.world import WorldState
from knowact.worlds.scenarios import Scenario


class Answer(Noun):
    """How a result field is compared where an answer states it; attributes as in `core.task.Fact`.

    Attributes:
        label: What it is, for whoever reads a report; `{city}` stands for an argument.
    """

    label: str
    kind: Literal["number", "text", "phone", "identifier", "date", "time", "yes_no"]
    unit: str = ""
    tolerance: float = 0.0
    exact: bool = False
    aliases: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Material:
    """A world as the forge sees it.

    Attributes:
        name: The world's name.
        open: Opens a session of a setup and a seed.
        today: The day that agents are shown.
        shown: All that agents are shown beside a request: the time, the place.
        tools: All tools by name; each with its capability.
        keys: The keys of the tables that scenarios draw from, the same for every seed.
        scenarios: By name.
        answers: By tool and result field.
        boundary: On which side a call lies; None where it lies on neither (public facts).
        by_size: Whether a call is external for the size of what it is given alone.
        stands_in: Whether one tool could do another's job by a formula that everybody knows.
        usual: Whether people fill in an argument of a tool themselves where nobody says it (the home town).
        needed_if: Of tools that some calls need and others do not, what tells them apart, for the proposer of
            scenarios.
        labels: What labels of steps rest on, a sentence each; none where that is the world itself.
        seeded: Whether another seed gives other values, which proves that nobody could know an answer.
    """

    name: str
    open: Callable[[Mapping[str, JsonValue], int], WorldState]
    today: dt.date
    shown: Mapping[str, str]
    tools: Mapping[str, Tool]
    keys: Mapping[str, Sequence[JsonValue]]
    scenarios: Mapping[str, Scenario]
    answers: Mapping[str, Mapping[str, Answer]]
    boundary: Callable[[str, Mapping[str, JsonValue]], Boundary | None]
    by_size: Callable[[str, Mapping[str, JsonValue]], bool]
    stands_in: Callable[[str, str], bool]
    usual: Callable[[str, str], bool] = lambda _tool, _parameter: False
    needed_if: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    labels: Callable[[Iterable[Step]], Sequence[str]] = lambda _steps: ()
    seeded: bool = True

    @property
    def proof(self) -> Mapping[str, str]:
        """What provenance says of the proofs of items made here, where they are less than proven."""
        return {} if self.seeded else {PROOF: EXECUTED}

    @property
    def short(self) -> str:
        """The name in ids and data sets: without the kind of world that stands before a colon."""
        return self.name.rpartition(":")[2]
