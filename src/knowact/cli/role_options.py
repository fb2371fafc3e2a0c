"""Who takes part in a run: `--agent`, `--judge` and `--role`, and the options of earlier versions."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from knowact.core.errors import BadUsage
from knowact.core.suite import Suite


def agent_options() -> list[click.Parameter]:
    """The options, for a command that runs a suite."""
    return [
        click.Option(
            ["--agent"],
            multiple=True,
            metavar="SPEC",
            help="An agent in the model's place: py:module:function, cmd:COMMAND with {prompt_file} and "
            "{mcp_url}, or solver:FILE.py@NAME, which asks --model; repeatable.",
        ),
        click.Option(
            ["--agent-name"], metavar="NAME", help="The agent's name and version, as reports show them."
        ),
        click.Option(
            ["--agent-timeout"], type=click.FloatRange(0.1), help="Seconds for one turn of the agent [600]."
        ),
    ]


def options(roles: Sequence[str]) -> list[click.Parameter]:
    """The options, for a command that runs a suite in which these roles can have something to do.

    Without any, the options are taken, because files of options are for several suites, but not shown.
    """
    return [
        click.Option(
            ["--judge"],
            metavar="MODEL|self|none",
            hidden=not roles,
            help="The model for all roles that --role doesn't bind. self: the agent's own model extracts and "
            "judges. none: nothing that needs a model is judged.",
        ),
        click.Option(
            ["--role"],
            multiple=True,
            metavar="NAME=MODEL",
            hidden=not roles,
            help=f"The model for one role: {', '.join(roles)}. file:PATH reads its answers from a file. "
            'With settings: judge="{model: NAME, reasoning_effort: high, max_tokens: 4096}".',
        ),
    ]


def dropped(suite: Suite) -> list[click.Parameter]:
    """Hidden options of earlier versions; each raises the sentence that names its successor."""
    return [
        click.Option([f"--{name}"], hidden=True, expose_value=False, callback=refuse(sentence))
        for name, sentence in suite.dropped.items()
    ]


def refuse(sentence: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """What a dropped option's callback does: say what became of it."""

    def refused(ctx: click.Context, param: click.Parameter, value: Any) -> None:  # noqa: ARG001 - click's
        if value is not None:
            raise BadUsage(sentence)

    return refused
