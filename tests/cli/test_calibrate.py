"""`knowact calibrate`: who errs at a known rate is told just that rate."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import calibrating
from calibrating import erring, filed
from doubles.endpoint import Refuse401, Reply, Request, Say, ScriptedEndpoint, ServerError
from knowact.core.prompts import load_prompt
from knowact.engine import calibrating as engine
from knowact.engine.many import MOST_FAILURES
from knowact.measures.intervals import wilson
from knowact.roles.calibration import Rate, known_rates
from knowact.suites import labelled_sets
from running import knowact

MODEL = "openai-api/calibration/model"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KNOWACT_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def rates(data: Path, model: str, role: str, package: str, prompt: str) -> dict[tuple[str, str], Rate]:
    name = model.replace("file:", "filed/")
    found = known_rates(data, name, role, load_prompt(package, prompt).sha256)
    return {(one.kind, one.what): one for one in found}


def wrong_ones(found: dict[tuple[str, str], Rate]) -> dict[tuple[str, str], set[str]]:
    return {kind: set(rate.wrong) for kind, rate in found.items() if rate.wrong}


class TestRatesComeOutRight:
    def test_of_an_extractor(self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        right = calibrating.right_forms()
        assert len(right) >= 150
        replies, spoilt = erring(right, {name: dict.fromkeys(form) for name, form in right.items()})
        model = filed(tmp_path / "forms.jsonl", replies)
        done = knowact(capsys, "calibrate", "--role", f"extractor={model}")
        assert done.code == 0, done.said
        found = rates(data, model, "extractor", "knowact.roles", "extract")
        assert found["facts", "missed"].estimate == wilson(len(spoilt), len(right))
        assert {kind: ids for kind, ids in wrong_ones(found).items() if kind[0] == "facts"} == {
            ("facts", "missed"): set(spoilt)
        }
        assert found["form", "rejected"].estimate == wilson(0, len(right))

    def test_of_a_judge(self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        labels = calibrating.right_votes()
        right = {name: {"verdict": label} for name, label in labels.items()}
        wrong = {name: {"verdict": "none" if label == "fits" else "fits"} for name, label in labels.items()}
        replies, spoilt = erring(right, wrong)
        model = filed(tmp_path / "votes.jsonl", replies)
        assert knowact(capsys, "calibrate", "--role", f"judge={model}").code == 0
        found = rates(data, model, "judge", "knowact.suites.fail_talms", "judge-reason")
        for label in ("fits", "wrong", "none"):
            own = [name for name in labels if labels[name] == label]
            lost = [name for name in spoilt if labels[name] == label]
            came = [name for name in spoilt if wrong[name]["verdict"] == label]
            assert found[f"reason: {label}", "missed"].estimate == wilson(len(lost), len(own))
            others = len(labels) - len(own)
            assert found[f"reason: {label}", "false pass"].estimate == wilson(len(came), others)

    def test_of_a_user(self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        right = calibrating.right_lines()
        turned = {
            name: calibrating.line("" if line["user_message"] else "Hm.") for name, line in right.items()
        }
        replies, spoilt = erring(right, turned)
        model = filed(tmp_path / "lines.jsonl", replies)
        assert knowact(capsys, "calibrate", "--role", f"user={model}").code == 0
        found = rates(data, model, "user", "knowact.roles", "user")
        goes = {name for name, line in right.items() if line["user_message"]}
        assert found["goes on", "missed"].estimate == wilson(len(goes & set(spoilt)), len(goes))
        assert set(found["ends", "missed"].wrong) == set(spoilt) - goes
        assert set(found["tells", "missed"].wrong), "whoever says 'Hm.' tells nothing"

    def test_of_a_helper(self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        right = calibrating.right_answers()
        replies, spoilt = erring(right, dict.fromkeys(right, '{"asks_for": [], "answer": "I don\'t know."}'))
        model = filed(tmp_path / "answers.jsonl", replies)
        assert knowact(capsys, "calibrate", "--role", f"helper={model}").code == 0
        found = rates(data, model, "helper", "knowact.roles", "helper")
        due = [name for name, answer in right.items() if answer["asks_for"]]
        assert found["asks for", "missed"].estimate == wilson(len(set(due) & set(spoilt)), len(due))
        assert found["asks for", "false pass"].wrong == ()
        assert set(found["gives", "missed"].wrong) <= set(spoilt)


class TestOverHttp:
    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> Iterator["Scripted"]:
        scripted = Scripted()
        with ScriptedEndpoint(scripted.script, keep_requests=False) as endpoint:
            monkeypatch.setenv("CALIBRATION_API_KEY", "x")
            monkeypatch.setenv("CALIBRATION_BASE_URL", endpoint.base_url)
            yield scripted

    def test_a_model_is_asked_once_for_each_item_and_never_again(
        self, asked: "Scripted", data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = ("calibrate", "--model", MODEL, "--role", "helper", "--limit", "20")
        done = knowact(capsys, *command)
        assert done.code == 0, done.said
        assert done.out.startswith(f"helper {MODEL}: 20 items of questions@")
        assert "20 to 40 calls, about" in done.out
        assert len(asked.requests) == 20
        before = rates(data, MODEL, "helper", "knowact.roles", "helper")
        assert before["answer", "rejected"].estimate == wilson(0, 20)
        again = knowact(capsys, *command)
        assert again.code == 0
        assert "20 of them answered before" in again.out
        assert len(asked.requests) == 20
        assert rates(data, MODEL, "helper", "knowact.roles", "helper") == before

    def test_an_answer_that_cannot_be_used_is_asked_for_once_more(
        self, asked: "Scripted", data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked.first = Say("I would rather not.")
        done = knowact(capsys, "calibrate", "--model", MODEL, "--role", "helper", "--limit", "5")
        assert done.code == 0
        assert len(asked.requests) == 10
        found = rates(data, MODEL, "helper", "knowact.roles", "helper")
        assert found["answer", "rejected"].estimate == wilson(0, 5)

    def test_a_form_that_cannot_be_used_is_sent_back_with_what_is_wrong_with_it(
        self, asked: "Scripted", capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked.first = Say("I would rather not.")
        command = ("calibrate", "--model", MODEL, "--role", "extractor", "--limit", "1")
        assert knowact(capsys, *command, "--max-connections", "1").code == 0
        first, second = asked.requests[:2]
        assert second.conversation == first.conversation
        assert "it is not a JSON object" in second.last_text

    def test_a_provider_that_stumbles_is_asked_again(
        self, asked: "Scripted", capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked.faults = [ServerError(503)]
        done = knowact(capsys, "calibrate", "--model", MODEL, "--role", "helper", "--limit", "3")
        assert done.code == 0, done.said
        assert len(asked.requests) == 4

    def test_what_could_not_be_asked_is_told_and_asked_by_the_same_command(
        self, asked: "Scripted", capsys: pytest.CaptureFixture[str]
    ) -> None:
        command = (
            "calibrate",
            "--model",
            MODEL,
            "--role",
            "helper",
            "--limit",
            "30",
            "--max-connections",
            "1",
        )
        asked.faults = [Refuse401()] * 99
        refused = knowact(capsys, *command)
        assert refused.code == 1
        assert "Not answered: " in refused.err
        assert "30 items were not answered. Run the same command to ask them again." in refused.err
        assert len(asked.requests) == MOST_FAILURES
        asked.faults = []
        assert knowact(capsys, *command).code == 0
        assert len(asked.requests) == MOST_FAILURES + 30

    def test_after_an_interrupt_the_same_command_goes_on(
        self, asked: "Scripted", capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        command = (
            "calibrate",
            "--model",
            MODEL,
            "--role",
            "helper",
            "--limit",
            "12",
            "--max-connections",
            "1",
        )
        kept = engine.keep_answer

        def interrupted(*given: Any) -> None:
            kept(*given)
            if len(asked.requests) == 5:
                raise KeyboardInterrupt

        monkeypatch.setattr(engine, "keep_answer", interrupted)
        assert knowact(capsys, *command).code == 130
        assert len(asked.requests) == 5
        monkeypatch.setattr(engine, "keep_answer", kept)
        done = knowact(capsys, *command)
        assert done.code == 0
        assert "5 of them answered before" in done.out
        assert len(asked.requests) == 12


class Scripted:
    """A model that plays every helper as the labels say, but for its faults and its first replies."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.first: Reply | None = None
        self.faults: list[Reply] = []
        self.seen: set[str] = set()
        right = calibrating.right_answers()
        self.replies = {
            item.messages[0].text: json.dumps(right[item.id])
            for one in labelled_sets()
            if one.role == "helper"
            for item in one.items
        }

    def script(self, request: Request) -> Reply:
        self.requests.append(request)
        if self.faults:
            return self.faults.pop(0)
        if self.first is not None and request.conversation not in self.seen:
            self.seen.add(request.conversation)
            return self.first
        return Say(self.replies.get(request.conversation, "{}"))


class TestWrongWords:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (
                ("--role", "grader", "--model", "m/x"),
                "no role 'grader' to calibrate. Choose from extractor, judge",
            ),
            (("--role", "judge"), "Add --model MODEL or --role judge=MODEL"),
            ((), "No model is named for the role extractor"),
            (("--role", "user=a/b", "--role", "user=a/c"), "--role user is given twice"),
            (("--role", "user=file:/nowhere.jsonl"), "cannot be read"),
            (("--model", "nobody/x"), "The model nobody/x cannot be used"),
        ],
    )
    def test_end_in_a_sentence(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = knowact(capsys, "calibrate", *words)
        assert done.code == 2
        assert said in done.err
        assert "Traceback" not in done.err

    def test_a_file_of_another_role_answers_nothing(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        model = filed(tmp_path / "votes.jsonl", {"re-001": {"verdict": "fits"}})
        done = knowact(capsys, "calibrate", "--role", f"helper={model}")
        assert done.code == 2
        assert "belongs to an item of the role" in done.err

    def test_a_file_that_was_edited_answers_anew(
        self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        found: list[tuple[str, ...]] = []
        for number, result in enumerate(("fits", "none")):
            # One path, as a user has it; the process that reads it is another one each time.
            engine.answers.cache_clear()
            model = filed(tmp_path / "votes.jsonl", {"re-001": {"verdict": result}})
            assert knowact(capsys, "calibrate", "--role", f"judge={model}").code == 0, number
            prompt = ("judge", "knowact.suites.fail_talms", "judge-reason")
            found.append(rates(data, model, *prompt)["reason: fits", "missed"].wrong)
        assert found == [(), ("re-001",)]
