"""What the built-in agents come to, computed from the data files alone, a second time and in few lines.

Nothing of the engine, of the measures or of the agents' own code is used here, so that an agreement means
something. What is shared are constants that *define* an agent: a threshold, a list of words, a name.
"""

import ast
import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowact.agents.reference import INVENTED, LEXICAL_THRESHOLD, LIVE_WORDS
from knowact.worlds.everyday import EverydayWorld

SHIPPED = Path(__file__).parents[2] / "src" / "knowact" / "suites" / "kapro" / "data" / "everyday@2-A"
CODES = {"P1": "external", "P2": "hybrid", "P3": "internal"}


@dataclass(frozen=True, slots=True)
class Given:
    """An item as a data file has it. `texts` are the tools' descriptions; `live` what sounds external."""

    id: str
    boundary: str
    query: str
    offered: tuple[str, ...]
    needed: frozenset[str]
    texts: Mapping[str, str]
    live: frozenset[str]


def ours(folder: Path = SHIPPED) -> Iterator[Given]:
    """The items of a data set in our layout, whose tools are those of the everyday world."""
    tools = {tool.name: tool for tool in EverydayWorld().open({}, 0).tools()}
    live = {name for name, tool in tools.items() if tool.rubric and tool.rubric.when != "never"}
    for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        boundaries = {step["boundary"] for step in item["plan"]}
        offered = tuple(item["offered"])
        yield Given(
            id=item["id"],
            boundary="hybrid" if len(boundaries) == 2 else boundaries.pop(),
            query=item["opening"]["text"],
            offered=offered,
            needed=frozenset(step["tool"] for step in item["plan"] if step["boundary"] == "external"),
            texts={name: tools[name].description for name in offered},
            live=frozenset(live & set(offered)),
        )


def published(folder: Path) -> Iterator[Given]:
    """The records of the published sample, read as leniently as it is written."""
    for file in sorted(folder.glob("*_Function/*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            offered = tuple(part.rsplit("::", 1)[-1].strip() for part in record["target_tool"].split(","))
            notes = unquoted(record.get("sub_question_annotations"))
            external: set[str] = {n["tool"].rsplit("::", 1)[-1] for n in notes if n["boundary"] == "P1"}
            if not notes:
                external = set(offered if record["boundary"] == "P1" else ())
            documents = unquoted(record["tool_doc"])
            by_name = {documents["name"]: documents} if "name" in documents else documents
            texts = {name: unquoted(by_name[name])["description"] for name in offered}
            boundary = CODES[record["boundary"]]
            live = {n for n in offered if LIVE_WORDS.search(f"{n.replace('_', ' ')} {texts[n]}")}
            yield Given(
                f"{boundary}.{record['hop']}.{record['index']}",
                boundary,
                record["task"],
                offered,
                frozenset(external),
                texts,
                frozenset(live),
            )


def unquoted(value: Any) -> Any:
    """A field that may be written as a text of JSON or of a Python literal."""
    if not isinstance(value, str):
        return value or []
    try:
        return json.loads(value)
    except ValueError:
        return ast.literal_eval(value)


def coin(seed: int, agent: str, item: str, probe: str, epoch: int = 1) -> random.Random:
    """The random generator of one probe of one trial."""
    text = "\x1f".join(map(str, (seed, agent, item, probe, epoch)))
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big") // 2)


def tossed(item: Given, seed: int, probe: str) -> set[str]:
    """The tools on which the random agent's coin falls."""
    rng = coin(seed, "random", item.id, probe)
    return {name for name in item.offered if rng.random() < 0.5}


def words(text: str) -> list[str]:
    """Lower case, camel case split, plurals cut."""
    found = re.findall(r"[^\W_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())
    return [w[:-1] if len(w) > 3 and w[-1] == "s" and w[-2] != "s" else w for w in found]


def alike(item: Given) -> set[str]:
    """The tools whose BM25 score (k1 = 1.5, b = 0.75) reaches the lexical agent's threshold."""
    bags = {name: Counter(words(f"{name} {item.texts[name]}")) for name in item.offered}
    size, mean = len(bags), sum(bag.total() for bag in bags.values()) / len(bags)
    chosen: set[str] = set()
    for name, bag in bags.items():
        score = 0.0
        for word in set(words(item.query)) & set(bag):
            having = sum(word in other for other in bags.values())
            rarity = math.log(1 + (size - having + 0.5) / (having + 0.5))
            score += rarity * bag[word] * 2.5 / (bag[word] + 1.5 * (0.25 + 0.75 * bag.total() / mean))
        if score >= LEXICAL_THRESHOLD:
            chosen.add(name)
    return chosen


Choice = Callable[[Given, str], set[str]]
"""From an item and a probe ("tools_needed", "act") to the tools that an agent names or calls."""


def overdone(item: Given, probe: str) -> set[str]:
    """Exactly T in words; everything, or an invented tool where everything is needed, in calls."""
    if probe == "tools_needed":
        return set(item.needed)
    return set(item.offered) if set(item.offered) != set(item.needed) else {*item.offered, INVENTED}


CHOICES: dict[str, Choice] = {
    "oracle": lambda item, _: set(item.needed),
    "eager": lambda item, _: set(item.offered),
    "shy": lambda item, _: set(),  # noqa: ARG005 - it looks at nothing
    "random": lambda item, probe: tossed(item, 0, probe),
    "lexical": lambda item, _: alike(item),
    "tools-only": lambda item, _: set(item.live),
    "knows-but-overacts": overdone,
}
ANSWERS_RIGHT = frozenset({"oracle", "eager", "knows-but-overacts"})


def overlap(one: set[str] | frozenset[str], other: set[str] | frozenset[str]) -> float:
    """Shared names over all names; 1 when there are none."""
    return len(one & other) / len(one | other) if one | other else 1.0


def mean_overlap(items: Sequence[Given], choice: Choice, probe: str) -> float:
    """The accuracy of an agent over some items."""
    return sum(overlap(choice(item, probe), item.needed) for item in items) / len(items)


def coin_expectation(item: Given) -> float:
    """The mean of `overlap` over all 2^n outcomes of n coins, by sizes."""
    spare, needed = len(item.offered) - len(item.needed), len(item.needed)
    total = sum(
        math.comb(needed, hit) * math.comb(spare, extra) * (hit / (needed + extra) if needed + extra else 1.0)
        for hit in range(needed + 1)
        for extra in range(spare + 1)
    )
    return total / 2 ** len(item.offered)
