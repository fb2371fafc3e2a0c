"""`knowact data`: one task with its proof, and the statistics of a data set."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from knowact import suites
from knowact.cli.task_view import Level, proof_of
from knowact.core.suite import Clause, Item
from knowact.core.table import DatasetInfo, Figure, Table
from knowact.report.statistics import statistics
from knowact.suites.kapro.suite import Kapro
from own_tasks import manifest_for, parcel, rain, replayed, told, write_items, write_manifest
from running import knowact

ESC = "\x1b[2J\u202e"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Four tasks: external, external of two steps, internal without capability, hybrid."""
    both = rain(
        id="both",
        cluster="both",
        topology="parallel",
        offered=["multiply", "get_current_weather"],
        plan=[
            *rain()["plan"],
            {
                "tool": "multiply",
                "boundary": "internal",
                "arguments": {"left": told(12), "right": told(3)},
                "wants": ["product"],
            },
        ],
        facts=[*rain()["facts"], {"kind": "number", "value": 36, "label": "product"}],
        provenance={"author": f"Eve {ESC}", "line": 7},
    )
    folder = write_items(tmp_path / "harbour", [rain(), parcel(), replayed(), both])
    return write_manifest(folder, manifest_for(folder))


def flat(text: str) -> str:
    return " ".join(text.split())


class TestShow:
    def test_a_task_is_shown_with_plan_boundary_facts_proof_and_provenance(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "show", "both", "--data", data)
        assert done.code == 0, done.said
        said = flat(done.out)
        assert "both, of kapro/harbour@1-A hybrid, parallel; required tools: get_current_weather" in said
        assert "The user writes: What is the weather like in Bergen right now?" in said
        assert "now: 2026-03-12" in said
        assert "Tools offered (2): multiply(left, right)" in said
        assert 'city = "Bergen", from the query' in said
        assert re.search(
            r"step 0 get_current_weather external \(temporality\), whatever the arguments: \S", said
        )
        assert re.search(r"step 1 multiply internal, for these arguments: \S", said)
        assert "temperature = 4.5 (number ± 0.1) from 'temperature_c' of step 0" in said
        assert "product = 36 (number) computed without tools" in said
        assert "ok with the tools offered: possible" in said
        assert "FAIL" not in said
        assert re.search(
            r'ok without get_current_weather: impossible|partly possible; missing: .*"Bergen"', said
        )
        assert "executed in the world: every step succeeds" in said
        assert "line: 7" in said

    def test_texts_of_strangers_cannot_move_the_cursor(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "show", "both", "--data", data)
        assert "\x1b" not in done.out
        assert "\u202e" not in done.out
        assert "author: Eve \N{REPLACEMENT CHARACTER}[2J" in done.out

    def test_a_link_between_steps_is_told(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        said = flat(knowact(capsys, "data", "show", "parcel", "--data", data).out)
        assert "order_number = \"C1\", from 'order_number' of the result of step 0" in said
        assert "its result is an input of step 1" in said

    def test_a_proof_that_does_not_hold_is_exit_code_1(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The order of the mail is not C1 in any seed: the plan says what the world does not."""
        done = knowact(capsys, "data", "show", "parcel", "--data", data)
        assert done.code == 1
        assert "FAIL  executed in the world: step 1 takes 'C1' for 'order_number'" in done.out

    def test_tools_of_which_nobody_said_what_they_can_do_have_no_proof(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "show", "double", "--data", data)
        assert done.code == 0, done.said
        assert "The task cannot be proven: the tool 'double' declares no capability." in flat(done.out)
        assert "internal; no reason is recorded" in flat(done.out)

    def test_an_unknown_id_suggests_the_near_ones(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "show", "parsel", "--data", data)
        assert (done.code, done.out) == (2, "")
        assert done.err == "Error: There is no task named 'parsel'. Did you mean 'parcel'?\n"

    def test_among_many_ids_none_of_which_is_near_only_some_are_named(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        folder = write_items(tmp_path / "many", [rain(id=f"rain-{n}", cluster=f"{n}") for n in range(30)])
        done = knowact(capsys, "data", "show", "zzzzzzzzzz", "--data", folder)
        assert done.code == 2
        assert "There are 30, such as rain-0, rain-1, rain-2." in done.err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--data", "/no/such"), "/no/such: there is no such folder."),
            (("--suite", "kaprro"), "There is no suite named 'kaprro'. Did you mean 'kapro'?"),
        ],
    )
    def test_bad_data_and_suites_are_one_sentence(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for command in (("show", "x"), ("stats",)):
            done = knowact(capsys, "data", *command, *words)
            assert done.code == 2
            assert said in done.err
            assert done.err.count("\n") == 1


class TestShowOfASuiteWithItsOwnSections:
    """The car suite says itself what its tasks are about, and what is proven of them."""

    def shown(self, capsys: pytest.CaptureFixture[str], item: str) -> str:
        done = knowact(capsys, "data", "show", item)
        assert done.code == 0, done.said
        said = flat(done.out)
        assert "no reason is recorded" not in said
        assert "FAIL" not in said
        assert "ok the reference replays without a refusal or a breach of a rule" in said
        assert "ok it reaches the goal" in said
        assert "ok with all tools it is possible" in said
        return said

    def test_a_base_task(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = self.shown(capsys, "base_003")
        assert "Who drives: 31 years old; commanding story: You want to be guided to Dresden" in said
        assert "says when asked: The fastest, as I said. Start it." in said
        assert "What messages are ruled on:" in said
        assert 'start_id = "loc_fra_971123", from the context shown with the request' in said
        assert "What it should come to: navigation_active = true waypoints_id = [" in said
        assert "What the driver wants to be told: weather in Dresden at three in the afternoon: " in said
        assert "never to be changed, even temporarily: trunk_door_position, head_lights" in said
        assert "search_poi_at_location.category_poi (a parameter); halluc" in said
        assert "ok nothing changes without its decoy" in said
        assert "base task" not in said

    def test_what_is_missing(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = self.shown(capsys, "hallucination_007")
        assert "What is missing: moving the sunroof (a tool) taken away: open_close_sunroof" in said
        assert (
            "impossible: step 8 open_close_sunroof, step 10 open_close_sunroof its base task: base_007"
            in said
        )
        assert "ok without the part it is impossible" in said
        assert "ok its base task base_007 replays" in said
        assert "open_close_sunroof" not in said[said.index("required tools") : said.index("removed;")]

    def test_what_only_the_driver_knows(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = self.shown(capsys, "disambiguation_000")
        assert "level = 1, from the driver, when asked" in said
        assert "1: level one 2: level two 3: level three" in said
        assert "settled by: the driver: the agent must ask the answer: 1" in said
        assert "its base task: base_000" in said
        assert "ok at least two options remain until the driver is asked" in said

    def test_what_the_car_can_settle(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = self.shown(capsys, "disambiguation_001")
        assert "level = 2, settled by a preference of the driver (vehicle_settings" in said
        assert "ok exactly one option is left, by the level 'preference': the answer" in said

    def test_a_clause_that_does_not_hold_says_why(self) -> None:
        clauses = [Clause("it is possible"), Clause("it ends well", (f"it {ESC} ends", "badly"))]
        found = proof_of(clauses, 80)
        assert (found.level, found.holds) == (Level.FAILED, False)
        assert found.lines[1:] == [
            "  ok    it is possible",
            "  FAIL  it ends well: it \N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER} ends; badly",
        ]


class TestCheck:
    def test_levels_are_counted_and_other_formats_named(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "check", data)
        assert done.code == 2, done.said
        first, *_, last = done.out.splitlines()
        assert first == "kapro: 4 items: 2 proven, 1 executed, 1 failed"
        assert "parcel: executed in the world: step 1 takes 'C1' for 'order_number'" in flat(done.out)
        assert last.startswith("Not in the format of ")

    def test_data_that_hold_end_with_0(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "data", "check", write_items(tmp_path / "good", [rain()]), "--suite", "kapro")
        assert (done.code, done.out.splitlines()[0]) == (0, "kapro: 1 item: 1 proven")

    def test_a_field_that_is_wrong_is_said_with_its_place_the_likeliest_suite_first(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = write_items(tmp_path / "wrong", [rain(), rain(id="other", topology="round")])
        done = knowact(capsys, "data", "check", folder)
        assert done.code == 2
        assert flat(done.out).startswith("No suite can read these data: kapro: ")
        assert ":2, field 'topology'" in flat(done.out)
        assert knowact(capsys, "data", "check", folder, "--suite", "kapro").code == 2
        assert knowact(capsys, "data", "check", tmp_path / "nowhere").code == 2

    def test_all_that_is_wrong_is_said_line_by_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = [rain(), rain(id="b", topology="round", offered=7), rain(id="c", plan=[]), rain()]
        folder = write_items(tmp_path / "wrong", rows)
        (folder / "items.jsonl").write_text(
            (folder / "items.jsonl").read_text(encoding="utf-8") + "{\n", encoding="utf-8"
        )
        done = knowact(capsys, "data", "check", folder, "--suite", "kapro")
        assert done.code == 2
        said = flat(done.out)
        places = [":2, field 'topology'", ":2, field 'offered'", ":3, field 'plan'", ":4, field 'id'", ":5: "]
        assert [said.count(f"items.jsonl{place}") for place in places] == [1] * 5
        assert said.count("Fix: ") == 5

    def test_of_many_errors_the_first_twenty_are_listed_and_the_rest_counted(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = write_items(
            tmp_path / "wrong", [rain(id=str(number), topology="round") for number in range(33)]
        )
        done = knowact(capsys, "data", "check", folder)
        assert done.code == 2
        assert flat(done.out).count("kapro: ") == 21
        assert "kapro: … and 13 more" in done.out
        # Of a suite that is hardly meant, one error and how many more.
        assert flat(done.out).count("ict: ") == 2

    def test_names_that_the_world_lacks_are_all_said(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        world = [rain(id=name, world={"name": name}) for name in ("mars", "venus")]
        folder = write_items(tmp_path / "wrong", [rain(), *world])
        done = knowact(capsys, "data", "check", folder, "--suite", "kapro")
        assert done.code == 2
        said = flat(done.out)
        assert "there is no world named 'mars'" in said
        assert "there is no world named 'venus'" in said
        run = knowact(capsys, "run", "kapro", "--data", folder, "--model", "knowact/oracle")
        assert (run.code, "mars" in run.err, "venus" in run.err) == (2, True, False)


class TestStats:
    def test_the_tables_count_what_there_is(self, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "data", "stats", "--data", data)
        assert done.code == 0, done.said
        rows = [line.split() for line in done.out.splitlines()]
        assert done.out.startswith("kapro/harbour@1-A, sha256 ")
        assert ["external", "1", "0", "1", "2"] in rows
        assert ["hybrid", "0", "1", "0", "1"] in rows
        assert ["all", "2", "1", "1", "4"] in rows
        assert ["sub-tasks", "6"] in rows
        assert ["Weather", "2", "0"] in rows
        assert "Of 5 tools in plans, 0 are needed" in done.out

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["kapro", "fail_talms", "ict"])
    def test_the_requests_and_readings_are_those_of_the_datasheet(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Not those that were set aside; and those that the set took from other ones."""
        (shipped,) = (one for one in suites.find(name).datasets() if one.path.name == "everyday@2-A")
        sheet = (shipped.path / "README.md").read_text(encoding="utf-8")
        voices = re.findall(r"^\| (authors?[ -]\S+) \| ([\d,]+) \| ([\d.]+) \|$", sheet, re.MULTILINE)
        assert voices
        done = knowact(capsys, "data", "stats", "--data", f"{name}/everyday@2-A")
        said = [" ".join(line.split()) for line in done.out.splitlines()]
        for writer, requests, natural in voices:
            assert any(line.startswith(f"{writer} {requests} {natural} ") for line in said), writer

    def test_a_suite_of_conversations_counts_what_its_tasks_are_about(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "stats", "--suite", "car")
        assert done.code == 0, done.said
        rows = [line.split() for line in done.out.splitlines()]
        suite = suites.find("car")
        items = suite.plan(suite.defaults()).items
        offered = Counter(str(len(item.tools)) for item in items)
        assert len(offered) > 1
        for number, count in offered.items():
            assert [number, str(count)] in rows
        titles = ("by part of the car that is used", "by rule that the reference triggers")
        for title in (*titles, "by who or what resolves the open choice", "by style of the driver"):
            assert f"Tasks {title}\n" in done.out
        for label, name in (("style", "questioning"), ("level", "preference")):
            kinds = Counter(item.labels["type"] for item in items if item.labels.get(label) == name)
            assert [name, *(str(kinds[kind]) for kind in sorted(kinds))] in rows
        assert "Tools both needed and not" not in done.out

    def test_the_page_is_one_file_with_the_same_numbers_that_loads_nothing(
        self, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        file = tmp_path / "new" / "stats.html"
        done = knowact(capsys, "data", "stats", "--suite", "kapro", "--data", data, "--out", file)
        assert done.code == 0, done.said
        assert done.out.splitlines()[-1] == f"The page: {file}"
        page = file.read_text(encoding="utf-8")
        assert "Data set kapro/harbour@1-A" in page
        assert "default-src 'none'" in page
        assert page.count("data-figure=") >= 3
        assert "Tasks by boundary and logic type" in page
        assert "<button" not in page.split("<script")[0], "there are no trials to lead to"
        knowact(capsys, "data", "stats", "--data", data, "--out", tmp_path / "again.html")
        assert (tmp_path / "again.html").read_bytes() == file.read_bytes()

    def test_a_place_that_cannot_be_written_to_is_told(
        self, data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        done = knowact(capsys, "data", "stats", "--data", data, "--out", tmp_path / "file" / "x.html")
        assert done.code == 2
        assert "Choose another --out." in done.err


def test_what_a_suite_declares_stands_before_what_all_suites_have() -> None:
    class Counted(Kapro):
        """KAPRO with a table of its own about items."""

        def statistics(self, items: Sequence[Item]) -> Sequence[Table]:
            return (Table("own", f"{len(items)} items", "me", ()),)

        def pictures(self, items: Sequence[Item]) -> Sequence[Figure]:
            return ()

    found = statistics(Counted(), DatasetInfo("d", "1", "0"), [])
    assert [table.title for table in found.tables[:2]] == ["0 items", "Size"]
    assert [figure.id for figure in found.figures] == ["query-words", "categories", "tools"]


class TestWorlds:
    def test_the_databases_of_the_car_are_counted(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = knowact(capsys, "data", "stats", "car")
        assert done.code == 0, done.said
        assert "the world car, seed 0" in done.out
        assert re.search(r"weather +48 +48", done.out)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("everyday",), "The world 'everyday' has no databases; car has."),
            (("nowhere",), "There is no world named 'nowhere'."),
            (("car", "--suite", "kapro"), "Give either a world, or a data set with --data or --suite."),
        ],
    )
    def test_what_has_no_databases_is_told(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "data", "stats", *words)
        assert done.code == 2
        assert said in done.err
