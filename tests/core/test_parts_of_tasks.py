"""The parts of a task: the same whatever is missing, in words that tell them apart."""

from knowact.core.parts import Part, distinct, job_part, parts_of, value_part
from knowact.core.task import Argument, Boundary, Query, Step, Task, Topology, WorldRef
from knowact.core.tool import Tool


def tool(name: str, job: str) -> Tool:
    city = {"type": "string", "description": "Name of a city."}
    schema = {"type": "object", "properties": {"city": city, "onDay": {"type": "string"}}}
    return Tool.model_validate({"name": name, "description": job, "parameters": schema})


SKY, RAIN = tool("get_sky", "Report the sky. It is rounded."), tool("get_rain", "Report the rain")


def task(*steps: tuple[str, dict[str, Argument]]) -> Task:
    plan = tuple(Step(tool=name, boundary=Boundary.EXTERNAL, arguments=given) for name, given in steps)
    return Task(
        id="t",
        opening=Query(text="?"),
        world=WorldRef(name="everyday"),
        offered=("get_sky", "get_rain"),
        plan=plan,
        topology=Topology.PARALLEL,
        cluster="t",
    )


def test_a_part_is_named_in_words_and_not_by_its_tool() -> None:
    assert job_part(SKY) == Part("tool:get_sky", "Report the sky")
    assert value_part(SKY, "city") == Part("value:get_sky.city", "city: Name of a city")
    assert value_part(SKY, "onDay").words == "on day"


def test_what_the_user_speaks_of_is_a_part_and_what_follows_by_itself_is_none() -> None:
    given = {
        "city": Argument(value="Oslo"),
        "onDay": Argument(value="2026-03-12", origin="context"),
        "unit": Argument(value="C", origin="default"),
        "zone": Argument(value="CET", origin="common"),
    }
    fed = {"city": Argument(value="Oslo", origin="step", step=0, field="city")}
    found = parts_of(task(("get_sky", given), ("get_rain", fed)), {"get_sky": SKY, "get_rain": RAIN})
    assert [part.id for part in found] == [
        *("tool:get_sky", "value:get_sky.city", "value:get_sky.onDay", "tool:get_rain")
    ]


def test_tools_that_nobody_knows_leave_no_part() -> None:
    assert parts_of(task(("get_sky", {}), ("gone", {})), {"get_sky": SKY}) == (job_part(SKY),)


def test_parts_of_the_same_words_say_what_they_are_for() -> None:
    parts = (job_part(SKY), job_part(RAIN), value_part(SKY, "city"), value_part(RAIN, "city"))
    assert [part.words for part in distinct(parts)[2:]] == [
        "city: Name of a city (for: Report the sky)",
        "city: Name of a city (for: Report the rain)",
    ]
    assert distinct((*parts[:1], parts[2], parts[2]))[1] == parts[2]
