"""Pairs, put together of requests, dialogues and what is taken away, and proven."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from knowact.core.condition import Condition, Hide, Replace
from knowact.core.proof import Possibility
from knowact.core.task import Opening, Query
from knowact.suites.ict.cases import Gone, Incomplete, Level, Lost, Manipulation, Pair, Source
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from version_1.fail_talms.marked import Slot
from version_1.fail_talms.recipe import Base
from version_1.ict.masking import Where, mask_request, mask_value, mentions
from version_1.ict.past import Exchange, exchange
from version_1.ict.reject import unfit
from version_1.ict.requests import Requests, about_the_world, tone_of
from version_1.ict.seats import Seat
from version_1.ict.similar import Neighbours
from version_1.ict.talk import Scene, Shape, scene_of, talk
from version_1.proofs import BY_NAME
from version_1.words import Register


@dataclass(frozen=True, slots=True)
class Stage:
    """Where a request is made: at once, or at the end of a dialogue.

    Attributes:
        shape: Of the dialogue; None where there is none.
        past: The tools of the earlier calls.
    """

    shape: Shape | None
    past: tuple[str, ...]

    @property
    def source(self) -> Source:
        """Which of the two kinds this is."""
        return Source.SINGLE_REQUEST if self.shape is None else Source.MULTI_TURN


SINGLE = Stage(None, ())


class Twins:
    """Makes pairs.

    Args:
        requests: Makes the requests.
        neighbours: Which tools are alike.
    """

    def __init__(self, requests: Requests, neighbours: Neighbours) -> None:
        self._requests = requests
        self._neighbours = neighbours

    def replaced(
        self, seats: Sequence[Seat], stage: Stage, wanted: Incomplete, rng: random.Random
    ) -> list[tuple[Base, Pair]] | None:
        """Make the pairs of a group of seats; None where one of them can't be made."""
        found: list[tuple[Base, Pair]] = []
        for seat in seats:
            tone = tone_of(rng)
            base = self._base(seat, tone, rng)
            if base is None or not all(about_the_world(step) for step in base.task.plan):
                return None
            scene = self._scene(stage, tone, rng, base)
            if scene is None and stage.shape is not None:
                return None
            text = base.marked.composed.text
            opening: Opening = scene.dialogue(text)[0] if scene else Query(text=text)
            pair = self._replaced(base, seat, stage, opening, wanted)
            if not proven(pair):
                return None
            found.append((base, pair))
        return found

    def _base(self, seat: Seat, tone: Register, rng: random.Random) -> Base | None:
        chain = self._requests.chained(seat.needs, rng) if seat.chained else None
        return self._requests.make(chain or self._requests.plain(seat.needs, rng), tone, rng, seat.offered)

    def _scene(self, stage: Stage, tone: Register, rng: random.Random, base: Base) -> Scene | None:
        """Make what was said before; no earlier call is one that the request needs."""
        if stage.shape is None:
            return None
        uses = [stage.past] if stage.shape is Shape.TWO_CALLS else [(tool,) for tool in stage.past]
        exchanges: list[Exchange] = []
        for tools in uses:
            one = exchange(self._requests, tools, tone, rng.choice(talk().leads), rng)
            if one is None or _repeats(one, base, exchanges):
                return None
            exchanges.append(one)
        return scene_of(stage.shape, exchanges, rng)

    def _replaced(self, base: Base, seat: Seat, stage: Stage, opening: Opening, wanted: Incomplete) -> Pair:
        gone = tuple(self._gone(tool, by) for tool, by in seat.swaps.items())
        changes = tuple(
            Replace(tool=tool, by=by) if by else Hide(tool=tool) for tool, by in seat.swaps.items()
        )
        return Pair(
            id="pair",
            source=stage.source,
            manipulation=Manipulation.REPLACEMENT,
            possibility=wanted,
            task=base.task.model_copy(update={"opening": opening}),
            plain=base.marked.composed.text,
            condition=Condition(
                name="api-replacement",
                changes=changes,
                withheld=tuple(f"tool:{one.tool}" for one in gone),
            ),
            gone=gone,
            cluster=base.task.id,
        )

    def _gone(self, tool: str, by: str) -> Gone:
        if not by:
            return Gone(tool=tool, level=Level.ABSENT)
        rank = self._neighbours.rank(tool, by)
        return Gone(tool=tool, by=by, rank=rank, level=self._neighbours.level(tool, by))

    def removed(
        self,
        base: Base,
        stage: Stage,
        wanted: Incomplete,
        rng: random.Random,
        *,
        request: bool,
    ) -> Pair | None:
        """Make the pair of a request from which something is taken away; None where that leads nowhere.

        Args:
            base: The request.
            stage: Where it is made.
            wanted: What is to be proven of the incomplete version.
            rng: For every choice.
            request: Whether the request itself is taken away, or a value.
        """
        tone = cast("Register", base.task.provenance["register"])
        scene = self._scene(stage, tone, rng, base)
        if scene is None and stage.shape is not None:
            return None
        past = [call for one in scene.exchanges for call in one.calls] if scene else []
        earlier = scene is not None
        masked = (
            mask_request(base, rng, earlier=earlier)
            if request
            else mask_value(base, past, wanted, rng, earlier=earlier)
        )
        if masked is None or (scene is not None and _told_before(masked.lost, base, scene)):
            return None
        complete, turn = _opening(scene, masked.complete, masked.told, masked.where)
        incomplete, _ = _opening(scene, masked.incomplete, masked.instead, masked.where)
        lost = masked.lost.model_copy(update={"turn": turn})
        withheld = f"value:{lost.tool}.{lost.parameter}" if lost.what == "value" else "request"
        pair = Pair(
            id="pair",
            source=stage.source,
            manipulation=Manipulation.REMOVAL,
            possibility=wanted,
            task=base.task.model_copy(update={"opening": complete}),
            plain=base.marked.composed.text,
            incomplete=incomplete,
            condition=Condition(name="utterance-removal", withheld=(withheld,)),
            lost=lost,
            cluster=base.task.id,
        )
        return pair if proven(pair) else None


def _opening(scene: Scene | None, last: str, told: str, where: Where) -> tuple[Opening, int]:
    """Put what is told where it belongs; the number is that of the message it is in."""
    if scene is not None and told and where == "earlier":
        return scene.dialogue(last, told)
    ended = last if last.endswith((".", "?", "!")) or not told else f"{last}."
    text = f"{told} {last}" if where == "before" else f"{ended} {told}"
    return scene.dialogue(text.strip()) if scene else (Query(text=text.strip()), 0)


def _told_before(lost: Lost, base: Base, scene: Scene) -> bool:
    """Whether an earlier exchange says a lost value."""
    if lost.step is None:
        return False
    said = base.said(Slot(lost.step, lost.parameter))
    return any(mentions(one.spoken, said) for one in scene.exchanges)


def _repeats(one: Exchange, base: Base, others: Sequence[Exchange]) -> bool:
    """Whether a call was made already, is what the request is about, or was asked for in these words."""
    words = set(base.marked.composed.phrasings).union(
        *(other.base.marked.composed.phrasings for other in others)
    )
    if words & set(one.base.marked.composed.phrasings):
        return True
    calls = [(step.tool, step.call_arguments) for step in base.task.plan]
    calls += [(call.tool, dict(call.arguments)) for other in others for call in other.calls]
    return any((call.tool, call.arguments) in calls for call in one.calls)


def proven(pair: Pair) -> bool:
    """Whether both versions are what they claim to be, and nothing speaks against the incomplete one."""
    return (
        prove_complete(pair, BY_NAME).possibility is Possibility.POSSIBLE
        and prove_incomplete(pair, BY_NAME).possibility is pair.possibility
        and not unfit(pair)
    )
