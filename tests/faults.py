"""What a provider can do wrong, for a moment or for good."""

from doubles.endpoint import (
    BrokenJson,
    CutBody,
    HtmlPage,
    NoChoices,
    RateLimited,
    Raw,
    Refuse401,
    Reply,
    ServerError,
)
from local_agents import Habit

PASSING: dict[str, Reply] = {"429": RateLimited(0.2), "500": ServerError(), "half a body": CutBody()}
"""What a client tries again after."""

LASTING: dict[str, Reply] = {
    "half a body": CutBody(),
    "half a JSON": BrokenJson(),
    "a JSON text": Raw(200, '"hello"'),
    "no choices": NoChoices(),
    "choices of null": Raw(200, '{"choices": null}'),
    "a choice of null": Raw(200, '{"choices": [null]}'),
    "an error with status 200": Raw(200, '{"error": {"message": "You exceeded your quota."}}'),
    "a page": HtmlPage(200),
    "a page of a gateway": HtmlPage(502),
    "401": Refuse401(),
    "400": Raw(400, '{"error": {"message": "no such parameter"}}'),
    "429": RateLimited(0.05),
    "500": ServerError(),
}
"""The instrument's: by name, what comes instead of a reply, again and again."""


def once(reply: Reply) -> Habit:
    """Do this at the first request of each probe, then as usual."""
    return lambda _, number: reply if number == 1 else None
