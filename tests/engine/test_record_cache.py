"""Records beside their log: the same as the log's, or none at all."""

import shutil
from pathlib import Path

import pytest

from bad_files import spoilt
from knowact.core.record import Decided, Outcome, Record, Result, Status
from knowact.engine import reader, record_cache
from knowact.engine.reader import read_records
from knowact.engine.record_cache import cache_of
from running import knowact

TRIALS = 17


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a conversation's records, which have the most in them."""
    from knowact.cli.main import run

    folder = tmp_path_factory.mktemp("logs")
    words = ("run", "car", "--model", "knowact/misreporter", "--limit", "6", "--trials", "1")
    run([*words, "--log-dir", str(folder)])
    (file,) = folder.rglob("*.eval")
    return file


@pytest.fixture
def log(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, small as it is worth a cache."""
    monkeypatch.setattr(record_cache, "WORTH", 1)
    return Path(shutil.copy(made, tmp_path / "a'log.eval"))


def refuse(_: str) -> None:
    pytest.fail("the log was read, and not its cache")


def uncached(log: Path) -> list[Record]:
    cache_of(log).unlink(missing_ok=True)
    return read_records(log)


def test_a_log_is_read_once_and_then_its_cache(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = uncached(log)
    assert len(records) == TRIALS
    assert [file.name for file in log.parent.iterdir()] == [log.name, cache_of(log).name]
    monkeypatch.setattr(reader, "read_eval_log_sample_summaries", refuse)
    again = read_records(log)
    assert again == records
    assert repr(again) == repr(records), "no list stands where a tuple stood"


def test_every_kind_of_field_comes_back_as_it_was(log: Path) -> None:
    full = Record(
        item="\N{SNOWMAN}'\n",
        condition="",
        epoch=2,
        cluster="c",
        labels={"tools": "2", "empty": ""},
        offered=("b", "a"),
        required=frozenset({"b", "a"}),
        outcomes={"act": Outcome.LIMIT, "know": Outcome.NOT_RUN},
        needed=frozenset(),
        used=None,
        calls=3,
        knew=None,
        acted=False,
        results={
            "pass": Result.of(1 / 3, "form", "half a pair: \ud800"),
            "kas": Result(Status.NOT_JUDGED, why="x" * 5_000),
        },
        tokens=(7, 2**40),
        seconds=0.1 + 0.2,
        cost=1e-9,
        role_calls={"judge": 3},
        role_tokens={"judge": (1, 2)},
        role_cost={"judge": 0.25},
        flags={"cut_off_act": 2},
        decided=(Decided("act", "never locked", 3), Decided("know", "", None, 0)),
    )
    bare = Record("", "", 1, "", {}, (), frozenset(), {})
    key = record_cache.key_of(log)
    record_cache.keep(log, key, [full, bare])
    assert record_cache.load(log, key, dict) == [full, bare]


def test_a_log_that_changed_is_read_anew(log: Path) -> None:
    before = uncached(log)
    spoilt(log, "summaries.json", lambda samples: samples[0]["metadata"].update(cluster="another"))
    after = read_records(log)
    assert after[0].cluster == "another"
    assert after[1:] == before[1:]
    assert read_records(log) == after


def test_what_other_code_made_of_a_log_is_not_taken(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = record_cache.key_of(log)
    monkeypatch.setattr(record_cache, "_code", lambda: "of another version")
    uncached(log)
    assert record_cache.load(log, old, dict) is None
    assert record_cache.load(log, record_cache.key_of(log), dict) is not None


def test_whatever_is_wrong_with_a_cache_it_is_made_anew(log: Path, made: Path) -> None:
    records = uncached(log)
    good = cache_of(log).read_bytes()
    damaged = [good[: len(good) // 2], b"", b"PAR1" + bytes(100) + b"PAR1"]
    damaged += [good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :] for at in range(0, len(good), 331)]
    for content in damaged:
        cache_of(log).write_bytes(content)
        assert read_records(log) == records
        assert cache_of(log).read_bytes() in {good, content}, "made anew, unless the damage meant nothing"
    other = Path(shutil.copy(made, log.parent / "other.eval"))
    uncached(spoilt(other, "summaries.json", lambda samples: samples.pop()))
    shutil.copy(cache_of(other), cache_of(log))
    assert read_records(log) == records


def test_a_cache_that_cannot_be_written_is_none(log: Path) -> None:
    cache_of(log).mkdir()
    assert len(read_records(log)) == TRIALS
    assert {file.name for file in log.parent.iterdir()} == {log.name, cache_of(log).name}
    assert not list(cache_of(log).iterdir())


def test_a_short_log_has_none(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_cache, "WORTH", TRIALS + 1)
    assert uncached(log)
    assert not cache_of(log).exists()


def test_reports_are_the_same_with_and_without_a_cache(
    log: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(out: Path) -> dict[Path, bytes]:
        assert knowact(capsys, "report", log, "--out", out).code == 0
        return {file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()}

    first = report(tmp_path / "from-log")
    assert cache_of(log).exists()
    monkeypatch.setattr(reader, "read_eval_log_sample_summaries", refuse)
    assert report(tmp_path / "from-cache") == first
