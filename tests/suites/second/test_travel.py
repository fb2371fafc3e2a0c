import pytest

from suites.second.drawn import disagreements, internal_tools
from suites.second.travel import SECOND

CATEGORIES = {"Geo", "Government", "Weather", "Transportation"}


def test_every_tool_that_a_model_could_do_without_has_a_second_implementation() -> None:
    assert SECOND.keys() == internal_tools(CATEGORIES)


@pytest.mark.slow
@pytest.mark.parametrize("tool", SECOND)
def test_a_tool_and_its_second_implementation_say_the_same_of_every_drawn_call(tool: str) -> None:
    assert list(disagreements(tool, SECOND[tool])) == []
