"""What a user gets wrong is one sentence and exit code 2, before any model is called or any log written."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from local_agents import LocalAgents
from running import MODEL, OURS, Ran, knowact, tasks_of

RUN = ("run", "kapro", "--limit", "1")
ORACLE = (*RUN, "--model", "knowact/oracle")
TALMS = ("run", "fail-talms", "--limit", "1", "--model", "knowact/oracle")
WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "command": (("rnu",), "There is no command named 'rnu'. Did you mean 'run'?"),
    "suite": (("run", "kaprro"), "There is no suite named 'kaprro'. Did you mean 'kapro'?"),
    "option": ((*RUN, "--modle", "x"), "No such option '--modle'. (Did you mean one of: '--model'"),
    "no model": (RUN, "Name a model by --model, or an agent by --agent."),
    "choice": ((*ORACLE, "--topology", "multihop"), "'multihop' is not one of 'all', 'single_hop'"),
    "number": ((*ORACLE, "--trials", "0"), "0 is not in the range x>=1"),
    "data set": (
        (*ORACLE, "--data", "everday@1-A"),
        "There is no data set or folder named 'everday@1-A'. Did you mean 'everyday@2-A'",
    ),
    "folder": ((*ORACLE, "--data", "/no/such"), "/no/such: there is no such folder. Fix: check"),
    "agent": (
        (*RUN, "--model", "knowact/orakle"),
        "There is no built-in agent named 'orakle'. Did you mean 'oracle'",
    ),
    "provider": ((*RUN, "--model", "opanai/gpt-5"), "Did you mean 'openai'"),
    "bare model": ((*RUN, "--model", "gpt"), "The model gpt cannot be used: Model name 'gpt' should be"),
    "engine option": (
        (*ORACLE, "--", "--max-retry", "3"),
        "There is no engine option named 'max-retry'. Did you mean 'max-retries'",
    ),
    "denied engine option": (
        (*ORACLE, "--", "--no-such-option"),
        "There is no engine option named 'no-such-option'.",
    ),
    "engine option of ours": ((*ORACLE, "--", "--epochs", "3"), "'--epochs' itself. Leave it out"),
    "engine word": ((*ORACLE, "--", "fast"), "'fast' after '--' is not an option of the engine."),
    "engine value": (
        (*ORACLE, "--", "--temperature", "warm"),
        "The engine's option '--temperature' cannot be 'warm'.",
    ),
    "engine count": (
        (*ORACLE, "--", "--max-tokens", "-5"),
        "The engine's option '--max-tokens' cannot be -5.",
    ),
    "engine count of nothing": (
        (*ORACLE, "--", "--max-samples=0"),
        "The engine's option '--max-samples' cannot be 0.",
    ),
    "negative temperature": (
        (*ORACLE, "--", "--temperature", "-0.5"),
        "The engine's option '--temperature' cannot be -0.5.",
    ),
    "role": (
        (*ORACLE, "--role", "referee=openai/gpt-5"),
        "There is no role 'referee'. Choose from extractor, judge, user, helper.",
    ),
    "role without model": ((*ORACLE, "--role", "judge"), "--role takes NAME=MODEL, not 'judge'."),
    "dropped role": (
        (*ORACLE, "--role", "grader=openai/gpt-5"),
        "The role 'grader' is now 'judge': --role judge=openai/gpt-5.",
    ),
    "another command's role": (
        (*ORACLE, "--role", "writer=openai/gpt-5"),
        "The role 'writer' belongs to `knowact forge`. Roles of a run: extractor, judge, user, helper.",
    ),
    "built-in reader": (
        (*ORACLE, "--judge", "knowact/oracle"),
        "knowact/oracle is a built-in agent and cannot be the",
    ),
    "no such file of answers": (
        (*ORACLE, "--role", "extractor=file:/no/such.jsonl"),
        "/no/such.jsonl: the file cannot be read (No such file or directory).",
    ),
    "no helper": (
        (*TALMS, "--helper", "model"),
        "--helper model takes a model for the role 'helper': add --role helper=MODEL.",
    ),
    "nobody compares": (
        (*TALMS, "--win-rate"),
        "--win-rate takes a model for the role 'judge': add --role judge=MODEL.",
    ),
    "no user": (
        ("run", "car", "--limit", "1", "--model", "knowact/oracle", "--user", "model"),
        "--user model takes a model for the role 'user': add --role user=MODEL.",
    ),
    "script for a model": (
        ("run", "car", "--user", "scripted", "--model", "mockllm/model", "--judge", "none"),
        "The scripted user talks with the built-in agents only",
    ),
    "dropped option": (
        ("run", "car", "--limit", "1", "--model", "knowact/oracle", "--driver", "model"),
        "--driver is now --user: --user scripted, --user model or --user person.",
    ),
    "renamed option": (
        (*TALMS, "--gate", "record"),
        "--gate is now --after-no: --after-no act (before: record) or --after-no skip.",
    ),
    "even votes": (
        (*TALMS, "--votes", "4"),
        "--votes takes an odd number, so that there is a majority, not 4.",
    ),
    "price file": (
        (*ORACLE, "--", "--model-cost-config", "/no/such.json"),
        "The price file /no/such.json must be a JSON object of model names to",
    ),
    "nothing left": ((*ORACLE, "--subspace", "hybrid", "--topology", "single_hop"), "No item is left; widen"),
    "log": (("report", "/no/such"), "/no/such: there is no such file or folder."),
    "log to view": (("view", "/no/such.eval"), "/no/such.eval: there is no such file or folder."),
}


def assert_one_sentence(done: Ran) -> None:
    assert done.code == 2, done.said
    said = [line for line in done.err.splitlines() if line.startswith("Error: ")]
    assert len(said) == 1
    assert done.err.rstrip().endswith(said[0]), "the error closes what is said"
    assert "Traceback" not in done.said
    assert "\x1b" not in done.said


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_word_gets_a_sentence_with_what_would_be_right(
    kind: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words, sentence = WRONG[kind]
    done = knowact(capsys, *words)
    assert_one_sentence(done)
    assert sentence in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_headline_that_needs_a_reader_gives_the_lines_to_choose_from(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("run", "ict", "--limit", 1, "--model", "openai/gpt-5", "--log-dir", tmp_path / "logs")
    done = knowact(capsys, *words)
    assert done.code == 2
    assert "Error: The headline needs a model as extractor and judge." in done.err
    for choice in ("--judge MODEL", "--judge self", "--judge none"):
        assert choice in done.err
    some = knowact(capsys, *words, "--role", "judge=openai/gpt-4o")
    assert "The headline needs a model as extractor. Add one of:" in some.err
    assert not (tmp_path / "logs").exists()


def test_a_missing_key_is_one_sentence_before_anything_is_called(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ("--limit", 1, "--log-dir", tmp_path / "logs")
    for given in (("--model", "openai/gpt-5"), ("--model", MODEL, "--role", "judge=openai/gpt-5")):
        done = knowact(capsys, "run", "kapro", *given, *words)
        assert_one_sentence(done)
        assert "The model openai/gpt-5 cannot be used:" in done.err
        assert "OPENAI_API_KEY" in done.err
    assert local.requests == []
    assert not (tmp_path / "logs").exists()


@pytest.mark.skipif(find_spec("anthropic") is not None, reason="the anthropic package is installed here")
def test_a_missing_provider_package_says_what_to_install(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--model", "anthropic/claude-x", "--limit", 1, "--log-dir", tmp_path / "logs")
    done = knowact(capsys, "run", "kapro", *words)
    assert_one_sentence(done)
    assert "pip install anthropic" in done.err
    assert not (tmp_path / "logs").exists()


def test_a_log_folder_that_cannot_be_made_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "logs").write_text("a file", encoding="utf-8")
    done = knowact(capsys, *ORACLE, "--log-dir", tmp_path / "logs")
    assert done.code == 2
    assert "choose another --log-dir" in done.err
    assert done.err.count("\n") == 1


def test_a_cost_limit_without_prices_is_refused_before_anything_is_called(
    local: LocalAgents, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    local.tasks = tasks_of(OURS)
    words = ("--model", "openai-api/local/unpriced", "--cost-limit", 1, "--log-dir", tmp_path / "logs")
    done = knowact(capsys, *RUN, *words)
    assert_one_sentence(done)
    assert "No price of openai-api/local/unpriced is known, so --cost-limit cannot be kept." in done.err
    assert "--model-cost-config FILE" in done.err
    assert local.requests == []
    assert not (tmp_path / "logs").exists()
