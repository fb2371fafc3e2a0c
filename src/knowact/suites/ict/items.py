"""From options to the items of a run: which data, which parts, and the versions of each pair."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from knowact.core.errors import BadData, BadUsage, Place
from knowact.core.suite import Dataset, Item, Plan
from knowact.datasets.deviations import counted
from knowact.datasets.in_world import Placed, first_lines, tools_of_each, unreached
from knowact.datasets.own import ITEMS, State, data_folder, shipped, state
from knowact.probes import transfer
from knowact.probes.strategies import ACKNOWLEDGE, refuse_without_acting
from knowact.suites.ict.asked import (
    EXPLICIT,
    FEEDBACK,
    IMPLICIT,
    AskedItem,
    own_items,
    published_items,
)
from knowact.suites.ict.cases import DATA, Manipulation, OwnPairs, Pair, Source, load_cases
from knowact.suites.ict.feedback import feedback_items, published_feedback
from knowact.suites.ict.layout import HUB, corruption_types, looks_published
from knowact.suites.ict.probes import FOUR, SELF, STRATEGIES, ZERO, Examples
from knowact.suites.ict.published import load_published

EXTRACTOR, JUDGE = "extractor", "judge"
ALL: Final = "all"
BOTH: Final = "both"
MANIPULATIONS: Final = (ALL, *(one.value.replace("_", "-") for one in Manipulation))
SOURCES: Final = (ALL, *(one.value.replace("_", "-") for one in Source))
PROBES: Final = (BOTH, EXPLICIT, IMPLICIT, FEEDBACK)
KINDS: Final = ("paper", "partly", ALL)

__all__ = ["STRATEGIES", "asked", "datasets", "plan", "shot_pool"]


def datasets() -> Sequence[Dataset]:
    """What the suite ships."""
    return shipped(DATA)


def plan(options: Mapping[str, Any]) -> Plan:
    """Turn options into items, pair by pair, in the data set's stratified order.

    Args:
        options: `data`, `seed`, `limit` (pairs; 0 for all), and the suite's own.

    Raises:
        BadData: The data cannot be used.
        BadUsage: The options do not go together, or with these data.
    """
    if int(options["votes"]) % 2 == 0:
        raise BadUsage(f"--votes takes an odd number, so that there is a majority, not {options['votes']}.")
    if options["strategy"] == ACKNOWLEDGE:
        refuse_without_acting(options, acts=asked(options)[1])
    transfer.require(
        options,
        {
            "probe": (BOTH, "what is said is compared with what is done"),
            "strategy": (ZERO, "the gold verdict is one word, and so must be its own"),
            "plain": (False, "the verdict stands in a chat"),
        },
    )
    data = str(options["data"])
    found = _release(HUB, options) if data.removeprefix("ict/") == HUB else _in_folder(data, options)
    if not found.items:
        raise BadUsage("No item is left; widen --manipulation, --source, --kind or --limit.")
    if asked(options)[0] and options["strategy"] == FOUR:
        Examples(shot_pool(found, options), 0).require(found.items)
    if options["plain"] and options["strategy"] == SELF:
        raise BadUsage(f"--plain asks in one text, and {SELF} takes two turns; choose another --strategy.")
    return replace(
        found,
        calls=_calls(found.items, options),
        role_calls=_role_calls(found.items, options),
        headline=(EXTRACTOR, JUDGE) if _reads_continuations(options) else (),
    )


def _in_folder(data: str, options: Mapping[str, Any]) -> Plan:
    folder = data_folder(data, "ict", datasets(), also=(HUB,))
    if looks_published(folder):
        return _release(folder, options)
    if not (folder / ITEMS).exists():
        what = f"the folder holds neither {ITEMS} nor files of the published release"
        raise BadData(what, Place(folder), "point --data at a data set")
    return _own(_loaded(folder, state(folder)), options)


def shot_pool(planned: Plan, options: Mapping[str, Any]) -> Sequence[Item]:
    """What examples are drawn from: all pairs of the data, however few of them are asked about."""
    if not asked(options)[0] or options["strategy"] != FOUR:
        return ()
    if not options.get("limit") and options["kind"] == "paper":
        return planned.items
    return plan({**options, "limit": 0, "kind": "paper", "strategy": ZERO}).items


@lru_cache(maxsize=2)
def _loaded(folder: Path, _: State) -> OwnPairs:
    """Planning and running a suite both want the data; data that were edited in between are read again."""
    return load_cases(folder)


def _own(loaded: OwnPairs, options: Mapping[str, Any]) -> Plan:
    published, feedback = options["rules"] == "published", options["probe"] == FEEDBACK
    chosen = [pair for pair in loaded.pairs if _wanted(_labels(pair), options)]
    if feedback:
        chosen = [pair for pair in chosen if pair.lost is not None and pair.lost.step is not None]
    removed = [pair for pair in chosen if not (published and _names_two(pair))]
    left_out = len(chosen) - len(removed)
    chosen = removed[: int(options.get("limit") or 0) or None]
    placed = [Placed(pair.task, pair.condition, loaded.lines[pair.id]) for pair in loaded.pairs]
    every = tools_of_each(placed, loaded.seed)
    tools = {pair.id: own for pair, own in zip(loaded.pairs, every, strict=True)}
    notes = [*unreached(loaded.info, first_lines(placed), loaded.seed), *_proofs(loaded.pairs)]
    if left_out:
        notes.append(f"Left out: {left_out:,} pairs that name two candidates, so that nothing is removed.")
    items = [
        item
        for pair in chosen
        for versions in (own_items(pair, tools[pair.id]),)
        for item in (
            feedback_items(pair, versions, loaded.seed, loaded.lines[pair.id], published=published)
            if feedback
            else versions
        )
    ]
    return Plan(loaded.info, _once(items), (0, 0), tuple(notes), loaded.seed)


def _names_two(pair: Pair) -> bool:
    """Whether two values are named and neither is chosen: that is ambiguous, and nothing is removed."""
    return pair.lost is not None and pair.lost.how == "two candidates"


def _proofs(pairs: Iterable[Pair]) -> Iterator[str]:
    """How well the pairs are shown to be what they claim, where the data say it."""
    found = Counter(pair.proof for pair in pairs if pair.proof)
    if found:
        told = ", ".join(f"{count:,} {proof}" for proof, count in sorted(found.items()))
        yield f"Proof of the pairs: {told}."


def _labels(pair: Pair) -> dict[str, str]:
    partly = pair.possibility.value == "partly_possible"
    return {
        "manipulation": pair.manipulation.value,
        "source": pair.source.value,
        "kind": "partly" if partly else "paper",
    }


def _wanted(labels: Mapping[str, str], options: Mapping[str, Any]) -> bool:
    """Whether the options choose a pair with these labels."""
    chosen = {name: str(options[name]).replace("-", "_") for name in ("manipulation", "source", "kind")}
    return all(value in (ALL, labels[name]) for name, value in chosen.items())


def _release(source: str | Path, options: Mapping[str, Any]) -> Plan:
    published = load_published(source, corruption_types(str(options["corruption_types"])))
    asked_about: list[Sequence[AskedItem]] = []
    for number, pair in enumerate(published.pairs):
        both = published_items(pair, f"pair-{number}")
        if not _wanted(both[1].labels, options):
            continue
        if options["probe"] != FEEDBACK:
            asked_about.append(both)
        elif both[1].labels["manipulation"] == Manipulation.REMOVAL:
            asked_about.append(published_feedback(pair, both, published=options["rules"] == "published"))
    found = [items for items in asked_about if items]
    items = [one for some in found[: int(options.get("limit") or 0) or None] for one in some]
    left_out = len(asked_about) - len(found)
    why = (
        f"{left_out:,} of {len(asked_about):,} removals, because no argument that their gold call takes is "
        "said, letter for letter, in the original conversation alone."
    )
    if left_out and not items:
        raise BadUsage(f"No call can be shown for {why}")
    notes = [f"{n:,} x {kind} ({done})" for (kind, done), n in counted(published.deviations).items()] + [
        f"Set aside: {n:,} in {part.short} ({kind})." for (part, kind), n in published.excluded_counts.items()
    ]
    notes += [f"Left out: {why}"] if left_out else []
    return Plan(published.info, _once(items), (0, 0), tuple(notes))


def _once(items: Iterable[AskedItem]) -> tuple[AskedItem, ...]:
    """An original that several pairs share is asked once for each: its id gets the pair's behind it."""
    return tuple(_distinct(items))


def _distinct(items: Iterable[AskedItem]) -> Iterator[AskedItem]:
    seen: set[str] = set()
    for item in items:
        one = item
        if one.id in seen:
            one = replace(one, task=one.task.model_copy(update={"id": f"{one.task.id}.{one.pair}"}))
        seen.add(one.id)
        yield one


def asked(options: Mapping[str, Any]) -> tuple[bool, bool, bool]:
    """Say whether items are asked explicitly, implicitly, and after a call's outcome."""
    probe = options["probe"]
    return probe in (BOTH, EXPLICIT), probe in (BOTH, IMPLICIT), probe == FEEDBACK


def _reads_continuations(options: Mapping[str, Any]) -> bool:
    """Whether somebody has to read how the agent goes on; by the published rules any words are a no."""
    return asked(options)[1] and options["rules"] != "published"


def _role_calls(items: Sequence[Item], options: Mapping[str, Any]) -> Mapping[str, tuple[int, int]]:
    """Most calls of models in roles; the fewest are none, because a call of a tool has no words to read."""
    votes, read = int(options["votes"]), len(items) * _reads_continuations(options)
    reasons = sum(bool(item.lacks) for item in items) * bool(asked(options)[0] and options["why"])
    read *= 1 + transfer.MOST * bool(options.get("transfer"))
    most = {EXTRACTOR: 2 * read, JUDGE: votes * (read + reasons)}
    return {role: (0, calls) for role, calls in most.items() if calls}


def _calls(items: Sequence[Item], options: Mapping[str, Any]) -> tuple[int, int]:
    explicit, implicit, feedback = asked(options)
    few = len(items) * (explicit + implicit + feedback)
    checks = len(items) * (options["strategy"] == SELF)
    whys = sum(bool(item.lacks) or options["rules"] != "published" for item in items) * bool(options["why"])
    more = [
        len(items) * (1 + some) * bool(options.get("transfer")) for some in (transfer.CERTAIN, transfer.MOST)
    ]
    return few + more[0], few + more[1] + (checks + whys) * explicit
