"""Replies that are read into forms again, by another extractor over HTTP (`knowact rescore --role`)."""

import json
from pathlib import Path

import pytest

from doubles.endpoint import Reply, Request, Say
from fail_talms_agents import AskingAgents
from knowact.core.record import Status
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.suite import SUITE
from running import knowact, records_at

pytestmark = pytest.mark.slow

ONE = "openai-api/asking"


def blind(request: Request) -> Reply | None:
    """An empty form, whatever is said."""
    form = json.loads(request.conversation.rsplit("\n\n", maxsplit=1)[-1].strip() or "{}")
    return Say(json.dumps(dict.fromkeys(form["properties"])))


@pytest.fixture
def logs(asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    options = SUITE.defaults() | {"limit": 2, "setting": "perfect", "probe": "act"}
    asking.items = tuple(one for one in SUITE.plan(options).items if isinstance(one, AskedItem))
    words = ("--model", f"{ONE}/agent", "--judge", "none", "--role", f"extractor={ONE}/extractor")
    more = ("--limit", "2", "--setting", "perfect", "--probe", "act", "--log-dir", tmp_path / "logs")
    assert knowact(capsys, "run", "fail-talms", *words, *more).code == 0
    asking.requests.clear()
    return tmp_path / "logs"


def test_stored_forms_stand_without_an_extractor(
    asking: AskingAgents, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = records_at(logs)
    assert knowact(capsys, "rescore", "fail-talms", logs, "--log-dir", tmp_path / "again").code == 0
    assert asking.requests == []
    assert records_at(tmp_path / "again") == before
    assert {one.value("right") for one in before.values()} == {1.0}


def test_another_extractor_reads_the_same_replies(
    asking: AskingAgents, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.extractor = blind
    file = tmp_path / "told.json"
    words = ("--role", f"extractor={ONE}/extractor", "--log-dir", tmp_path / "again", "--json", file)
    assert knowact(capsys, "rescore", "fail-talms", logs, *words).code == 0
    assert {*asking.counted()} == {"extractor"}
    (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
    shares = {row["on"]: row["value"] for row in run["tables"][1]["rows"] if row["measure"] == "agreement"}
    assert shares["facts stated"] == 0.0
    after = records_at(tmp_path / "again")
    assert {one.value("right") for one in after.values()} == {0.0}
    differences = [one for one in run["differences"] if one["measure"] == "right"]
    assert {(one["was"], one["now"]) for one in differences} == {("1.00", "0.00")}
    assert all(one["why"] for one in differences)


def test_a_judge_votes_where_none_did(
    asking: AskingAgents, logs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--role", f"judge={ONE}/judge", "--log-dir", tmp_path / "again")
    assert knowact(capsys, "rescore", "fail-talms", logs, *words).code == 0
    assert {*asking.counted()} == {"judge"}
    before, after = records_at(logs), records_at(tmp_path / "again")
    assert {one.results["pass_judge"].status for one in before.values()} == {Status.NOT_JUDGED}
    assert {one.value("pass_judge") for one in after.values()} == {1.0}
    assert {name: one.value("right") for name, one in after.items()} == {
        name: one.value("right") for name, one in before.items()
    }
