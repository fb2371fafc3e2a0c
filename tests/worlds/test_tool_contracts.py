"""What agents, conditions and proofs see of the tools, pinned by hash: a clean-up must change none of it.

A tool that is changed on purpose changes the hash of its category: check the difference, then write the new
hash down.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from knowact.worlds import registry
from knowact.worlds.car.catalogue import operations, tools_of
from knowact.worlds.car.rules import Rules
from knowact.worlds.everyday.catalogue import OPERATIONS


def everyday() -> Iterator[tuple[str, Any]]:
    for one in OPERATIONS.values():
        facts = [
            one.scenario,
            one.also_done_by,
            dict(one.takes),
            one.arithmetic,
            one.writes,
        ]
        yield f"everyday {one.tool.category}", [one.tool.model_dump(mode="json"), *facts, one.within is None]


def car(rules: Rules) -> Iterator[tuple[str, Any]]:
    for one in operations(rules).values():
        facts = [
            one.kind,
            one.confirmation,
            one.ends,
            one.only,
            [*one.faults],
            sorted(one.open_when_published),
        ]
        yield f"car {one.tool.category}, {rules}", [one.tool.model_dump(mode="json"), *facts]
    for tool in tools_of(rules):
        yield f"car as offered, {rules}", tool.model_dump(mode="json")


def examples(world: str) -> Iterator[tuple[str, Any]]:
    read = registry.find(world).examples
    assert read is not None
    for example in read():
        yield f"examples of {world}", example.model_dump(mode="json")


def hashes(facts: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Hash what belongs to one group, in order; the order of keys is what agents read, so it counts."""
    groups: dict[str, Any] = defaultdict(hashlib.sha256)
    for group, fact in facts:
        groups[group].update(json.dumps(fact, ensure_ascii=False).encode())
    return {group: found.hexdigest()[:16] for group, found in groups.items()}


PINNED: dict[str, str] = {
    "everyday, in order": "613cfdc5ada381d4",
    "everyday Art": "57529f77888da4eb",
    "everyday Calendar": "e034bc53d83160cc",
    "everyday Content": "872f2fc459f60c9e",
    "everyday DeveloperTools": "9e2a4b266886cb42",
    "everyday FakeData": "bda754ce1839de90",
    "everyday Finance": "df8829b623664376",
    "everyday Food": "fea4739ef56c0918",
    "everyday Games": "776bc59864e06e00",
    "everyday Geo": "53fac80613a1f0de",
    "everyday Government": "3f5432a6f45996dd",
    "everyday Health": "981f687a1c045940",
    "everyday Inspiration": "99de864d7c7f4cc9",
    "everyday Jobs": "5287e58f961b0011",
    "everyday Language": "294277578c444ff1",
    "everyday Music": "6494e51fb8da411b",
    "everyday OpenData": "84a301ab273d14d1",
    "everyday Personal": "3d9f5a5d8a0e5be6",
    "everyday Science": "335ce33f6fba5e05",
    "everyday Sports": "deed988a34fa904b",
    "everyday Transportation": "b5a8fc3dd75af6da",
    "everyday Weather": "4b9f29d584c8d0f8",
    "car Productivity and communication, definition": "83b186d4370fccf6",
    "car Cross-domain, definition": "88c6c0f2265ce616",
    "car Charging, definition": "909c48529ca4d32d",
    "car Navigation, definition": "c5de6c4c4bc773c5",
    "car Vehicle functions, definition": "86085cce1c9acd5c",
    "car Weather, definition": "ad3d09e2c9db619b",
    "car as offered, definition": "c549fa3a551221d3",
    "car Productivity and communication, published": "83b186d4370fccf6",
    "car Cross-domain, published": "88c6c0f2265ce616",
    "car Charging, published": "909c48529ca4d32d",
    "car Navigation, published": "c5de6c4c4bc773c5",
    "car Vehicle functions, published": "0797c302c899a48a",
    "car Weather, published": "ad3d09e2c9db619b",
    "car as offered, published": "443a2cebdaa12027",
    "examples of everyday": "bd8473c065d4cfe9",
    "examples of car": "b1cf305e212bbd0e",
}


def order() -> Iterator[tuple[str, Any]]:
    yield "everyday, in order", [*OPERATIONS]


def found() -> dict[str, str]:
    sources = (order(), everyday(), *map(car, Rules), examples("everyday"), examples("car"))
    return {group: seen for source in sources for group, seen in hashes(source).items()}


FOUND = found()


@pytest.mark.parametrize("group", sorted({*PINNED, *FOUND}))
def test_nothing_that_an_agent_reads_has_changed(group: str) -> None:
    assert FOUND.get(group) == PINNED.get(group)
