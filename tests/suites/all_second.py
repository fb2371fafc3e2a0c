"""Everything internal, worked out a second time: one mapping from tool to implementation."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from suites.second import (
    art_and_music,
    calendar_and_sports,
    developer,
    food_and_health,
    games,
    language,
    money,
    science,
    travel,
)

SECOND: Final[Mapping[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]] = {
    name: again
    for module in (
        *(art_and_music, calendar_and_sports, developer, food_and_health, games),
        *(language, money, science, travel),
    )
    for name, again in module.SECOND.items()
}
