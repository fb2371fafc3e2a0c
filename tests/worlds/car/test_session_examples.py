"""The worked examples of the car's tools, and random calls against what each tool declares."""

import pytest

from checked_world import check_world
from knowact.worlds.car.catalogue import OPERATIONS
from knowact.worlds.car.rules import Rules
from knowact.worlds.car.world import CarWorld
from knowact.worlds.check import Finding, examples_of
from knowact.worlds.registry import find

FOUND = check_world(CarWorld(), examples_of("knowact.worlds.car"))


@pytest.mark.parametrize("finding", FOUND, ids=lambda finding: finding.name)
def test_the_world_does_what_it_declares(finding: Finding) -> None:
    assert finding.ok, finding.message


def test_every_tool_that_must_be_told_something_has_an_example_of_refusing() -> None:
    refusing = {example.tool for example in examples_of("knowact.worlds.car") if example.problem}
    assert not [name for name in set(OPERATIONS) - refusing if OPERATIONS[name].tool.required]


def test_the_world_is_registered() -> None:
    entry = find("car")
    assert entry.make().name == "car"
    assert entry.examples is not None
    assert entry.examples() == examples_of("knowact.worlds.car")


def test_the_published_world_declares_what_it_does_too() -> None:
    # Its results differ from the worked ones; what it declares must still be what its schemas have.
    names = {tool.name for tool in CarWorld(Rules.PUBLISHED).open({}, 0).tools()}
    world = CarWorld(Rules.PUBLISHED)
    findings = check_world(
        world, [example for example in examples_of("knowact.worlds.car") if example.tool in names], rounds=5
    )
    wrong = [found for found in findings if not found.ok and "declares what its schema has" in found.name]
    assert not wrong
