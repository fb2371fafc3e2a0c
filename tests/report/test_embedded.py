"""Which transcripts the page holds, and that reading them stays within bounds."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from knowact.core.record import Record
from knowact.core.table import Run
from knowact.core.transcript import Transcript
from knowact.report import payload
from knowact.report.build import Report, build
from knowact.report.page import page
from knowact.report.payload import embed

from .reading_html import read_page
from .report_double import make_input, make_run, make_transcript


def report_of(*runs: Run) -> Report:
    return build(make_input(runs))


def told(report: Report, places: Iterable[int]) -> list[tuple[str, str]]:
    """Model and item of each of these trials."""
    return [(report.items[place].run.model, report.items[place].record.item) for place in places]


def test_the_page_holds_the_transcript_of_every_trial_if_they_fit() -> None:
    report = report_of(make_run("gpt-5", 0.9), make_run("qwen3", 0.2, broken=3))
    read = read_page(page(report))
    assert sorted(read.transcripts) == list(range(123))
    probes = read.transcripts[7]["probes"]
    assert [probe["name"] for probe in probes] == ["tools_needed", "act"]
    assert probes[1]["turns"][2]["calls"][0]["tool"] == "get_forecast"
    assert "of 123 trials" not in read.text


def test_failed_and_differing_trials_come_first_and_runs_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "CHUNK", 1)
    right, half = make_run("right", 2.0, size=30), make_run("half", 0.5, size=30)
    report = report_of(right, half)
    order = [place for chunk in embed(report) for place in chunk.places]
    failed = {record.item for record in half.records if not (record.knew and record.acted)}
    assert 0 < len(failed) < 30
    first = told(report, order[: 2 * len(failed)])
    assert {item for _, item in first} == failed, (
        "the strong run's trial of an item that the other failed too"
    )
    assert [model for model, _ in first] == ["right", "half"] * len(failed)
    assert [item for _, item in first[::2]] == sorted(failed)
    assert sorted(order) == list(range(60))


def test_beyond_the_limit_transcripts_stay_in_the_log_and_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = make_run("m", 0.8, size=1000)
    asked: list[int] = []

    def read(_: Run, records: Sequence[Record]) -> Iterable[Transcript]:
        asked.append(len(records))
        return map(make_transcript, records)

    monkeypatch.setattr(payload, "LIMIT", 10_000)
    monkeypatch.setattr(payload, "CHUNK", 20_000)
    report = build(replace(make_input([run]), transcripts=read))
    chunks = embed(report)
    assert 0 < sum(len(chunk.data) for chunk in chunks) <= 10_000
    held = sum(len(chunk.places) for chunk in chunks)
    assert 0 < held < sum(asked) < 1000
    assert max(asked) <= payload.BATCH
    found = read_page(page(report))
    assert f"The page holds the transcripts of {held:,} of 1,000 trials" in found.text
    assert found.trials[5]["view"] == ["knowact view logs/fake/m/2026-01-02.eval --sample ", ""]


def test_a_trial_without_a_transcript_is_left_out() -> None:
    def but_one(_: Run, records: Sequence[Record]) -> Iterable[Transcript]:
        return map(make_transcript, records[1:])

    some = replace(make_input([make_run("m", 0.8, size=5)]), transcripts=but_one)
    assert sum(len(chunk.places) for chunk in embed(build(some))) == 4


def test_equal_transcripts_give_equal_bytes() -> None:
    run = make_run("m", 0.8)
    assert embed(report_of(run)) == embed(report_of(run))
