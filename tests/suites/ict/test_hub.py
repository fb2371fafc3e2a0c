"""The published files from the hub, here a server on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hub_server import Hub, serving
from knowact.core.errors import BadUsage
from knowact.datasets.hub import fetched
from knowact.suites.ict.layout import HUB, RELEASE, REVISION
from knowact.suites.ict.published import load_published

from .release import AR_AB, AR_TB, FIXTURES, STEMS


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    with serving(RELEASE, FIXTURES, monkeypatch, tmp_path / "cache") as hub:
        yield hub


def test_the_hubs_name_loads_the_release_and_fetches_it_once(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    first = load_published(HUB)
    assert first.info == load_published(FIXTURES).info
    assert hub.asked == [f"{stem}.jsonl" for stem in STEMS]
    assert load_published(HUB).info == first.info
    assert len(hub.asked) == 4


def test_a_folder_of_the_hubs_name_is_read_instead(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    raw = tmp_path / HUB / "raw"
    raw.mkdir(parents=True)
    (raw / f"{AR_AB}.jsonl").write_bytes((FIXTURES / "raw" / f"{AR_AB}.jsonl").read_bytes())
    monkeypatch.chdir(tmp_path)
    assert len(load_published(HUB).pairs) == 3
    assert hub.asked == []


def test_after_a_failure_the_same_call_goes_on(hub: Hub) -> None:
    hub.status[f"{AR_TB}.jsonl"] = 503
    with pytest.raises(BadUsage, match=rf"{AR_TB}\.jsonl could not be fetched .* \(the hub answered 503\)"):
        fetched(RELEASE)
    hub.status.clear()
    hub.asked.clear()
    folder = fetched(RELEASE)
    assert hub.asked[0] == f"{AR_TB}.jsonl"
    assert sorted(file.name for file in (folder / "raw").iterdir()) == sorted(f"{one}.jsonl" for one in STEMS)


def test_a_connection_that_breaks_leaves_no_half_file(hub: Hub) -> None:
    hub.cut.add(f"{AR_AB}.jsonl")
    with pytest.raises(BadUsage, match="could not be fetched"):
        fetched(RELEASE)
    assert not RELEASE.cache.exists()


def test_without_a_network_a_sentence_says_what_to_do(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nothing listens to the discard port
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadUsage) as caught:
        load_published(HUB)
    said = str(caught.value)
    assert "could not be fetched" in said
    assert f"https://huggingface.co/datasets/{HUB}/tree/{REVISION}/raw" in said
    assert said.endswith("name the folder with --data.")


def test_a_place_that_cannot_be_written_is_one_sentence(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("KNOWACT_CACHE", str(tmp_path / "file"))
    with pytest.raises(BadUsage, match=r"could not be fetched from .* to .*file"):
        fetched(RELEASE)


def test_an_address_that_is_none_is_refused(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "file:///etc")
    with pytest.raises(BadUsage, match="HF_ENDPOINT is 'file:///etc', which is not a web address"):
        fetched(RELEASE)


def test_the_cache_lies_below_the_home_folder_unless_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KNOWACT_CACHE", raising=False)
    assert RELEASE.cache == Path.home() / ".cache" / "knowact" / "ict" / REVISION
