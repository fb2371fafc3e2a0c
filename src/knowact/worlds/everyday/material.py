"""The everyday world as the forge sees it."""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Final

import yaml
from pydantic import JsonValue

from knowact.core.task import Boundary
from knowact.core.tool import Dimension
from knowact.worlds.everyday.catalogue import OPERATIONS, TOOLS
from knowact.worlds.everyday.places import CITIES
from knowact.worlds.everyday.private import TABLES
from knowact.worlds.everyday.state import State
from knowact.worlds.everyday.world import EverydayWorld
from knowact.worlds.material import Answer, Material
from knowact.worlds.scenarios import read_scenarios

_SIZE: Final = frozenset({Dimension.COMPUTATION, Dimension.SCALE, Dimension.MODALITY})
"""What makes a call external however constant its answer is."""
_USUAL: Final = frozenset({"city.name", "day.date"})
"""What whoever looks something up takes from home and today where nobody says it, by attribute."""
_FITTING: Final = frozenset(
    {"add_event.title", "save_note.title", "get_last_checkup.person", "log_game_score.player"}
)
"""What an assistant can choose, or takes to be about the person who asks."""


@lru_cache(maxsize=1)
def material() -> Material:
    """Read the scenarios and answers of the everyday world.

    Raises:
        BadData: A scenario is not as it should be.
    """
    package = resources.files("knowact.worlds.everyday")
    answers = yaml.safe_load(package.joinpath("answers.yaml").read_text("utf-8"))
    return Material(
        name="everyday",
        open=EverydayWorld().open,
        today=State({}, 0).today,
        shown=State({}, 0).context(),
        tools={tool.name: tool for tool in TOOLS},
        keys={name: table.keys() for name, table in TABLES.items()} | _cities(),
        scenarios=read_scenarios(package.joinpath("scenarios")),
        answers={
            tool: {field: Answer.model_validate(answer) for field, answer in fields.items()}
            for tool, fields in answers.items()
        },
        boundary=_boundary,
        by_size=_by_size,
        stands_in=lambda name, other: OPERATIONS[name].can_stand_in_for(OPERATIONS[other]),
        usual=_usual,
    )


def _usual(tool: str, parameter: str) -> bool:
    operation = OPERATIONS[tool]
    looked_up = not operation.writes and operation.takes.get(parameter) in _USUAL
    return looked_up or f"{tool}.{parameter}" in _FITTING


def _cities() -> dict[str, tuple[str, ...]]:
    coastal = tuple(name for name, city in CITIES.items() if city.coastal)
    return {"cities": tuple(CITIES), "coastal_cities": coastal}


def _boundary(tool: str, arguments: Mapping[str, JsonValue]) -> Boundary | None:
    rubric = OPERATIONS[tool].tool.rubric
    if rubric is not None and rubric.when == "public":
        return None
    return OPERATIONS[tool].boundary(arguments)


def _by_size(tool: str, arguments: Mapping[str, JsonValue]) -> bool:
    operation = OPERATIONS[tool]
    fires = set(operation.tool.rubric.fires) if operation.tool.rubric else set[Dimension]()
    private = arguments.get("source", "text") != "text"
    sized = operation.within is not None or not fires - _SIZE
    return (
        sized
        and not private
        and not operation.writes
        and _boundary(operation.tool.name, arguments) is Boundary.EXTERNAL
    )
