"""Makes our own data of proven requests of ICT's and KAPRO's (`python -m knowact.suites.when2call.make`)."""

import tomllib
from importlib.resources import files
from random import Random
from typing import Any, cast

from knowact.conditions.removal import no_tools
from knowact.core.condition import CLEAN, Condition, Replace
from knowact.core.seeds import generator
from knowact.core.suite import Item
from knowact.datasets.own import in_turn
from knowact.datasets.single_items import freeze
from knowact.forge.resampling import beside, facts_in_words, first_call, forced_call, matched, tools_of
from knowact.suites import find
from knowact.suites.when2call.suite import ASK, CALL, DATA, LACKS, NO, StoredChoice

SEED, EACH, BARE = 27, 50, 12
"""Fifty of each behaviour; of what declines and what answers, twelve have no tool at all on offer."""

WAYS = ("utterance_removal", "api_replacement")
FRAMES = tomllib.loads((files("knowact.suites.when2call") / "sentences.toml").read_text("utf-8"))


def rows() -> list[StoredChoice]:
    """Half of the calls are the complete versions of what asks, the other half of what declines."""
    rng, ict, kapro = generator(SEED, "when2call"), find("ict"), find("kapro")
    items = ict.plan({**ict.defaults(), "source": "single-request"}).items
    lacking = {one.id: other for one, other in zip(items[::2], items[1::2], strict=True)}
    alone = kapro.plan({**kapro.defaults(), "subspace": "internal"}).items
    ways = {way: [one for one in items[::2] if one.labels["manipulation"] == way] for way in WAYS}
    removed = rng.sample(ways[WAYS[0]], EACH)
    replaced, inside = (matched(rng.sample(some, len(some)), removed) for some in (ways[WAYS[1]], alone))
    made = [_row(rng, one, CALL, CLEAN) for some in (removed, replaced) for one in some[BARE : BARE + 25]]
    for number, (near, other, item) in enumerate(zip(removed, replaced, inside, strict=True)):
        asks, lacks = lacking[near.id], lacking[other.id]
        tools = [name for name in near.task.offered if name not in item.task.offered and number >= BARE]
        made.append(_row(rng, asks, ASK, asks.condition))
        made.append(_row(rng, lacks, NO, no_tools(lacks.task) if number < BARE else lacks.condition))
        made.append(_row(rng, item, "direct", beside(item.task, tools) if tools else no_tools(item.task)))
    return in_turn(rng.sample(made, len(made)), lambda row: row.labels["right"])


def _row(rng: Random, item: Item, right: str, condition: Condition) -> StoredChoice:
    lost = [one for one in item.missing if one.startswith("value:")]
    asked = [f".{name}" for step in item.task.plan for name in step.arguments]
    slots = {
        "what": rng.choice(lost or asked).rpartition(".")[2].replace("_", " "),
        "job": rng.choice(item.task.plan).question,
        "facts": facts_in_words(item.task),
    }
    replies = {name: rng.choice(some).format(**slots) for name, some in FRAMES.items()}
    tools = tools_of(item, SEED)
    offered = [one.by for one in condition.changes if isinstance(one, Replace)] or list(condition.order)
    replies[CALL] = forced_call(tools[rng.choice(offered)], item.task) if offered else first_call(item.task)
    return StoredChoice(
        id=f"{item.task.id}@{condition.name}",
        task=item.task,
        condition=condition,
        labels={"right": right, "pair": item.labels.get("pair", item.task.id)},
        lacks=LACKS.get(right, ()),
        missing=tuple(sorted(item.missing)),
        replies=cast("Any", replies),
    )


if __name__ == "__main__":
    freeze(DATA / "everyday@2-A", rows(), "knowact.suites.when2call.make 1", SEED, find("ict").datasets()[0])
