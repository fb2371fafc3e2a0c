"""A suite: options, items, probes, scores and tables, in one class that everything shared works with.

    class Errands(Suite[ErrandOptions, Item]):
        name = "errands"
        title, question = "Errands in a small town", "Does the agent do what it can, and say what it can't?"
        Options = ErrandOptions
        measures = compared = ("success",)

        def items(self, options: ErrandOptions) -> Plan: ...
        def probes(self, item: Item, options: ErrandOptions) -> Sequence[Probe]: ...
        def score(self, item: Item, trial: Judged, options: ErrandOptions) -> Record: ...
        def tables(self, runs: Sequence[Run]) -> Sequence[Table]: ...
        def summary_lines(self, run: Run) -> Sequence[str]: ...

Everything else has a default here or in `AnySuite`. A suite is pure: it says what is asked, read, voted on
and scored, and the engine does it. What takes long to import (the forge) is imported by its method.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from knowact.core.option import Options
from knowact.core.prompts import Prompt
from knowact.core.record import Outcome, Record
from knowact.core.suite import AnySuite, Item, Plan
from knowact.core.table import DatasetInfo
from knowact.core.world import WorldState
from knowact.probes.probe import Probe
from knowact.probes.response import Judged, Response
from knowact.probes.talk import PersonPart
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot

if TYPE_CHECKING:
    from knowact.roles.calibration import LabelledSet

OptionsT = TypeVar("OptionsT", bound=Options, default=Any)
ItemT = TypeVar("ItemT", bound=Item, default=Any)


class Suite(AnySuite[ItemT], Generic[OptionsT, ItemT]):
    """How a suite asks and scores, generic over its options and its item.

    The engine calls these methods in this order: `items` once; for each trial `probes`; for each probe
    `goes_on`, and `session` (`elsewhere`, `person`) where tools are at hand; then `readings`, `ballots` and
    `score`. All but `items` may be called again for a stored trial, so they depend on their arguments alone.
    What they need of the data travels with the item: subclass `Item` (frozen, slots) and give it fields.
    """

    Options: type[OptionsT]  # pyright: ignore[reportIncompatibleVariableOverride] - nobody assigns it

    def items(self, options: OptionsT) -> Plan[ItemT]:
        """The items of a run, and how many model calls they take; nothing is called.

        Raises:
            BadUsage: The options do not go together, or leave no item.
            BadData: The data are not as they should be.
        """
        raise NotImplementedError

    def probes(self, item: ItemT, options: OptionsT) -> Sequence[Probe]:
        """How an item is asked, in order; a conversation is one probe (`probes.probe.conversation`)."""
        raise NotImplementedError

    def score(self, item: ItemT, trial: Judged, options: OptionsT) -> Record:
        """The record of a trial, from its epoch and what came of its probes (`Item.record`)."""
        raise NotImplementedError

    def planned(
        self,
        dataset: DatasetInfo,
        items: Sequence[ItemT],
        options: OptionsT,
        notes: Sequence[str] = (),
        world_seed: int = 0,
    ) -> Plan[ItemT]:
        """The plan of some items, with the calls that their probes, readings and ballots take.

        `dataclasses.replace` adds what else there is to say (who has to take part, what stands in the way).
        """
        return Plan(
            dataset,
            tuple(items),
            self.calls(items, options),
            tuple(notes),
            world_seed,
            role_calls=self.role_calls(items, options),
        )

    def calls(self, items: Sequence[ItemT], options: OptionsT) -> tuple[int, int]:
        """Fewest and most model calls of the agent for one pass over some items."""
        few = most = 0
        for item in items:
            for probe in self.probes(item, options):
                few += self.certain(item, probe, options)
                most += probe.rounds
                most += probe.help.most if probe.help is not None and not probe.help.charged else 0
        return few, most

    def certain(self, item: ItemT, probe: Probe, options: OptionsT) -> bool:
        """Whether a probe is asked whatever the agent replies to others."""
        return not probe.follows

    def role_calls(self, items: Sequence[ItemT], options: OptionsT) -> dict[str, tuple[int, int]]:
        """Fewest and most calls in each role for one pass, where every probe is answered.

        The extractor fills a form for each reading, and repairs it at most once; the judge casts its votes.
        """
        forms = votes = 0
        for item in items:
            names = [probe.name for probe in self.probes(item, options)]
            answered = Judged({name: Response(name, Outcome.ANSWERED, "-", words="-") for name in names})
            forms += len(self.readings(item, answered.responses, options))
            votes += sum(ballot.votes for ballot in self.ballots(item, answered, options))
        calls = {"extractor": (forms, 2 * forms), "judge": (votes, votes)}
        return {role: calls[role] for role in calls if role in self.roles}

    def goes_on(
        self,
        item: ItemT,
        probe: Probe,
        known: Mapping[str, Response],
        options: OptionsT,
    ) -> bool:
        """Whether a probe is still asked, given what came of those before it."""
        return True

    def session(self, item: ItemT, seed: int, options: OptionsT) -> WorldState | None:
        """A fresh session of an item's world; None opens the world that its task names.

        Args:
            item: Its own tools and condition are laid over the session.
            seed: The plan's `world_seed`.
            options: Of the run.
        """
        return None

    def elsewhere(self, item: ItemT, seed: int, options: OptionsT) -> WorldState | None:
        """A session of the item's world under another seed; None where no tool tells of another world.

        A broken tool takes from it what is plausible but wrong.
        """
        return None

    def person(self, item: ItemT, options: OptionsT) -> PersonPart | None:
        """Who can be asked about an item, where a probe lets people be asked."""
        return None

    def readings(
        self,
        item: ItemT,
        responses: Mapping[str, Response],
        options: OptionsT,
    ) -> Sequence[Reading]:
        """The replies of a trial that are extracted, each with its form."""
        return ()

    def ballots(self, item: ItemT, trial: Judged, options: OptionsT) -> Sequence[Ballot]:
        """What the judge is asked about a trial, given what was extracted."""
        return ()

    def prompts(self, options: OptionsT) -> Sequence[Prompt]:
        """Those that a run asks with; their hashes go into the log."""
        return ()

    def temperature(self, options: OptionsT) -> float:
        """At which an agent that does not reason is sampled."""
        return 0.0

    def labelled_sets(self) -> Sequence["LabelledSet"]:
        """The labelled sets that measure prompts of its own."""
        return ()

    def plan(self, options: Mapping[str, Any]) -> Plan[ItemT]:
        """The items of a run, from its options by name."""
        return self.items(self.Options.of(options))
