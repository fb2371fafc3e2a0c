"""What a build server says of the user's projects: pure functions of the seed, the project and the hour."""

import datetime as dt
from dataclasses import dataclass

from knowact.core.seeds import generator


@dataclass(frozen=True, slots=True)
class Build:
    """The latest build of a project. Minutes are how long it took; `finished` is a time of today."""

    status: str
    failed_tests: int
    minutes: int
    finished: str


def latest_build(seed: int, project: str, now: dt.datetime) -> Build:
    """Return how the latest build of a project went; builds are made at most once an hour."""
    draw = generator(seed, "build", project, now.strftime("%Y-%m-%d %H"))
    status = draw.choice(("passed", "failed", "unstable"))
    failed = {"passed": 0, "failed": draw.randint(4, 38), "unstable": draw.randint(1, 3)}[status]
    # Before the hour began, so that no time of this hour can lie in the future.
    hour = max(0, now.hour - draw.randint(1, 4))
    return Build(status, failed, draw.randint(2, 47), f"{hour:02d}:{draw.randint(0, 59):02d}")
