"""The everyday world with a handful of scenarios, so that a test is quick."""

import dataclasses
from functools import cache

from knowact.worlds.everyday.material import material as everyday
from knowact.worlds.material import Material
from knowact.worlds.scenarios import Scenario

TEN = 10


@cache
def small(count: int = TEN) -> Material:
    """The everyday world with its first scenarios."""
    whole = everyday()
    return dataclasses.replace(whole, scenarios=dict(list(whole.scenarios.items())[:count]))


def only(scenario: Scenario) -> Material:
    """The everyday world with one scenario, named "one"."""
    return dataclasses.replace(everyday(), scenarios={"one": scenario})


TABLE = Scenario.model_validate(
    {
        "people": ["Ines, brisk", "Bo, talks a lot"],
        "situation": "Friends eat out tonight.",
        "values": {"guests": {"one_of": [4, 6]}},
        "jobs": {
            "menu": {
                "tool": "get_restaurant_tonight",
                "ask": "what the set menu costs for one",
                "wants": ["menu_eur"],
                "told": "it stands on the board outside",
                "with": {"restaurant": "The Blue Heron"},
            },
            "bill": {
                "tool": "multiply",
                "ask": "what the menu costs for all of them",
                "wants": ["product"],
                "with": {"left": "$guests", "right": {"from": "menu.menu_eur"}},
            },
            "booking": {
                "tool": "book_table",
                "ask": "a table for all of them",
                "wants": ["deposit_eur"],
                "with": {
                    "restaurant": "The Blue Heron",
                    "date": {"day": [1, 3]},
                    "time": "19:00",
                    "people": "$guests",
                },
            },
        },
    }
)
"""A menu that may be told, a sum over it, and something to do."""
