"""How far a run is: counted trial by trial while the engine is at work, for whoever shows it.

The engine's loop counts and another thread draws, so whoever looks gets a copy (`RunProgress.now`).
"""

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

from inspect_ai.log import read_eval_log_sample_summaries

from knowact.core.errors import BadData
from knowact.core.record import Outcome
from knowact.engine.budget import BUDGET
from knowact.engine.reader import damage_named, find_logs

TrialKey: TypeAlias = tuple[str, int]
"""The item's id, and the epoch."""

FINE: Final = frozenset({Outcome.ANSWERED, Outcome.DECLINED, Outcome.ASKED, Outcome.NOT_RUN})
"""Outcomes that nobody needs to look into."""


@dataclass(frozen=True, slots=True)
class Count:
    """How far one thing is, of which many are done.

    Attributes:
        label: What is counted ("trials", "tools needed").
        done: Ended by now, earlier ones included.
        total: In all.
        earlier: Those that an earlier run of the same command has ended.
        failures: What went wrong, and how often.
    """

    label: str
    done: int
    total: int
    earlier: int = 0
    failures: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run is at one moment.

    Attributes:
        whole: What the run is made of.
        parts: Its probes; empty where there is but one.
        seconds: Since it began.
        share: What is done of what is due now, from 0 to 1; finer than trials where one has several probes.
        cost: US dollars; 0 where no price is known.
    """

    whole: Count
    parts: tuple[Count, ...] = ()
    seconds: float = 0.0
    share: float = 0.0
    cost: float = 0.0

    @property
    def left(self) -> float | None:
        """Seconds that it will take at this rate; None while nothing is done."""
        return self.seconds * (1 - self.share) / self.share if self.share > 0 else None


class RunProgress:
    """The trials of one run, and how each of their probes ended.

    Args:
        total: Trials of the run.
        earlier: Those that ended before it began, as their logs say.
        clock: Seconds, from any point on.
    """

    def __init__(
        self, total: int, earlier: Iterable[TrialKey] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total, self._earlier, self._clock = total, frozenset(earlier), clock
        self._began, self._spent = clock(), BUDGET.spent
        self._expected: Counter[str] = Counter()
        self._due: Counter[str] = Counter()
        self._probes: dict[tuple[TrialKey, str], Outcome] = {}
        self._trials: set[TrialKey] = set()
        self._lock = Lock()

    def expect(self, probes: Mapping[str, Iterable[str]], epochs: int) -> None:
        """Say which probes each item has, by its id."""
        with self._lock:
            for item, names in probes.items():
                told = list(names)
                due = sum((item, epoch) not in self._earlier for epoch in range(1, epochs + 1))
                for name in told:
                    self._expected[name] += epochs
                    self._due[name] += due

    def probe_ended(self, trial: TrialKey, probe: str, outcome: Outcome) -> None:
        """Note that a probe has ended; of a trial that the engine tries again, the last time counts."""
        with self._lock:
            self._probes[trial, probe] = outcome

    def trial_ended(self, trial: TrialKey, outcomes: Mapping[str, Outcome]) -> None:
        """Note that a trial has ended, and how each of its probes did after all."""
        with self._lock:
            self._trials.add(trial)
            for probe, outcome in outcomes.items():
                self._probes[trial, probe] = outcome

    def now(self) -> Standing:
        """How far it is now."""
        with self._lock:
            done, probes = len(self._trials), dict(self._probes)
        names = [name for name in self._expected if self._expected[name]]
        ended = {name: [one for (_, probe), one in probes.items() if probe == name] for name in names}
        parts = [self._part(name, ended[name]) for name in names]
        earlier = len(self._earlier)
        failures: Counter[str] = Counter()
        if len(parts) < 2:  # noqa: PLR2004 - one probe's failures are the trials'
            failures.update(*(part.failures for part in parts))
        whole = Count("trials", earlier + done, self._total, earlier, failures)
        return Standing(
            whole,
            tuple(parts) if len(parts) > 1 else (),
            self._clock() - self._began,
            self._share(done, len(probes)),
            BUDGET.spent - self._spent,
        )

    def _part(self, name: str, outcomes: list[Outcome]) -> Count:
        earlier = self._expected[name] - self._due[name]
        failed = Counter(one.value.replace("_", " ") for one in outcomes if one not in FINE)
        return Count(name.replace("_", " "), earlier + len(outcomes), self._expected[name], earlier, failed)

    def _share(self, trials: int, probes: int) -> float:
        steps = sum(self._due.values())
        due = self._total - len(self._earlier)
        share = probes / steps if steps else trials / due if due else 1.0
        return min(1.0, share)


class _Watched:
    """Who is told how far the run of this process is; nobody, unless a command shows it."""

    def __init__(self) -> None:
        self.run: RunProgress | None = None

    @contextmanager
    def by(self, run: RunProgress) -> Generator[None]:
        """Tell a run's progress while the block lasts."""
        self.run = run
        try:
            yield
        finally:
            self.run = None

    def probe_ended(self, item: str, epoch: int, probe: str, outcome: Outcome) -> None:
        """See `RunProgress`."""
        if self.run is not None:
            self.run.probe_ended((item, epoch), probe, outcome)

    def expect(self, probes: Mapping[str, Iterable[str]], epochs: int) -> None:
        """See `RunProgress`."""
        if self.run is not None:
            self.run.expect(probes, epochs)

    def trial_ended(self, item: str, epoch: int, outcomes: Mapping[str, Outcome]) -> None:
        """See `RunProgress`."""
        if self.run is not None:
            self.run.trial_ended((item, epoch), outcomes)


WATCHED: Final = _Watched()
"""One per process, like the budget: the engine's tasks are made far from the command that shows them."""

Watch: TypeAlias = Callable[[Callable[[], Standing]], AbstractContextManager[object]]
"""Shows how far something is while a block lasts: from what says so to the block's context manager."""


def unwatched(standing: Callable[[], Standing]) -> AbstractContextManager[object]:  # noqa: ARG001 - as all watches
    """Show nothing."""
    return nullcontext()


def ended_before(folder: Path) -> frozenset[TrialKey]:
    """The trials that the newest log of a run's folder holds to the end, so that they are not done again.

    A log that cannot be read counts as none: the engine has its own way with those.
    """
    try:
        newest = max(find_logs([folder]), key=lambda log: log.header.eval.created, default=None)
        if newest is None:
            return frozenset()
        with damage_named(newest.path, "its samples cannot be read"):
            every = read_eval_log_sample_summaries(str(newest.path))
    except BadData:
        return frozenset()
    return frozenset((str(one.id), one.epoch) for one in every if one.completed and not one.error)
