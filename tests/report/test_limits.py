"""What a report says with its headline where the model's limits ended trials."""

from dataclasses import replace

import pytest

from knowact.core.record import CRASHED, CUT_OFF, OVER_CONTEXT, Outcome
from knowact.core.table import Run
from knowact.report.build import build, limits_in_words, summary
from knowact.report.page import page

from .report_double import make_input, make_run, make_suite


def ended(count: int, probe: str, flag: str, **options: int) -> Run:
    """A run of 20 trials in whose first ones a limit has ended a probe."""
    run = make_run("m", 0.5, size=20)
    assert all(probe in record.outcomes for record in run.records)
    records = [
        replace(one, outcomes={**one.outcomes, probe: Outcome.LIMIT}, flags={flag + probe: 1})
        if place < count
        else one
        for place, one in enumerate(run.records)
    ]
    return replace(run, records=records, options={**run.options, **options})


def probe_of(run: Run) -> str:
    return next(iter(run.records[0].outcomes))


PROBE = probe_of(make_run("m", 0.5, size=1))
SPOKEN = PROBE.replace("_", " ")


def test_the_headline_is_not_shown_without_the_limit_that_it_rests_on() -> None:
    run = ended(20, PROBE, CUT_OFF, max_tokens=256)
    plain, said = (
        summary(make_suite(), replace(run, records=make_run("m", 0.5, size=20).records)),
        summary(make_suite(), run),
    )
    first = (
        f"In 20 of 20 trials of {SPOKEN}, an answer was cut off at the token limit (max_tokens 256). "
        f"{make_suite().summary_lines(run)[0]}"
    )
    assert said.headline[0] == first
    assert "cut off" not in " ".join(plain.headline)


def test_the_page_says_above_all_numbers_that_the_agent_crashed() -> None:
    text = page(build(make_input([ended(20, PROBE, CRASHED)])))
    above = text[: text.index("</table>")]
    assert f"In 20 of 20 trials of {SPOKEN}, the agent crashed." in above


@pytest.mark.parametrize(("count", "told"), [(0, False), (1, False), (2, True), (20, True)])
def test_few_are_not_worth_a_sentence(count: int, told: bool) -> None:  # noqa: FBT001 - a table's column
    assert bool(list(limits_in_words(ended(count, PROBE, CUT_OFF)))) is told


def test_a_context_that_is_too_small_is_told_apart() -> None:
    (said,) = limits_in_words(ended(5, PROBE, OVER_CONTEXT))
    assert said == f"In 5 of 20 trials of {SPOKEN}, a request did not fit the model's context."


def test_trials_that_a_probe_was_not_run_in_are_not_among_those_counted() -> None:
    run = ended(5, PROBE, CUT_OFF)
    records = [
        one if place < 10 else replace(one, outcomes={**one.outcomes, PROBE: Outcome.NOT_RUN}, flags={})
        for place, one in enumerate(run.records)
    ]
    (said,) = limits_in_words(replace(run, records=records))
    assert said.startswith(f"In 5 of 10 trials of {SPOKEN}")
