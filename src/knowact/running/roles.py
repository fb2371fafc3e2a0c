"""`--judge` and `--role`: the models that extract, judge, play the user and help.

`--judge M` binds every role that the run needs and `--role` doesn't bind. `--judge self` binds extractor and
judge to the agent's own model. `--judge none` binds nothing; what needs a reader is then *not judged*.
"""

from collections.abc import Sequence
from typing import Final

from knowact.core.errors import BadUsage, lacks_role
from knowact.core.role_model import BUILT_IN, RoleModel, role_model
from knowact.core.suite import ROLES, Plan
from knowact.roles.baseline import PERSON

ANNOTATOR: Final = "annotator"
AUDITOR: Final = "auditor"
"""The role of the second, independent opinion; the annotator's model does it where nobody else is named."""
ELSEWHERE: Final = {
    "writer": "knowact forge",
    ANNOTATOR: "knowact tools annotate",
    AUDITOR: "knowact tools annotate",
}
RENAMED: Final = {"grader": "judge", "driver": "user", "generator": "writer"}
"""Roles of earlier versions, each with its name today."""

CHOICES: Final = (
    "--judge MODEL   this model extracts and judges; use the same one for all runs that you compare",
    "--judge self    the agent's own model does; the run is marked self-read and never ranked",
    "--judge none    no model does; only calls and requested formats are scored",
)
"""The choices where a headline depends on the agent's words."""

SELF, NOBODY = "self", "none"


def named(pairs: Sequence[str]) -> dict[str, RoleModel]:
    """The roles that `--role` binds.

    Raises:
        BadUsage: There is no such role, no model is given, or the role was renamed.
    """
    roles: dict[str, RoleModel] = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not equals or not model:
            raise BadUsage(f"--role takes NAME=MODEL, not {pair!r}.")
        if name in RENAMED:
            raise BadUsage(f"The role {name!r} is now {RENAMED[name]!r}: --role {RENAMED[name]}={model}.")
        if name in ELSEWHERE:
            where = ELSEWHERE[name]
            raise BadUsage(f"The role {name!r} belongs to `{where}`. Roles of a run: {', '.join(ROLES)}.")
        if name not in ROLES:
            raise BadUsage(f"There is no role {name!r}. Choose from {', '.join(ROLES)}.")
        roles[name] = _able(name, role_model(model))
    return roles


def assigned(pairs: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """The model of each role of a command that makes data.

    Raises:
        BadUsage: A pair is no role with a model, or a role is given twice.
    """
    models: dict[str, str] = {}
    for pair in pairs:
        name, equals, model = pair.partition("=")
        if not (equals and model) or name not in roles:
            known = " or ".join(f"{role}=MODEL" for role in roles)
            raise BadUsage(f"--role takes {known} here, not {pair!r}.")
        if name in models:
            raise BadUsage(f"--role {name} is given twice. Give it once.")
        models[name] = model
    return models


def _able(role: str, player: RoleModel) -> RoleModel:
    if player.name.startswith(BUILT_IN):
        who = f"{player.name} is a built-in agent"
        raise BadUsage(f"{who} and cannot be the {role}. Name a model or file:PATH.")
    if player.name.startswith(PERSON):
        raise BadUsage(
            f"--role takes a model, not {role}={player}. For a person, use --user person or --helper person."
        )
    return player


def bound(plan: Plan, model: str, judge: str | None, pairs: Sequence[str]) -> dict[str, RoleModel]:
    """The model of each role when `model` is the agent, as the engine names models.

    Args:
        plan: Which roles there are, and which of them the headline needs.
        model: The agent.
        judge: Binds the roles that `pairs` doesn't; None where nobody was named.
        pairs: ROLE=MODEL.

    Raises:
        BadUsage: The headline needs a role that is not bound, an option lacks its role, or a scripted person
            would have to talk to an agent that is not built in.
    """
    from knowact.engine.filed import as_model

    roles = named(pairs)
    if judge == SELF and model.startswith(PERSON):
        raise BadUsage("A person cannot judge their own answers. Name a model, or --judge none.")
    if judge == SELF:
        own = {"extractor", "judge"} & {*plan.role_calls}
        roles = {**dict.fromkeys(sorted(own), RoleModel(model)), **roles}
    elif judge is not None and judge != NOBODY:
        roles = {role: _able(role, role_model(judge)) for role in sorted(plan.role_calls)} | roles
    for role, option in plan.roles.items():
        if role not in roles:
            raise lacks_role(option, role)
    if not model.startswith(BUILT_IN):
        if plan.built_in_only:
            raise BadUsage(plan.built_in_only)
        if judge is None and (missing := [role for role in plan.headline if role not in roles]):
            raise BadUsage(f"The headline needs a model as {' and '.join(missing)}. Add one of:", CHOICES)
    return {role: as_model(player) for role, player in roles.items()}
