"""Who read what the agents said: named, with error rates, and never ranked with what others read."""

import dataclasses
import json
import re
from typing import Any

import pytest

from knowact.core.errors import BadUsage
from knowact.core.record import INVALID, REPAIRED, UNVERIFIED, Result, Status
from knowact.core.role_model import family
from knowact.core.table import Run
from knowact.report.as_json import dumps
from knowact.report.as_text import compared_text, run_text
from knowact.report.build import Report, build, summary
from knowact.report.compare import compare
from knowact.report.page import page
from knowact.report.readers import readers

from .reading_html import read_page
from .report_double import make_input, make_run, make_suite, read_by, some_rates

SUITE = make_suite()
AGENT = make_run("m", 0.8)


def judged(run: Run, name: str, result: Result) -> Run:
    """The run with another result of one name in every record."""
    records = [dataclasses.replace(r, results={**r.results, name: result}) for r in run.records]
    return dataclasses.replace(run, records=records)


def json_of(report: Report) -> dict[str, Any]:
    """`report.json`, read back."""
    return json.loads(dumps(report))


def named(run: Run, name: str) -> Run:
    return dataclasses.replace(run, id=name)


class TestFamily:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("openai/gpt-4o", "openai/gpt-5"),
            ("openai/gpt-4.1-mini", "openai/azure/gpt-4o"),
            ("anthropic/claude-3-5-sonnet", "openrouter/anthropic/claude-opus-4"),
            ("bedrock/us.anthropic.claude-sonnet-4-v1:0", "anthropic/claude-3"),
            ("groq/llama-3.1-8b", "together/meta-llama/Llama-3-70b"),
            ("ollama/qwen2.5", "hf/Qwen/Qwen3-8B"),
        ],
    )
    def test_versions_sizes_and_providers_make_no_other_family(self, one: str, other: str) -> None:
        assert family(one) == family(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("openai/gpt-4o", "anthropic/claude-3"),
            ("openrouter/openai/gpt-4o", "openrouter/google/gemini-2"),
            ("openai/gpt-5", "openai/o3"),
            ("local/7b", "local/8b"),
        ],
    )
    def test_another_name_is_another_family(self, one: str, other: str) -> None:
        assert family(one) != family(other)


class TestWhoReads:
    def test_every_role_is_named_with_rates_or_how_to_measure_them(self) -> None:
        run = read_by(AGENT, "anthropic/claude-x", extractor="openai/gpt-5", judge="openai/gpt-4o")
        extractor, judge = readers(run, some_rates)
        assert (extractor.role, extractor.words) == ("extractor", "openai/gpt-5")
        assert extractor.calibration == "number missed 3.1 % [1.5, 6.0], n 240; asked false pass 0.0 %, n 80"
        assert (judge.role, judge.words) == ("judge", "openai/gpt-4o")
        assert judge.calibration == (
            "not calibrated: run `knowact calibrate --model openai/gpt-4o --role judge`"
        )

    def test_rates_under_another_prompt_do_not_count(self) -> None:
        run = read_by(AGENT, "anthropic/claude-x", extractor="openai/gpt-5")
        other = dataclasses.replace(run, prompts={"people/extract": "changed"})
        assert readers(other, some_rates)[0].calibration.startswith("not calibrated")

    def test_a_role_that_nobody_plays_is_named_too(self) -> None:
        extractor, judge = readers(read_by(AGENT, "anthropic/claude-x", judge="openai/gpt-4o"))
        assert (extractor.words, extractor.calibration) == ("nobody (not judged)", "")
        assert judge.by == "openai/gpt-4o"

    def test_a_built_in_agent_declares_what_was_read_and_nothing_else(self) -> None:
        found = readers(read_by(AGENT, "knowact/oracle"))
        assert [one.words for one in found] == ["declared", "nobody (not judged)"]
        assert not any(one.calibration for one in found)

    def test_the_script_plays_with_built_in_agents(self) -> None:
        run = dataclasses.replace(read_by(AGENT, "knowact/oracle"), wanted=("user", "helper"))
        assert [(one.role, one.words) for one in readers(run)] == [
            ("user", "the script"),
            ("helper", "the script"),
        ]

    def test_a_file_is_not_to_be_calibrated(self) -> None:
        (one, _) = readers(read_by(AGENT, "anthropic/claude-x", extractor="file:forms.jsonl"))
        assert (one.words, one.calibration) == ("file:forms.jsonl", "")

    def test_several_judges_stand_one_by_one(self) -> None:
        run = dataclasses.replace(AGENT, roles={"judge": ("a/b", "c/d")}, wanted=("judge",))
        assert [one.by for one in readers(run)] == ["a/b", "c/d"]

    def test_page_text_and_json_say_it(self) -> None:
        run = read_by(AGENT, "openai/gpt-5", extractor="openai/gpt-5", judge="openai/gpt-4o")
        found = summary(SUITE, run, some_rates)
        text = run_text(found)
        assert "  Extractor: openai/gpt-5 (self-read); number missed 3.1 % [1.5, 6.0], n 240;" in text
        assert "  Judge: openai/gpt-4o; not calibrated: run `knowact calibrate" in text
        read = read_page(page(build(make_input([run]))))
        assert "Extractor openai/gpt-5 (self-read); number missed 3.1 %" in read.text
        (said,) = json_of(build(make_input([run])))["runs"]
        assert said["self_read"] is True
        extractor, judge = said["readers"]
        (first, _) = extractor["rates"]
        assert (first["kind"], first["what"], first["value"]) == ("number", "missed", 0.031)
        assert (first["n"], first["low"], first["high"]) == (240, 0.015, 0.06)
        assert extractor["self_read"] is True
        assert (judge["by"], judge["rates"]) == ("openai/gpt-4o", None)
        assert judge["calibrate"] == "knowact calibrate --model openai/gpt-4o --role judge"


class TestWarnings:
    def test_agent_and_reader_of_one_family_are_warned_of(self) -> None:
        run = read_by(AGENT, "openai/gpt-5", extractor="openai/gpt-4o", judge="anthropic/claude-x")
        (warning,) = summary(SUITE, run).warnings
        assert warning.startswith("One family: openai/gpt-4o read or judged replies of openai/gpt-5.")

    def test_other_families_files_and_built_in_agents_are_not(self) -> None:
        for run in (
            read_by(AGENT, "openai/gpt-5", extractor="anthropic/claude-x", judge="file:gpt.jsonl"),
            read_by(AGENT, "knowact/oracle", judge="openai/gpt-5"),
        ):
            assert summary(SUITE, run).warnings == ()

    def test_an_agent_that_reads_itself_is_warned_of_once(self) -> None:
        run = read_by(AGENT, "openai/gpt-5", extractor="openai/gpt-5", judge="openai/gpt-5")
        (warning,) = summary(SUITE, run).warnings
        assert warning.startswith("Self-read: openai/gpt-5 read or judged its own replies.")

    def test_an_agent_whose_family_wrote_the_data_carries_a_mark(self) -> None:
        data = dataclasses.replace(AGENT.dataset, written_by=("claude", "gpt"))
        for model, marked in (("openai/gpt-5", True), ("mistral/large", False), ("knowact/gpt", False)):
            run = dataclasses.replace(AGENT, model=model, dataset=data)
            said = [one for one in summary(SUITE, run).warnings if one.startswith("Written by its family: ")]
            assert bool(said) == marked

    def test_they_stand_above_the_numbers(self) -> None:
        runs = [
            read_by(make_run("a", 0.9), "openai/gpt-5", extractor="openai/gpt-4o"),
            read_by(make_run("b", 0.4), "x/other", extractor="anthropic/claude-x"),
        ]
        text = read_page(page(build(make_input(runs)))).text
        first_number = text.index("mark-everything on internal tasks")
        assert text.index("Mixed readers:") < text.index("One family:") < first_number
        said = run_text(summary(SUITE, runs[0]))
        assert said.index("Warning: One family") < said.index("mark-everything")

    def test_mixed_readers_are_named_by_role(self) -> None:
        runs = [
            read_by(make_run("a", 0.9), "x/a", extractor="r/one", judge="r/one"),
            read_by(make_run("b", 0.4), "x/b", extractor="r/two", judge="r/one"),
        ]
        (section,) = json_of(build(make_input(runs)))["suites"]
        (warning,) = section["warnings"]
        assert "(extractor: r/one and r/two)" in warning
        assert "The runs are not ranked" in warning
        text = read_page(page(build(make_input(runs)))).text
        assert "x/a everyday@1-A · read by r/one" in text
        assert "x/b everyday@1-A · read by r/two and r/one" in text

    @pytest.mark.parametrize(
        "other",
        [
            read_by(make_run("b", 0.4), "x/b", extractor="r/one"),
            read_by(make_run("b", 0.4), "x/b"),
            read_by(make_run("b", 0.4), "knowact/oracle"),
            read_by(make_run("b", 0.4), "x/b", extractor="x/b"),
        ],
        ids=["the same reader", "nobody", "a built-in agent", "itself"],
    )
    def test_these_beside_a_run_are_no_mixture(self, other: Run) -> None:
        run = read_by(make_run("a", 0.9), "x/a", extractor="r/one")
        assert build(make_input([run, other])).sections[0].warnings == ()


class TestRanking:
    def bold(self, *runs: Run) -> list[str]:
        """The models whose numbers are set in bold."""
        rows = re.findall(r"<tr>.*?</tr>", page(build(make_input(runs))))
        best = [row for row in rows if "value best" in row]
        return sorted({run.model for run in runs for row in best if run.model in row})

    def test_the_same_reader_for_all_lets_them_be_ranked(self) -> None:
        strong = read_by(make_run("a", 0.95), "strong", extractor="r/one")
        weak = read_by(make_run("b", 0.2), "weak", extractor="r/one")
        assert "strong" in self.bold(strong, weak)

    def test_a_self_read_run_is_marked_and_never_the_highest(self) -> None:
        proud = read_by(make_run("a", 0.99), "proud", extractor="proud")
        middle = read_by(make_run("c", 0.6), "middle", extractor="r/one")
        weak = read_by(make_run("b", 0.2), "weak", extractor="r/one")
        assert "proud" not in self.bold(proud, middle, weak)
        assert "middle" in self.bold(proud, middle, weak)
        assert self.bold(proud, weak) == []
        report = build(make_input([proud, middle, weak]))
        heads = {row.keys["model"] for table in report.sections[0].tables for row in table.rows}
        assert heads == {"proud (self-read)", "middle", "weak"}
        read = read_page(page(report))
        assert "proud everyday@1-A · self-read" in read.text
        assert [["model", "proud"], ["label:boundary", "external"]] in [
            trace["where"] for trace in read.payload["traces"]
        ], "its numbers still lead to its trials"

    def test_runs_that_different_models_read_are_not_ranked(self) -> None:
        strong = read_by(make_run("a", 0.95), "strong", extractor="r/one")
        weak = read_by(make_run("b", 0.2), "weak", extractor="r/two")
        assert self.bold(strong, weak) == []


class TestNotJudged:
    @pytest.mark.parametrize("judged_too", [0, 1])
    def test_a_headline_that_nobody_judged_is_not_shown_and_says_what_to_bind(self, judged_too: int) -> None:
        run = dataclasses.replace(read_by(AGENT, "x/a"), headline=("extractor",))
        silent = judged(run, "jaccard_know", Result(Status.NOT_JUDGED))
        decided_by_calls = AGENT.records[:judged_too]
        run = dataclasses.replace(silent, records=[*decided_by_calls, *silent.records[judged_too:]])
        found = summary(SUITE, run)
        assert found.no_headline == (
            "No headline: it depends on the agent's words, and no model was extractor "
            f"({60 - judged_too} of 60 trials are not judged). Run again with --judge MODEL or "
            "--role extractor=MODEL."
        )
        assert found.headline[0] == found.no_headline
        assert found.trials.unscored == 0
        report = build(make_input([run]))
        shown = read_page(page(report))
        assert found.no_headline in shown.text
        assert len(shown.all("p", class_="lead none")) == 1
        assert json_of(report)["runs"][0]["no_headline"] == found.no_headline

    def test_who_declares_or_is_read_has_a_headline(self) -> None:
        silent = judged(read_by(AGENT, "knowact/shy"), "jaccard_know", Result(Status.NOT_JUDGED))
        run = dataclasses.replace(
            silent, records=[AGENT.records[0], *silent.records[1:]], headline=("extractor",)
        )
        assert summary(SUITE, run).no_headline == ""
        bound = dataclasses.replace(run, model="x/a", roles={"extractor": ("r/one",)})
        assert summary(SUITE, bound).no_headline == ""

    def test_without_a_role_to_bind_the_reason_is_given(self) -> None:
        why = "no recording of get_forecast"
        run = judged(AGENT, "jaccard_know", Result(Status.NOT_JUDGED, why=why))
        assert summary(SUITE, run).no_headline == f"No headline: it is not judged ({why})."

    def test_what_happened_while_reading_is_counted_by_name(self) -> None:
        flags = [{REPAIRED: 1, UNVERIFIED: 2}, {REPAIRED: 1}, {INVALID: 1}, {}]
        error = Result(Status.JUDGE_ERROR, by="judge")
        run = make_run("m", 0.8, size=4)
        records = [
            dataclasses.replace(record, flags=one, results={**record.results, "jaccard_act": error})
            for record, one in zip(run.records, flags, strict=True)
        ]
        found = summary(SUITE, dataclasses.replace(run, records=records))
        assert found.reading == {
            "forms repaired": 2,
            "forms invalid": 1,
            "values unverified": 2,
            "trials without a majority": 4,
            "trials not judged": 4,
        }
        assert "  Reading: forms repaired 2, forms invalid 1," in run_text(found)
        assert json_of(build(make_input([found.run])))["runs"][0]["reading"] == found.reading


class TestCompare:
    def test_runs_that_were_read_alike_give_no_warning(self) -> None:
        a = read_by(make_run("a", 0.9), "x/a", extractor="r/one")
        b = read_by(make_run("b", 0.4), "x/b", extractor="r/one")
        assert compare(a, b, ["jaccard_know"], seed=0).warning == ""

    def test_different_readers_are_warned_of_above_the_numbers(self) -> None:
        a = read_by(make_run("a", 0.9), "x/a", extractor="r/one")
        b = read_by(make_run("b", 0.4), "x/b", extractor="r/two")
        first, *_ = compared_text(compare(a, b, ["jaccard_know"], seed=0)).splitlines()
        assert first == (
            "Warning: Different models read the two runs (extractor: r/one and r/two), so differences in "
            "what is read from words may come from the readers."
        )
        oracle = read_by(make_run("c", 1.0), "knowact/oracle")
        warning = compare(a, oracle, ["jaccard_know"], seed=0).warning
        assert "(extractor: r/one and declared)" in warning

    def test_a_self_read_run_is_refused_beside_another_reader(self) -> None:
        own = named(read_by(make_run("a", 0.9), "x/a", extractor="x/a"), "own-run")
        other = read_by(make_run("b", 0.4), "x/b", extractor="r/one")
        for pair in ((own, other), (other, own)):
            with pytest.raises(BadUsage, match="'own-run' is self-read: x/a read its own replies"):
                compare(*pair, ["jaccard_know"], seed=0)

    def test_two_runs_that_one_model_read_itself_are_compared_and_marked(self) -> None:
        a = read_by(make_run("a", 0.9), "x/a", extractor="x/a")
        b = read_by(make_run("b", 0.4), "x/a", extractor="x/a")
        assert compare(a, b, ["jaccard_know"], seed=0).warning == "Both runs are self-read, by x/a."
