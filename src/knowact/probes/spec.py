"""What a suite tells the engine: how items are asked, and how what comes of it is scored. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowact.core.prompts import Prompt
from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.core.world import WorldState
from knowact.probes.probe import Probe
from knowact.probes.response import Judged, Response
from knowact.roles.extractor import Reading
from knowact.roles.helper import Known, Person
from knowact.roles.judge import Ballot


def _nobody(_item: Item) -> None:
    """Nobody can be asked."""


def _nowhere(_item: Item) -> None:
    """No tool is broken."""


def _nothing_to_read(_item: Item, _known: Mapping[str, Response]) -> Sequence[Reading]:
    """No reply is extracted."""
    return ()


def _no_ballots(_item: Item, _judged: Judged) -> Sequence[Ballot]:
    """Nothing is put to the vote."""
    return ()


def _always(_item: Item, _probe: Probe, _known: Mapping[str, Response]) -> bool:
    """Every probe is asked."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSpec:
    """What a suite tells the engine.

    Attributes:
        plan: The items.
        probes: The probes of an item, in order.
        record: From an item, epoch and what came of the trial to the record.
        session: Opens a fresh session of an item's world; None opens the world that its task names.
        readings: The replies of a trial that are extracted, each with its form.
        ballots: What the judge is asked about a trial, given what was extracted.
        elsewhere: Opens a session of the item's world under another seed, from which a broken tool takes what
            is plausible but wrong; None where nothing is broken like that.
        person: Who can be asked about an item, where a probe lets people be asked; and what they know of it,
            None where nobody has said what the item lacks.
        goes_on: Whether a probe is still asked, given what came of those before it.
        temperature: Of an agent that does not reason.
        prompts: Those that it asks with; their hashes go into the log.
        metrics: What the engine itself shows, as its own metrics; empty for the mean of the suite's headline.
        seed: For built-in agents' random choices; shared code takes it from the options.
        measures: The results that go into `Score.value`; shared code takes them from the suite.
    """

    plan: Plan
    probes: Callable[[Item], Sequence[Probe]]
    record: Callable[[Item, int, Judged], Record]
    session: Callable[[Item], WorldState] | None = None
    readings: Callable[[Item, Mapping[str, Response]], Sequence[Reading]] = _nothing_to_read
    ballots: Callable[[Item, Judged], Sequence[Ballot]] = _no_ballots
    elsewhere: Callable[[Item], WorldState | None] = _nowhere
    person: Callable[[Item], tuple[Person, Known | None] | None] = _nobody
    goes_on: Callable[[Item, Probe, Mapping[str, Response]], bool] = _always
    temperature: float = 0.0
    prompts: Sequence[Prompt] = ()
    metrics: Sequence[Any] = ()
    seed: int = 0
    measures: Sequence[str] = ()

    def asks(self, item: Item, probe: Probe, known: Mapping[str, Response]) -> bool:
        """Whether a probe is asked, given what came of those before it: see `Probe.follows`, `goes_on`."""
        before = (known.get(name) for name in probe.follows)
        worded = all(one is not None and one.readable and one.reply.strip() for one in before)
        return worded and self.goes_on(item, probe, known)
