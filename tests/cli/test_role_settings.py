"""A model in a role with settings of its own: they reach it alone, and stand in the log and the report."""

import json
from pathlib import Path

import pytest

from doubles.endpoint import Request
from knowact.core.errors import BadUsage
from knowact.core.role_model import RoleModel, bare, role_model
from knowact.engine.reader import find_logs
from knowact.suites import labelled_sets
from local_agents import LocalAgents
from running import EXTRACTOR, JUDGE, MODEL, json_report, knowact, run_at, tasks_of

HARD = f"{{model: {JUDGE}, reasoning_effort: high, max_tokens: 4096}}"
KEPT = f"{{model: {JUDGE}, max_tokens: 4096, reasoning_effort: high}}"
"""The same as it is stored and shown: settings in alphabetical order."""

LIMIT = 3


@pytest.fixture
def words(local: LocalAgents, tmp_path: Path) -> tuple[object, ...]:
    local.tasks = tasks_of()[:LIMIT]
    roles = ("--role", f"extractor={EXTRACTOR}", "--role", f"judge={HARD}")
    return ("run", "kapro", "--model", MODEL, "--limit", LIMIT, *roles, "--log-dir", tmp_path / "logs")


def of(local: LocalAgents, model: str) -> list[Request]:
    found = [one for one in local.requests if one.model == model.rsplit("/", maxsplit=1)[-1]]
    assert found
    return found


def thinks_hard(request: Request) -> bool:
    return request.body.get("reasoning_effort") == "high" and 4096 in request.body.values()


@pytest.mark.slow
def test_they_reach_that_role_alone_and_are_in_log_and_report(
    local: LocalAgents, words: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = knowact(capsys, *words)
    assert done.code == 0, done.said
    assert f"calls of {KEPT}" in done.out
    assert all(thinks_hard(one) and "temperature" not in one.body for one in of(local, JUDGE))
    for other in (MODEL, EXTRACTOR):
        assert not any("reasoning_effort" in one.body for one in of(local, other))
    run = run_at(tmp_path / "logs")
    assert run.roles == {"extractor": (EXTRACTOR,), "judge": (KEPT,)}
    (log,) = find_logs([tmp_path / "logs"])
    played = (log.header.eval.model_roles or {})["judge"]
    assert not isinstance(played, list)
    assert (played.model, played.config.reasoning_effort) == (JUDGE, "high")
    report = json_report(capsys, tmp_path / "logs", tmp_path / "report.json")
    (readers,) = (run["readers"] for run in report["runs"])
    (judge,) = (one for one in readers if one["role"] == "judge")
    assert judge["by"] == KEPT
    assert judge["calibrate"] == f"knowact calibrate --role 'judge={KEPT}'"

    before, played.base_url = log.task, "http://127.0.0.1:9/v1"
    assert log.task == before, "the same model at another address, the same run"
    played.config.reasoning_effort = "low"
    assert log.task != before

    local.requests.clear()
    again = knowact(capsys, *words)
    assert again.code == 0, again.said
    assert local.requests == [], "the same run, which is done"
    assert knowact(capsys, *words[:-3], f"judge={JUDGE}", *words[-2:]).code == 0
    assert local.requests, "another judge, another run"


@pytest.mark.slow
def test_a_second_judge_has_them_too_and_no_temperature_where_it_reasons(
    local: LocalAgents, words: tuple[object, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert knowact(capsys, *words[:-3], f"judge={JUDGE}", *words[-2:]).code == 0
    for judge, reasons in ((HARD, True), (JUDGE, False)):
        local.requests.clear()
        file = tmp_path / "again.json"
        asked = ("--role", f"judge={judge}", "--log-dir", tmp_path / "again", "--json", file)
        done = knowact(capsys, "rescore", "kapro", tmp_path / "logs", *asked)
        assert done.code == 0, done.said
        for one in of(local, JUDGE):
            assert thinks_hard(one) == reasons
            assert ("temperature" in one.body) == (not reasons)
        (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
        assert run["roles"]["judge"] == [KEPT if reasons else JUDGE]


@pytest.mark.slow
def test_a_model_is_calibrated_with_them_apart_from_itself_without(
    local: LocalAgents,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KNOWACT_DATA", str(tmp_path / "data"))
    for judge, reasons in ((HARD, True), (JUDGE, False)):
        local.requests.clear()
        done = knowact(capsys, "calibrate", "--role", f"judge={judge}", "--limit", 1)
        assert done.code == 0, done.said
        sets = [one for one in labelled_sets() if one.role == "judge"]
        assert len(of(local, JUDGE)) >= len(sets)
        for one in of(local, JUDGE):
            assert thinks_hard(one) == reasons
            assert ("temperature" in one.body) == (not reasons)


WRONG = (
    ("{model: x/y, reasoning_efort: high}", "no setting of the role judge named 'reasoning_efort'"),
    (
        "{model: x/y, reasoning_effort: fierce}",
        "The setting reasoning_effort of the role judge cannot be 'fierce'.",
    ),
    ("{model: x/y, max_tokens: 0}", "The setting max_tokens of the role judge cannot be 0."),
    ("{model: x/y, max_tokens: }", "The setting max_tokens of the role judge cannot be None."),
    ("{model: x/y, cache: true}", "no setting of the role judge named 'cache'"),
    ("{reasoning_effort: high}", "names no model"),
    ("{model: x/y", "names no model"),
    ("{model: [x], max_tokens: 5}", "names no model"),
    ("{model: x/y, 5: 6}", "names no model"),
    ("{model: !!python/object/apply:os.system [x]}", "names no model"),
    ("{model: knowact/oracle, max_tokens: 5}", "is a built-in agent"),
    (
        "{model: x/y, reasoning_tokens: 512, reasoning_effort: low}",
        "Give x/y a reasoning effort or reasoning tokens",
    ),
    ("{model: groq/y, reasoning_tokens: 512}", "does not pass reasoning tokens on to groq"),
)


@pytest.mark.parametrize(("given", "sentence"), WRONG)
@pytest.mark.parametrize("how", ["--role", "--judge"])
def test_a_wrong_one_gets_a_sentence(
    given: str, sentence: str, how: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    said = f"judge={given}" if how == "--role" else given
    words = ("kapro", "--model", "knowact/oracle", "--limit", 1, "--log-dir", tmp_path)
    done = knowact(capsys, "run", *words, how, said)
    assert done.code == 2
    # --judge binds the extractor, too, which comes first.
    assert sentence in done.err.replace("role extractor", "role judge")
    assert "Traceback" not in done.said


@pytest.mark.parametrize(
    "player",
    [
        RoleModel("openai/x"),
        RoleModel("openai/x", {"reasoning_effort": "none", "max_tokens": 5, "temperature": 0.5}),
        RoleModel("a/b:c", {"extra_body": {"deep": {"list": [1, "two: 2", None]}}}),
    ],
)
def test_what_is_shown_can_be_given_again(player: RoleModel) -> None:
    assert role_model(str(player)) == player
    assert bare(str(player)) == player.name


def test_what_only_looks_like_one_stays_a_text() -> None:
    assert bare("{not yaml") == "{not yaml"
    with pytest.raises(BadUsage):
        role_model("{not yaml")
