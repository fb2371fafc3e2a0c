"""The paper's Table 1, over items of our own."""

from knowact.core.condition import CLEAN
from knowact.core.suite import Item
from knowact.core.task import Boundary, Dialogue, Opening, Query, Step, Task, Topology, Utterance, WorldRef
from knowact.core.tool import Tool
from knowact.suites.ict.tables import sizes

TIDE = Tool(name="tide", description="High water.", parameters={"type": "object"})


def item(opening: Opening, tools: int, *, lacks: bool = True) -> Item:
    task = Task(
        id=f"t{tools}",
        opening=opening,
        world=WorldRef(name="cassette", setup={}),
        offered=("tide",),
        plan=(Step(tool="tide", boundary=Boundary.EXTERNAL),),
        topology=Topology.SINGLE_HOP,
        cluster="c",
    )
    return Item(task, CLEAN, (TIDE,) * tools, {"part": "AR-AB"}, ("tools",) if lacks else ())


def test_sizes_are_means_over_the_incomplete_items_of_a_part() -> None:
    dialogue = Dialogue(
        utterances=(
            Utterance(role="user", text="One two."),
            Utterance(role="assistant", text="Three?"),
            Utterance(role="user", text="Four five six."),
        )
    )
    items = [item(dialogue, 2), item(Query(text="One."), 1), item(Query(text="Complete."), 3, lacks=False)]
    assert {row.measure: row.estimate.value for row in sizes(items).rows} == {
        "manipulated instances": 2,
        "turns": 2,
        "tools per instance": 1.5,
        "length of a turn": (2 + 1 + 3 + 1) / 4,
        "length of a tool": len(
            '{"name": "tide", "description": "High water.", "parameters": {"type": "object"}}'
        ),
    }


def test_a_part_without_items_has_no_row() -> None:
    assert sizes([]).rows == ()
