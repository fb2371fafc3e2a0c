"""What a policy check finds, and what it may look at (CAR-bench)."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from knowact.worlds.car.defects import Defect
from knowact.worlds.car.record import Values
from knowact.worlds.car.timeline import Batch, Placed, Timeline


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of one policy.

    Attributes:
        step: The agent's message that did it.
        why: A clause.
        unchecked: Whether what is missing is a read or a question before acting, and nothing else.
    """

    policy: str
    step: int
    why: str
    unchecked: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A trial under a rule set: what a check may look at.

    Attributes:
        faults: The faults of the published scoring that are on.
    """

    line: Timeline
    faults: frozenset[Defect]

    def has(self, defect: Defect) -> bool:
        """Whether a fault is on."""
        return defect in self.faults

    def triggers(
        self, tool: str, counts: Callable[[Placed], bool], *, state: bool = False
    ) -> Iterator[tuple[Batch, Placed]]:
        """Yield the calls of a tool that bring a rule up, each with the batch that the rule is checked on.

        Args:
            tool: The tool's name.
            counts: Whether a call brings the rule up by its arguments and the state before it.
            state: Whether the rule asks that things be so, and for no order: then it is checked when the
                agent next speaks, and its batch is all that comes before. The published
                checks look at the last state anyway.
        """
        for batch in self.line.batches:
            calls = batch.of(tool)
            for placed in calls[:1] if self.has(Defect.FIRST_CALL) else calls:
                if not counts(placed):
                    continue
                checked = self.line.until_it_speaks(batch) if state else batch
                if self._matters(placed, checked):
                    yield checked, placed

    def _matters(self, placed: Placed, batch: Batch) -> bool:
        """Whether a call made a difference that the batch did not undo."""
        changes = placed.call.changes
        if not changes:
            return self.has(Defect.NO_CHANGE_COUNTS)
        return self.has(Defect.FINAL_STATE) or any(batch.after[c.name] != c.before for c in changes)

    def state(self, batch: Batch) -> Values:
        """Return the state by which a call in a batch is judged."""
        return self.line.final if self.has(Defect.FINAL_STATE) else batch.after

    def called(self, batch: Batch, *tools: str) -> bool:
        """Whether one of these tools was called in an earlier message, whatever came of it."""
        return any(placed.call.tool in tools for placed in self.line.earlier(batch))

    def knows(self, batch: Batch, variables: Iterable[str]) -> bool:
        """Whether the agent knew all of these variables when it acted, or had set them."""
        return frozenset(variables) <= self.line.known(batch)
