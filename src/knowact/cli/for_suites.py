"""What is not for all suites says so in its help: for which it is, read off what the suites declare."""

import importlib.util
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from knowact import suites
from knowact.core.suite import Suite
from knowact.running.sources import typed

if TYPE_CHECKING:
    from knowact.forge.recipe import Recipe

Fits: TypeAlias = Callable[[Suite], bool]


def forged(suite: Suite) -> bool:
    """Whether `knowact forge` makes data for it."""
    return _recipe(suite) is not None


def paired(suite: Suite) -> bool:
    """Whether its recipe makes pairs of complete items that are there."""
    recipe = _recipe(suite)
    return recipe is not None and recipe.pairing is not None


def of_own_tools(suite: Suite) -> bool:
    """Whether its recipe makes data with somebody's own tools, without other data of them."""
    recipe = _recipe(suite)
    return recipe is not None and not (recipe.own_tools or recipe).borrows


def borrowing(suite: Suite) -> bool:
    """Whether its recipe uses requests of another suite's data, too."""
    recipe = _recipe(suite)
    return recipe is not None and bool(recipe.borrows)


def published(suite: Suite) -> bool:
    """Whether the outputs that were published with its paper can be scored."""
    package = f"{suites.__name__}.{suite.name}"
    return suite.name in suites.own_names() and importlib.util.find_spec(f"{package}.rescoring") is not None


def played(suite: Suite) -> bool:
    """Whether the demo plays it."""
    return bool(suite.demo)


def one_question(suite: Suite) -> bool:
    """Whether people are asked one question, in place of doing tasks as an agent does."""
    return suite.baseline is not None


def judged(suite: Suite) -> bool:
    """Whether a judge has anything to rule on."""
    return "judge" in suite.roles


def _recipe(suite: Suite) -> "Recipe | None":
    from knowact.forge.recipe import recipe_of

    return recipe_of(suite)


def listed(fits: Fits) -> str:
    """The suites that fit, as people type them: "car, ict and kapro"."""
    fitting = [typed(name) for name in suites.names() if fits(suites.find(name))]
    *first, last = fitting or ["no suite that is installed"]
    return f"{', '.join(first)} and {last}" if first else last


class ForSuites(click.Command):
    """A command whose help ends with the suites that it works for.

    Args:
        suites: What the suites are called there ("Suites with published outputs"), and which they are.
    """

    def __init__(self, *args: Any, suites: Mapping[str, Fits], **given: Any) -> None:
        super().__init__(*args, **given)
        self.suites: Final = suites

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Add a line for each kind of suites."""
        super().format_help_text(ctx, formatter)
        for name, fits in self.suites.items():
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"{name}: {listed(fits)}.")


class SuiteOption(click.Option):
    """An option whose help ends with the suites that it is for.

    Args:
        fits: Which they are.
    """

    def __init__(self, *args: Any, fits: Fits, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fits: Final = fits

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Add them."""
        record = super().get_help_record(ctx)
        return record and (record[0], f"{record[1]} For {listed(self.fits)}.")
