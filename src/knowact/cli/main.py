"""The entry point. Commands are imported when they are used: `knowact --help` stays fast."""

import importlib
import sys
from typing import Any

import click

from knowact import __version__

COMMANDS = {
    "demo": "Run suites on built-in agents, offline, in a minute.",
    "run": "Run a suite on a model.",
    "report": "Write a report (page, JSON, CSV) of any number of logs.",
    "compare": "Compare two runs on the same items.",
    "check": "Check runs against bounds and a baseline, for a release.",
    "rescore": "Score logs again, or published model outputs.",
    "calibrate": "Measure how often a model errs as extractor, judge, simulated user or helper.",
    "view": "Open a log, or one sample of it, in Inspect's viewer.",
    "list": "List suites, data sets and built-in agents.",
    "doctor": "Check this machine, and what a model needs.",
    "data": "Show one task with its proof, or statistics of a data set.",
    "world": "Check that a world's tools do what they declare.",
    "serve": "Serve the tools of a world, or of an item, over MCP.",
    "tools": "Bring your own tools, annotate them, or sort a collection of published ones.",
    "new": "Make a test of your own tools, in one line.",
    "forge": "Make a data set from a seed, or pairs from existing items.",
    "human": "Have people audit data, or answer the agents' questions.",
    "power": "Compute how many items you need to detect an effect.",
}

LONGEST_COMPLAINT = 4_000
"""Characters. A list of all tools fits; a value from somebody's file may not."""

USAGE_ERROR = 2
INTERRUPTED = 130


class Commands(click.Group):
    """Commands by name, each a module of this package; wrong names suggest the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, the ones a newcomer needs first."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"knowact.cli.{cmd_name}_command"), "command", None)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown name raises `UnknownName`, which suggests the nearest."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from knowact.core.errors import UnknownName

            raise UnknownName("command", args[0], COMMANDS)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="knowact")
def knowact() -> None:
    """Measure whether an LLM agent knows the limits of what it can do, and acts on that knowledge.

    Start with `knowact demo`.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit code. A user's error prints one sentence and gives 2."""
    try:
        if sys.flags.optimize:
            from knowact.worlds.typed.schema import refuse_without_docstrings

            refuse_without_docstrings()
        code: Any = knowact.main(args=args, prog_name="knowact", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return USAGE_ERROR
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except Exception as error:
        from knowact.core.errors import KnowactError

        exit_code, choices = USAGE_ERROR, ()
        if isinstance(error, OSError) and error.filename:
            # A path that is too long or not readable raises wherever it is used.
            complaint = f"Cannot use {error.filename} ({error.strerror}). Check the path."
        elif isinstance(error, KnowactError):
            complaint, exit_code, choices = str(error), error.exit_code, error.choices
        else:
            raise
        click.echo(f"Error: {_one_sentence(complaint)}", err=True)
        for line in choices:
            click.echo(f"  {line}", err=True)
        return exit_code
    return code if isinstance(code, int) else 0


def _one_sentence(complaint: str) -> str:
    """Make a message safe and short enough for a terminal: it may quote data, files and options."""
    from knowact.core.clean import one_line

    shown = one_line(" ".join(complaint.split()))
    if len(shown) <= LONGEST_COMPLAINT:
        return shown
    half = LONGEST_COMPLAINT // 2
    return f"{shown[:half]} … {shown[-half:]}"
