"""FAIL-TaLMs with a judge, over real HTTP: votes, majorities, and answers held against each other."""

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from inspect_ai.log import read_eval_log

from doubles.endpoint import EmptyReply, Reply, Request, Say
from fail_talms_agents import TRUE_NAME, AskingAgents
from fail_talms_trials import items_of, planned
from knowact.core.record import Status
from knowact.suites.fail_talms.asked import ACT, WITH_TOOLS
from running import PATIENT, knowact, records_at

pytestmark = pytest.mark.slow

MODEL, JUDGE = f"{TRUE_NAME}/agent", f"{TRUE_NAME}/judge"
VOTES = 3
LIKES_M = '{"verdict": "M"}'


@pytest.mark.parametrize(
    ("votes", "status", "value"),
    [
        (("right", "wrong", "right"), Status.VALUE, 1),
        (("wrong", "wrong", "right"), Status.VALUE, 0),
        (("right", "wrong", "?"), Status.JUDGE_ERROR, None),
    ],
    ids=str,
)
def test_votes_are_stored_and_a_majority_of_all_of_them_decides(  # noqa: PLR0917 - pytest's
    votes: tuple[str, ...],
    status: Status,
    value: float | None,
    asking: AskingAgents,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    options = {"limit": 1, "setting": "perfect", "probe": "act", "votes": VOTES}
    asking.items = items_of(planned(**options))
    asking.judge = lambda _: Say(f'{{"verdict": "{votes[(len(asking.of("judge")) - 1) % VOTES]}"}}')
    words = [word for name, one in options.items() for word in (f"--{name}", one)]
    knowact(
        capsys,
        *("run", "fail-talms", "--model", MODEL, "--role", f"judge={JUDGE}", "--judge", "none", *words),
        *("--log-dir", tmp_path, *PATIENT),
    )
    (record,) = records_at(tmp_path).values()
    result = record.results["pass_judge"]
    assert (result.status, result.value) == (status, value)
    assert record.flags["split_vote"] == 1
    # Nobody was bound to read the reply into a form.
    assert record.results["conduct"].status is Status.NOT_JUDGED


def test_votes_reasons_and_quotes_are_kept_in_the_log(
    asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asking.items = items_of(planned(limit=1, setting="under-specified"))
    done = knowact(
        capsys,
        *(
            "run",
            "fail-talms",
            "--model",
            MODEL,
            "--role",
            f"judge={JUDGE}",
            "--judge",
            "none",
            "--limit",
            1,
            "--votes",
            VOTES,
        ),
        *("--setting", "under-specified", "--log-dir", tmp_path, *PATIENT),
    )
    assert done.code == 0, done.said
    (file,) = tmp_path.rglob("*.eval")
    samples = read_eval_log(str(file)).samples or []
    assert samples
    for sample in samples:
        (score,) = (sample.scores or {}).values()
        votes = {name: json.loads(one) for name, one in (score.metadata or {})["votes"].items()}
        told = {"cast": ["fits"] * VOTES, "why": ["It looks fine."] * VOTES, "quotes": ["…"] * VOTES}
        assert votes["info_reason"] == told
        assert votes[ACT]["cast"] == ["right"] * VOTES
    assert all(record.value("info_reason") == 1 for record in records_at(tmp_path).values())


class TestWithoutToolsAgainstWithThem:
    OPTIONS: ClassVar[dict[str, Any]] = {
        "limit": 3,
        "setting": "no-tools",
        "probe": "act",
        "votes": VOTES,
        "win_rate": True,
    }

    def run(self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], logs: Path) -> None:
        own = items_of(planned(**self.OPTIONS))
        asking.items = (*own, *(item.full for item in own if item.full is not None))
        words = ("--limit", 3, "--setting", "no-tools", "--probe", "act", "--votes", VOTES, "--win-rate")
        done = knowact(
            capsys,
            *("run", "fail-talms", "--model", MODEL, "--role", f"judge={JUDGE}", "--judge", "none", *words),
            *("--log-dir", logs, *PATIENT),
        )
        assert done.code == 0, done.said

    @pytest.mark.parametrize(("winner", "level"), [("K", 1), ("M", 0), ("tie", 0.5)])
    def test_the_better_answer_wins_whichever_stands_first(
        self,
        winner: str,
        level: float,
        asking: AskingAgents,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
    ) -> None:
        asking.judge = lambda request: Say(
            f'{{"verdict": "{winner if "<answer-K>" in request.conversation else "right"}"}}'
        )
        self.run(asking, capsys, tmp_path)
        records = records_at(tmp_path).values()
        assert [record.value("versus") for record in records] == [level] * 3
        compared = [one.conversation for one in asking.of("judge") if "<answer-K>" in one.conversation]
        assert len(compared) == 3 * (VOTES + 1)
        first = [text.index("<answer-K>") < text.index("<answer-M>") for text in compared]
        assert sorted(first) == [False] * 6 + [True] * 6

    def test_whoever_always_likes_the_first_one_calls_no_winner_by_it(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        def first(request: Request) -> Reply:
            text = request.conversation
            if "<answer-K>" not in text:
                return Say('{"verdict": "right"}')
            return Say('{"verdict": "K"}' if text.index("<answer-K>") < text.index("<answer-M>") else LIKES_M)

        asking.judge = first
        self.run(asking, capsys, tmp_path)
        for record in records_at(tmp_path).values():
            assert record.value("versus") == 0.5
            assert record.flags["split_vote"] == 1

    def test_no_answer_without_tools_loses_without_a_vote(
        self, asking: AskingAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        asking.habit = lambda request: None if request.tools else EmptyReply()
        self.run(asking, capsys, tmp_path)
        for record in records_at(tmp_path).values():
            assert record.value("versus") == 0
            assert (record.outcomes[ACT].value, record.outcomes[WITH_TOOLS].value) == ("empty", "answered")
        assert asking.of("judge") == []
