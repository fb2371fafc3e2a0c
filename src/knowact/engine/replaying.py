"""A stored conversation, ruled on once more by today's rules: on the same votes, or on another judge's.

What was said and done stays as it was. Where it would have ended before its end by now, it is cut there.
Where an earlier ruling ended it that no longer stands, nobody knows how it would have gone on: such an
attempt counts as broken off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from knowact.core.conversation import (
    Called,
    Event,
    LimitReached,
    Parsed,
    Recorder,
    Ruled,
    Said,
    Stop,
    Trial,
    UserFault,
)
from knowact.core.suite import Item
from knowact.core.tool import Tool
from knowact.core.world import Call, Observation
from knowact.engine.conversations import ConversationSpec, another_is_due, read_words, rule_when_over
from knowact.engine.roles import EXTRACTOR, players
from knowact.engine.termination import TerminationJudge
from knowact.engine.usage import UsageTracker
from knowact.roles.termination import Ruling

WOULD_GO_ON: Final = "would_go_on"
"""Flag of a record: attempts that an earlier ruling ended, and that would go on by now."""


@dataclass(frozen=True, slots=True)
class _Past:
    """The session of a stored conversation: it answers nothing any more."""

    trial: Trial

    def tools(self) -> Sequence[Tool]:
        return ()

    def context(self) -> Mapping[str, str]:
        return {}

    def call(self, call: Call) -> Observation:
        raise NotImplementedError(f"{call.tool} is not called again")

    def snapshot(self) -> Mapping[str, JsonValue]:
        return self.trial.initial

    def digest(self) -> str:
        return self.trial.digest


class _Replay(Recorder[Trial]):
    """Writes a stored conversation down once more.

    Args:
        stored: The conversation.
        anew: Whether the judge is asked again, so that what was spent on the earlier one is left out.
    """

    def __init__(self, stored: Trial, *, anew: bool) -> None:
        empty = {"events": (), "judged": (), "user_votes": (), "forms": (), "spent": ()}
        super().__init__(_Past(stored), stored.model_copy(update=empty))
        asked = {"judge"} if anew else set[str]()
        asked |= {"extractor"} if players(EXTRACTOR) else set()
        for one in stored.spent:
            if one.role not in asked:
                self.spend(one)

    def again(self, event: Event) -> None:
        """Write down what happened as it stands."""
        self._turn, self._step, self.at = event.turn, event.step, event.at
        self._events.append(event)

    def apply(self, rulings: Sequence[Ruling]) -> None:
        """Write rulings down."""
        for one in rulings:
            self.rule(one.word, one.by, finding=one.finding, why=one.why, votes=one.votes)


_OWN_ENDS: Final = frozenset((Stop.LIMIT, Stop.CONTEXT, Stop.USER))
"""What ends a conversation whatever anybody rules."""


@dataclass(frozen=True, slots=True)
class _Again:
    """One attempt while it is ruled on once more.

    Attributes:
        recorder: Writes it down.
        judge: Who rules, by which rules.
        anew: Whether the judge is asked; else the stored votes are taken.
    """

    recorder: _Replay
    judge: TerminationJudge
    anew: bool

    async def play(self, events: Sequence[Event]) -> Stop | None:
        """Write events down with what is ruled on them, until they are over; None where nothing ends them."""
        for event, follows in zip(events, (*events[1:], None), strict=True):
            stop = await self._take(event, follows)
            if stop is not None:
                return stop
        return None

    async def _take(self, event: Event, follows: Event | None) -> Stop | None:
        rules, so_far = self.judge.rules, self.recorder.so_far
        match event:
            case Said(role="assistant"):
                self.recorder.again(event)
                await self._parse(follows)
                self.recorder.apply(rules.after_words(so_far))
                return Stop.WORD if rules.is_over(so_far) else None
            case Said():
                self.recorder.again(event)
                self.recorder.apply(rules.after_reply(so_far))
            case Called():
                self.recorder.again(event)
                if isinstance(follows, Called) and follows.step == event.step:
                    return None
                self.recorder.apply(rules.after_batch(so_far))
                ended = any(call.ends for call in so_far.calls if call.step == event.step)
                return Stop.TOOL if ended else None
            case Ruled(by="user"):
                self.recorder.again(event)
                return Stop.WORD
            case LimitReached():
                self.recorder.again(event)
            case _:  # what was ruled before
                pass
        return None

    async def _parse(self, follows: Event | None) -> None:
        """Write down what is ruled on the agent's last words: stored behind them, or asked now."""
        if self.anew:
            parsed = await self.judge.parse(self.recorder.so_far, None)
            if parsed is not None:
                self.recorder.parsed(*parsed)
        elif isinstance(follows, Parsed):
            self.recorder.again(follows)


async def ruled_again(spec: ConversationSpec, item: Item, stored: Trial, key: str, *, anew: bool) -> Trial:
    """Rule on one attempt again.

    Args:
        spec: What the suite tells the engine, under the rules that count.
        item: What it was about.
        stored: The record of the attempt.
        key: Names the trial, for a file in the role.
        anew: Whether the judge is asked; else the stored votes are taken.

    Returns:
        The record as it would be; its end is BROKEN where it would go on beyond what is stored.
    """
    if stored.stop is Stop.BROKEN:
        return stored
    recorder = _Replay(stored, anew=anew)
    judge = TerminationJudge(spec.rules(item), spec.votes, key, UsageTracker(recorder).of("judge"))
    stop = await _Again(recorder, judge, anew).play(stored.events)
    if stop is None:
        stop = stored.stop if stored.stop in _OWN_ENDS else Stop.BROKEN
    if stop is Stop.USER:
        found = spec.faults(item, recorder.close(stop))
        for event in stored.events:
            if isinstance(event, UserFault) and event.name not in found:
                recorder.again(event)
    if stop in {Stop.WORD, Stop.TOOL}:
        recorder.apply(judge.rules.at_the_end(recorder.so_far))
        if judge.rules.undecided(recorder.so_far):
            stop = Stop.INSTRUMENT
    if stop is not Stop.BROKEN:
        stop = await rule_when_over(spec, item, (recorder, stop), judge, None if anew else stored)
        await read_words(spec, item, (recorder, stop), key, kept=stored.forms)
    return recorder.close(stop)


async def attempts_again(
    spec: ConversationSpec, item: Item, stored: Sequence[Trial], key: str, *, anew: bool
) -> list[Trial]:
    """Rule on the attempts of a trial again, as many of them as would have been held."""
    made: list[Trial] = []
    for one in stored:
        if not another_is_due(made, spec.reruns):
            break
        made.append(await ruled_again(spec, item, one, key, anew=anew))
    return made
