"""Trials inside the page, in columns."""

from dataclasses import replace

from knowact.core.record import Decided, Result, Status
from knowact.report.build import build
from knowact.report.page import page
from knowact.report.payload import trial_data

from .reading_html import read_page, trials_of
from .report_double import make_input, make_run, make_suite


def test_columns_hold_what_the_records_say() -> None:
    runs = [make_run("a", 0.8, broken=2), make_run("b", 0.3, size=300)]
    odd = replace(
        runs[1].records[0],
        needed=None,
        used=frozenset(),
        knew=None,
        labels={**runs[1].records[0].labels, "only": "here"},
        results={
            "pass": Result.of(0.0, "judge", "</script>"),
            "gone": Result(Status.NOT_APPLICABLE),
            "jaccard_act": Result.of(1.0, "form", ""),
        },
        tokens=(2**40, 0),
        cost=0.25,
        decided=(Decided("act", "never locked", 2),),
    )
    report = build(make_input([runs[0], replace(runs[1], records=(odd, *runs[1].records[1:]))]))
    found = read_page(page(report)).trials
    assert len(found) == len(report.items)
    for trial, item in zip(found, report.items, strict=True):
        record = item.record
        assert report.runs[int(trial["run"])].run is item.run
        assert item.view == trial["view"][0] + "".join(record.item + after for after in trial["view"][1:])
        for name in ("item", "condition", "epoch", "cluster", "scored", "calls", "knew", "acted", "cost"):
            assert trial[name] == getattr(record, name)
        assert trial["seconds"] == record.seconds
        for name in ("required", "needed", "used"):
            tools = getattr(record, name)
            assert trial[name] == (None if tools is None else sorted(tools))
        assert (tuple(trial["offered"]), tuple(trial["tokens"])) == (record.offered, record.tokens)
        assert trial["decided"] == [[one.probe, one.why] for one in record.decided]
        assert (trial["labels"], trial["flags"]) == (record.labels, record.flags)
        assert trial["outcomes"] == {probe: outcome.value for probe, outcome in record.outcomes.items()}
        results = {
            name: (one.get("value"), one.get("status", "value"), one.get("by", ""), one.get("why", ""))
            for name, one in trial["results"].items()
        }
        assert results == {
            name: (one.value, one.status, one.by, one.why)
            for name, one in record.results.items()
            if one.status is not Status.NOT_APPLICABLE
        }


def test_each_suite_has_a_block_and_no_two_equal_values() -> None:
    other = make_suite("other")
    source = make_input([make_run("a", 0.8), make_run("b", 0.3, size=400)])
    runs = (make_run("a", 0.5, suite="other"),)
    blocks = trial_data(build(replace(source, suites=[*source.suites, (other, runs)])))
    assert [(block["suite"], block["count"]) for block in blocks] == [("fake", 460), ("other", 60)]
    for block in blocks:
        grouped = [column for group in block["groups"].values() for column in group.values()]
        for values, _ in [*block["fields"].values(), *grouped]:
            assert len(values) == len({str(value) for value in values})
        assert len(trials_of(block)) == block["count"]
