"""`knowact power`: how many items a comparison needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from knowact.cli import terminal
from knowact.cli.options import HELP, json_option, put_json
from knowact.core.errors import BadUsage
from knowact.core.rounding import count
from knowact.measures import power as sizes
from knowact.measures.power import LARGE, MEDIUM, SMALL, Sample

FORMAT: Final = "knowact.power/1"

PAPER_DF: Final = 4
PAPER_WORDS: Final = (
    f"--df defaults to {PAPER_DF}, the only value that reproduces a published power analysis "
    '(Treviño et al., NAACL 2025, appendix E). Its "at most 92 queries" assume w = 0.5, which it calls a '
    "medium effect, alpha = 0.005, power = 0.90 and, implicitly, one test of a distribution over 5 bins."
)

MOST_DF_SHOWN: Final = 5

EXPLAINED: Final = """\
How many items does a comparison take, so that a difference as large as the one you expect will be seen?

  Two models on the same items, 60 % right against 70 %, answers differing on 25 % of the items:
    knowact power --shares 0.60 0.70 --paired --discordant 0.25

  The same on different items:
    knowact power --shares 0.60 0.70

  One distribution against a fixed one, an effect of Cohen's w = 0.3:
    knowact power --effect 0.3

The two shares are guesses, from a pilot or from a paper; the smaller the difference, the more items it takes.
Every suite works on shares, so this holds for all of them. All options: knowact power --help"""
"""What the command says without arguments."""


@dataclass(frozen=True, slots=True)
class SampleAnswer:
    """The command's result.

    Attributes:
        numbers: For programs.
        sentences: For people: the result first, then what it assumes.
    """

    numbers: dict[str, Any]
    sentences: Sequence[str]


@click.command("power", context_settings=HELP)
@click.option("--effect", type=float, metavar="W", help="Cohen's w of a chi-square test of goodness of fit.")
@click.option(
    "--df", type=int, metavar="D", help=f"Its degrees of freedom: bins minus one [default: {PAPER_DF}]."
)
@click.option("--shares", type=(float, float), metavar="P1 P2", help="Two shares (0 to 1) to distinguish.")
@click.option("--paired", is_flag=True, help="Both shares are of the same items (McNemar's test).")
@click.option(
    "--discordant",
    type=float,
    metavar="D",
    help="With --paired: share of items on which the runs differ [default: as if independent].",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Probability of a false positive.")
@click.option(
    "--power", type=float, default=0.8, show_default=True, help="Probability of detecting the effect."
)
@json_option
def command(  # noqa: PLR0917 - click passes by name
    effect: float | None,
    df: int | None,
    shares: tuple[float, float] | None,
    paired: bool,
    discordant: float | None,
    alpha: float,
    power: float,
    json_file: Path | None,
) -> int:
    """Compute how many items you need to detect an effect: --effect W, or --shares P1 P2.

    --shares compares two rates, as benchmarks do, on different items or (--paired) on the same ones.
    --effect is Cohen's w of a chi-square test of goodness of fit, which compares one distribution with a
    fixed one.
    """
    if (effect, df, shares, discordant, paired, json_file) == (None, None, None, None, False, None):
        terminal.say(EXPLAINED)
        return 0
    _check(effect, df, shares, paired=paired, discordant=discordant)
    try:
        if effect is not None:
            answer = _goodness_of_fit(effect, alpha, power, df)
        elif shares is not None and paired:
            answer = _same_items(shares, discordant, alpha, power)
        else:
            assert shares is not None
            answer = _different_items(shares, alpha, power)
    except ValueError as error:
        raise BadUsage(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    if json_file is not None:
        put_json({"format": FORMAT, **answer.numbers, "notes": list(answer.sentences)}, json_file)
    else:
        terminal.prepare()
        terminal.say(*answer.sentences)
    return 0


def _check(
    effect: float | None,
    df: int | None,
    shares: tuple[float, float] | None,
    *,
    paired: bool,
    discordant: float | None,
) -> None:
    if (effect is None) == (shares is None):
        raise BadUsage("Give either --effect W or --shares P1 P2.")
    if shares is None and (paired or discordant is not None):
        raise BadUsage("--paired and --discordant need --shares.")
    if effect is None and df is not None:
        raise BadUsage("--df needs --effect.")
    if discordant is not None and not paired:
        raise BadUsage("--discordant needs --paired: only runs on the same items can differ on an item.")


def _goodness_of_fit(effect: float, alpha: float, power: float, df: int | None) -> SampleAnswer:
    used = PAPER_DF if df is None else df
    sample = sizes.goodness_of_fit(effect, alpha, power, used)
    names = ((LARGE, "a large"), (MEDIUM, "a medium"), (SMALL, "a small"), (0.0, "less than a small"))
    size = next(name for least, name in names if effect >= least)
    others = {w: sizes.goodness_of_fit(w, alpha, power, used).needed for w in (SMALL, MEDIUM, LARGE)}
    by_df = {d: sizes.goodness_of_fit(effect, alpha, power, d) for d in range(1, MOST_DF_SHOWN + 1)}
    result = (
        f"{_needed(sample)}: chi-square test of goodness of fit with {count(used, 'degree')} of freedom "
        f"({used + 1} bins), w = {effect:g}, alpha = {alpha:g}, power = {power:g}."
    )
    convention = (
        f"w = {effect:g} is {size} effect: by Cohen's convention 0.1 is small, 0.3 medium and 0.5 large. "
        f"You need {', '.join(f'{n:,} for {w:g}' for w, n in others.items())}."
    )
    freedom = f"By degrees of freedom: {', '.join(f'{need.needed:,} with {d}' for d, need in by_df.items())}."
    assumed = (
        "This assumes independent items, expected shares fixed in advance, and a single test. To compare two "
        "models or settings, use --shares P1 P2 --paired."
    )
    numbers: dict[str, Any] = {
        "test": "chi-square goodness of fit",
        "effect": effect,
        "df": used,
        "bins": used + 1,
        "by_df": {str(d): need.exact for d, need in by_df.items()},
    }
    paper = [PAPER_WORDS] if df is None else []
    return SampleAnswer(
        numbers | _common(sample, alpha, power), [result, convention, freedom, *paper, assumed]
    )


def _different_items(shares: tuple[float, float], alpha: float, power: float) -> SampleAnswer:
    sample = sizes.two_shares(*shares, alpha, power)
    result = (
        f"{_needed(sample)} for each of two runs, {2 * sample.needed:,} in all: shares of {shares[0]:g} and "
        f"{shares[1]:g} on different items, two-sided, alpha = {alpha:g}, power = {power:g}."
    )
    assumed = (
        "This assumes independent items, equally many in both runs, the normal approximation without "
        "continuity correction, and a single test."
    )
    hint = "Two runs on the same items usually need fewer: --paired."
    numbers = {"test": "two shares, different items", "shares": shares, "in_all": 2 * sample.needed}
    return SampleAnswer(numbers | _common(sample, alpha, power), [result, assumed, hint])


def _same_items(
    shares: tuple[float, float], discordant: float | None, alpha: float, power: float
) -> SampleAnswer:
    used = sizes.discordant_by_chance(*shares) if discordant is None else discordant
    sample = sizes.two_shares_paired(*shares, used, alpha, power)
    low, high = (f"{100 * end:.3g}" for end in sizes.discordant_range(*shares))
    guess = "; this is the value for independent runs; --discordant D sets another"
    result = (
        f"{_needed(sample)}, each in both runs: shares of {shares[0]:g} and {shares[1]:g} on the same items "
        f"(McNemar's test), two-sided, alpha = {alpha:g}, power = {power:g}."
    )
    assumed = (
        f"This assumes that the runs differ on {100 * used:.3g} % of the items (possible: {low} to {high} %"
        f"{guess if discordant is None else ''}), independent items, the normal approximation, and a "
        "single test."
    )
    hint = "Variants of one base item are not independent. If you have variants, count base items."
    numbers = {"test": "two shares, same items (McNemar)", "shares": shares, "discordant": used}
    return SampleAnswer(numbers | _common(sample, alpha, power), [result, assumed, hint])


def _common(sample: "Sample", alpha: float, power: float) -> dict[str, Any]:
    return {"alpha": alpha, "power": power, "n": sample.exact, "needed": sample.needed}


def _needed(sample: "Sample") -> str:
    return f"{count(sample.needed, 'item')} ({sample.exact:,.1f} before rounding up)"
