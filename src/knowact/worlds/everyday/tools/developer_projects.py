"""DeveloperTools: the user's projects and tracker, version numbers and JSON documents."""

import datetime as dt
import json
from itertools import accumulate
from typing import Annotated, Final, Literal

from pydantic import JsonValue

from knowact.core.tool import Dimension
from knowact.worlds.everyday.contract import Server, always, by_source, listed, on, refuse
from knowact.worlds.everyday.private.work import Issue, Project
from knowact.worlds.everyday.state import State
from knowact.worlds.typed.schema import Attribute, Rules, Shape, echo, fact

_PROJECTS: Final = Server("DeveloperTools", "projects")
_TRACKER: Final = Server("DeveloperTools", "tracker")

Source = Literal["text", "project"]
ProjectName = Annotated[str, Attribute("project.name"), Rules(max_length=60)]
IssueNumber = Annotated[str, Attribute("issue.number"), Rules(max_length=20)]
_VERSIONS: Final = 6
_VERSION_PARTS: Final = 4
_PART_DIGITS: Final = 9
_DOCUMENT: Final = 160
_DEPTH: Final = 60


def _few_versions(versions: str, source: str = "text") -> bool:
    """At most six versions, which stand in the query (not in the user's project)."""
    return source == "text" and len(versions.split()) <= _VERSIONS


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


class VersionComparison(Shape):
    newest: str = fact("versions.newest", "The highest version number; of equal ones, the first.")
    oldest: str = fact("versions.oldest", "The lowest version number; of equal ones, the first.")
    distinct: int = fact("versions.distinct", "How many different version numbers there are.")


@_PROJECTS.tool(
    rubric=by_source(
        on(_few_versions),
        why="A few pasted versions are compared at sight; a long series is not, nor the user's own releases.",
    ),
    scenario="Somebody has several versions of a program about and wants to keep the newest only.",
    person_can="Whoever has the list before them can compare the numbers part by part.",
)
def compare_versions(
    state: State,
    versions: Annotated[str, Attribute("versions.list"), Rules(max_length=4_000)],
    source: Source = "text",
) -> VersionComparison:
    """Find the newest and the oldest of some versions, or of the releases of one of the user's projects.

    Versions are compared part by part as numbers: 2.10 is newer than 2.9, and 2.0 is the same as 2.

    Args:
        versions: The version numbers, one per line; with source "project", the name of the project.
        source: Whether `versions` is the list itself or the name of a project.
    """
    read = versions if source == "text" else state.record(Project, versions, "project").releases
    numbers = read.split()
    if not numbers:
        refuse("bad_arguments", "There are no versions to compare.", "Give at least one version number.")
    return VersionComparison(
        newest=max(numbers, key=_parts),
        oldest=min(numbers, key=_parts),
        distinct=len(set(map(_parts, numbers))),
    )


def _short_document(document: str, source: str = "text") -> bool:
    """A document of at most 160 characters, which stands in the query (not in the user's project)."""
    return source == "text" and len(document) <= _DOCUMENT


def _document(read: str) -> JsonValue:
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


def _step(inside: JsonValue, key: str) -> JsonValue:
    """Return a member of an object or an element of a list."""
    if isinstance(inside, dict):
        return listed(inside, key, f"There is no {key!r} at this place.")
    if isinstance(inside, list):
        if not (key.isascii() and key.isdigit() and len(key) <= _PART_DIGITS and int(key) < len(inside)):
            fix = f"There are {len(inside)}; the first is 0."
            refuse("not_found", f"There is no element {key!r} in the list.", fix)
        return inside[int(key)]
    return refuse("not_found", f"There is nothing inside a single value, so no {key!r}.", "Shorten the path.")


class JsonField(Shape):
    value: str = fact("json.value", "The value as it is written there, without quotation marks.")


@_PROJECTS.tool(
    rubric=by_source(
        on(_short_document),
        why="A line of JSON is read at sight; a long document is not, nor the user's own settings.",
    ),
    scenario="Somebody has a file of settings and wants to know what one of them is.",
    person_can="Whoever has the document before them can follow the path.",
)
def get_json_field(
    state: State,
    document: Annotated[str, Attribute("json.document"), Rules(max_length=4_000)],
    path: Annotated[str, Attribute("json.path"), Rules(max_length=120)],
    source: Source = "text",
) -> JsonField:
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
        return JsonField(value=json.dumps(value))
    return JsonField(value=str(value))


class BuildStatus(Shape):
    project: str = echo("The project.")
    status: str = fact("build.status", "How it went: passed, failed or unstable.")
    failed_tests: int = fact("build.failed_tests", "How many tests failed.")
    minutes: int = fact("build.minutes", "How long it took, in minutes.")
    finished: str = fact("build.finished", "When it was through today, HH:MM.")


@_PROJECTS.tool(
    rubric=always(
        Dimension.TEMPORALITY,
        Dimension.PRIVACY,
        why="The user's own build server runs again and again in a day.",
    ),
    scenario="A programmer wants to go to lunch and asks whether the last build went through.",
    person_cannot="Only the build server knows.",
)
def get_build_status(state: State, project: ProjectName) -> BuildStatus:
    """Report how the latest build of one of the user's projects went, how long it took and when it ended.

    Args:
        project: The project's name.
    """
    state.record(Project, project, "project")
    draw = state.draw("build", project, state.hour)
    status = draw.choice(("passed", "failed", "unstable"))
    failed = {"passed": 0, "failed": draw.randint(4, 38), "unstable": draw.randint(1, 3)}[status]
    # Before the hour began, so that no time of this hour can lie in the future.
    hour = max(0, state.now.hour - draw.randint(1, 4))
    return BuildStatus(
        project=project,
        status=status,
        failed_tests=failed,
        minutes=draw.randint(2, 47),
        finished=f"{hour:02d}:{draw.randint(0, 59):02d}",
    )


class IssueShown(Shape):
    number: str = echo("Its number.")
    title: str = fact("issue.title", "What it is about.")
    priority: str = fact("issue.priority", "How urgent it is: low, medium, high or urgent.")
    assignee: str = fact("issue.assignee", "Who works on it.")
    due: str = fact("issue.due", "The day by which it should be done, YYYY-MM-DD.")
    state: str = fact("issue.state", "Whether it is open or closed.")


@_TRACKER.tool(
    rubric=always(Dimension.PRIVACY, why="Only the user's own tracker has it."),
    scenario="A programmer is asked about a bug by its number and wants to know who has it and until when.",
    person_cannot="Only the user's own tracker shows it.",
)
def get_issue(state: State, number: IssueNumber) -> IssueShown:
    """Show an issue of the user's tracker: what it is about, how urgent, who works on it and until when.

    Args:
        number: The issue's number, such as "HA-157".
    """
    issue = state.record(Issue, number, "issue")
    return IssueShown.of(issue, number=number, state="closed" if issue.closed else "open")


class ClosedIssue(Shape):
    number: str = echo("Its number.")
    reporter: str = fact("issue.reporter", "Who had reported it, and is told that it is closed.")
    days_open: int = fact("issue.days_open", "How many days it was open.")


@_TRACKER.tool(
    changes=("issue.closed",),
    rubric=always(Dimension.INTERACTION, why="The tracker shows the issue as closed afterwards."),
    scenario="A programmer has mended a bug and wants it off the list.",
    person_cannot="Only the user's own account can close it.",
)
def close_issue(state: State, number: IssueNumber) -> ClosedIssue:
    """Close an issue of the user's tracker, and tell who had reported it and how long it was open.

    Args:
        number: The issue's number, such as "HA-157".
    """
    issue = state.record(Issue, number, "issue")
    if issue.closed:
        refuse("conflict", f"The issue {number!r} is closed already.", "Choose an open one.")
    days = (state.today - dt.date.fromisoformat(issue.opened)).days
    state.put(number, issue.model_copy(update={"closed": True}))
    return ClosedIssue(number=number, reporter=issue.reporter, days_open=days)
