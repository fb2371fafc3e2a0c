"""Ways to make a complete item incomplete, and the pair that comes of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, cast

from pydantic import JsonValue

from knowact.core.condition import Condition, Hide, Replace
from knowact.core.proof import Possibility
from knowact.core.task import WorldRef
from knowact.core.tool import Tool
from knowact.datasets.in_world import RECORDED
from knowact.forge.complete import CompleteItem, PairWishes
from knowact.suites.ict.cases import Level, Manipulation, Pair, Source
from knowact.suites.ict.removing import Removable, Rewritten, removables
from knowact.suites.ict.replacing import Pools, Substitute, substitutes

MOST_TRIES: Final = 3
"""How many substitutes, or values, are tried for an item before it is given up."""
NO_TEXT: Final = Rewritten(brief="", words="-", text="-")
"""What a removal is proven with before anybody writes: the proof looks at values, not at words."""


@dataclass(frozen=True, slots=True)
class Try:
    """One way to make an item incomplete: other tools, or a value less."""

    item: CompleteItem
    substitutes: tuple[Substitute, ...] = ()
    removable: Removable | None = None

    @property
    def way(self) -> Manipulation:
        """What is done to the item."""
        return Manipulation.REMOVAL if self.removable else Manipulation.REPLACEMENT

    @property
    def tools(self) -> Mapping[str, Tool]:
        """All tools of the item's world, and those that stand in the place of others."""
        return {**self.item.tools, **{one.tool.name: one.tool for one in self.substitutes if one.tool}}

    def pair(self, text: Rewritten = NO_TEXT, provenance: Mapping[str, JsonValue] | None = None) -> Pair:
        """The pair that comes of it.

        Args:
            text: For a removal: the message without the value.
            provenance: What else to keep of where it comes from.
        """
        base = self.item.task
        name = f"{base.id}-{self.way.value.partition('_')[2]}"
        update: dict[str, Any] = {
            "id": name,
            "world": self._world(),
            "provenance": {**base.provenance, **(provenance or {}), "base": base.id},
            "replay_gap": (),
        }
        task = base.model_copy(update=update)
        one, said = self.removable, base.opening.utterances
        return Pair(
            id=name,
            source=Source.MULTI_TURN if len(said) > 1 else Source.SINGLE_REQUEST,
            manipulation=self.way,
            possibility=Possibility.IMPOSSIBLE,
            task=task,
            plain=[one.text for one in said][-1],
            incomplete=one.opening(base, text.text) if one else None,
            condition=self._condition(),
            gone=tuple(one.gone for one in self.substitutes),
            lost=one.lost(base, text.words, text.text) if one else None,
            cluster=name,
        )

    def _condition(self) -> Condition:
        if self.removable is not None:
            tool = self.item.task.plan[self.removable.step].tool
            return Condition(name="utterance-removal", withheld=(f"value:{tool}.{self.removable.parameter}",))
        return Condition(
            name="api-replacement",
            changes=tuple(
                Replace(tool=one.gone.tool, by=one.gone.by) if one.tool else Hide(tool=one.gone.tool)
                for one in self.substitutes
            ),
            withheld=tuple(f"tool:{one.gone.tool}" for one in self.substitutes),
        )

    def _world(self) -> WorldRef:
        """The world, with the substitutes in it; of recorded tools only those that the item shows."""
        world = self.item.task.world
        if world.name not in RECORDED:
            return world
        shown = [self.item.tools[name] for name in self.item.task.offered]
        tools = [*shown, *(one.tool for one in self.substitutes if one.tool)]
        setup: dict[str, JsonValue] = {"tools": [tool.model_dump(mode="json") for tool in tools]}
        names = {tool.name for tool in shown}
        if replies := [one for one in _replies(world.setup) if one["tool"] in names]:
            setup["replies"] = cast("list[JsonValue]", replies)
        return WorldRef(name="cassette", setup=setup)


def _replies(setup: Mapping[str, Any]) -> Sequence[dict[str, JsonValue]]:
    """What was recorded, as a cassette has it."""
    recordings = cast("Mapping[str, JsonValue]", setup.get("recordings", {}))
    by_name: list[dict[str, JsonValue]] = [
        {"tool": name, "reply": reply} for name, reply in recordings.items()
    ]
    return [*by_name, *cast("Sequence[dict[str, JsonValue]]", setup.get("replies", ()))]


def tries(item: CompleteItem, way: Manipulation, pools: Pools, wishes: PairWishes) -> list[Try]:
    """The ways to make an item incomplete, in the order in which they are tried."""
    if way is Manipulation.REMOVAL:
        return [Try(item, removable=one) for one in removables(item, wishes.seed)[:MOST_TRIES]]
    level = Level(wishes.level) if wishes.level else None
    chosen = substitutes(item, pools.of(item), level, wishes.seed)
    return [Try(item, one) for one in islice(chosen, MOST_TRIES)]
