"""Task arguments that the engine passes on unchecked: refused in a sentence that names what is allowed."""

import re
from typing import Any

import pytest

from knowact.core.errors import BadUsage
from knowact.core.suite import options_of
from knowact.engine.suite_task import suite_task
from knowact.suites import find, names

car, fail_talms, ict, kapro = (suite_task(find(name)) for name in ("car", "fail_talms", "ict", "kapro"))

WRONG: tuple[tuple[Any, dict[str, Any], str], ...] = (
    (car, {"user": "foo"}, "The option user takes scripted, model or person, not 'foo'."),
    (car, {"tool_lists": "foo"}, "The option tool_lists takes crossed or whole, not 'foo'."),
    (car, {"strategy": "foo"}, "takes none, acknowledge-limits or gather-then-act, not 'foo'."),
    (car, {"reruns": -1}, "The option reruns takes a whole number of at least 0, not -1."),
    (car, {"steps": 0}, "The option steps takes a whole number of at least 1, not 0."),
    (car, {"steps": 2.5}, "The option steps takes a whole number of at least 1, not 2.5."),
    (car, {"votes": True}, "The option votes takes a whole number of at least 1, not True."),
    (car, {"data": ["a", "b"]}, "The option data takes a text, not ['a', 'b']."),
    (car, {"data": None}, "The option data takes a text, not None."),
    (car, {"limit_tasks": -1}, "The option limit_tasks takes a whole number of at least 0, not -1."),
    (car, {"trials": 0}, "The option trials takes a whole number of at least 1, not 0."),
    (car, {"seed": "x"}, "The option seed takes a whole number, not 'x'."),
    (car, {"rules": "strictest"}, "The option rules takes definition or published, not 'strictest'."),
    (kapro, {"probe": ["know"]}, "The option probe takes"),
    (kapro, {"solo": "yes"}, "The option solo takes a whole number of at least 0, not 'yes'."),
    (ict, {"strategy": "foo"}, "The option strategy takes zero-shot,"),
    (fail_talms, {"helper": "foo"}, "The option helper takes"),
)


@pytest.mark.parametrize(("task", "given", "sentence"), WRONG)
def test_an_argument_that_makes_no_sense_is_refused(task: Any, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadUsage, match=re.escape(sentence)):
        task(**given)


@pytest.mark.parametrize("name", names())
def test_defaults_and_every_choice_are_taken(name: str) -> None:
    suite = find(name)
    defaults = {**suite.defaults(), "limit_tasks": 0}
    del defaults["limit"]
    assert options_of(suite, defaults) == suite.defaults()
    for option in suite.options:
        for choice in option.choices:
            assert options_of(suite, {option.name: choice})[option.name] == choice


@pytest.mark.parametrize(("given", "number"), [(True, 5), (False, 0), (3, 3)])
def test_an_option_with_a_number_may_be_given_as_a_flag(given: object, number: int) -> None:
    assert options_of(find("kapro"), {"solo": given, "limit_tasks": 0})["solo"] == number


def test_a_folder_may_have_a_number_for_a_name() -> None:
    assert options_of(find("car"), {"data": 2024, "limit_tasks": 3}) == {"data": 2024, "limit": 3}
