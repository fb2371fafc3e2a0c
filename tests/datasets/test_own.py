"""Our own format: a folder of items, with or without a manifest."""

import hashlib
from pathlib import Path

import pytest

from knowact.core.errors import BadData, UnknownName
from knowact.core.suite import Dataset
from knowact.core.task import Boundary
from knowact.datasets.own import data_folder, load_own, read_manifest, shipped
from own_tasks import (
    manifest_for,
    parcel,
    rain,
    replayed,
    write_items,
    write_items_text,
    write_manifest,
)


class TestAFolderOfItems:
    def test_tasks_come_in_the_order_of_their_lines(self, tmp_path: Path) -> None:
        data = load_own(write_items(tmp_path, [rain(), parcel(), replayed()]))
        assert [task.id for task in data.rows] == ["rain", "parcel", "double"]
        assert [task.boundary for task in data.rows] == [*[Boundary.EXTERNAL] * 2, Boundary.INTERNAL]
        assert data.rows[1].required == {"get_order", "get_latest_mail"}

    def test_without_a_manifest_it_is_known_by_its_name_and_hash(self, tmp_path: Path) -> None:
        folder = write_items(tmp_path / "my-tasks", [rain()])
        data = load_own(folder)
        digest = hashlib.sha256((folder / "items.jsonl").read_bytes()).hexdigest()
        assert (data.info.name, data.info.version, data.info.sha256) == ("my-tasks", "own", digest)
        assert data.seed == 0

    def test_with_a_manifest_it_is_known_by_what_that_says(self, tmp_path: Path) -> None:
        folder = write_items(tmp_path, [rain(), parcel()])
        write_manifest(folder, manifest_for(folder))
        data = load_own(folder)
        assert (data.info.name, data.info.version, data.seed) == ("harbour", "1-A", 5)

    def test_each_task_remembers_its_line(self, tmp_path: Path) -> None:
        folder = write_items(tmp_path, [rain(), parcel()])
        text = (folder / "items.jsonl").read_text(encoding="utf-8")
        data = load_own(write_items_text(folder, text.replace("\n", "\n\n\n")))
        assert {name: line.number for name, line in data.lines.items()} == {"rain": 1, "parcel": 4}

    def test_any_change_of_the_items_changes_the_hash(self, tmp_path: Path) -> None:
        one = load_own(write_items(tmp_path / "a", [rain()])).info.sha256
        two = load_own(write_items(tmp_path / "b", [rain(cluster="other")])).info.sha256
        assert one != two


class TestManifests:
    def test_edited_items_do_not_pass_for_the_shipped_ones(self, tmp_path: Path) -> None:
        folder = write_items(tmp_path, [rain()])
        write_manifest(folder, manifest_for(folder))
        write_items(folder, [rain(cluster="edited")])
        with pytest.raises(BadData, match="match the manifest"):
            load_own(folder)

    def test_a_wrong_size_is_told(self, tmp_path: Path) -> None:
        folder = write_items(tmp_path, [rain()])
        write_manifest(folder, manifest_for(folder, size=2))
        with pytest.raises(BadData, match=r"counts 2 items, but items\.jsonl has 1"):
            load_own(folder)

    def test_shipped_sets_are_found_by_their_manifests(self, tmp_path: Path) -> None:
        for version in ("2-A", "1-A"):
            folder = write_items(tmp_path / f"harbour@{version}", [rain()])
            write_manifest(folder, manifest_for(folder, version=version))
        write_items(tmp_path / "unfinished", [rain()])
        found = shipped(tmp_path)
        assert [(one.name, one.version, one.size, one.licence) for one in found] == [
            ("harbour", "1-A", 1, "MIT"),
            ("harbour", "2-A", 1, "MIT"),
        ]
        assert found[0].path == tmp_path / "harbour@1-A"

    def test_bytes_that_are_no_text_are_told(self, tmp_path: Path) -> None:
        (tmp_path / "manifest.json").write_bytes(b'{"name": "\xff"}')
        with pytest.raises(BadData, match="not UTF-8"):
            read_manifest(tmp_path)


class TestWhatDataNames:
    OURS = (Dataset("everyday", "1-A", 3, "MIT", Path(__file__).parent),)

    @pytest.mark.parametrize("data", ["everyday@1-A", "fail-talms/everyday@1-A", "fail_talms/everyday@1-A"])
    def test_a_shipped_set_has_its_name_with_or_without_its_suite(self, data: str) -> None:
        assert data_folder(data, "fail_talms", self.OURS) == self.OURS[0].path

    def test_a_folder_may_lie_in_one_that_is_called_like_the_suite(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "ict" / "mine").mkdir(parents=True)
        assert data_folder("ict/mine", "ict", self.OURS) == Path("ict/mine")
        assert data_folder("ict", "ict", self.OURS) == Path("ict")

    @pytest.mark.parametrize("data", ["kapro/everyday@1-A", "./everyday@1-A", "no\\where"])
    def test_a_path_to_nothing_is_a_missing_folder(self, data: str) -> None:
        with pytest.raises(BadData, match="there is no such folder"):
            data_folder(data, "car", self.OURS)

    @pytest.mark.parametrize("data", ["everday@1-A", "car/everday@1-A"])
    def test_a_word_that_is_nothing_is_an_unknown_name(self, data: str) -> None:
        with pytest.raises(UnknownName, match=r"named 'everday@1-A'\. Did you mean 'everyday@1-A'"):
            data_folder(data, "car", self.OURS)
        with pytest.raises(UnknownName, match="Did you mean 'everdaz@1-A'"):
            data_folder(data, "car", (), also=("everdaz@1-A",))


class TestTasksThatDoNotFitTogether:
    def test_a_step_may_not_feed_itself(self, tmp_path: Path) -> None:
        task = parcel()
        task["plan"][1]["arguments"]["order_number"]["step"] = 1
        with pytest.raises(BadData) as caught:
            load_own(write_items(tmp_path, [task]))
        assert caught.value.place.field == "plan.1.arguments.order_number.step"

    def test_an_unstated_argument_does_not_hide_a_step_that_points_forward(self, tmp_path: Path) -> None:
        task = parcel()
        task["plan"][0]["arguments"]["sender"]["origin"] = "unstated"
        task["plan"][1]["arguments"]["order_number"]["step"] = 5
        with pytest.raises(BadData, match="takes this from step 5, which does not come before it"):
            load_own(write_items(tmp_path, [task]))

    @pytest.mark.parametrize("source", ["1.city", "temperature_c", "0.", "-1.city", "x.city", "9" * 5000])
    def test_a_fact_comes_from_a_result_of_the_plan(self, tmp_path: Path, source: str) -> None:
        fact = {"kind": "text", "value": "mild", "sources": ["0.sky", source]}
        with pytest.raises(BadData) as caught:
            load_own(write_items(tmp_path, [rain(facts=[fact])]))
        assert caught.value.place.field == "facts.0.sources.1"
