"""`--judge` and `--role`: who reads replies, judges them, plays the user and helps.

`--judge M` binds extractor, judge, simulated user and helper where they are not bound apart and the run has a
use for them; `--judge self` binds extractor and judge to the agent's own model; `--judge none` binds nobody,
and leaves what needs a reader *not judged*.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from knowact.core.errors import BadUsage, lacks_role

if TYPE_CHECKING:
    from knowact.core.suite import Plan, Suite

ROLES: Final = ("extractor", "judge", "user", "helper")
ELSEWHERE: Final = {"writer": "knowact forge", "annotator": "knowact tools annotate"}
DROPPED: Final = {
    "grader": "judge",
    "driver": "user",
    "generator": "writer",
}
"""Roles of version 1, each with its successor."""

CHOICES: Final = (
    "--judge MODEL   that model reads and judges; take the same for all runs that you compare",
    "--judge self    the agent's own model does; the run is marked self-read and never ranked",
    "--judge none    nobody does: only calls and requested formats are scored",
)
"""What a run can choose from whose headline rests on the agent's words."""

SELF, NOBODY = "self", "none"
BUILT_IN: Final = "knowact/"


def options() -> list[click.Parameter]:
    """The options, for a command that runs a suite."""
    return [
        click.Option(
            ["--judge"],
            metavar="MODEL|self|none",
            help="Who reads and judges replies, and plays user and helper where those are not bound apart; "
            "self: the agent's own model reads and judges; none: what needs a reader is not judged.",
        ),
        click.Option(
            ["--role"],
            multiple=True,
            metavar="NAME=MODEL",
            help=f"One role by itself: {', '.join(ROLES)}. file:PATH takes answers from a file.",
        ),
    ]


def named(pairs: Sequence[str]) -> dict[str, str]:
    """The roles that `--role` binds.

    Raises:
        BadUsage: No such role here, or no model; a dropped role names its successor.
    """
    roles: dict[str, str] = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not equals or not model:
            raise BadUsage(f"--role takes NAME=MODEL, not {pair!r}.")
        if name in DROPPED:
            raise BadUsage(f"The role {name!r} is now {DROPPED[name]!r}: --role {DROPPED[name]}={model}.")
        if name in ELSEWHERE:
            where = ELSEWHERE[name]
            raise BadUsage(f"The role {name!r} belongs to `{where}`; a run has {', '.join(ROLES)}.")
        if name not in ROLES:
            raise BadUsage(f"There is no role {name!r}; there are {', '.join(ROLES)}.")
        roles[name] = model
    return {role: _able(role, model) for role, model in roles.items()}


def _able(role: str, model: str) -> str:
    if model.startswith(BUILT_IN):
        raise BadUsage(
            f"{model} is a built-in agent and plays no roles; bind a model or file:PATH as {role}."
        )
    return model


def bound(plan: "Plan", model: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Who plays which role when this model is the agent, as the engine names models.

    Raises:
        BadUsage: The headline needs a reader and none was chosen, an option lacks its role, or a script was
            chosen for an agent that is none of ours.
    """
    from knowact.engine.filed import as_model

    roles, judge = named(given["role"]), given["judge"]
    if judge == SELF:
        wanted = {"extractor", "judge"} & {*plan.role_calls}
        roles = {**dict.fromkeys(sorted(wanted), model), **roles}
    elif judge not in {None, NOBODY}:
        roles = {role: _able(role, str(judge)) for role in sorted(plan.role_calls)} | roles
    for role, option in plan.roles.items():
        if role not in roles:
            raise lacks_role(option, role)
    if not model.startswith(BUILT_IN):
        if plan.built_in_only:
            raise BadUsage(plan.built_in_only)
        if judge is None and (missing := [role for role in plan.headline if role not in roles]):
            lacking = f"The headline rests on the agent's words, and there is no {' and no '.join(missing)}."
            raise BadUsage(f"{lacking} Add one:", CHOICES)
    return {role: as_model(name) for role, name in roles.items()}


def dropped(suite: "Suite") -> list[click.Parameter]:
    """Hidden options that end with the sentence naming their successor."""
    return [
        click.Option([f"--{name}"], hidden=True, expose_value=False, callback=_refuse(sentence))
        for name, sentence in suite.dropped.items()
    ]


def _refuse(sentence: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    def refuse(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001 - click's
        if value is not None:
            raise BadUsage(sentence)

    return refuse
