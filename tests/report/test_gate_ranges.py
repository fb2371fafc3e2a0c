"""A gate refuses a bound that nobody can meet, or that nobody can miss, and names the nearest right one."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowact import suites
from knowact.core.errors import BadUsage
from knowact.core.record import Result
from knowact.core.suite import Suite
from knowact.core.table import Headline, Run
from knowact.measures.intervals import wilson
from knowact.measures.quadrants import Quadrant
from knowact.measures.summary import mean_estimate
from knowact.report.gate import Baseline, Gate, check
from knowact.report.requirements import COUNT, SHARE, read, refuse_out_of_reach
from knowact.suites.car.records import COUNTS, STEPS, TURNS, spending

from .report_double import make_run, make_suite

RUN = make_run("weak", 0.3)
WEAK = replace(
    RUN,
    id="weak",
    records=[
        replace(one, results={**one.results, "turns": Result.of(place % 3)})
        for place, one in enumerate(RUN.records)
    ],
)
SUITE = replace(
    make_suite(), compared=(("jaccard_know", "jaccard_act"), "jaccard_know"), counts=frozenset({"turns"})
)
SHARES = ("kas", "headline", "jaccard_know", "jaccard_know[internal]", "kas[internal]", "knows", "Kc/Aw")


def suite_of(_name: str) -> Suite:
    return SUITE


def held(
    *requirements: str, point: bool = False, most: float | None = None, runs: Sequence[Run] = (WEAK,)
) -> Gate:
    against = None if most is None else Baseline(runs, most)
    wanted = [one if one.startswith("profile") else f"{SUITE.name}.{one}" for one in requirements]
    return check(runs, wanted, suite_of, point=point, baseline=against)


@pytest.mark.parametrize("subject", [*SHARES, "profile.knows"])
@pytest.mark.parametrize(
    ("bound", "better"),
    [(">=60", ">=0.6"), ("<=60", "<=0.6"), (">=1.5", ">=0.95"), ("<=-0.2", "<=0.2"), (">=900", ">=0.95")],
)
@pytest.mark.parametrize("point", [False, True])
def test_a_share_lies_between_0_and_1(subject: str, bound: str, better: str, *, point: bool) -> None:
    name = subject.partition(".")[2] or subject
    with pytest.raises(BadUsage) as told:
        held(f"{subject}{bound}", point=point)
    said = str(told.value)
    assert f"{name.partition('[')[0]} lies between 0 and 1." in said
    assert f'{subject}{better}"' in said


def test_the_nearest_bound_that_is_named_is_accepted() -> None:
    for text in ("kas>=60", "Kc/Aw<=-3", "DirGap>=20", "DirGap<=-7", "calls<=-2", "kas>=1", "turns<=0"):
        with pytest.raises(BadUsage) as told:
            held(text)
        better = re.search(r'Write "([^"]*)"', str(told.value))
        assert better is not None
        assert held(better[1].partition(".")[2]).checks, text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DirGap>=20", "DirGap lies between -1 and 1."),
        ("DirGap<=-1.2", "DirGap lies between -1 and 1."),
        ("calls<=-1", "calls is 0 or more."),
        ("cost>=-0.5", "cost is 0 or more."),
        ("turns<=-1", "turns is 0 or more."),
        ("turns<=50%", "turns is a count, not a share. Leave out the %."),
        ("seconds<=50%", "seconds is a count, not a share."),
        ("kas>=6000%", "kas lies between 0 and 1."),
    ],
)
def test_differences_and_counts_have_ranges_too(text: str, said: str) -> None:
    with pytest.raises(BadUsage, match=re.escape(said)):
        held(text)


@pytest.mark.parametrize(
    "text", ["kas>=1", "headline>=100%", "Kc/Aw<=0", "DirGap>=1", "calls<=0", "turns<=0"]
)
def test_the_end_of_a_range_is_no_bound_for_an_interval_but_is_one_for_an_estimate(text: str) -> None:
    with pytest.raises(BadUsage, match=r"never reaches .*, with any number of items\. .* or add --point"):
        held(text)
    assert held(text, point=True).checks


def test_how_many_items_the_nearest_bound_takes_is_what_wilson_says() -> None:
    with pytest.raises(BadUsage, match="takes 73 independent items"):
        held("kas>=1")
    ends = {n: wilson(n, n).low or 0.0 for n in (72, 73)}
    assert ends[72] < 0.95 <= ends[73]


@pytest.mark.parametrize(
    "text", ["kas>=0", "kas<=1", "DirGap>=-1", "calls>=0", "calls<=1000000", "turns<=60"]
)
def test_what_every_run_meets_at_the_end_of_a_range_is_no_mistake(text: str) -> None:
    assert held(text).passed


@pytest.mark.parametrize("bound", ["nan", "inf", "-inf", "1e3", "0x1"])
def test_what_is_no_number_is_no_requirement(bound: str) -> None:
    with pytest.raises(BadUsage, match="is not a requirement"):
        read(f"kapro.kas>={bound}")


def test_a_headline_says_itself_where_it_lies() -> None:
    free = Headline(
        "d'", lambda run: mean_estimate(run.records, "jaccard_know"), lambda _: {}, math.inf, -math.inf
    )
    suite = replace(SUITE, headline=free)
    assert check([WEAK], [f"{SUITE.name}.headline<=60"], lambda _: suite).checks


@pytest.mark.parametrize("most", [1.0, 3.0, 250.0])
def test_a_drop_as_wide_as_the_range_is_refused(most: float) -> None:
    with pytest.raises(
        BadUsage, match=r"is not a bound for .*\.jaccard_know, which lies between 0 and 1\. Write"
    ):
        held("jaccard_know>=0", most=most)


def test_a_drop_of_what_counts_is_a_part_of_the_baseline() -> None:
    assert len(held("calls<=100", "turns<=100", most=9.0).checks) == 4


@pytest.mark.parametrize("most", [float("nan"), float("inf"), -0.1])
def test_a_drop_is_a_number(most: float) -> None:
    with pytest.raises(BadUsage, match="A drop is a number of 0 or more"):
        held("jaccard_know>=0", most=most)


@given(
    st.sampled_from([SHARE, COUNT, (-1.0, 1.0)]),
    st.sampled_from([">=", "<="]),
    st.floats(-200, 200),
    st.sampled_from(["the end of the interval", "the estimate"]),
)
def test_a_bound_is_refused_just_where_no_run_can_tell_it(
    limits: tuple[float, float], sign: str, bound: float, goes_by: str
) -> None:
    wanted, point = read(f"kapro.x{sign}{bound:.4f}"), goes_by == "the estimate"
    low, high = limits
    end = high if wanted.at_least else low
    if low <= wanted.bound <= high and (point or wanted.bound != end):
        refuse_out_of_reach(wanted, limits, point=point)
        return
    with pytest.raises(BadUsage) as told:
        refuse_out_of_reach(wanted, limits, point=point)
    better = re.search(r'Write "([^"]*)"', str(told.value))
    assert better is not None
    refuse_out_of_reach(read(better[1]), limits, point=point)


def test_the_cars_counts_are_all_results_that_are_no_shares() -> None:
    assert {*spending([]), STEPS, TURNS} == COUNTS
    assert suites.find("car").counts == COUNTS


def test_every_headline_of_ours_is_a_share() -> None:
    for name in suites.names():
        headline = suites.find(name).headline
        assert headline is None or (headline.least, headline.ceiling) == SHARE
    assert {str(one) for one in Quadrant} >= {"Kc/Aw"}
