"""DeveloperTools: the user's projects and tracker, version numbers and JSON documents."""

# ruff: noqa: D417 - agents give every argument but the state, so no docstring describes it

import datetime as dt
import json
from collections.abc import Mapping
from itertools import accumulate
from typing import Annotated, Any, Final, Literal, TypedDict, cast

from knowact.core.tool import Dimension
from knowact.worlds.everyday import sources_developer
from knowact.worlds.everyday.contract import (
    always,
    by_argument,
    near,
    person_can,
    person_cannot,
    refuse,
    tool,
)
from knowact.worlds.everyday.private.developer import Issue, Project
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import ECHO, Attribute, Rules

Source = Literal["text", "project"]
ProjectName = Annotated[str, Attribute("project.name"), Rules(max_length=60)]
IssueNumber = Annotated[str, Attribute("issue.number"), Rules(max_length=20)]
_VERSIONS: Final = 6
_VERSION_PARTS: Final = 4
_PART_DIGITS: Final = 9
_DOCUMENT: Final = 160
_DEPTH: Final = 60


class Versions(TypedDict):
    """The ends of a series of releases.

    Attributes:
        newest: The highest version number; of equal ones, the first.
        oldest: The lowest version number; of equal ones, the first.
        distinct: How many different version numbers there are.
    """

    newest: Annotated[str, Attribute("versions.newest")]
    oldest: Annotated[str, Attribute("versions.oldest")]
    distinct: Annotated[int, Attribute("versions.distinct", is_a="quantity.value")]


def _few_versions(given: Mapping[str, Any]) -> bool:
    """At most six versions, which stand in the query (not in the user's project)."""
    return given.get("source", "text") == "text" and len(given["versions"].split()) <= _VERSIONS


def _parts(version: str) -> tuple[int, ...]:
    """Return a version as numbers, trailing noughts left out: 1.2 is 1.2.0."""
    parts = version.split(".")
    fine = all(part.isascii() and part.isdigit() and len(part) <= _PART_DIGITS for part in parts)
    if not fine or len(parts) > _VERSION_PARTS:
        refuse("bad_arguments", f"{version!r} is not a version number.", "Write versions such as 2.10.3.")
    numbers = [int(part) for part in parts]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


@tool(
    category="DeveloperTools",
    server="projects",
    about=("versions",),
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="A few pasted versions are compared at sight; a long series is not, nor the user's own releases.",
        within=_few_versions,
    ),
    scenario="Somebody has several versions of a program about and wants to keep the newest only.",
    human=person_can("Whoever has the list before them can compare the numbers part by part."),
)
def compare_versions(
    state: State,
    versions: Annotated[str, Attribute("versions.list"), Rules(max_length=4_000)],
    source: Source = "text",
) -> Versions:
    """Find the newest and the oldest of some versions, or of the releases of one of the user's projects.

    Versions are compared part by part as numbers: 2.10 is newer than 2.9, and 2.0 is the same as 2.

    Args:
        versions: The version numbers, one per line; with source "project", the name of the project.
        source: Whether `versions` is the list itself or the name of a project.
    """
    read = versions if source == "text" else state.record(Project, versions, "project").releases
    found = read.split()
    if not found:
        refuse("bad_arguments", "There are no versions to compare.", "Give at least one version number.")
    distinct = len({_parts(version) for version in found})
    return {"newest": max(found, key=_parts), "oldest": min(found, key=_parts), "distinct": distinct}


class JsonValueAt(TypedDict):
    """What stands in a document.

    Attributes:
        value: The value as it is written there, without quotation marks.
    """

    value: Annotated[str, Attribute("json.value")]


def _short_document(given: Mapping[str, Any]) -> bool:
    """A document of at most 160 characters, which stands in the query (not in the user's project)."""
    return given.get("source", "text") == "text" and len(given["document"]) <= _DOCUMENT


def _document(read: str) -> Any:
    """Read JSON, its numbers as they are written."""

    def refused(word: str) -> str:
        raise ValueError(f"{word} is not a JSON value")

    # How deep the parser itself goes, and how it words an error, differ from one Python to the next.
    depths = accumulate((letter in "[{") - (letter in "]}") for letter in read)
    if max(depths, default=0) > _DEPTH:
        refuse("bad_arguments", "The document is nested too deeply.", f"Give at most {_DEPTH} levels.")
    try:
        return json.loads(read, parse_int=str, parse_float=str, parse_constant=refused)
    except ValueError:
        refuse("bad_arguments", "The document is not JSON.", 'Give JSON such as {"port": 80}.')


def _step(inside: Any, key: str) -> Any:
    """Return a member of an object or an element of a list."""
    if isinstance(inside, dict):
        members = cast("dict[str, Any]", inside)
        if key not in members:
            refuse("not_found", f"There is no {key!r} at this place.", near(key, members))
        return members[key]
    if isinstance(inside, list):
        elements = cast("list[Any]", inside)
        if not (key.isascii() and key.isdigit() and len(key) <= _PART_DIGITS and int(key) < len(elements)):
            fix = f"There are {len(elements)}; the first is 0."
            refuse("not_found", f"There is no element {key!r} in the list.", fix)
        return elements[int(key)]
    return refuse("not_found", f"There is nothing inside a single value, so no {key!r}.", "Shorten the path.")


@tool(
    category="DeveloperTools",
    server="projects",
    about=("document", "path"),
    rubric=by_argument(
        Dimension.PRIVACY,
        Dimension.COMPUTATION,
        why="A line of JSON is read at sight; a long document is not, nor the user's own settings.",
        within=_short_document,
    ),
    scenario="Somebody has a file of settings and wants to know what one of them is.",
    human=person_can("Whoever has the document before them can follow the path."),
)
def get_json_field(
    state: State,
    document: Annotated[str, Attribute("json.document"), Rules(max_length=4_000)],
    path: Annotated[str, Attribute("json.path"), Rules(max_length=120)],
    source: Source = "text",
) -> JsonValueAt:
    """Read one value out of a JSON document, or out of the settings of one of the user's projects.

    Args:
        document: The JSON document; with source "project", the name of the project.
        path: The names that lead to the value, joined by points, such as "server.port"; elements of lists
            are counted from 0.
        source: Whether `document` is the document itself or the name of a project.
    """
    read = document if source == "text" else state.record(Project, document, "project").settings
    value = _document(read)
    for key in path.split("."):
        value = _step(value, key)
    if isinstance(value, dict | list):
        refuse("bad_arguments", f"{path!r} is a group of values.", "Go on to one value inside it.")
    if value is None or isinstance(value, bool):
        return {"value": json.dumps(value)}
    return {"value": str(value)}


class BuildStatus(TypedDict):
    """The latest build of a project.

    Attributes:
        project: The project.
        status: How it went: passed, failed or unstable.
        failed_tests: How many tests failed.
        minutes: How long it took, in minutes.
        finished: When it was through today, HH:MM.
    """

    project: Annotated[str, ECHO]
    status: Annotated[str, Attribute("build.status")]
    failed_tests: Annotated[int, Attribute("build.failed_tests", is_a="quantity.value")]
    minutes: Annotated[int, Attribute("build.minutes")]
    finished: Annotated[str, Attribute("build.finished")]


@tool(
    category="DeveloperTools",
    server="projects",
    about=("project",),
    rubric=always(
        Dimension.TEMPORALITY,
        Dimension.PRIVACY,
        why="The user's own build server runs again and again in a day.",
    ),
    scenario="A programmer wants to go to lunch and asks whether the last build went through.",
    human=person_cannot("Only the build server knows."),
)
def get_build_status(state: State, project: ProjectName) -> BuildStatus:
    """Report how the latest build of one of the user's projects went, how long it took and when it ended.

    Args:
        project: The project's name.
    """
    state.record(Project, project, "project")
    build = sources_developer.latest_build(state.seed, project, state.now)
    return {
        "project": project,
        "status": build.status,
        "failed_tests": build.failed_tests,
        "minutes": build.minutes,
        "finished": build.finished,
    }


class IssueDetails(TypedDict):
    """An entry of the tracker.

    Attributes:
        number: Its number.
        title: What it is about.
        priority: How urgent it is: low, medium, high or urgent.
        assignee: Who works on it.
        due: The day by which it should be done, YYYY-MM-DD.
        state: Whether it is open or closed.
    """

    number: Annotated[str, ECHO]
    title: Annotated[str, Attribute("issue.title", is_a="passage.value")]
    priority: Annotated[str, Attribute("issue.priority")]
    assignee: Annotated[str, Attribute("issue.assignee", is_a="person.name")]
    due: Annotated[str, Attribute("issue.due", is_a="day.date")]
    state: Annotated[str, Attribute("issue.state")]


@tool(
    category="DeveloperTools",
    server="tracker",
    about=("number",),
    rubric=always(Dimension.PRIVACY, why="Only the user's own tracker has it."),
    scenario="A programmer is asked about a bug by its number and wants to know who has it and until when.",
    human=person_cannot("Only the user's own tracker shows it."),
)
def get_issue(state: State, number: IssueNumber) -> IssueDetails:
    """Show an issue of the user's tracker: what it is about, how urgent, who works on it and until when.

    Args:
        number: The issue's number, such as "HA-157".
    """
    found = state.record(Issue, number, "issue")
    return {
        "number": number,
        "title": found.title,
        "priority": found.priority,
        "assignee": found.assignee,
        "due": found.due,
        "state": "closed" if found.closed else "open",
    }


class ClosedIssue(TypedDict):
    """An issue that has been closed.

    Attributes:
        number: Its number.
        reporter: Who had reported it, and is told that it is closed.
        days_open: How many days it was open.
    """

    number: Annotated[str, ECHO]
    reporter: Annotated[str, Attribute("issue.reporter")]
    days_open: Annotated[int, Attribute("issue.days_open")]


@tool(
    category="DeveloperTools",
    server="tracker",
    about=("number",),
    changes=("issue.closed",),
    rubric=always(Dimension.INTERACTION, why="The tracker shows the issue as closed afterwards."),
    scenario="A programmer has mended a bug and wants it off the list.",
    human=person_cannot("Only the user's own account can close it."),
)
def close_issue(state: State, number: IssueNumber) -> ClosedIssue:
    """Close an issue of the user's tracker, and tell who had reported it and how long it was open.

    Args:
        number: The issue's number, such as "HA-157".
    """
    found = state.record(Issue, number, "issue")
    if found.closed:
        refuse("conflict", f"The issue {number!r} is closed already.", "Choose an open one.")
    days = (state.today - dt.date.fromisoformat(found.opened)).days
    state.put(number, found.model_copy(update={"closed": True}))
    return {"number": number, "reporter": found.reporter, "days_open": days}
