"""The first screen: what it places, what it says, and what it warns of."""

import dataclasses
import random
import re
from collections.abc import Mapping, Sequence

from knowact.core.option import Option
from knowact.core.record import Outcome, Record, Result
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Headline, Run
from knowact.core.transcript import Transcript, Transcripts, Turn
from knowact.measures.summary import mean_estimate
from knowact.report.build import Report, build, unread
from knowact.report.overview import KNOWING
from knowact.report.page import page

from .reading_html import PageRead, read_page
from .report_double import make_input, make_record, make_run, make_suite, read_by

FLOOR = 0.25


def head(run: Run) -> Estimate:
    return mean_estimate(run.records, "jaccard_know")


def policies(_: Run) -> Mapping[str, float]:
    return {"always call": FLOOR, "never call": 0.1}


SUITE = dataclasses.replace(make_suite(), headline=Headline("KAS", head, policies))


def report_of(*runs: Run, suite: Suite = SUITE) -> Report:
    return build(make_input(runs, suite))


def scoring(name: str, value: float, size: int = 40, *, knew: float = 1.0, acted: float = 1.0) -> Run:
    """A run whose trials all have one headline value, and that knew and acted rightly in these shares."""
    rng = random.Random(name)
    records = [
        dataclasses.replace(
            make_record(place, 1.0, rng),
            cluster=f"c{place}",
            knew=place < knew * size,
            acted=place < acted * size,
            results={"jaccard_know": Result.of(value)},
        )
        for place in range(size)
    ]
    return dataclasses.replace(make_run(name, 1.0, size=size), records=records)


def said(*runs: Run) -> tuple[str, ...]:
    return report_of(*runs).overview.standing_out


class TestPlaces:
    def test_models_come_before_reference_agents_and_the_best_first(self) -> None:
        runs = [scoring("knowact/oracle", 1.0), scoring("x/weak", 0.3), scoring("x/strong", 0.9)]
        lines = report_of(*runs).overview.lines
        assert [line.name for line in lines] == ["strong", "weak", "oracle"]
        assert [line.reference for line in lines] == [False, False, True]

    def test_among_built_in_agents_alone_none_is_a_reference(self) -> None:
        found = report_of(scoring("knowact/oracle", 1.0), scoring("knowact/always-no", 0.1)).overview
        assert not any(line.reference for line in found.lines)

    def test_the_order_is_by_the_mean_headline_whatever_the_number_of_suites(self) -> None:
        other = dataclasses.replace(SUITE, name="other", title="Other")
        strong, weak = scoring("x/strong", 0.9), scoring("x/weak", 0.4)
        again = dataclasses.replace(weak, id="weak-other", suite="other")
        source = dataclasses.replace(
            make_input([strong, weak], SUITE), suites=[(SUITE, [weak, strong]), (other, [again])]
        )
        assert [line.name for line in build(source).overview.lines] == ["strong", "weak"]

    def test_nobody_is_the_best_where_nobody_beats_the_floor(self) -> None:
        found = report_of(scoring("x/a", 0.2), scoring("x/b", 0.1)).overview
        assert not any(one.best for _, one in found.placed)
        assert not any(sentence.startswith("Best headline") for sentence in found.standing_out)
        assert found.standing_out[0].startswith("2 of 2 results are not shown to beat")

    def test_two_trials_compare_with_nothing(self) -> None:
        assert said(scoring("x/a", 0.9, size=2), scoring("x/b", 0.1, size=2, acted=0.0)) == ()

    def test_further_trials_of_few_items_compare_with_nothing(self) -> None:
        """Each run has twelve trials, of three items or of six."""

        def repeated(name: str, value: float, items: int, acted: float = 1.0) -> Run:
            run = scoring(name, value, size=12, acted=acted)
            records = [
                dataclasses.replace(
                    one, item=f"i{at % items}", cluster=f"c{at % items}", epoch=at // items + 1
                )
                for at, one in enumerate(run.records)
            ]
            return dataclasses.replace(run, records=records)

        assert said(repeated("x/a", 0.9, 3), repeated("x/b", 0.1, 3, acted=0.0)) == ()
        sentences = said(repeated("x/a", 0.9, 6), repeated("x/b", 0.1, 6, acted=0.0))
        assert [one.split(":")[0] for one in sentences] == [
            "Best headline",
            "1 of 2 results are not shown to beat an agent that treats all items alike",
            "The largest gap between knowing and acting",
        ]

    def test_runs_of_one_model_are_told_apart_by_options_that_are_not_as_usual(self) -> None:
        suite = dataclasses.replace(SUITE, options=(Option("distractors", "More tools.", 0),))
        plain = dataclasses.replace(scoring("x/m", 0.9), options={"distractors": 0, "seed": 0})
        noisy = dataclasses.replace(scoring("x/m", 0.4), id="noisy", options={"distractors": 10, "seed": 0})
        names = [line.name for line in report_of(plain, noisy, suite=suite).overview.lines]
        assert names == ["m", "m (distractors 10)"]

    def test_models_that_share_the_end_of_their_names_are_named_in_full(self) -> None:
        report = report_of(scoring("x/m", 0.9), scoring("y/m", 0.4), scoring("y/n", 0.3))
        assert [line.name for line in report.overview.lines] == ["x/m", "y/m", "n"]

    def test_runs_that_nothing_tells_apart_are_named_by_their_ids(self) -> None:
        runs = [dataclasses.replace(scoring("x/m", 0.9), id=name) for name in ("one", "other")]
        assert {line.name for line in report_of(*runs).overview.lines} == {"m (one)", "m (other)"}

    def test_a_suite_without_a_headline_has_the_mean_of_its_first_measure_and_no_scale(self) -> None:
        (line,) = report_of(scoring("x/m", 0.5), suite=make_suite()).overview.lines
        (placed,) = line.placed.values()
        assert (placed.headline.value, placed.floor, placed.ceiling) == (0.5, None, None)
        assert 'class="scale"' not in page(report_of(scoring("x/m", 0.5), suite=make_suite()))

    def test_cost_is_known_only_if_every_price_is(self) -> None:
        run = scoring("x/m", 0.5, size=2)
        priced = [dataclasses.replace(one, cost=0.25, role_cost={"judge": 0.5}) for one in run.records]
        unpriced = [dataclasses.replace(one, cost=0.25, role_tokens={"judge": (9, 9)}) for one in run.records]
        cost = [
            report_of(dataclasses.replace(run, records=some)).overview.lines[0].cost
            for some in (priced, unpriced, run.records)
        ]
        assert cost == [1.5, None, None]


class TestWhatStandsOut:
    def test_a_clear_lead_is_a_lead(self) -> None:
        assert said(scoring("x/a", 0.9), scoring("x/b", 0.4))[0] == "Best headline: a in KAPRO double."

    def test_a_lead_whose_interval_overlaps_may_be_chance(self) -> None:
        runs = [
            make_run(f"x/{name}", skill, size=20) for name, skill in (("a", 0.6), ("b", 0.55), ("c", 0.1))
        ]
        first = said(*runs)[0]
        assert "which may be chance in KAPRO double" in first

    def test_a_tie_is_a_tie(self) -> None:
        first = said(scoring("x/a", 0.9), scoring("x/b", 0.9), scoring("x/c", 0.2))[0]
        assert first == "Best headline: a and b in KAPRO double."

    def test_a_tie_for_the_best_may_be_chance_like_any_other_lead(self) -> None:
        best = make_run("x/a", 0.6, size=20)
        other = dataclasses.replace(best, id="b", model="x/b")
        first = said(best, other, make_run("x/c", 0.55, size=20))[0]
        assert first.startswith("Best headline: a and b in KAPRO double (which may be chance in KAPRO double")

    def test_a_single_run_leads_nobody(self) -> None:
        assert not any("Best" in sentence for sentence in said(scoring("x/a", 0.9)))

    def test_who_is_at_the_floor_is_named(self) -> None:
        found = said(scoring("x/a", 0.9), scoring("x/b", FLOOR))
        assert found[1] == (
            "1 of 2 results are not shown to beat an agent that treats all items alike: b in KAPRO double."
        )
        assert said(scoring("x/b", FLOOR))[0] == (
            "The result is not shown to beat an agent that treats all items alike: b in KAPRO double."
        )
        better = said(scoring("x/a", 0.9), scoring("x/b", 0.8))
        assert better[1] == "Every result is better than that of an agent that treats all items alike."

    def test_the_largest_gap_between_knowing_and_acting_is_named_with_both_shares(self) -> None:
        found = said(scoring("x/a", 0.9, acted=0.5), scoring("x/b", 0.8, knew=0.9))
        assert found[-1] == (
            "The largest gap between knowing and acting: a in KAPRO double knew what is right in 100% of the "
            "trials, and did what is right in 50%."
        )

    def test_a_gap_that_may_be_chance_is_none(self) -> None:
        found = said(scoring("x/a", 0.9, acted=0.97))
        assert found[-1] == "In no run do knowing and acting differ by more than chance allows."

    def test_reference_agents_among_models_are_not_spoken_of(self) -> None:
        found = said(scoring("x/a", 0.9), scoring("x/b", 0.4), scoring("knowact/oracle", 1.0))
        assert not any("oracle" in sentence for sentence in found)

    def test_runs_that_are_not_ranked_are_not_spoken_of(self) -> None:
        proud = read_by(scoring("x/p", 0.95), "x/p", extractor="x/p")
        others = [
            read_by(scoring(f"x/{n}", v), f"x/{n}", extractor="r/one") for n, v in (("a", 0.9), ("b", 0.4))
        ]
        assert said(proud, *others)[0] == "Best headline: a in KAPRO double."

    def test_there_are_three_sentences_at_most(self) -> None:
        runs = [scoring(f"x/{place}", place / 10, acted=0.5) for place in range(10)]
        assert len(said(*runs)) == 3


class TestThePage:
    def read(self, *runs: Run) -> PageRead:
        return read_page(page(report_of(*runs)))

    def test_every_number_of_a_bar_is_there_as_text(self) -> None:
        read = self.read(scoring("x/a", 0.9), scoring("x/b", 0.4))
        titles = [given["title"] for given in read.all("a") if "KAS" in given.get("title", "")]
        assert len(titles) == 2
        assert titles[0].startswith("KAS 90.0 %; 95 % interval ")
        assert titles[0].endswith("n = 40; always call 25.0 %; never call 10.0 %")
        assert re.search(r"90\.0 +\[\d+ to \d+\]", read.text), "screen readers get the interval too"

    def test_the_grey_scale_goes_from_the_best_policy_to_the_ceiling(self) -> None:
        html = page(report_of(scoring("x/a", 0.9)))
        assert '<rect x="25" y="1" width="75" height="15" class="scale"></rect>' in html

    def test_knowing_against_acting_has_the_numbers_of_the_lines(self) -> None:
        report = report_of(scoring("x/weak", 0.4), scoring("x/strong", 0.9, acted=0.5))
        (figure,) = (one for one in report.figures if one.id == KNOWING)
        data = {one["label"]: one for one in figure.spec["data"]["values"]}
        assert [line.name for line in report.overview.lines] == ["strong", "weak"]
        assert (data["strong"]["number"], data["weak"]["number"]) == (1, 2)
        assert (data["strong"]["x"], data["strong"]["y"]) == (1.0, 0.5)
        read = read_page(page(report))
        (place,) = read.all("div", **{"data-key": "no"})
        assert int(place["data-figure"]) == len(report.sections[0].figures), (
            "it stands on the first screen only"
        )
        assert "Numbers are those of the lines above." in read.text

    def test_what_is_not_judged_has_no_bar(self) -> None:
        run = dataclasses.replace(scoring("x/a", 0.9), records=[make_broken(place) for place in range(3)])
        read = self.read(run)
        assert "not judged" in read.text
        assert not read.all("svg", class_="small-bar")

    def test_a_headline_that_lacks_trials_says_how_many_were_scored(self) -> None:
        assert "60 of 65" in self.read(make_run("x/a", 0.5, missing=5)).text


def make_broken(place: int) -> Record:
    return dataclasses.replace(
        make_record(place, 1.0, random.Random(place)),
        outcomes={"act": Outcome.INSTRUMENT_ERROR},
        knew=None,
        acted=None,
        results={},
    )


def unreadable(run: Run, count: int) -> Run:
    lost = [
        dataclasses.replace(one, outcomes={**one.outcomes, "act": Outcome.UNREADABLE})
        for one in run.records[:count]
    ]
    return dataclasses.replace(run, records=[*lost, *run.records[count:]])


class TestWarnings:
    def transcripts(self, reply: str) -> Transcripts:
        turns = (Turn("user", "Do it."), Turn("assistant", reply), Turn("tool", "no"))
        probes = (("tools_needed", turns[:1]), ("act", turns))
        return lambda _, some: [Transcript(one.item, one.condition, one.epoch, probes) for one in some]

    def test_a_probe_that_often_could_not_be_read_is_shown_with_one_such_reply(self) -> None:
        run = unreadable(scoring("x/a", 0.9), 9)
        made = dataclasses.replace(
            make_input([run], SUITE),
            transcripts=self.transcripts("<img src=x onerror=alert(1)> whatever"),
        )
        html = page(build(made))
        read = read_page(html)
        warning = "Unreadable: 9 of 40 replies to act could not be read, and count as wrong."
        assert read.text.index(warning) < read.text.index("90.0"), "it comes before any number"
        assert "One such reply: <img src=x onerror=alert(1)> whatever" in read.text
        assert not read.all("img")

    def test_a_fifth_is_not_yet_too_much(self) -> None:
        run = scoring("x/a", 0.9)
        assert unread(unreadable(run, 8)) == ()
        (found,) = unread(unreadable(run, 9))
        assert (found.probe, found.count, found.asked, found.reply) == ("act", 9, 40, "")

    def test_a_reader_that_nobody_calibrated_is_named_once_for_all_runs(self) -> None:
        runs = [read_by(scoring(f"x/{name}", 0.9), f"x/{name}", extractor="r/one") for name in "ab"]
        text = read_page(page(report_of(*runs))).text
        assert text.count("Not calibrated: nobody measured how often r/one errs as extractor.") == 1

    def test_unfinished_runs_and_instrument_errors_are_above_all_numbers(self) -> None:
        text = read_page(page(report_of(make_run("x/a", 0.5, missing=5, broken=4)))).text
        first = text.index("Model or agent")
        assert text.index("Unfinished: 5 of 69") < first
        assert text.index("Do not quote: 9 of 69") < first

    def test_many_warnings_fold(self) -> None:
        runs: Sequence[Run] = [make_run(f"x/{place}", 0.5, missing=place + 20) for place in range(6)]
        read = read_page(page(report_of(*runs)))
        assert re.search(r"\d+ more warnings", read.text)
